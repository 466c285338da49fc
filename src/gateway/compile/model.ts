/** What the compiler takes and gives: files of SecLang in one dialect, and what each setting comes to there. */
import type { Policy, PositiveCheck } from '../../gateway-policy/door.ts'
import type { DialectName } from '../dialects/index.ts'
import type { ReleaseFile } from '../release/file.ts'

export type { ReleaseFile } from '../release/file.ts'

/** unproven: the engine was never tried with it. */
export const settingStates = ['enforced', 'approximated', 'unproven', 'not-enforced'] as const
export type SettingState = (typeof settingStates)[number]

/** What a setting of a policy comes to in an engine; with a reason wherever it is less than what the policy says. */
export interface Setting {
  /** "tier", "bot", "rate", "challenge", "group:ID", "rule:ID", "exception:ID", "positive:CHECK". */
  readonly setting: string
  readonly state: SettingState
  readonly reason: string | null
}

/** How a path is mapped to the template of its operation. */
export interface Route {
  readonly method: string
  readonly route: string
  /** A regular expression of RE2 that the whole path meets. */
  readonly pattern: string
}

/** A part of the document that the engine does not check. */
export interface NotEnforced {
  readonly pointer: string
  readonly check: PositiveCheck
  readonly reason: string
}

export interface CompileInput {
  readonly policy: Policy
  readonly policyVersion: number
  readonly environment: {
    readonly id: string
    readonly slug: string
    readonly hostnames: readonly string[]
    readonly basePaths: readonly string[]
  }
  /** The parsed and bundled OpenAPI document that the policy is bound to; null: none. */
  readonly document: unknown
  readonly dialect: DialectName
  readonly releaseId: string
  /** The folder of the OWASP Core Rule Set as the engine names it; "bundled": the usual one of the dialect. */
  readonly crs: string
}

/** A release: the same input gives the same bytes. */
export interface Compiled {
  /** Sorted by path. */
  readonly files: readonly ReleaseFile[]
  readonly settings: readonly Setting[]
  readonly notEnforced: readonly NotEnforced[]
  readonly routes: readonly Route[]
  readonly operations: number
  readonly bodies: number
}

/** Numbers of rules, first and last, by what they are for. */
export const idRanges = {
  setup: [10_000, 10_999],
  exceptions: [11_000, 19_999],
  rules: [20_000, 29_999],
  positive: [30_000, 99_999],
} as const
