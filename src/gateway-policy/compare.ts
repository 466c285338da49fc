/** What differs between two versions of a policy, in sentences, and which of it needs a second person. */
import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import { groupIds, groupModes, groupOf, tierIds, type GroupId } from './catalogue.ts'
import { shortExceptionMs } from './exception-check.ts'
import {
  levelsOf,
  positiveChecks,
  positiveModeOf,
  positiveModes,
  type Exception,
  type Policy,
  type Presets,
  type Rate,
  type Rule,
} from './model.ts'
import { printExpression } from './text.ts'

/** One difference. `risk` says why it needs a second person; null: it does not. */
export interface Difference {
  readonly setting: string
  readonly sentence: string
  readonly risk: string | null
}

const isEqual = (a: unknown, b: unknown): boolean => canonicalJson(a as Json) === canonicalJson(b as Json)

const rateText = (it: Rate | null): string =>
  it === null ? 'no limit' : `${it.limit} requests in ${it.windowSeconds} s by ${it.key}`

function presetDifferences(before: Presets, after: Presets): Difference[] {
  const found: Difference[] = []
  const [from, to] = [levelsOf(before), levelsOf(after)]
  if (before.tier !== after.tier)
    found.push({
      setting: 'presets/tier',
      sentence: `The tier changes from ${before.tier} to ${after.tier}.`,
      risk: tierIds.indexOf(after.tier) < tierIds.indexOf(before.tier) ? 'The tier is lowered.' : null,
    })
  if (before.paranoia !== after.paranoia)
    found.push({
      setting: 'presets/paranoia',
      sentence: `The blocking level changes from ${from.blocking} to ${to.blocking}.`,
      risk: to.blocking < from.blocking ? 'Fewer rules block.' : null,
    })
  if (before.threshold !== after.threshold)
    found.push({
      setting: 'presets/threshold',
      sentence: `The threshold changes from ${from.threshold} to ${to.threshold}.`,
      risk: to.threshold > from.threshold ? 'Requests are refused from a higher score on.' : null,
    })
  if (before.bot !== after.bot)
    found.push({ setting: 'presets/bot', sentence: `Bots: from ${before.bot} to ${after.bot}.`, risk: null })
  if (!isEqual(before.rate, after.rate))
    found.push({
      setting: 'presets/rate',
      sentence: `The rate limit changes from ${rateText(before.rate)} to ${rateText(after.rate)}.`,
      risk: null,
    })
  if (!isEqual(before.challenge, after.challenge)) {
    const shown = (it: Presets['challenge']) => (it === null ? 'none' : `${it.kind}, kept ${it.passMinutes} min`)
    const sentence = `The challenge changes from ${shown(before.challenge)} to ${shown(after.challenge)}.`
    found.push({ setting: 'presets/challenge', sentence, risk: null })
  }
  if (found.length === 0 && !isEqual(before.reasons, after.reasons))
    found.push({ setting: 'presets/reasons', sentence: 'The reasons of the presets change.', risk: null })
  return found
}

function groupDifference(id: GroupId, before: Policy, after: Policy): Difference[] {
  const [from, to] = [before.groups[id], after.groups[id]]
  if (isEqual(from ?? null, to ?? null)) return []
  const setting = `groups/${id}`
  const title = groupOf(id)?.title ?? id
  const shown = (it: typeof from) => it?.mode ?? 'the catalogue default'
  if (from?.mode === to?.mode)
    return [{ setting, sentence: `The reason for ${shown(to)} of the group ${title} changes.`, risk: null }]
  // Without a mode of its own a group blocks wherever its tier has it on.
  const strength = (it: typeof from) => groupModes.indexOf(it?.mode ?? 'block')
  const reason = to?.reason == null ? '' : `: ${to.reason.replace(/\.$/, '')}`
  return [
    {
      setting,
      sentence: `The group ${title} changes from ${shown(from)} to ${shown(to)}${reason}.`,
      risk:
        strength(to) < strength(from) && strength(to) <= groupModes.indexOf('log')
          ? `The group ${title} stops blocking.`
          : null,
    },
  ]
}

const ruleText = ({ action, expression, rate, groups }: Rule): string => {
  const more = action === 'skip' ? ` ${groups.join(', ')}` : rate === null ? '' : ` above ${rateText(rate)}`
  return `${action}${more} where ${printExpression(expression)}`
}

/** What of a rule decides what it does. */
const effectOf = ({ enabled, action, status, expression, order, groups, rate }: Rule) =>
  enabled ? { action, status, expression, order, groups, rate } : null
const isPass = (it: Rule): boolean => it.enabled && (it.action === 'allow' || it.action === 'skip')

const isBlock = (it: Rule | undefined): boolean => it?.enabled === true && it.action === 'block'

/** Why a rule that is new or changed, or that is not there any more, needs a second person; null: it does not. */
function ruleRisk(was: Rule | undefined, now: Rule | undefined): string | null {
  if (now !== undefined && isPass(now)) return `The rule "${now.name}" lets requests pass that would be checked.`
  if (!isBlock(was)) return null
  if (!isBlock(now)) return `The rule "${was?.name ?? ''}" no longer refuses requests.`
  return isEqual(was?.expression, now?.expression)
    ? null
    : `The rule "${was?.name ?? ''}" refuses other requests than before.`
}

function ruleDifferences(before: readonly Rule[], after: readonly Rule[]): Difference[] {
  const changed = after.flatMap((now): Difference[] => {
    const setting = `rules/${now.id}`
    const was = before.find(({ id }) => id === now.id)
    const off = now.enabled ? '' : ', switched off'
    if (was === undefined)
      return [
        { setting, sentence: `The rule "${now.name}" is added${off}: ${ruleText(now)}.`, risk: ruleRisk(was, now) },
      ]
    if (!isEqual(effectOf(was), effectOf(now))) {
      const switched = was.enabled === now.enabled ? '' : now.enabled ? ', now switched on' : ', now switched off'
      return [
        { setting, sentence: `The rule "${now.name}" changes${switched}: ${ruleText(now)}.`, risk: ruleRisk(was, now) },
      ]
    }
    const { version: _was, ...old } = was
    const { version: _now, ...rest } = now
    return isEqual(old, rest)
      ? []
      : [{ setting, sentence: `The name, the reason or the text of the rule "${now.name}" changes.`, risk: null }]
  })
  const removed = before
    .filter(({ id }) => !after.some((it) => it.id === id))
    .map((it) => ({
      setting: `rules/${it.id}`,
      sentence: `The rule "${it.name}" is removed: ${ruleText(it)}.`,
      risk: ruleRisk(it, undefined),
    }))
  return [...changed, ...removed]
}

const exceptionText = ({ scope, target, expiresAt }: Exception): string => {
  const place = [scope.method, scope.route ?? scope.path, scope.field].filter((it) => it !== null).join(' ')
  return `${[...target.groups, ...target.ruleRefs].join(', ')} for ${place} until ${expiresAt}`
}

function exceptionRisk({ scope, expiresAt }: Exception, now: string): string | null {
  if (scope.field === null) return 'An exception without a field exempts whole requests.'
  return Date.parse(expiresAt) - Date.parse(now) > shortExceptionMs ? 'The exception lasts more than 24 hours.' : null
}

function exceptionDifferences(before: readonly Exception[], after: readonly Exception[], now: string): Difference[] {
  const inUse = (list: readonly Exception[]) => list.filter((it) => it.removedAt === null && it.expiresAt > now)
  const [was, is] = [inUse(before), inUse(after)]
  const added = is.filter(({ id }) => !was.some((it) => it.id === id))
  const removed = was.filter(({ id }) => !is.some((it) => it.id === id))
  return [
    ...added.map((it) => ({
      setting: `exceptions/${it.id}`,
      sentence: `An exception is added: ${exceptionText(it)}.`,
      risk: exceptionRisk(it, now),
    })),
    ...removed.map((it) => ({
      setting: `exceptions/${it.id}`,
      sentence: `An exception is removed: ${exceptionText(it)}.`,
      risk: null,
    })),
  ]
}

function positiveDifferences(before: Policy['positive'], after: Policy['positive']): Difference[] {
  const found: Difference[] = []
  for (const check of positiveChecks) {
    const [from, to] = [positiveModeOf(before, check), positiveModeOf(after, check)]
    if (from === to) continue
    const sentence = `The check ${check} of requests against the document changes from ${from} to ${to}.`
    const isWeaker = positiveModes.indexOf(to) < positiveModes.indexOf(from)
    found.push({ setting: `positive/${check}`, sentence, risk: isWeaker ? `The check ${check} is weakened.` : null })
  }
  const place = (it: Policy['positive']) =>
    it === null
      ? 'no document'
      : `version ${it.version} of project ${it.projectId}${it.stripPrefix === null ? '' : ` below ${it.stripPrefix}`}`
  if (place(before) !== place(after)) {
    const blocked = positiveChecks.some((check) => positiveModeOf(before, check) === 'block')
    const isOther = before !== null && after !== null && before.projectId !== after.projectId
    found.push({
      setting: 'positive',
      sentence: `Requests are compared with ${place(after)} instead of ${place(before)}.`,
      risk: blocked && isOther ? 'Another document decides which requests pass.' : null,
    })
  }
  return found
}

/**
 * What differs between two versions of a policy.
 * @param now as an ISO text in UTC: exceptions that ended before it are not counted
 * @returns differences in the order of the settings; empty where both do the same
 */
export const differencesOf = (before: Policy, after: Policy, now: string): Difference[] => [
  ...presetDifferences(before.presets, after.presets),
  ...groupIds.flatMap((id) => groupDifference(id, before, after)),
  ...ruleDifferences(before.rules, after.rules),
  ...exceptionDifferences(before.exceptions, after.exceptions, now),
  ...positiveDifferences(before.positive, after.positive),
]

/** Why a change needs a second person; empty: it does not. */
export const risksOf = (differences: readonly Difference[]): string[] => [
  ...new Set(differences.flatMap(({ risk }) => (risk === null ? [] : [risk]))),
]
