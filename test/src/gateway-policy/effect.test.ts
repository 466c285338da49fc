/** What a change does to recorded requests, beside what the policy in force does to them. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RecordedEvent } from '../../../src/gateway-policy/event.ts'
import { effectSentences } from '../../../src/gateway-policy/effect.ts'
import type { Policy } from '../../../src/gateway-policy/model.ts'
import { replay, type Replay } from '../../../src/gateway-policy/replay.ts'
import { outcomeOf, prepare, recordedOutcome } from '../../../src/gateway-policy/replay-outcome.ts'
import { now, policyOf, ruleOf } from './policy.ts'

/** A request below every threshold, recorded under the first version of the policy. */
const eventOf = (route: string, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: `v-${route}`,
  at: now,
  action: 'log',
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  method: 'GET',
  route,
  status: 200,
  count: 1,
  network: '203.0.113.0/24',
  country: null,
  score: { inbound: 0, threshold: 5, detection: 2 },
  matches: [],
  exceptionIds: [],
  policyVersion: 1,
  documentId: null,
  ...more,
})

const blocks = (id: string, route: string, order = 1) =>
  ruleOf({ id, action: 'block', order, expression: { field: 'http.route', op: 'eq', value: route } })
const events = [
  eventOf('/tickets', { count: 40 }),
  // What its rules would have found was not recorded.
  eventOf('/special-events', { count: 60, score: null }),
]
const first = policyOf()

type Counts = Omit<Replay, 'events' | 'byRoute' | 'samples'>

const effect = (inForce: Policy, candidate: Policy, version = 2): Counts => {
  const known = new Map([[1, first]])
  const found = replay(events, candidate, known, now, null, { policy: inForce, version, documentId: null })
  const { considered, unchanged, newlyBlocked, newlyAllowed, unknown, reached } = found
  const counts = { considered, unchanged, newlyBlocked, newlyAllowed, unknown }
  return reached === undefined ? counts : { ...counts, reached }
}

test('a rule that meets nothing changes nothing, whatever the policy in force refuses', () => {
  const inForce = policyOf({ rules: [blocks('r1', '/tickets')] })
  const candidate = policyOf({ rules: [blocks('r1', '/tickets'), blocks('r2', '/nothing', 2)] })
  const nothing = { considered: 100, unchanged: 100, newlyBlocked: 0, newlyAllowed: 0, unknown: 0, reached: 0 }
  expect([effect(inForce, candidate), effect(first, policyOf({ rules: [blocks('r2', '/nothing')] }))]).toEqual([
    nothing,
    nothing,
  ])
  expect(effectSentences(nothing)).toEqual([
    'Refuses 0 more of 100 recorded requests, lets 0 more pass.',
    'No recorded request matches what changes: is that what you mean?',
  ])
})

test('a change of another setting does not refuse what a rule in force refuses already', () => {
  const rules = [blocks('r1', '/tickets')]
  const basic = policyOf({ rules, presets: { ...first.presets, tier: 'basic' } })
  expect(effect(policyOf({ rules }), basic)).toEqual({
    considered: 100,
    unchanged: 40,
    newlyBlocked: 0,
    newlyAllowed: 0,
    unknown: 60,
    reached: 60,
  })
})

test('a rule newly refuses what it meets and nothing else, and removing it lets that pass', () => {
  const rule = policyOf({ rules: [blocks('r1', '/tickets')], presets: { ...first.presets, tier: 'off' } })
  const none = policyOf({ presets: { ...first.presets, tier: 'off' } })
  const counts = { considered: 100, unchanged: 60, newlyBlocked: 0, newlyAllowed: 0, unknown: 0, reached: 40 }
  expect([effect(none, rule), effect(rule, none)]).toEqual([
    { ...counts, newlyBlocked: 40 },
    { ...counts, newlyAllowed: 40 },
  ])
})

test('a rule that only reports reaches requests and changes none; a new name of a rule is about no request', () => {
  const log = policyOf({ rules: [{ ...blocks('r1', '/tickets'), action: 'log' as const }] })
  const unchanged = { considered: 100, unchanged: 100, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 }
  const rule = blocks('r1', '/tickets')
  expect([
    effect(first, log),
    effect(policyOf({ rules: [rule] }), policyOf({ rules: [{ ...rule, name: 'Another' }] })),
  ]).toEqual([{ ...unchanged, reached: 40 }, unchanged])
})

test('shares have one decimal and are never nothing where something is refused', () => {
  const sentence = (newlyBlocked: number, considered: number, unknown = 0) =>
    effectSentences({ considered, newlyBlocked, newlyAllowed: 0, unknown, reached: newlyBlocked + unknown })[0]
  expect([sentence(741, 10_738, 3820), sentence(1, 100_000), sentence(5, 5)]).toEqual([
    'Refuses 741 more of 10,738 recorded requests (6.9 %), lets 0 more pass, 3,820 undecided.',
    'Refuses 1 more of 100,000 recorded requests (0.1 %), lets 0 more pass.',
    'Refuses 5 more of 5 recorded requests (100 %), lets 0 more pass.',
  ])
})

const routes = ['/a', '/b', '/c'] as const
const anyRule = fc.record({
  action: fc.constantFrom('allow' as const, 'block' as const, 'log' as const),
  route: fc.constantFrom(...routes),
  method: fc.option(fc.constantFrom('GET', 'POST'), { nil: null }),
})
const anyPolicy = fc
  .record({ rules: fc.array(anyRule, { maxLength: 4 }), tier: fc.constantFrom('off' as const, 'standard' as const) })
  .map(({ rules, tier }) =>
    policyOf({
      presets: { ...first.presets, tier },
      rules: rules.map(({ action, route, method }, at) => {
        const here = { field: 'http.route', op: 'eq', value: route } as const
        const by = { field: 'http.method', op: 'eq', value: method ?? '' } as const
        return ruleOf({ id: `r${at}`, order: at, action, expression: method === null ? here : { and: [here, by] } })
      }),
    }),
  )
const anyEvent = fc
  .record({
    route: fc.constantFrom(...routes),
    method: fc.constantFrom('GET', 'POST'),
    count: fc.integer({ min: 1, max: 9 }),
    version: fc.constantFrom(1, 2),
    isRefused: fc.boolean(),
  })
  .map(({ route, method, count, version, isRefused }) =>
    eventOf(route, { method, count, policyVersion: version, action: isRefused ? 'block' : 'log' }),
  )

/** The rule that decides about a request, else the tier: everything that the rules ask of is recorded. */
const decider = ({ rules, presets }: Policy, { route, method }: RecordedEvent): unknown => {
  const found = rules.find(
    ({ action, expression }) =>
      action !== 'log' &&
      (JSON.stringify(expression).match(/"value":"[^"]*"/g) ?? []).every(
        (value) => value === `"value":"${route}"` || value === `"value":"${method}"`,
      ),
  )
  return found === undefined ? presets.tier : { id: found.id, action: found.action, expression: found.expression }
}

test('the numbers are those of asking both policies about each request by itself', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 12 }), anyPolicy, anyPolicy, (recorded, inForce, candidate) => {
      const known = new Map([
        [1, first],
        [2, inForce],
      ])
      const sums = { unchanged: 0, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 }
      for (const event of recorded) {
        const then = prepare(known.get(event.policyVersion ?? 0)!, now)
        const under = (policy: Policy) => outcomeOf({ event, then, candidate: prepare(policy, now), now })
        const isSame = JSON.stringify(decider(then.policy, event)) === JSON.stringify(decider(inForce, event))
        const before = event.policyVersion === 2 || isSame ? recordedOutcome(event) : under(inForce)
        const after = under(candidate)
        if (JSON.stringify(decider(inForce, event)) === JSON.stringify(decider(candidate, event)))
          sums.unchanged += event.count
        else if (before === 'unknown' || after === 'unknown') sums.unknown += event.count
        else if (before === after) sums.unchanged += event.count
        else sums[after === 'refused' ? 'newlyBlocked' : 'newlyAllowed'] += event.count
      }
      const { unchanged, newlyBlocked, newlyAllowed, unknown } = replay(recorded, candidate, known, now, null, {
        policy: inForce,
        version: 2,
        documentId: null,
      })
      expect({ unchanged, newlyBlocked, newlyAllowed, unknown }).toEqual(sums)
    }),
    { numRuns: 200, seed: 39 },
  )
})
