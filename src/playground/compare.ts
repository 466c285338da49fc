/** `svc diff --format json` for two texts, and containment of two schemas. */
import type { Change } from '../diff/change.ts'
import { assertComparable } from '../diff/comparable.ts'
import { conclusionOf } from '../diff/conclusion.ts'
import { diff } from '../diff/diff.ts'
import { inFiles } from '../diff/places.ts'
import type { Document } from '../document/document.ts'
import { findLinks } from '../document/links.ts'
import { SvcError } from '../errors.ts'
import { isMetaSchema } from '../kernel/text.ts'
import { changesAsJson } from '../report/changes/json.ts'
import { type PastedFile, readWhole } from './files.ts'

/** What of the answer a page reads; it has all that the command prints. */
export interface CompareAnswer {
  readonly summary: { readonly outcome: string; readonly conclusion: string; readonly verdict: string }
  readonly changes: readonly Change[]
}

/** @throws SvcError `document-invalid` for a reference to another file: what is behind it would not be compared */
function assertClosed(document: Document): void {
  const open = findLinks(document).find(({ ref }) => !isMetaSchema(ref))
  if (open === undefined) return
  const { line, character } = document.locate(open.path).start
  throw new SvcError('document-invalid', {
    reason: `${document.source}:${line + 1}:${character + 1}: "${open.ref}" is in another file; paste a bundle, as "svc bundle" writes it`,
  })
}

/**
 * Compares two texts.
 * @param asOf the day with which dates of deprecations and removals are compared, as `2026-01-31`
 * @returns what `svc diff base head --format json` prints, as a value
 * @throws SvcError `document-invalid` for what cannot be read, `usage` for what cannot be compared
 */
export function compareTexts(base: PastedFile, head: PastedFile, asOf: string): CompareAnswer {
  const [older, newer] = [readWhole(base, []), readWhole(head, [])]
  assertClosed(older)
  assertClosed(newer)
  assertComparable(older, newer)
  const result = inFiles(diff(older, newer, { profile: 'standard', asOf, ignore: [], overrides: {} }), older, newer)
  const report = {
    changes: result.changes,
    counts: result.counts,
    maxSeverity: result.maxSeverity,
    ...(result.witness === undefined ? {} : { witness: result.witness }),
    ...(result.unused === undefined ? {} : { unused: result.unused }),
    base: base.name,
    head: head.name,
    verdict: conclusionOf(result),
    toolVersion: '',
    consumers: null,
  }
  return JSON.parse(changesAsJson(report)) as CompareAnswer
}
