import type { Json } from '../kernel/json.ts'
import type { Range } from '../document/position.ts'

/** Severities from worst to mildest. */
export const changeSeverities = ['breaking', 'non-breaking', 'docs-only'] as const
export type ChangeSeverity = (typeof changeSeverities)[number]

/** What containment decided: proven safe, proven breaking, or not decided (never shown as safe). */
export type Classification = 'safe' | 'breaking' | 'unknown'

/** A place of a change on one side. */
export interface ChangeSide {
  /** JSON Pointer (RFC 6901) into that side's document, or into `source`. */
  readonly pointer: string
  /** The file in which it was written, where the document was made of several: `pointer` and `range` are those of that file. */
  readonly source?: string
  readonly range: Range | null
}

/** A concrete value that one side accepts and the other refuses. */
export interface Witness {
  /** A whole message: a body, or the value of a parameter or header. */
  readonly value: Json
  /** JSON Pointer into `value`: the part that shows the change. */
  readonly at: string
  /** The side that accepts the value; the other one refuses it. */
  readonly acceptedBy: 'base' | 'head'
  readonly reason: string
}

/** One difference between two documents, evaluated. */
export interface Change {
  /** The id of the rule that explains it. */
  readonly id: string
  readonly severity: ChangeSeverity
  readonly classification: Classification
  readonly method: string | null
  readonly path: string | null
  readonly direction: 'request' | 'response' | null
  readonly base: ChangeSide | null
  readonly head: ChangeSide | null
  readonly before: Json
  readonly after: Json
  readonly message: string
  readonly witness: Witness | null
  /** The operations it reaches, as "GET /pets" (a component is compared once and attributed to all its users). */
  readonly operations: readonly string[]
  /** Handles of the registered consumers it touches; empty where no one asked. */
  readonly consumers: readonly string[]
  readonly fingerprint: string
  /** The switch or rule of the profile that decided, where it was not containment. */
  readonly policy?: string
  /** The path of the compared file, where two folders or archives were compared. */
  readonly file?: string
}
