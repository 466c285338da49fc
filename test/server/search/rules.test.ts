/** How well a rule, and a project, matches what was typed. */
import { expect, test } from 'bun:test'
import { rankOf } from '../../../server/search/projects.ts'
import { fitOf } from '../../../server/search/rules.ts'

test('its id is best, then its beginning, a part of it, its words in any order, and words of its description', () => {
  const fits = (text: string) => fitOf('operation-tag-defined', 'Tags must be known globally.', text)
  expect(
    ['operation-tag-defined', ' Operation-Tag', 'tag-def', 'defined operation', 'tags globally', 'tag nowhere'].map(
      fits,
    ),
  ).toEqual([0, 1, 2, 3, 4, null])
})

test('in a description words count from their beginning', () => {
  expect(fitOf('x', 'Names the target of it', 'get')).toBe(null)
  expect(fitOf('x', 'Names the target of it', 'tar')).toBe(4)
})

test('a project is best by its name, then its beginning, its words in any order, their beginnings, and parts of them', () => {
  const rank = (text: string) => rankOf({ name: 'Risk gateway API', slug: 'risk-gw' }, text)
  expect(
    ['risk gateway api', 'RISK-GW', 'Risk g', 'gateway risk', 'gate api', 'ateway', 'chargebacks'].map(rank),
  ).toEqual([0, 0, 1, 2, 3, 4, 5])
})
