/** How well a rule matches what was typed. */
import { expect, test } from 'bun:test'
import { fitOf } from '../../../server/search/rules.ts'

test('its id is best, then its beginning, a part of it, its words in any order, and words of its description', () => {
  const fits = (text: string) => fitOf('operation-tag-defined', 'Tags must be known globally.', text)
  expect(
    ['operation-tag-defined', ' Operation-Tag', 'tag-def', 'defined operation', 'tags globally', 'tag nowhere'].map(
      fits,
    ),
  ).toEqual([0, 1, 2, 3, 4, null])
})
