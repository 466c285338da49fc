/**
 * What a policy would have done to recorded requests. An answer is exact or `unknown`: a request that is said to pass would have
 * passed, as far as the rules that reported it are concerned.
 */
import { groupIds, type GroupId } from './catalogue.ts'
import { evaluate, type RequestRecord, type Truth } from './evaluate.ts'
import { severityScore, type EventMatch, type RecordedEvent } from './event.ts'
import { covers, isExempt } from './exception-check.ts'
import {
  effectiveModes,
  exceptionState,
  levelsOf,
  type Effective,
  type Exception,
  type Policy,
  type Rule,
} from './model.ts'

export type Outcome = 'refused' | 'passed' | 'unknown'

/** What of a policy decides about requests, computed once for many of them. */
interface Prepared {
  readonly policy: Policy
  readonly modes: Readonly<Record<GroupId, Effective>>
  readonly levels: ReturnType<typeof levelsOf>
  readonly exceptions: readonly Exception[]
}
const prepare = (policy: Policy, now: string): Prepared => ({
  policy,
  modes: effectiveModes(policy),
  levels: levelsOf(policy.presets),
  exceptions: policy.exceptions.filter((it) => exceptionState(it, now) === 'active'),
})

/** The parts of a request that events keep. */
export const recordOf = ({ method, route, network, country }: RecordedEvent): RequestRecord => ({
  ...(method === null ? {} : { method }),
  ...(route === null ? {} : { route }),
  ...(network === null ? {} : { ip: network }),
  ...(country === null ? {} : { country }),
})

/** What the recorded outcome was: refusals, and everything else. */
export const recordedOutcome = ({ action }: RecordedEvent): 'refused' | 'passed' =>
  action === 'block' || action === 'challenge' || action === 'rate-limit' ? 'refused' : 'passed'

const isManaged = (it: EventMatch): it is EventMatch & { groupId: GroupId } => it.groupId !== null

/** Whether something of then may have kept a match from being recorded that the candidate would count. */
function maskedThen(event: RecordedEvent, then: Prepared, candidate: Prepared): boolean {
  const kept = new Set(candidate.exceptions.map(({ id }) => id))
  const { method, route } = event
  const place = {
    ...(method === null ? {} : { method }),
    ...(route === null ? {} : { route }),
  }
  const exempted = then.policy.exceptions.some(
    (it) =>
      !kept.has(it.id) &&
      exceptionState(it, event.at) === 'active' &&
      // Whatever the match was, the place is what may rule the exception out.
      covers(
        { scope: { ...it.scope, field: null }, target: { groups: [], ruleRefs: ['any'] } },
        { ...place, ruleRef: 'any', groupId: null },
      ) !== false,
  )
  const record = recordOf(event)
  const skipped = then.policy.rules.some(
    (it) => it.enabled && it.action === 'skip' && evaluate(it.expression, record) !== false,
  )
  return exempted || skipped
}

/** Whether the recorded matches are all that the candidate would have had: nothing was off, exempt or above the level then. */
function isComplete(event: RecordedEvent, then: Prepared | null, candidate: Prepared): boolean {
  if (then === null || event.score === null || event.score.detection < candidate.levels.blocking) return false
  if (event.exceptionIds.some((id) => !candidate.exceptions.some((it) => it.id === id))) return false
  if (maskedThen(event, then, candidate)) return false
  return groupIds.every((id) => then.modes[id].mode !== 'off' || candidate.modes[id].mode !== 'block')
}

/** The lowest and the highest score that the managed rules give under the candidate. */
function scoreUnder(event: RecordedEvent, candidate: Prepared, now: string): { least: number; most: number } {
  let [least, most] = [0, 0]
  for (const match of event.matches.filter(isManaged)) {
    const mode = candidate.modes[match.groupId].mode
    if (mode !== 'block' && mode !== 'challenge') continue
    if (match.paranoia !== null && match.paranoia > candidate.levels.blocking) continue
    const points = match.severity === null ? null : severityScore[match.severity]
    const place = {
      ruleRef: match.ruleRef,
      groupId: match.groupId,
      field: match.field,
      ...(event.method === null ? {} : { method: event.method }),
      ...(event.route === null ? {} : { route: event.route }),
    }
    const exempt = isExempt(candidate.exceptions, place, now)
    if (exempt === true) continue
    most += points ?? 5
    if (exempt === false && match.paranoia !== null) least += points ?? 0
  }
  return { least, most }
}

const isTerminal = (it: Rule): boolean => it.action === 'block' || it.action === 'challenge' || it.action === 'allow'

/** Whether a rule applies, from the record, or from what the same rule did when the event was recorded. */
function ruleTruth(rule: Rule, event: RecordedEvent, then: Prepared | null): Truth {
  const truth = evaluate(rule.expression, recordOf(event))
  const was = then?.policy.rules.find(({ id }) => id === rule.id)
  if (truth !== 'unknown' || was === undefined || !was.enabled) return truth
  if (was.action !== rule.action || JSON.stringify(was.expression) !== JSON.stringify(rule.expression)) return truth
  if (event.ruleRef === `rule:${rule.id}`) return true
  // Had it applied, it would have decided about the request, and no managed rule.
  return isTerminal(rule) && event.ruleRef.startsWith('crs:') ? false : 'unknown'
}

/** What the custom rules decide: the first that applies, in their order. `unknown` where one may apply. */
function customOutcome(event: RecordedEvent, then: Prepared | null, { policy }: Prepared): Outcome | 'none' {
  let mayApply = false
  for (const rule of policy.rules.toSorted((a, b) => a.order - b.order)) {
    if (!rule.enabled || rule.action === 'log') continue
    const truth = ruleTruth(rule, event, then)
    if (truth === false) continue
    // How often a client asked is not recorded; what is skipped depends on the groups.
    if (truth === 'unknown' || mayApply || !isTerminal(rule)) mayApply = true
    else return rule.action === 'allow' ? 'passed' : 'refused'
  }
  return mayApply ? 'unknown' : 'none'
}

function outcomeOf(event: RecordedEvent, then: Prepared | null, candidate: Prepared, now: string): Outcome {
  const [origin] = event.ruleRef.split(':')
  const custom = customOutcome(event, then, candidate)
  if (custom !== 'none') return custom
  if (origin === 'positive' || origin === 'rate') {
    // What the document allows, and how often a client asked, is not part of an event.
    const same = then !== null && origin === 'positive' && isSamePositive(then.policy, candidate.policy)
    return same ? recordedOutcome(event) : 'unknown'
  }
  const { least, most } = scoreUnder(event, candidate, now)
  const { threshold } = candidate.levels
  const isOff = candidate.policy.presets.tier === 'off'
  if (!isOff && least >= threshold) return 'refused'
  const mayBeMore = !isOff && !isComplete(event, then, candidate)
  return isOff || (most < threshold && !mayBeMore) ? 'passed' : 'unknown'
}

const isSamePositive = (a: Policy, b: Policy): boolean => JSON.stringify(a.positive) === JSON.stringify(b.positive)

export interface ReplayCounts {
  unchanged: number
  newlyBlocked: number
  newlyAllowed: number
  unknown: number
}
export interface ReplaySample {
  readonly eventId: string
  readonly at: string
  readonly method: string | null
  readonly route: string | null
  readonly ruleRef: string
  readonly before: 'refused' | 'passed'
  readonly after: Outcome
}
export interface Replay extends Readonly<ReplayCounts> {
  /** How many events were looked at, and how many requests they are about. */
  readonly events: number
  readonly considered: number
  readonly byRoute: ({ readonly route: string | null } & Readonly<ReplayCounts>)[]
  readonly samples: ReplaySample[]
}

export const mostReplayed = 10_000
const mostRoutes = 50
const mostSamples = 20

/**
 * Replays recorded events under a candidate.
 * @param events newest first; the first 10,000 are looked at
 * @param policies the versions that gateways followed when events were recorded, as far as they are known
 * @param now as an ISO text in UTC: exceptions of the candidate that ended before it do not count
 */
export function replay(
  events: readonly RecordedEvent[],
  candidate: Policy,
  policies: ReadonlyMap<number, Policy>,
  now: string,
): Replay {
  const prepared = prepare(candidate, now)
  const known = new Map([...policies].map(([version, policy]) => [version, prepare(policy, now)]))
  const nothing = (): ReplayCounts => ({ unchanged: 0, newlyBlocked: 0, newlyAllowed: 0, unknown: 0 })
  const total = nothing()
  const routes = new Map<string | null, ReplayCounts>()
  const samples: ReplaySample[] = []
  const looked = events.slice(0, mostReplayed)
  for (const event of looked) {
    const then = event.policyVersion === null ? null : (known.get(event.policyVersion) ?? null)
    const before = recordedOutcome(event)
    const after = outcomeOf(event, then, prepared, now)
    const kind =
      after === 'unknown'
        ? 'unknown'
        : after === before
          ? 'unchanged'
          : after === 'refused'
            ? 'newlyBlocked'
            : 'newlyAllowed'
    const mine = routes.get(event.route) ?? nothing()
    routes.set(event.route, mine)
    mine[kind] += event.count
    total[kind] += event.count
    const { id: eventId, at, method, route, ruleRef } = event
    if (kind !== 'unchanged' && samples.length < mostSamples)
      samples.push({ eventId, at, method, route, ruleRef, before, after })
  }
  const changed = (it: ReplayCounts) => it.newlyBlocked + it.newlyAllowed + it.unknown
  return {
    ...total,
    events: looked.length,
    considered: total.unchanged + total.newlyBlocked + total.newlyAllowed + total.unknown,
    byRoute: [...routes]
      .map(([route, counts]) => ({ route, ...counts }))
      .sort((a, b) => changed(b) - changed(a) || Number((a.route ?? '') > (b.route ?? '')) - 0.5)
      .slice(0, mostRoutes),
    samples,
  }
}
