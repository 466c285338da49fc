import type { Path } from '../kernel/json.ts'
import type { Range } from '../document/position.ts'
import type { Fix } from './fix/fix.ts'

/** Severities from worst to mildest. */
export const severities = ['error', 'warning', 'info', 'hint'] as const
export type Severity = (typeof severities)[number]

/** One thing a rule has to say about one place of a document. */
export interface Finding {
  /** The id of the rule. */
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly path: Path
  /** `path` as a JSON Pointer (RFC 6901). */
  readonly pointer: string
  /** The document that holds the place: a file name or URL; not always the one that was linted ($ref). */
  readonly source: string
  readonly range: Range
  /** Stable over unrelated edits of the document: hex digest of source, rule and path, with a number where one rule found several things there. */
  readonly fingerprint: string
  readonly documentationUrl: string | null
  /** The fix; null if the rule has none or fixes were not requested. */
  readonly fix: Fix | null
}
