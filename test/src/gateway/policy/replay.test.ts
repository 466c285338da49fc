/** What a candidate would have done to recorded requests: exact, or unknown. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { groupIds, tierIds, type GroupId } from '../../../../src/gateway/policy/catalogue.ts'
import type { EventMatch, RecordedEvent } from '../../../../src/gateway/policy/event.ts'
import { severityScore } from '../../../../src/gateway/policy/event.ts'
import { isExempt } from '../../../../src/gateway/policy/exception-check.ts'
import { effectiveMode, levelsOf, type Policy } from '../../../../src/gateway/policy/model.ts'
import { replay } from '../../../../src/gateway/policy/replay.ts'
import { exceptionOf, inHours, now, policyOf, ruleOf } from './policy.ts'

const matchOf = (it: Partial<EventMatch> = {}): EventMatch => ({
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  paranoia: 1,
  severity: 'critical',
  field: 'query:q',
  length: 12,
  digest: 'a',
  ...it,
})
const eventOf = (it: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: 'v1',
  at: now,
  action: 'block',
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  method: 'GET',
  route: '/search',
  status: 403,
  count: 1,
  network: '203.0.113.0/24',
  country: null,
  score: { inbound: 5, threshold: 5, detection: 2 },
  matches: [matchOf()],
  exceptionIds: [],
  policyVersion: 1,
  ...it,
})
const first = policyOf()
const outcome = (event: RecordedEvent, candidate: Policy, then: Policy | null = first): string => {
  const policies = new Map(then === null ? [] : [[1, then] as const])
  const { unchanged, newlyBlocked, newlyAllowed, unknown } = replay([event], candidate, policies, now)
  return Object.entries({ unchanged, newlyBlocked, newlyAllowed, unknown })
    .filter(([, count]) => count > 0)
    .map(([kind]) => kind)
    .join()
}
const presets = (it: Partial<Policy['presets']>) => policyOf({ presets: { ...first.presets, ...it } })
const group = (id: GroupId, mode: 'off' | 'log' | 'block') => policyOf({ groups: { [id]: { mode, reason: 'x' } } })

test('group modes, tiers and thresholds', () => {
  expect([
    outcome(eventOf(), first),
    outcome(eventOf(), group('sqli', 'log')),
    outcome(eventOf(), group('sqli', 'off')),
    outcome(eventOf(), group('xss', 'off')),
    outcome(eventOf(), presets({ tier: 'basic' })),
    outcome(eventOf(), presets({ tier: 'off' })),
    outcome(eventOf(), presets({ threshold: 6 })),
    outcome(eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })] }), presets({ threshold: 2 })),
    outcome(eventOf({ action: 'log', matches: [matchOf({ paranoia: 2 })] }), first),
    outcome(eventOf({ action: 'log', matches: [matchOf({ paranoia: 2 })] }), presets({ tier: 'strict' })),
  ]).toEqual([
    'unchanged',
    'newlyAllowed',
    'newlyAllowed',
    'unchanged',
    'newlyAllowed',
    'newlyAllowed',
    'newlyAllowed',
    'newlyBlocked',
    'unchanged',
    'newlyBlocked',
  ])
})

test('what was not recorded is unknown, never newly allowed', () => {
  const log = group('sqli', 'log')
  const quiet = eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })] })
  expect([
    outcome(eventOf(), log, null),
    outcome(eventOf({ score: null }), log),
    outcome(eventOf({ policyVersion: 7 }), log),
    outcome(eventOf({ exceptionIds: ['e9'] }), log),
    // A group that was off then reported nothing.
    outcome(eventOf(), log, group('xss', 'off')),
    outcome(
      eventOf(),
      policyOf({ groups: { sqli: { mode: 'log', reason: 'x' }, xss: { mode: 'off', reason: 'x' } } }),
      group('xss', 'off'),
    ),
    // Nothing above the detection level of then was recorded.
    outcome(quiet, presets({ paranoia: 3 })),
    outcome(quiet, presets({ paranoia: 2 })),
    // What was recorded is enough to refuse, whatever else there was.
    outcome(eventOf({ action: 'log' }), first, null),
    outcome(eventOf({ ruleRef: 'positive:body', groupId: null, matches: [] }), log),
    outcome(eventOf({ ruleRef: 'rate:ip', groupId: null, matches: [], action: 'rate-limit' }), log),
  ]).toEqual([
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'newlyAllowed',
    'unknown',
    'unchanged',
    'newlyBlocked',
    'unchanged',
    'unknown',
  ])
})

test('exceptions of the candidate and of then', () => {
  const withException = (it: Parameters<typeof exceptionOf>[0]) => policyOf({ exceptions: [exceptionOf(it)] })
  const scope = exceptionOf().scope
  expect([
    outcome(eventOf(), withException({})),
    outcome(eventOf(), withException({ expiresAt: inHours(-1) })),
    outcome(eventOf(), withException({ removedAt: now })),
    outcome(eventOf(), withException({ scope: { ...scope, field: 'query:r' } })),
    outcome(eventOf(), withException({ scope: { ...scope, method: 'POST' } })),
    outcome(eventOf(), withException({ scope: { ...scope, route: '/other' } })),
    outcome(eventOf({ route: null }), withException({})),
    outcome(eventOf({ matches: [matchOf(), matchOf({ field: 'query:r' })] }), withException({})),
    // The exception of then is gone: what it exempted was not recorded.
    outcome(eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })] }), first, withException({})),
    outcome(
      eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })], method: 'GET' }),
      first,
      withException({ scope: { ...scope, method: 'POST' } }),
    ),
    outcome(
      eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })] }),
      withException({}),
      withException({}),
    ),
  ]).toEqual([
    'newlyAllowed',
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'unknown',
    'unchanged',
    'unknown',
    'unchanged',
    'unchanged',
  ])
})

test('custom rules over what events keep', () => {
  const withRule = (it: Parameters<typeof ruleOf>[0]) => policyOf({ rules: [ruleOf(it)] })
  const net = { field: 'ip.src', op: 'cidr', value: ['203.0.113.0/24'] } as const
  const half = { field: 'ip.src', op: 'cidr', value: ['203.0.113.0/25'] } as const
  const post = { field: 'http.method', op: 'eq', value: 'POST' } as const
  const logged = eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })] })
  expect([
    outcome(logged, withRule({ expression: net })),
    outcome(logged, withRule({ expression: half })),
    outcome(logged, withRule({ expression: post })),
    outcome(logged, withRule({ expression: net, enabled: false })),
    outcome(logged, withRule({ expression: net, action: 'log' })),
    outcome(eventOf(), withRule({ expression: net, action: 'allow' })),
    outcome(eventOf(), withRule({ expression: net, action: 'skip', groups: ['sqli'] })),
    outcome(logged, withRule({ expression: net, action: 'rate-limit' })),
    // The path was not recorded; the same rule then did not apply.
    outcome(logged, withRule({})),
    outcome(logged, withRule({}), withRule({})),
    outcome(eventOf({ ruleRef: 'rule:r1', groupId: null, matches: [] }), withRule({}), withRule({})),
    outcome(eventOf({ ruleRef: 'rule:r1', groupId: null, matches: [] }), withRule({ action: 'log' }), withRule({})),
    outcome(logged, withRule({}), withRule({ enabled: false })),
    outcome(logged, withRule({}), withRule({ expression: post })),
  ]).toEqual([
    'newlyBlocked',
    'unknown',
    'unchanged',
    'unchanged',
    'unchanged',
    'newlyAllowed',
    'unknown',
    'unknown',
    'unknown',
    'unchanged',
    'unchanged',
    'newlyAllowed',
    'unknown',
    'unknown',
  ])
})

test('counts are of requests, by route, with the first twenty that change', () => {
  const events = Array.from({ length: 60 }, (_, index) =>
    eventOf({
      id: `v${index}`,
      count: 2,
      route: `/r${index % 3}`,
      matches: [matchOf({ groupId: index % 3 === 0 ? 'xss' : 'sqli' })],
    }),
  )
  const found = replay(events, group('sqli', 'log'), new Map([[1, first]]), now)
  expect({
    ...found,
    samples: found.samples.map(({ eventId, before, after }) => [eventId, before, after]).slice(0, 2),
  }).toEqual({
    events: 60,
    considered: 120,
    unchanged: 40,
    newlyBlocked: 0,
    newlyAllowed: 80,
    unknown: 0,
    byRoute: [
      { route: '/r1', unchanged: 0, newlyBlocked: 0, newlyAllowed: 40, unknown: 0 },
      { route: '/r2', unchanged: 0, newlyBlocked: 0, newlyAllowed: 40, unknown: 0 },
      { route: '/r0', unchanged: 40, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 },
    ],
    samples: [
      ['v1', 'refused', 'passed'],
      ['v2', 'refused', 'passed'],
    ],
  })
  expect(found.samples).toHaveLength(20)
})

test('recorded under one policy, replayed under another: never wrong about what an engine would do', () => {
  const truths = fc.record({
    all: fc.array(
      fc.record({
        groupId: fc.constantFrom('sqli', 'xss', 'rce'),
        paranoia: fc.integer({ min: 1, max: 4 }),
        severity: fc.constantFrom('critical', 'error', 'warning', 'notice'),
        field: fc.constantFrom('query:q', 'query:r'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom('/search', '/pets'),
  })
  const policies = fc
    .record({
      tier: fc.constantFrom(...tierIds),
      paranoia: fc.constantFrom(null, 1, 2, 3),
      threshold: fc.constantFrom(null, 3, 5, 12),
      sqli: fc.constantFrom(null, 'off', 'log', 'block'),
      xss: fc.constantFrom(null, 'off', 'log'),
      excepted: fc.boolean(),
    })
    .map(({ tier, paranoia, threshold, sqli, xss, excepted }) =>
      policyOf({
        presets: { ...first.presets, tier, paranoia, threshold },
        groups: {
          ...(sqli === null ? {} : { sqli: { mode: sqli, reason: 'x' } }),
          ...(xss === null ? {} : { xss: { mode: xss, reason: 'x' } }),
        },
        exceptions: excepted ? [exceptionOf()] : [],
      }),
    )
  interface Truth {
    readonly all: readonly {
      groupId: 'sqli' | 'xss' | 'rce'
      paranoia: number
      severity: 'critical' | 'error' | 'warning' | 'notice'
      field: string
    }[]
    readonly method: string
    readonly route: string
  }
  /** What an engine does with every match that a request really has. */
  const engine = (it: Truth, policy: Policy) => {
    const { blocking, detection, threshold } = levelsOf(policy.presets)
    const reported = it.all.filter(
      (one) =>
        one.paranoia <= detection &&
        effectiveMode(policy, one.groupId).mode !== 'off' &&
        isExempt(policy.exceptions, { ...one, ruleRef: 'crs:1', method: it.method, route: it.route }, now) !== true,
    )
    const inbound = reported
      .filter((one) => one.paranoia <= blocking && effectiveMode(policy, one.groupId).mode === 'block')
      .reduce((sum, one) => sum + severityScore[one.severity], 0)
    return { reported, inbound, detection, threshold, isRefused: policy.presets.tier !== 'off' && inbound >= threshold }
  }
  expect(groupIds).toContain('rce')
  fc.assert(
    fc.property(truths, policies, policies, (truth, then, candidate) => {
      const { reported, inbound, detection, threshold, isRefused } = engine(truth, then)
      if (reported.length === 0) return
      const event = eventOf({
        action: isRefused ? 'block' : 'log',
        method: truth.method,
        route: truth.route,
        score: { inbound, threshold, detection },
        matches: reported.map((one) => matchOf({ ...one, ruleRef: 'crs:1' })),
      })
      const found = outcome(event, candidate, then)
      if (found === 'unknown') return
      const expected = engine(truth, candidate).isRefused
      expect(found).toBe(expected === isRefused ? 'unchanged' : expected ? 'newlyBlocked' : 'newlyAllowed')
    }),
    { numRuns: 3000 },
  )
})
