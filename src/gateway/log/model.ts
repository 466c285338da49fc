/** What leaves the machine of a gateway: what was matched and what was seen. Of a value only its length, keyed digest and shape. */
import type { EventAction, GroupId, Severity } from '../../gateway-policy/door.ts'

/** One rule that matched, in one field. */
export interface LoggedMatch {
  readonly ruleRef: string
  readonly groupId: GroupId | null
  readonly paranoia: number | null
  readonly severity: Severity | null
  /** "query:q", "header:accept", "cookie:id", "json:/items/*\/note"; null: in no field that can be named. */
  readonly field: string | null
  readonly length: number | null
  readonly digest: string | null
  readonly shape: string | null
}

export interface LoggedScore {
  readonly inbound: number
  readonly threshold: number
  readonly paranoia: number
  readonly detection: number
}

/** A request that rules matched. */
export interface MatchRecord {
  readonly kind: 'match'
  /** Made from the record of the engine, so that the same record has the same id. */
  readonly id: string
  readonly at: string
  readonly releaseId: string | null
  readonly action: EventAction
  readonly ruleRef: string
  readonly groupId: GroupId | null
  readonly method: string
  readonly route: string | null
  /** Where no route is known: the path with what looks like a value replaced. */
  readonly pathShape: string | null
  readonly status: number | null
  readonly network: string | null
  readonly clientDigest: string | null
  readonly score: LoggedScore | null
  readonly matches: readonly LoggedMatch[]
  readonly exceptionIds: readonly string[]
}

/** How often an operation was called in one minute. */
export interface SeenRecord {
  readonly kind: 'seen'
  readonly id: string
  /** The start of the minute. */
  readonly at: string
  readonly method: string
  readonly route: string | null
  readonly pathShape: string | null
  readonly count: number
}

export type LogRecord = MatchRecord | SeenRecord

/** What one message of an engine says, before anything is redacted. Only this folder sees it. */
export interface RawMessage {
  readonly ruleId: number
  readonly text: string
  readonly tags: readonly string[]
  readonly severity: number
  /** The variable and its value, where the engine says them. */
  readonly found: { readonly variable: string; readonly value: string | null } | null
}

/** One request of an engine's audit log, before anything is redacted. Only this folder sees it. */
export interface RawRecord {
  readonly id: string
  readonly atMs: number
  readonly ip: string | null
  readonly method: string
  readonly path: string
  readonly status: number | null
  /** Whether the engine refused it; null: its log does not say. */
  readonly interrupted: boolean | null
  readonly messages: readonly RawMessage[]
}
