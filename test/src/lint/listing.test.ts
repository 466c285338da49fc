/** Findings by rule and by place, filtered and counted. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { someFindings as some } from '../../fixtures/findings.ts'
import { countBy, filterFindings, groupFindings, placeOf } from '../../../src/lint/listing.ts'

test('a finding belongs to an operation, a path, a component or a field of the document', () => {
  expect(some.map(placeOf)).toEqual(['GET /pets', 'POST /pets', 'servers/0', 'components/schemas/Pet'])
  const of = (...path: (string | number)[]): string => placeOf({ path })
  expect([of(), of('info', 'title'), of('paths', '/a'), of('paths', '/a', 'parameters', 0)]).toEqual([
    'whole document',
    'info',
    '/a',
    '/a',
  ])
  expect(of('webhooks', 'sold', 'post')).toBe('POST webhook sold')
})

test('groups: the worse before the larger, and nothing is lost or told twice', () => {
  expect(groupFindings(some, 'rule').map((it) => [it.name, it.severity, it.findings.length])).toEqual([
    ['slash', 'error', 1],
    ['tags', 'warning', 2],
    ['example', 'info', 1],
  ])
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...some)), fc.constantFrom('rule' as const, 'place' as const), (list, by) => {
      const grouped = groupFindings(list, by).flatMap((it) => it.findings)
      expect(grouped.map((it) => it.fingerprint).toSorted()).toEqual(list.map((it) => it.fingerprint).toSorted())
    }),
  )
})

test('filters narrow together', () => {
  const codes = (given: Partial<Parameters<typeof filterFindings>[1]>): string[] =>
    filterFindings(some, { q: '', severity: '', rule: '', place: '', ...given }).map((it) => it.code)
  expect(codes({})).toEqual(['tags', 'tags', 'slash', 'example'])
  expect(codes({ severity: 'warning', place: 'GET /pets' })).toEqual(['tags'])
  expect(codes({ q: 'get /PETS' })).toEqual(['tags'])
  expect(codes({ rule: 'slash', q: 'nowhere' })).toEqual([])
})

test('words are counted, the most frequent first', () => {
  expect(countBy(some, (it) => it.code)).toEqual([
    ['tags', 2],
    ['example', 1],
    ['slash', 1],
  ])
})
