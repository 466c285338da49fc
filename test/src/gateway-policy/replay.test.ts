/** What a candidate would have done to recorded requests: exact, or unknown. */
import { expect, test } from 'bun:test'
import type { GroupId } from '../../../src/gateway-policy/catalogue.ts'
import type { EventMatch, RecordedEvent } from '../../../src/gateway-policy/event.ts'
import { severityScore } from '../../../src/gateway-policy/event.ts'
import { positiveChecks, type Policy, type Positive } from '../../../src/gateway-policy/model.ts'
import { replay } from '../../../src/gateway-policy/replay.ts'
import { exceptionOf, inHours, now, policyOf, ruleOf } from './policy.ts'

const matchOf = (match: Partial<EventMatch> = {}): EventMatch => ({
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  paranoia: 1,
  severity: 'critical',
  field: 'query:q',
  length: 12,
  digest: 'a',
  shape: null,
  ...match,
})
/** As a gateway at the tier standard adds up. */
const scoreOf = (matches: readonly EventMatch[]) => ({
  inbound: matches
    .filter(({ paranoia }) => paranoia === 1)
    .reduce((sum, { severity }) => sum + severityScore[severity ?? 'critical'], 0),
  threshold: 5,
  detection: 2,
})
const eventOf = (recordedEvent: Partial<RecordedEvent> = {}): RecordedEvent => ({
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
  score: scoreOf(recordedEvent.matches ?? [matchOf()]),
  matches: [matchOf()],
  exceptionIds: [],
  policyVersion: 1,
  documentId: null,
  ...recordedEvent,
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
    'unknown',
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
      eventOf({ action: 'log', matches: [matchOf({ severity: 'notice', field: 'query:r' })] }),
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
    // A rule that was tried in log mode: what it matched, and what it did not.
    outcome(
      eventOf({
        action: 'log',
        ruleRef: 'rule:r1',
        matches: [matchOf({ ruleRef: 'rule:r1', groupId: null, severity: null, paranoia: null })],
        score: scoreOf([]),
      }),
      withRule({}),
      withRule({ action: 'log' }),
    ),
    outcome(logged, withRule({}), withRule({ action: 'log' })),
    outcome(
      eventOf({ ruleRef: 'rule:r1', groupId: null, matches: [] }),
      policyOf({
        rules: [ruleOf({})],
        exceptions: [
          exceptionOf({
            scope: { ...exceptionOf().scope, field: null },
            target: { groups: [], ruleRefs: ['rule:r1'] },
          }),
        ],
      }),
      withRule({}),
    ),
    outcome(
      eventOf({ ruleRef: 'rule:r1', action: 'challenge', matches: [] }),
      withRule({ action: 'challenge' }),
      withRule({ action: 'challenge' }),
    ),
    outcome(logged, withRule({ expression: net, action: 'challenge' })),
    outcome(
      logged,
      withRule({ expression: net, action: 'challenge' }),
      withRule({ expression: net, action: 'challenge' }),
    ),
  ]).toEqual([
    'newlyBlocked',
    'unknown',
    'unchanged',
    'unchanged',
    'unchanged',
    'newlyAllowed',
    'newlyAllowed',
    'unknown',
    'unknown',
    'unchanged',
    'unchanged',
    'unknown',
    'unknown',
    'unknown',
    'newlyBlocked',
    'unchanged',
    'unknown',
    'unchanged',
    'unknown',
    'unchanged',
  ])
})

test('what a rule did in the mode log is taken over by one that lets pass only where it did not apply: paths have several readings', () => {
  const rule = (it: Parameters<typeof ruleOf>[0]) => policyOf({ rules: [ruleOf(it)] })
  const reported = eventOf({
    ruleRef: 'rule:r1',
    matches: [matchOf({ ruleRef: 'rule:r1', groupId: null, severity: null, paranoia: null }), matchOf({})],
  })
  expect([
    outcome(reported, rule({ action: 'allow' }), rule({ action: 'log' })),
    outcome(eventOf(), rule({ action: 'allow' }), rule({ action: 'log' })),
    // One that let pass did not apply: some reading may meet it all the same.
    outcome(eventOf({ action: 'log', score: scoreOf([]), matches: [] }), rule({}), rule({ action: 'allow' })),
  ]).toEqual(['unknown', 'unchanged', 'unknown'])
})

test('checks of requests against the document', () => {
  const bound = (modes: Partial<Positive['checks']>, entry: Partial<Positive> = {}) =>
    policyOf({
      positive: {
        projectId: 'p1',
        version: '1.0.0',
        mode: 'block',
        checks: { ...(Object.fromEntries(positiveChecks.map((one) => [one, 'log'])) as Positive['checks']), ...modes },
        stripPrefix: null,
        ...entry,
      },
    })
  const body = matchOf({ ruleRef: 'positive:body', groupId: null, paranoia: null, severity: null, field: null })
  const logged = eventOf({
    action: 'log',
    ruleRef: 'positive:body',
    groupId: null,
    matches: [body],
    score: scoreOf([]),
  })
  const refused = eventOf({ ...logged, action: 'block' })
  const exempt = exceptionOf({
    scope: { ...exceptionOf().scope, field: null },
    target: { groups: [], ruleRefs: ['positive:body'] },
  })
  const of = (documentId: string, candidateId: string) => {
    const [then, candidate] = [bound({}, { version: 'latest' }), bound({ body: 'block' }, { version: 'latest' })]
    const { newlyBlocked, unknown } = replay(
      [{ ...logged, documentId }],
      candidate,
      new Map([[1, then]]),
      now,
      candidateId,
    )
    return { newlyBlocked, unknown }
  }
  expect([
    outcome(logged, bound({ body: 'block' }), bound({})),
    outcome(logged, bound({ method: 'block' }), bound({})),
    outcome(logged, bound({ method: 'block' }), bound({ method: 'off' })),
    outcome(logged, bound({ body: 'block' }, { mode: 'log' }), bound({})),
    outcome(logged, bound({ body: 'block' }, { version: '2.0.0' }), bound({})),
    outcome(logged, bound({ body: 'block' }, { version: 'latest' }), bound({}, { version: 'latest' })),
    outcome(logged, { ...bound({ body: 'block' }), exceptions: [exempt] }, bound({})),
    outcome(refused, bound({ body: 'block' }), bound({ body: 'block' })),
    // What the managed rules would have said was not recorded.
    outcome(refused, bound({}), bound({ body: 'block' })),
    outcome(refused, { ...bound({}), presets: { ...first.presets, tier: 'off' } }, bound({ body: 'block' })),
    of('v1', 'v1'),
    of('v1', 'v2'),
  ]).toEqual([
    'newlyBlocked',
    'unchanged',
    'unknown',
    'unchanged',
    'unknown',
    'unknown',
    'unchanged',
    'unchanged',
    'unknown',
    'newlyAllowed',
    { newlyBlocked: 1, unknown: 0 },
    { newlyBlocked: 0, unknown: 1 },
  ])
})

test('limits of all requests, bots and responses', () => {
  const rate = { limit: 10, windowSeconds: 60, key: 'ip' }
  const quiet = eventOf({ action: 'log', matches: [matchOf({ severity: 'notice' })] })
  const limited = eventOf({ ruleRef: 'rate:ip', groupId: null, matches: [], action: 'rate-limit' })
  const leak = matchOf({ ruleRef: 'crs:951110', groupId: 'data-leak' })
  const strict = presets({ tier: 'strict' })
  expect([
    outcome(quiet, presets({ rate })),
    outcome(quiet, presets({ rate }), presets({ rate })),
    outcome(eventOf(), presets({ rate })),
    outcome(limited, presets({ rate }), presets({ rate })),
    outcome(limited, first, presets({ rate })),
    outcome(quiet, presets({ bot: 'block' })),
    outcome(quiet, presets({ bot: 'block' }), presets({ bot: 'off' })),
    outcome(eventOf({ action: 'log', ruleRef: 'rule:bot', matches: [] }), presets({ bot: 'block' })),
    // The response of a request that was refused was never seen; strict reads responses.
    outcome(
      { ...eventOf(), score: { inbound: 5, threshold: 5, detection: 3 } },
      policyOf({ presets: strict.presets, groups: { sqli: { mode: 'log', reason: 'x' } } }),
      strict,
    ),
    outcome(
      eventOf({ action: 'log', matches: [leak], score: { inbound: 0, threshold: 5, detection: 3 } }),
      strict,
      group('data-leak', 'log'),
    ),
    // More was added up than was sent.
    outcome(eventOf({ score: { inbound: 9, threshold: 5, detection: 2 } }), group('sqli', 'log')),
  ]).toEqual([
    'unknown',
    'unchanged',
    'unchanged',
    'unchanged',
    'unknown',
    'unchanged',
    'unknown',
    'newlyBlocked',
    'unknown',
    'newlyBlocked',
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
