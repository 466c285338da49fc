/**
 * What a policy would have done to one recorded request. Every step collects what is possible: refused, passed, or both where what
 * was recorded does not say. The steps are those of an engine: custom rules, the document, managed rules, responses.
 */
import { groupIds, groupOf, type GroupId } from './catalogue.ts'
import { all, evaluate, not, type BoundedRecord, type RequestRecord, type Truth } from './evaluate.ts'
import { severityScore, type RecordedEvent } from './event.ts'
import { covers, isExempt, type MatchInRequest } from './exception-check.ts'
import {
  effectiveModes,
  exceptionState,
  levelsOf,
  positiveChecks,
  positiveModeOf,
  type Effective,
  type Exception,
  type Policy,
  type PositiveCheck,
  type Rule,
} from './model.ts'
import { leanOf } from './path-reading.ts'
import type { Steps } from '../regex/program.ts'

export type Outcome = 'refused' | 'passed' | 'unknown'

/** What of a policy decides about requests, computed once for many of them. */
export interface Prepared {
  readonly policy: Policy
  readonly modes: Readonly<Record<GroupId, Effective>>
  readonly levels: ReturnType<typeof levelsOf>
  readonly exceptions: readonly Exception[]
  /** In the order in which they apply. */
  readonly rules: readonly Rule[]
  readonly byId: ReadonlyMap<string, Rule>
  /** The version of the document that its checks compare with; null: not known. */
  readonly documentId: string | null
  /** Truths of expressions by what was recorded of a request: many events are alike. */
  readonly truths: Map<string, Map<Rule, Truth>>
}

/**
 * @param now as an ISO text in UTC: exceptions that ended before it do not count
 * @param documentId the version of the document that the policy is bound to
 */
export const prepare = (policy: Policy, now: string, documentId: string | null = null): Prepared => ({
  policy,
  modes: effectiveModes(policy),
  levels: levelsOf(policy.presets),
  exceptions: policy.exceptions.filter((it) => exceptionState(it, now) === 'active'),
  rules: policy.rules.filter(({ enabled }) => enabled).toSorted((a, b) => a.order - b.order),
  byId: new Map(policy.rules.map((it) => [it.id, it])),
  documentId,
  truths: new Map(),
})

/** The parts of a request that events keep. */
export const recordOf = ({ method, route, network, country }: RecordedEvent): RequestRecord => ({
  ...(method === null ? {} : { method }),
  ...(route === null ? {} : { route }),
  ...(network === null ? {} : { ip: network }),
  ...(country === null ? {} : { country }),
})

const isRefusal = ({ action }: RecordedEvent): boolean =>
  action === 'block' || action === 'challenge' || action === 'rate-limit'

/** What the recorded outcome was: refusals, and everything else. */
export const recordedOutcome = (event: RecordedEvent): 'refused' | 'passed' => (isRefusal(event) ? 'refused' : 'passed')

/** What is possible, as a sum. */
const passed = 1
const refused = 2
const either = passed + refused

/** One event with the policy of then and the candidate. */
interface Case {
  readonly event: RecordedEvent
  readonly then: Prepared | null
  readonly candidate: Prepared
  readonly now: string
  readonly record: BoundedRecord
  /** What is known of rules of the candidate and of then for such a record. */
  readonly truths: Map<Rule, Truth>
  readonly truthsThen: Map<Rule, Truth>
}

export function truthsFor(key: string, prepared: Prepared | null): Map<Rule, Truth> {
  const truths = prepared?.truths.get(key) ?? new Map<Rule, Truth>()
  prepared?.truths.set(key, truths)
  return truths
}

/** The step in which the request was decided: nothing of later steps was recorded. */
type Reach = 'custom' | 'positive' | 'request' | 'response'
const steps = ['custom', 'positive', 'request', 'response'] as const

function reachOf(event: RecordedEvent): Reach {
  const [origin] = event.ruleRef.split(':')
  if (event.action === 'allow' || origin === 'rate') return 'custom'
  if (!isRefusal(event)) return 'response'
  if (origin === 'rule') return 'custom'
  if (origin === 'positive') return 'positive'
  return event.groupId !== null && groupOf(event.groupId)?.readsResponses === true ? 'response' : 'request'
}
const hasReached = (event: RecordedEvent, step: Reach): boolean => steps.indexOf(reachOf(event)) >= steps.indexOf(step)

export const placeOf = ({ method, route }: RecordedEvent) => ({
  ...(method === null ? {} : { method }),
  ...(route === null ? {} : { route }),
})

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const isReported = ({ event }: Case, ref: string): boolean =>
  event.ruleRef === ref || event.matches.some(({ ruleRef }) => ruleRef === ref)

/** That a custom rule applies, as exceptions are asked. */
const matchOfRule = ({ event }: Case, id: string): MatchInRequest => ({
  ...placeOf(event),
  ruleRef: `rule:${id}`,
  groupId: null,
})

/** The exceptions of then that the candidate has not and that may have covered something of the request. */
const lostExceptions = (
  { event, then, candidate }: Case,
  match: Pick<MatchInRequest, 'ruleRef' | 'groupId'> | null,
) => {
  if (then === null || then.policy.exceptions.length === 0) return []
  const kept = new Set(candidate.exceptions.map(({ id }) => id))
  const place = { ...placeOf(event), ...(match ?? { ruleRef: 'any', groupId: null }) }
  return then.policy.exceptions.filter((exception) => {
    if (kept.has(exception.id) || exceptionState(exception, event.at) !== 'active') return false
    // Whatever the match was, the place is what may rule the exception out.
    const target = match === null ? { groups: [], ruleRefs: ['any'] } : exception.target
    return covers({ scope: { ...exception.scope, field: null }, target }, place) !== false
  })
}

const isUnchanged = (was: Rule | undefined, rule: Rule): boolean =>
  was !== undefined &&
  was.enabled &&
  rule.enabled &&
  was.action === rule.action &&
  same([was.expression, was.rate, was.groups], [rule.expression, rule.rate, rule.groups])

/** Whether the expression of a rule holds, from the record alone. */
export function recordTruth(rule: Rule, record: BoundedRecord, truths: Map<Rule, Truth>): Truth {
  const known = truths.get(rule)
  if (known !== undefined) return known
  const truth = evaluate(rule.expression, record, leanOf(rule.action))
  truths.set(rule, truth)
  return truth
}

// Rules are compared once, not for every event.
const sameExpressions = new WeakMap<Rule, WeakMap<Rule, boolean>>()
function hasSameExpression(was: Rule, rule: Rule): boolean {
  const known = sameExpressions.get(rule) ?? new WeakMap<Rule, boolean>()
  sameExpressions.set(rule, known)
  const answer = known.get(was) ?? same(was.expression, rule.expression)
  known.set(was, answer)
  return answer
}

/** What a rule did when the event was recorded; unknown where nothing of it shows. */
function truthThen(was: Rule, entry: Case): Truth {
  const { event, then } = entry
  const ref = `rule:${was.id}`
  if (isReported(entry, ref)) return true
  if (was.action === 'rate-limit' || lostExceptions(entry, { ruleRef: ref, groupId: null }).length > 0) return 'unknown'
  if (was.action === 'skip')
    // What it skips was not skipped.
    return event.matches.some(({ groupId }) => was.groups.some((id) => id === groupId)) ? false : 'unknown'
  const decider = event.ruleRef.startsWith('rule:') ? then?.byId.get(event.ruleRef.slice(5)) : undefined
  const wasAsked = hasReached(event, 'positive') || (decider !== undefined && was.order < decider.order)
  // Had it applied, it would have decided about the request or would be among the matches.
  return wasAsked ? false : 'unknown'
}

/** Whether a rule applies, from the record, or from what the rule with this expression did when the event was recorded. */
function ruleTruth(rule: Rule, entry: Case): Truth {
  const truth = recordTruth(rule, entry.record, entry.truths)
  const was = entry.then?.byId.get(rule.id)
  if (truth !== 'unknown' || was === undefined || !was.enabled || !hasSameExpression(was, rule)) return truth
  const before = truthThen(was, entry)
  const [leanThen, lean] = [leanOf(was.action), leanOf(rule.action)]
  // What every reading of a path meets, some reading meets; not the other way around.
  const carriesOver = leanThen === lean || before === (leanThen === 'every')
  return carriesOver ? before : truth
}

interface Custom {
  readonly possible: number
  /** Nothing after the custom rules decides. */
  readonly isFinal: boolean
  readonly skipped: ReadonlyMap<GroupId, Truth>
}

/** What one rule that applies, or may apply, adds. */
function ruleEffect(rule: Rule, entry: Case): { readonly possible: number; readonly ends: boolean } {
  if (rule.action === 'allow') return { possible: passed, ends: true }
  if (rule.action === 'block') return { possible: refused, ends: true }
  // A rate limit or a challenge: how often the client asked, and whether it met the challenge, is not recorded.
  if (isUnchanged(entry.then?.byId.get(rule.id), rule)) {
    if (entry.event.ruleRef === `rule:${rule.id}` && isRefusal(entry.event)) return { possible: refused, ends: true }
    if (hasReached(entry.event, 'positive')) return { possible: 0, ends: false }
  }
  return { possible: refused, ends: false }
}

/** What the custom rules decide: the first that applies, in their order. */
function customUnder(entry: Case): Custom {
  const { candidate, now } = entry
  const skipped = new Map<GroupId, Truth>()
  let possible = 0
  for (const rule of candidate.rules) {
    if (rule.action === 'log') continue
    const applies = ruleTruth(rule, entry)
    if (applies === false) continue
    const exempt = candidate.exceptions.length > 0 && isExempt(candidate.exceptions, matchOfRule(entry, rule.id), now)
    const truth = all([applies, not(exempt)])
    if (truth === false) continue
    if (rule.action === 'skip') {
      for (const id of rule.groups) if (skipped.get(id) !== true) skipped.set(id, truth)
      continue
    }
    const effect = ruleEffect(rule, entry)
    possible |= effect.possible
    if (truth === true && effect.ends) return { possible, isFinal: true, skipped }
  }
  return { possible, isFinal: false, skipped }
}

/** Whether both policies compare requests with the same document. */
function hasSameDocument({ event, then, candidate }: Case): boolean {
  const [was, is] = [then?.policy.positive ?? null, candidate.policy.positive]
  if (was === null || is === null || was.projectId !== is.projectId || was.stripPrefix !== is.stripPrefix) return false
  if (event.documentId !== null && candidate.documentId !== null) return event.documentId === candidate.documentId
  // What is published never changes; what the other two names mean does.
  return was.version === is.version && was.version !== 'latest' && was.version !== 'production'
}

function isViolated(check: PositiveCheck, entry: Case): Truth {
  const { event, then } = entry
  if (then === null || !hasSameDocument(entry)) return 'unknown'
  const ref = `positive:${check}`
  if (isReported(entry, ref)) return true
  const wasAsked = hasReached(event, 'request') && positiveModeOf(then.policy.positive, check) !== 'off'
  return wasAsked && lostExceptions(entry, { ruleRef: ref, groupId: null }).length === 0 ? false : 'unknown'
}

/** Whether a check of the document refuses the request. */
function positiveUnder(entry: Case): Truth {
  const { event, candidate, now } = entry
  const { positive } = candidate.policy
  let found: Truth = false
  for (const check of positiveChecks) {
    if (positiveModeOf(positive, check) !== 'block') continue
    const ref = `positive:${check}`
    const field = event.matches.find(({ ruleRef }) => ruleRef === ref)?.field
    const match = { ...placeOf(event), ruleRef: ref, groupId: null, ...(field === undefined ? {} : { field }) }
    const truth = all([isViolated(check, entry), not(isExempt(candidate.exceptions, match, now))])
    if (truth === true) return true
    if (truth === 'unknown') found = truth
  }
  return found
}

interface Score {
  least: number
  most: number
}

// Rules of the rule set that only add up and decide do not count.
const isSum = (ref: string): boolean => /^crs:(?:901|949|959|980)\d{3}$/.test(ref)

const counts = ({ mode }: Effective): Truth => {
  if (mode === 'block') return true
  return mode === 'challenge' ? 'unknown' : false
}

/** The lowest and the highest score of the matches of requests, or of responses. */
function scoreUnder(entry: Case, policy: Prepared, skipped: Custom['skipped'], ofResponses: boolean): Score {
  const score: Score = { least: 0, most: 0 }
  // Engines differ in whether a rule that matches in two fields adds twice.
  const added = new Set<string>()
  for (const match of entry.event.matches) {
    if (!match.ruleRef.startsWith('crs:') || isSum(match.ruleRef)) continue
    const { groupId, paranoia, severity } = match
    if (((groupId === null ? undefined : groupOf(groupId))?.readsResponses ?? false) !== ofResponses) continue
    if (paranoia !== null && paranoia > policy.levels.blocking) continue
    const place = { ...placeOf(entry.event), ruleRef: match.ruleRef, groupId, field: match.field }
    const truth = all([
      groupId === null ? 'unknown' : counts(policy.modes[groupId]),
      groupId === null ? true : not(skipped.get(groupId) ?? false),
      not(isExempt(policy.exceptions, place, entry.now)),
      paranoia === null || severity === null ? 'unknown' : true,
    ])
    if (truth === false) continue
    const points = severity === null ? severityScore.critical : severityScore[severity]
    score.most += points
    if (truth !== true || added.has(match.ruleRef)) continue
    added.add(match.ruleRef)
    score.least += points
  }
  return score
}

const inUse = (id: GroupId, { modes }: Prepared, skipped: Custom['skipped'], ofResponses: boolean): boolean =>
  (groupOf(id)?.readsResponses ?? false) === ofResponses && counts(modes[id]) !== false && skipped.get(id) !== true

/** Whether the recorded matches are all that the candidate would have had: nothing was off, exempt, skipped or above the level then. */
function isComplete(entry: Case, skipped: Custom['skipped'], ofResponses: boolean): boolean {
  const { event, then, candidate } = entry
  const ids = groupIds.filter((id) => inUse(id, candidate, skipped, ofResponses))
  if (ids.length === 0) return true
  if (then === null || event.score === null || event.score.detection < candidate.levels.blocking) return false
  if (!hasReached(event, ofResponses ? 'response' : 'request')) return false
  if (event.exceptionIds.some((id) => !candidate.exceptions.some((one) => one.id === id))) return false
  if (lostExceptions(entry, null).length > 0) return false
  // A sender that left matches out says so by the score.
  if (!ofResponses && scoreUnder(entry, then, new Map(), false).most < event.score.inbound) return false
  const hidden = new Set(
    then.rules.flatMap((rule) => {
      if (rule.action !== 'skip' || recordTruth(rule, entry.record, entry.truthsThen) === false) return []
      const now = candidate.byId.get(rule.id)
      const exempt = isExempt(candidate.exceptions, matchOfRule(entry, rule.id), entry.now)
      // Where the same rule is in use, it skips the same.
      return now !== undefined && isUnchanged(rule, now) && exempt === false ? [] : rule.groups
    }),
  )
  return ids.every((id) => then.modes[id].mode !== 'off' && !hidden.has(id))
}

/** The threshold of responses is that of the rule set, which is 4, or that of requests. */
const responseThresholds = (threshold: number): [number, number] => [Math.min(4, threshold), Math.max(4, threshold)]

/** What the managed rules make possible. */
function managedUnder(entry: Case, skipped: Custom['skipped']): number {
  const { candidate } = entry
  if (candidate.policy.presets.tier === 'off') return passed
  const { threshold } = candidate.levels
  const { least, most } = scoreUnder(entry, candidate, skipped, false)
  if (least >= threshold) return refused
  const possible = most >= threshold || !isComplete(entry, skipped, false) ? either : passed
  const responses = scoreUnder(entry, candidate, skipped, true)
  const [low, high] = responseThresholds(threshold)
  if (responses.least >= high) return refused
  return responses.most >= low || !isComplete(entry, skipped, true) ? either : possible
}

/** What a limit of all requests makes possible, where the rest lets the request pass. */
const limitUnder = ({ then, candidate }: Case): number => {
  const { rate } = candidate.policy.presets
  return rate !== null && !same(then?.policy.presets.rate, rate) ? refused : 0
}

/** Whether the candidate refuses the request since a program sent it; engines ask that before all other rules. */
function botUnder(entry: Case): Truth {
  const { bot } = entry.candidate.policy.presets
  if (bot === 'off' || bot === 'log') return false
  const was = entry.then?.policy.presets.bot
  if (isReported(entry, 'rule:bot')) return bot === 'block' ? true : 'unknown'
  return was === 'log' || was === 'block' ? false : 'unknown'
}

const asOutcome = (possible: number): Outcome => {
  if (possible === passed) return 'passed'
  return possible === refused ? 'refused' : 'unknown'
}

/** What the candidate does to the request of an event: exact, or unknown. */
export function outcomeOf(given: Pick<Case, 'event' | 'then' | 'candidate' | 'now'>, steps?: Steps): Outcome {
  const { event, then, candidate } = given
  const recorded = recordOf(event)
  const key = JSON.stringify(recorded)
  const record = { ...recorded, ...(steps === undefined ? {} : { steps }) }
  const it: Case = { ...given, record, truths: truthsFor(key, candidate), truthsThen: truthsFor(key, then) }
  const bot = botUnder(it)
  if (bot === true) return 'refused'
  const byBot = bot === 'unknown' ? refused : 0
  const custom = customUnder(it)
  if (custom.isFinal) return asOutcome(custom.possible | byBot)
  const isLimited = event.ruleRef.startsWith('rate:') && isRefusal(event)
  if (isLimited) {
    const limits = (policy: Policy) => [
      policy.presets.rate,
      policy.rules.filter(({ action, enabled }) => action === 'rate-limit' && enabled),
    ]
    const isSame = then !== null && same(limits(then.policy), limits(candidate.policy))
    const hasLimits = candidate.policy.presets.rate !== null || candidate.rules.some((one) => one.rate !== null)
    return isSame && hasLimits && (custom.possible & passed) === 0 ? 'refused' : 'unknown'
  }
  const positive = positiveUnder(it)
  const possible = custom.possible | byBot
  if (positive === true) return asOutcome(possible | refused)
  const rest = managedUnder(it, custom.skipped)
  const byDocument = positive === 'unknown' ? refused : 0
  return asOutcome(possible | byDocument | rest | (rest === refused ? 0 : limitUnder(it)))
}
