import type { Classification } from './change.ts'
import type { Fact } from './fact.ts'
import { oasdiffRules, openApiDiffRules } from './profile-conventions.ts'
import type { Answer, RuleStance } from './stance.ts'

/** What is a matter of policy, not of fact: each has a default that every profile may change. */
export const policies = [
  'request-parameter-removed',
  'request-property-removed',
  'request-property-read-only',
  'request-default-changed',
  'request-parameter-default-changed',
  'required-with-default',
  'parameter-property-required-with-default',
  'response-optional-property-removed',
  'response-property-write-only',
  'response-enum-value-added',
  'response-integer-to-number',
  'response-object-opened',
  'response-branch-added',
  'response-choice-narrowed',
  'response-optional-header-removed',
  'response-media-type-renamed',
  'response-non-success-status-removed',
  'response-success-status-added',
  'response-status-widened',
  'response-default-changed',
  'crossing-path-added',
  'operation-id-changed',
  'server-removed',
  'security-scheme-endpoint-changed',
  'removed-after-sunset',
  'removed-after-deprecation',
  'removed-while-unstable',
  'sunset-unreadable',
  'stability-decreased',
  'extensible-enum-value-removed',
] as const
export type Policy = (typeof policies)[number]

/** `evaluate` leaves it to containment; the others answer without looking. */
export type Stance = 'judge' | 'breaking' | 'safe'

export interface Profile {
  readonly id: string
  readonly summary: string
  readonly stances: Readonly<Record<Policy, Stance>>
  /** Whole rules that the profile answers without looking, by id. */
  readonly rules?: Readonly<Record<string, RuleStance>>
}

/** What the profile says about a fact that a rule explains; null where it leaves it as it was evaluated. */
export const stanceOnRule = (
  profile: Profile,
  id: string,
  { direction, textual, unsent }: Pick<Fact, 'direction' | 'textual' | 'unsent'>,
): Answer | null => {
  const stance = profile.rules?.[id]
  if (stance === undefined) return null
  if (typeof stance === 'string') return stance
  return (
    (unsent ? stance.unsent : undefined) ??
    (textual && direction === 'request' ? stance.parameter : undefined) ??
    (direction === null ? undefined : stance[direction]) ??
    null
  )
}

const standard: Readonly<Record<Policy, Stance>> = {
  'request-parameter-removed': 'breaking',
  'request-property-removed': 'breaking',
  'request-property-read-only': 'breaking',
  'request-default-changed': 'safe',
  'request-parameter-default-changed': 'breaking',
  'required-with-default': 'judge',
  'parameter-property-required-with-default': 'safe',
  'response-optional-property-removed': 'judge',
  'response-property-write-only': 'breaking',
  'response-enum-value-added': 'judge',
  'response-integer-to-number': 'judge',
  'response-object-opened': 'judge',
  'response-branch-added': 'breaking',
  'response-choice-narrowed': 'safe',
  'response-optional-header-removed': 'breaking',
  'response-media-type-renamed': 'breaking',
  'response-non-success-status-removed': 'safe',
  'response-success-status-added': 'safe',
  'response-status-widened': 'breaking',
  'response-default-changed': 'safe',
  'crossing-path-added': 'judge',
  'operation-id-changed': 'safe',
  'server-removed': 'judge',
  'security-scheme-endpoint-changed': 'judge',
  'removed-after-sunset': 'safe',
  'removed-after-deprecation': 'breaking',
  'removed-while-unstable': 'breaking',
  'sunset-unreadable': 'safe',
  'stability-decreased': 'safe',
  'extensible-enum-value-removed': 'safe',
}

/** The profiles by name. */
export const profiles = {
  standard: {
    id: 'standard',
    summary: 'What breaks a client that was written to the base document.',
    stances: standard,
  },
  strict: {
    id: 'strict',
    summary:
      'Also what a client may have relied on without a guarantee: optional properties, error statuses, operation IDs.',
    stances: {
      ...standard,
      'request-default-changed': 'breaking',
      'response-optional-property-removed': 'breaking',
      'parameter-property-required-with-default': 'breaking',
      'response-non-success-status-removed': 'breaking',
      'response-success-status-added': 'breaking',
      'response-choice-narrowed': 'judge',
      'response-default-changed': 'breaking',
      'operation-id-changed': 'breaking',
    },
  },
  lenient: {
    id: 'lenient',
    summary: 'Clients tolerate what they do not know: new enum values, opened objects, ignored inputs.',
    stances: {
      ...standard,
      'request-parameter-removed': 'safe',
      'request-property-removed': 'safe',
      'request-property-read-only': 'safe',
      'required-with-default': 'safe',
      'server-removed': 'safe',
      'response-property-write-only': 'safe',
      'response-enum-value-added': 'safe',
      'response-integer-to-number': 'safe',
      'response-object-opened': 'safe',
      'response-branch-added': 'safe',
      'response-status-widened': 'safe',
      'response-optional-header-removed': 'safe',
      'security-scheme-endpoint-changed': 'safe',
      'removed-after-deprecation': 'safe',
      'crossing-path-added': 'safe',
    },
  },
  oasdiff: {
    id: 'oasdiff',
    summary: 'The severities of oasdiff, where they differ from what the sets of values say.',
    stances: {
      ...standard,
      'request-property-read-only': 'safe',
      'request-property-removed': 'safe',
      'required-with-default': 'breaking',
      'server-removed': 'safe',
      'parameter-property-required-with-default': 'breaking',
      'response-property-write-only': 'safe',
      'response-optional-header-removed': 'safe',
      'response-media-type-renamed': 'safe',
      'removed-after-deprecation': 'safe',
      'removed-while-unstable': 'safe',
      'sunset-unreadable': 'breaking',
      'stability-decreased': 'breaking',
      'extensible-enum-value-removed': 'breaking',
      'crossing-path-added': 'safe',
    },
    rules: oasdiffRules,
  },
  'openapi-diff': {
    id: 'openapi-diff',
    summary: 'The severities of OpenAPITools/openapi-diff, where they differ from what the sets of values say.',
    stances: {
      ...standard,
      'request-property-removed': 'safe',
      'required-with-default': 'breaking',
      'server-removed': 'safe',
      'parameter-property-required-with-default': 'breaking',
      'response-non-success-status-removed': 'breaking',
      'security-scheme-endpoint-changed': 'breaking',
      'crossing-path-added': 'safe',
    },
    rules: openApiDiffRules,
  },
} as const satisfies Readonly<Record<string, Profile>>
export type ProfileName = keyof typeof profiles

/** The verdict after a switch has spoken. */
export const settle = (verdict: Classification | 'docs', stance: Stance): Classification | 'docs' =>
  stance === 'judge' || verdict === 'docs' ? verdict : stance

/** The profile of that name, or the given one; the standard one where nothing is given. */
export const profileOf = (given: ProfileName | Profile | undefined): Profile =>
  given === undefined ? profiles.standard : typeof given === 'string' ? profiles[given] : given
