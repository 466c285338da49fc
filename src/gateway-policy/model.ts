/** What a policy consists of. Everything in it is a value of JSON, so that versions can be stored, compared and digested. */
import type { Expression } from './expression.ts'
import {
  catalogueDefault,
  groupIds,
  highestLevel,
  tiers,
  type GroupId,
  type GroupMode,
  type TierId,
} from './catalogue.ts'

export const ruleActions = ['block', 'log', 'challenge', 'allow', 'skip', 'rate-limit'] as const
export type RuleAction = (typeof ruleActions)[number]

/** At most `limit` requests in `windowSeconds`, counted by address or by the value of a header. */
export interface Rate {
  readonly limit: number
  readonly windowSeconds: number
  readonly key: string
}
export interface Challenge {
  readonly kind: 'managed' | 'interactive'
  /** How long one that was met is remembered. */
  readonly passMinutes: number
}
export interface Presets {
  readonly tier: TierId
  /** Overrides the blocking level of the tier. */
  readonly paranoia: number | null
  /** Overrides the threshold of the tier. */
  readonly threshold: number | null
  readonly bot: GroupMode
  readonly rate: Rate | null
  readonly challenge: Challenge | null
  readonly reasons: Readonly<Partial<Record<'tier' | 'bot' | 'rate' | 'challenge', string>>>
}
export interface GroupSetting {
  readonly mode: GroupMode
  readonly reason: string | null
}
export interface Rule {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly action: RuleAction
  /** The status of a refusal; null: 403, or 429 of a rate limit. */
  readonly status: number | null
  readonly expression: Expression
  readonly order: number
  readonly reason: string
  /** What a rule with the action "skip" skips. */
  readonly groups: readonly GroupId[]
  /** What a rule with the action "rate-limit" allows. */
  readonly rate: Rate | null
  /** Counts its changes, from 1. */
  readonly version: number
  readonly createdBy: string | null
  readonly createdAt: string
}
export interface RemovedRule extends Rule {
  readonly removedAt: string
  readonly removedBy: string | null
}
export interface ExceptionScope {
  /** The template of an operation, as "/pets/{petId}". */
  readonly route: string | null
  /** A path, or all below one: "/search", "/files/*". */
  readonly path: string | null
  readonly method: string | null
  /** "query:NAME", "header:NAME", "cookie:NAME", "json:/POINTER/*". */
  readonly field: string | null
}
export interface ExceptionTarget {
  readonly groups: readonly GroupId[]
  /** "crs:942100", "rule:ID", "positive:CHECK". */
  readonly ruleRefs: readonly string[]
}
export interface Exception {
  readonly id: string
  readonly scope: ExceptionScope
  readonly target: ExceptionTarget
  readonly reason: string
  readonly ticket: string | null
  readonly createdAt: string
  readonly createdBy: string | null
  readonly expiresAt: string
  readonly removedAt: string | null
  /** The version that it came with. */
  readonly policyVersion: number
  readonly approvalId: string | null
}

export const positiveChecks = [
  'unknownOperation',
  'method',
  'parameters',
  'undeclaredQuery',
  'contentType',
  'body',
  'security',
] as const
export type PositiveCheck = (typeof positiveChecks)[number]
/** How strong a check is, weakest first. */
export const positiveModes = ['off', 'log', 'block'] as const
export type PositiveMode = (typeof positiveModes)[number]

/** What the published document of a project allows, and nothing else. */
export interface Positive {
  readonly projectId: string
  /** A label, "latest" or "production". */
  readonly version: string
  readonly mode: PositiveMode
  readonly checks: Readonly<Record<PositiveCheck, PositiveMode>>
  readonly stripPrefix: string | null
}
/** What a check does: its own mode, or that of all checks where that is weaker. */
export const positiveModeOf = (it: Positive | null, check: PositiveCheck): PositiveMode => {
  if (it === null) return 'off'
  const strength = Math.min(positiveModes.indexOf(it.mode), positiveModes.indexOf(it.checks[check]))
  return positiveModes[strength] ?? 'off'
}

export interface Policy {
  readonly presets: Presets
  /** Groups with a mode of their own; the others follow the catalogue. */
  readonly groups: Readonly<Partial<Record<GroupId, GroupSetting>>>
  readonly rules: readonly Rule[]
  /** Newest first, so that a removal can be undone. */
  readonly removedRules: readonly RemovedRule[]
  readonly exceptions: readonly Exception[]
  readonly positive: Positive | null
}

/** The policy of a new environment. */
export const firstPolicy = (tier: TierId = 'standard'): Policy => ({
  presets: { tier, paranoia: null, threshold: null, bot: 'log', rate: null, challenge: null, reasons: {} },
  groups: {},
  rules: [],
  removedRules: [],
  exceptions: [],
  positive: null,
})

/** The numbers that the presets come to. */
export function levelsOf({ tier, paranoia, threshold }: Presets) {
  const base = tiers[tier]
  if (tier === 'off') return { blocking: 0, detection: 0, threshold: 0 }
  const blocking = paranoia ?? base.blockingLevel
  return {
    blocking,
    detection:
      paranoia === null ? base.detectionLevel : Math.max(base.detectionLevel, Math.min(blocking + 1, highestLevel)),
    threshold: threshold ?? base.threshold,
  }
}

/** A mode with the sentence that says why it is that one. */
export interface Effective {
  readonly mode: GroupMode
  readonly because: 'tier-off' | 'set' | 'catalogue' | 'reads-responses'
  readonly sentence: string
}

/** What a group does under a policy. */
export function effectiveMode(policy: Policy, id: GroupId): Effective {
  const { tier } = policy.presets
  if (tier === 'off')
    return { mode: 'off', because: 'tier-off', sentence: 'The tier is off, so no managed group is in use.' }
  const own = policy.groups[id]
  if (own !== undefined) {
    const reason = own.reason === null ? '' : `: ${own.reason.replace(/\.$/, '')}`
    return { mode: own.mode, because: 'set', sentence: `It was set to ${own.mode}${reason}.` }
  }
  const mode = catalogueDefault(id, tier)
  return mode === 'off'
    ? {
        mode,
        because: 'reads-responses',
        sentence: 'It reads responses, which the gateway then holds back: it is on in the tier strict only.',
      }
    : { mode, because: 'catalogue', sentence: `The tier ${tier} has it on.` }
}

/** The effective modes of all groups. */
export const effectiveModes = (policy: Policy): Readonly<Record<GroupId, Effective>> =>
  Object.fromEntries(groupIds.map((id) => [id, effectiveMode(policy, id)])) as Record<GroupId, Effective>

export const exceptionStates = ['active', 'expired', 'removed'] as const
export type ExceptionState = (typeof exceptionStates)[number]

/** What an exception is at an instant; both as ISO texts in UTC. */
export const exceptionState = (it: Exception, now: string): ExceptionState => {
  if (it.removedAt !== null) return 'removed'
  return it.expiresAt <= now ? 'expired' : 'active'
}
