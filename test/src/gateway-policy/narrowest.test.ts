/** The exception that a recorded event is drafted as, compared with what the replay says of it. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { severities, severityScore, type EventMatch } from '../../../src/gateway-policy/event.ts'
import { narrowestExemption } from '../../../src/gateway-policy/narrowest.ts'

const match = (ruleRef: string, field: string | null, severity: EventMatch['severity'] = 'critical'): EventMatch => ({
  ruleRef,
  groupId: 'sqli',
  paranoia: 1,
  severity,
  field,
  length: 9,
  digest: null,
  shape: null,
})
const eventOf = (matches: readonly EventMatch[], inbound: number | null, ruleRef = 'crs:942100') => ({
  ruleRef,
  matches,
  score: inbound === null ? null : { inbound, threshold: 5, detection: 1 },
})

test('one field is named where it is enough, although a warning about another one is among the matches', () => {
  const sqli = ['crs:942440', 'crs:942100'].map((ref) => match(ref, 'query:startDate'))
  const host = match('crs:920350', 'header:host', 'warning')
  expect(narrowestExemption(eventOf([host, ...sqli], 13))).toEqual({
    field: 'query:startDate',
    ruleRefs: ['crs:942100', 'crs:942440'],
  })
  // Below the threshold, where nothing has to be saved: where most of the score comes from.
  const notice = match('crs:942101', 'query:q', 'notice')
  expect(
    narrowestExemption({ ...eventOf([host, notice], 3), score: { inbound: 5, threshold: 9, detection: 1 } }),
  ).toEqual({
    field: 'header:host',
    ruleRefs: ['crs:920350'],
  })
  // A rule of a higher level reports without adding to the score.
  const above = { ...match('crs:942431', 'query:q', 'warning'), paranoia: 2 }
  expect(narrowestExemption(eventOf([above, match('crs:942100', 'query:p')], 5)).field).toBe('query:p')
})

test('whole requests are named where no single field is enough, or nothing is known of the score', () => {
  const two = [match('crs:942100', 'query:a'), match('crs:941100', 'query:b')]
  expect(narrowestExemption(eventOf(two, 15))).toEqual({ field: null, ruleRefs: ['crs:941100', 'crs:942100'] })
  expect(narrowestExemption(eventOf(two, null))).toEqual({ field: null, ruleRefs: ['crs:941100', 'crs:942100'] })
  // A rule that matches in both still matches when one of them is exempt.
  const both = [match('crs:942100', 'query:a'), match('crs:942100', 'query:b')]
  expect(narrowestExemption(eventOf(both, 5))).toEqual({ field: null, ruleRefs: ['crs:942100'] })
})

test('of several fields that are enough the one with the fewest rules is named, and below the threshold the one that saves most', () => {
  const large = ['crs:942100', 'crs:942101', 'crs:942102'].map((ref) => match(ref, 'query:z'))
  const small = ['crs:942200', 'crs:942201'].map((ref) => match(ref, 'query:b', 'notice'))
  const one = match('crs:941100', 'query:y')
  // 20 points of 24 remain too many: query:z saves 15, query:y 5 and query:b 4.
  const all = [...large, ...small, one]
  const above = (inbound: number, threshold: number) =>
    narrowestExemption({ ...eventOf(all, inbound), score: { inbound, threshold, detection: 1 } })
  expect([above(24, 24), above(24, 20), above(24, 19), above(24, 10), above(24, 9)]).toEqual([
    { field: 'query:y', ruleRefs: ['crs:941100'] },
    { field: 'query:y', ruleRefs: ['crs:941100'] },
    { field: 'query:z', ruleRefs: ['crs:942100', 'crs:942101', 'crs:942102'] },
    { field: 'query:z', ruleRefs: ['crs:942100', 'crs:942101', 'crs:942102'] },
    { field: null, ruleRefs: all.map(({ ruleRef }) => ruleRef).sort() },
  ])
  expect([above(24, 25), above(24, 40)].map(({ field }) => field)).toEqual(['query:z', 'query:z'])
  // What the score has beside the recorded matches counts too, and so does what they have beside it.
  expect([above(30, 26), above(30, 24), above(4, 24)].map(({ field }) => field)).toEqual([
    'query:y',
    'query:z',
    'query:y',
  ])
})

test('a match in no field, and rules that report without counting, need whole requests', () => {
  const nowhere = [match('crs:942100', null), match('crs:942101', 'query:a', 'notice')]
  expect(narrowestExemption(eventOf(nowhere, 7))).toEqual({ field: null, ruleRefs: ['crs:942100', 'crs:942101'] })
  const high = ['query:a', 'query:b'].map((field, n) => ({ ...match(`crs:94210${n}`, field), paranoia: 2 }))
  expect(narrowestExemption(eventOf(high, 0))).toEqual({ field: null, ruleRefs: ['crs:942100', 'crs:942101'] })
})

test('one field, one item of a list, and a check of the document', () => {
  expect(narrowestExemption(eventOf([match('crs:942100', 'json:/items/3/note')], 5))).toEqual({
    field: 'json:/items/*/note',
    ruleRefs: ['crs:942100'],
  })
  // In one field alone nothing has to be saved, and nothing to be known of the score.
  expect(narrowestExemption(eventOf([match('crs:942100', 'query:q')], null))).toEqual({
    field: 'query:q',
    ruleRefs: ['crs:942100'],
  })
  const positive = { ...match('positive:parameters', 'query:limit'), groupId: null, severity: null }
  expect(narrowestExemption(eventOf([positive], null, 'positive:parameters'))).toEqual({
    field: 'query:limit',
    ruleRefs: ['positive:parameters'],
  })
})

test('what one field saves brings every blocked request below the threshold', () => {
  const matches = fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('query:a', 'query:b', 'header:host', null))
      .map(([rule, field]) => match(`crs:94210${rule}`, field, severities[rule % 4] ?? null)),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(matches, (drawn) => {
      const sumOf = (kept: readonly EventMatch[]): number =>
        [...new Map(kept.map((it) => [it.ruleRef, it.severity]))].reduce(
          (sum, [, severity]) => sum + (severity === null ? 0 : severityScore[severity]),
          0,
        )
      const inbound = sumOf(drawn)
      const { field, ruleRefs } = narrowestExemption(eventOf(drawn, inbound))
      const left = drawn.filter((it) => !(ruleRefs.includes(it.ruleRef) && (field === null || it.field === field)))
      const isOnlyField = new Set(drawn.map((it) => it.field)).size === 1
      if (inbound >= 5 && !isOnlyField) expect(sumOf(left)).toBeLessThan(5)
      expect(ruleRefs.filter((ref) => !drawn.some((it) => it.ruleRef === ref))).toEqual([])
    }),
  )
})
