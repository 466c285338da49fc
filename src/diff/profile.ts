import type { Classification } from './change.ts'

/** What is a matter of policy, not of fact: each has a default that every profile may change. */
export const policies = [
  'request-parameter-removed',
  'request-property-removed',
  'request-property-read-only',
  'request-default-changed',
  'required-with-default',
  'response-optional-property-removed',
  'response-property-write-only',
  'response-enum-value-added',
  'response-integer-to-number',
  'response-object-opened',
  'response-branch-added',
  'response-optional-header-removed',
  'response-non-success-status-removed',
  'response-success-status-added',
  'response-default-changed',
  'operation-id-changed',
  'server-removed',
  'security-scheme-endpoint-changed',
  'removed-after-sunset',
  'removed-after-deprecation',
] as const
export type Policy = (typeof policies)[number]

/** `judge` leaves it to containment; the others answer without looking. */
export type Stance = 'judge' | 'breaking' | 'safe'

export interface Profile {
  readonly id: string
  readonly summary: string
  readonly stances: Readonly<Record<Policy, Stance>>
}

const standard: Readonly<Record<Policy, Stance>> = {
  'request-parameter-removed': 'breaking',
  'request-property-removed': 'breaking',
  'request-property-read-only': 'breaking',
  'request-default-changed': 'safe',
  'required-with-default': 'safe',
  'response-optional-property-removed': 'judge',
  'response-property-write-only': 'breaking',
  'response-enum-value-added': 'judge',
  'response-integer-to-number': 'judge',
  'response-object-opened': 'judge',
  'response-branch-added': 'breaking',
  'response-optional-header-removed': 'breaking',
  'response-non-success-status-removed': 'safe',
  'response-success-status-added': 'safe',
  'response-default-changed': 'safe',
  'operation-id-changed': 'safe',
  'server-removed': 'safe',
  'security-scheme-endpoint-changed': 'breaking',
  'removed-after-sunset': 'safe',
  'removed-after-deprecation': 'breaking',
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
    summary: 'Also what a client may have relied on without a promise: optional properties, servers, operation ids.',
    stances: {
      ...standard,
      'request-default-changed': 'breaking',
      'response-optional-property-removed': 'breaking',
      'response-non-success-status-removed': 'breaking',
      'response-success-status-added': 'breaking',
      'response-default-changed': 'breaking',
      'operation-id-changed': 'breaking',
      'server-removed': 'breaking',
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
      'response-property-write-only': 'safe',
      'response-enum-value-added': 'safe',
      'response-integer-to-number': 'safe',
      'response-object-opened': 'safe',
      'response-branch-added': 'safe',
      'response-optional-header-removed': 'safe',
      'security-scheme-endpoint-changed': 'safe',
      'removed-after-deprecation': 'safe',
    },
  },
} as const satisfies Readonly<Record<string, Profile>>
export type ProfileName = keyof typeof profiles

/** The verdict after a switch has spoken. */
export const settle = (verdict: Classification | 'docs', stance: Stance): Classification | 'docs' =>
  stance === 'judge' || verdict === 'docs' ? verdict : stance
