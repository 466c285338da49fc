import type { Change, ChangeSeverity, Witness } from './change.ts'
import type { Profile, ProfileName } from './profile.ts'
import type { Tally } from './tally.ts'

/** A change that someone decided to live with. */
export interface Ignored {
  /** The fingerprint of the change, or the id of a rule. */
  readonly match: string
  readonly reason: string
  /** The last day on which it holds, as "2026-01-31". */
  readonly until?: string
}

/** Which side's values the other one has to accept, for JSON Schema. */
export type Mode = 'backward' | 'forward' | 'full'

export interface DiffOptions {
  readonly profile?: ProfileName | Profile
  /** The day to evaluate sunsets and expiries by, as "2026-01-31". */
  readonly asOf?: string
  readonly ignore?: readonly Ignored[]
  /** Severities by rule id, instead of what was decided. */
  readonly overrides?: Readonly<Record<string, ChangeSeverity>>
  /** Called between operations and steps of a long comparison, for anyone who wants to look after memory. */
  readonly pause?: () => void
  /** For JSON Schema; API descriptions are compared for the clients of the base whatever it says (see `assertComparable`). */
  readonly mode?: Mode
}

export interface DiffResult extends Tally {
  readonly changes: readonly Change[]
  /** For JSON Schema: a value that breaks; null where none does or none could be confirmed. */
  readonly witness?: Witness | null
  /** Where nothing changed for clients: the JSON Pointers of components that differ and that no operation uses. */
  readonly unused?: readonly string[]
  /** Changes that the ignore list took out, with the reason it gives. */
  readonly ignored: readonly { readonly change: Change; readonly reason: string }[]
}
