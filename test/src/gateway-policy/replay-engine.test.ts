/** Recorded under one policy and replayed under another: what an engine would do, or unknown. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { groupOf, tierIds, type GroupId } from '../../../src/gateway-policy/catalogue.ts'
import { evaluate, type RequestRecord } from '../../../src/gateway-policy/evaluate.ts'
import { leanOf } from '../../../src/gateway-policy/path-reading.ts'
import { severityScore, type EventMatch, type RecordedEvent, type Severity } from '../../../src/gateway-policy/event.ts'
import { isExempt } from '../../../src/gateway-policy/exception-check.ts'
import {
  effectiveMode,
  levelsOf,
  positiveChecks,
  positiveModeOf,
  type Policy,
  type Positive,
  type PositiveCheck,
} from '../../../src/gateway-policy/model.ts'
import { replay } from '../../../src/gateway-policy/replay.ts'
import { exceptionOf, now, policyOf, ruleOf } from './policy.ts'

interface Truth {
  readonly request: Required<Pick<RequestRecord, 'method' | 'route' | 'path' | 'ip'>>
  readonly isBot: boolean
  readonly violated: readonly PositiveCheck[]
  readonly matches: readonly {
    readonly groupId: GroupId
    readonly paranoia: number
    readonly severity: Severity
    readonly field: string
  }[]
}

const truths: fc.Arbitrary<Truth> = fc.record({
  request: fc.record({
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom('/search', '/pets'),
    path: fc.constantFrom('/admin/x', '/search'),
    ip: fc.constantFrom('203.0.113.7', '198.51.100.1'),
  }),
  isBot: fc.boolean(),
  violated: fc.uniqueArray(fc.constantFrom('method', 'body'), { maxLength: 2 }),
  matches: fc.array(
    fc.record({
      groupId: fc.constantFrom<GroupId>('sqli', 'xss', 'rce', 'data-leak'),
      paranoia: fc.integer({ min: 1, max: 4 }),
      severity: fc.constantFrom<Severity>('critical', 'error', 'warning', 'notice'),
      field: fc.constantFrom('query:q', 'query:r'),
    }),
    { maxLength: 4 },
  ),
})

const expressions = [
  { field: 'http.path', op: 'starts', value: '/admin' },
  { field: 'http.method', op: 'eq', value: 'POST' },
  { field: 'ip.src', op: 'cidr', value: ['203.0.113.0/24'] },
  { field: 'ip.src', op: 'cidr', value: ['203.0.113.0/29'] },
] as const
const ruleIn = (id: string) =>
  fc.record({
    id: fc.constant(id),
    action: fc.constantFrom('block', 'log', 'allow', 'skip'),
    expression: fc.constantFrom(...expressions),
    enabled: fc.boolean(),
    order: fc.integer({ min: 1, max: 3 }),
    groups: fc.constant<readonly GroupId[]>(['sqli', 'xss']),
  })
const exceptions = fc
  .record({
    route: fc.constantFrom('/search', '/pets'),
    method: fc.constantFrom(null, 'POST'),
    field: fc.constantFrom(null, 'query:q'),
    target: fc.constantFrom(
      { groups: ['sqli' as const], ruleRefs: [] },
      { groups: [], ruleRefs: ['rule:r1'] },
      { groups: [], ruleRefs: ['positive:body', 'crs:1'] },
    ),
  })
  // An exception never changes: another one has another id.
  .map(({ target, ...scope }) =>
    exceptionOf({ id: JSON.stringify([scope, target]), scope: { ...scope, path: null }, target }),
  )
const modes = fc.constantFrom<'off' | 'log' | 'block'>('off', 'log', 'block')
const positives: fc.Arbitrary<Positive | null> = fc.option(
  fc
    .record({ mode: modes, method: modes, body: modes, version: fc.constantFrom('1.0.0', '1.0.0', '2.0.0') })
    .map(({ mode, version, ...own }): Positive => ({
      projectId: 'p1',
      version,
      mode,
      checks: { ...(Object.fromEntries(positiveChecks.map((it) => [it, 'off'])) as Positive['checks']), ...own },
      stripPrefix: null,
    })),
  { nil: null },
)
const policies = fc
  .record({
    tier: fc.constantFrom(...tierIds),
    paranoia: fc.constantFrom(null, 1, 2, 3),
    threshold: fc.constantFrom(null, 3, 5, 12),
    bot: modes,
    groups: fc.dictionary(fc.constantFrom('sqli', 'xss', 'data-leak'), modes, { maxKeys: 3 }),
    rules: fc.tuple(ruleIn('r1'), ruleIn('r2')),
    withRules: fc.integer({ min: 0, max: 2 }),
    exceptions: fc.array(exceptions, { maxLength: 1 }),
    positive: positives,
  })
  .map(({ tier, paranoia, threshold, bot, groups, rules, withRules, exceptions: exceptionList, positive }) =>
    policyOf({
      presets: { ...policyOf().presets, tier, paranoia, threshold, bot },
      groups: Object.fromEntries(Object.entries(groups).map(([id, mode]) => [id, { mode, reason: 'x' }])),
      rules: rules.slice(0, withRules).map((it) => ruleOf(it)),
      exceptions: exceptionList,
      positive,
    }),
  )
// Most candidates differ in a part only.
const pairs = fc
  .tuple(policies, policies, fc.subarray(['presets', 'groups', 'rules', 'exceptions', 'positive'] as const))
  .map(([then, other, parts]) => ({
    then,
    candidate: { ...then, ...Object.fromEntries(parts.map((part) => [part, other[part]])) } as Policy,
  }))

const nothing = { length: null, digest: null, shape: null }
const reported = (ruleRef: string): EventMatch => ({
  ...nothing,
  ruleRef,
  groupId: null,
  paranoia: null,
  severity: null,
  field: null,
})

type Decided = Pick<RecordedEvent, 'action' | 'ruleRef' | 'groupId' | 'score' | 'matches'>

/** A tiny engine: what it decides about a request that it knows everything of, and what it writes down. */
function engine(truth: Truth, policy: Policy): Decided {
  const { method, route } = truth.request
  const matches: EventMatch[] = []
  const exempt = (ruleRef: string, groupId: GroupId | null, field: string | null) =>
    isExempt(policy.exceptions, { method, route, ruleRef, groupId, field }, now) === true
  const decided = (
    action: 'block' | 'allow' | 'log',
    ruleRef: string,
    groupId: GroupId | null = null,
    score: Decided['score'] = null,
  ) => ({
    action,
    ruleRef,
    groupId,
    score,
    matches,
  })
  if (truth.isBot && policy.presets.bot !== 'off') matches.push(reported('rule:bot'))
  if (truth.isBot && policy.presets.bot === 'block') return decided('block', 'rule:bot')
  const skipped = new Set<GroupId>()
  for (const rule of policy.rules.toSorted((a, b) => a.order - b.order)) {
    const ref = `rule:${rule.id}`
    if (!rule.enabled || evaluate(rule.expression, truth.request, leanOf(rule.action)) !== true) continue
    // An exception for a field says nothing about a rule that reads none.
    if (exempt(ref, null, null)) continue
    if (rule.action === 'skip') for (const id of rule.groups) skipped.add(id)
    else if (rule.action === 'log') matches.push(reported(ref))
    else return decided(rule.action === 'allow' ? 'allow' : 'block', ref)
  }
  for (const check of truth.violated) {
    const mode = positiveModeOf(policy.positive, check)
    if (mode === 'off' || exempt(`positive:${check}`, null, null)) continue
    matches.push(reported(`positive:${check}`))
    if (mode === 'block') return decided('block', `positive:${check}`)
  }
  const { blocking, detection, threshold } = levelsOf(policy.presets)
  const scores = [0, 0]
  for (const ofResponses of [false, true]) {
    for (const [index, { groupId, paranoia, severity, field }] of truth.matches.entries()) {
      const ruleRef = `crs:${index}`
      if ((groupOf(groupId)?.readsResponses ?? false) !== ofResponses || paranoia > detection) continue
      const { mode } = effectiveMode(policy, groupId)
      if (mode === 'off' || skipped.has(groupId) || exempt(ruleRef, groupId, field)) continue
      matches.push({ ...nothing, ruleRef, groupId, paranoia, severity, field })
      if (mode === 'block' && paranoia <= blocking) scores[Number(ofResponses)]! += severityScore[severity]
    }
    const score = { inbound: scores[0]!, threshold, detection }
    const limit = ofResponses ? 4 : threshold
    if (policy.presets.tier !== 'off' && scores[Number(ofResponses)]! >= limit)
      return decided('block', 'crs:1', ofResponses ? 'data-leak' : 'sqli', score)
  }
  const [one] = matches
  return decided('log', one?.ruleRef ?? '', one?.groupId ?? null, { inbound: scores[0]!, threshold, detection })
}

test('an answer is what an engine does, or unknown', () => {
  const kinds = { unchanged: 0, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 }
  fc.assert(
    fc.property(truths, pairs, (truth, { then, candidate }) => {
      // What pleases the document of another version is another question.
      if (candidate.positive?.version !== then.positive?.version && candidate.positive !== null) return
      const was = engine(truth, then)
      if (was.action === 'log' && was.matches.length === 0) return
      const { method, route, ip } = truth.request
      const event: RecordedEvent = {
        ...was,
        id: 'v1',
        at: now,
        method,
        route,
        status: null,
        count: 1,
        network: ip.replace(/\d+$/, '0/24'),
        country: null,
        exceptionIds: [],
        policyVersion: 1,
        documentId: null,
      }
      const { unchanged, newlyBlocked, newlyAllowed, unknown } = replay([event], candidate, new Map([[1, then]]), now)
      const found = { unchanged, newlyBlocked, newlyAllowed, unknown }
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) kinds[kind] += found[kind]
      if (unknown === 1) return
      const [before, after] = [was.action === 'block', engine(truth, candidate).action === 'block']
      const kind = before === after ? 'unchanged' : after ? 'newlyBlocked' : 'newlyAllowed'
      expect({ [kind]: found[kind] }).toEqual({ [kind]: 1 })
    }),
    { numRuns: 6000 },
  )
  // It answers: no kind is missing, and most answers are not unknown.
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(0)
  expect(kinds.unknown).toBeLessThan(kinds.unchanged + kinds.newlyBlocked + kinds.newlyAllowed)
})
