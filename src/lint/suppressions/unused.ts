/** Of which suppressions a run can say that they match no finding. */
import type { Document } from '../../document/document.ts'
import { applySuppressions, joinSuppressions } from './suppress.ts'
import type { Suppression } from './suppression.ts'
import type { LintedDocument } from '../linted.ts'

/** What a run has linted. */
export interface Run {
  readonly all: readonly Pick<LintedDocument, 'document' | 'findings' | 'suppressions' | 'matched'>[]
  /** Whether the run linted every document that may use a file. */
  readonly covers: (source: string) => boolean
  /** What a file is known by, whatever its name is relative to. */
  readonly placeOf: (source: string) => string
}

const hasMembers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Whether a document is checked whole by itself: parts of descriptions are checked where others refer to them. */
function isEntry({ format, value }: Pick<Document, 'format' | 'value'>): boolean {
  if (format === null) return false
  if (format.kind !== 'openapi' && format.kind !== 'swagger') return true
  const { paths, webhooks } = value as { readonly paths?: unknown; readonly webhooks?: unknown }
  return hasMembers(paths) || hasMembers(webhooks)
}

/**
 * Whether a suppression that matches none of some findings matches none at all. It may be for what another document makes of its
 * file: that is known if all documents that may use the file were linted, or if the file is an API description or a schema of its
 * own to which the rule applies.
 */
export function knowsUnused({ all, covers, placeOf }: Run): (suppression: Suppression) => boolean {
  const linted = new Map(all.map((it) => [placeOf(it.document.source), it]))
  let used: ReadonlySet<string> | null = null
  const keyOf = ({ source, rule, scope }: Suppression): string => JSON.stringify([placeOf(source), rule, scope])
  // A run has documents of several guides, and a file that two of them use is suppressed for both.
  const usedIn = (): ReadonlySet<string> => {
    const findings = all.flatMap((it) => it.findings)
    const { valid } = joinSuppressions(all.flatMap((it) => [...it.suppressions]))
    const unused = new Set(applySuppressions(findings, valid).unused)
    return new Set(valid.filter((it) => !unused.has(it)).map(keyOf))
  }
  return (entry) => {
    if ((used ??= usedIn()).has(keyOf(entry))) return false
    if (covers(entry.source)) return true
    const own = linted.get(placeOf(entry.source))
    if (own === undefined || !isEntry(own.document)) return false
    return own.document.format?.kind !== 'json-schema' || own.matched.has(entry.rule)
  }
}
