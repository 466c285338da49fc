/** Findings in documents that overlays made. */
import { reachOf } from '../../src/lint/reach.ts'
import { isOverlaid, shownPlace } from '../../src/overlay/trace.ts'
import type { Linted } from './outcome.ts'

/**
 * A document with its findings where they were written: in its file, or in the overlay that made the node. Pointers stay those of
 * the document with its overlays. What an overlay made has no fix.
 */
export function placeFindings(linted: Linted): Linted {
  const { document } = linted
  if (!isOverlaid(document)) return linted
  const findings = linted.findings.map((finding) => {
    if (finding.source !== document.source) return finding
    const { overlay, range } = shownPlace(document, finding.path, finding.range)
    return overlay === null ? { ...finding, range, fix: null } : { ...finding, source: overlay, range, fix: null }
  })
  const count = reachOf(document)
  const own = linted.findings.filter((it) => it.source === document.source)
  const reach = new Map(own.map((it) => [it.pointer, count(it.pointer)]))
  // Reports show lines of the file.
  return { ...linted, document: document.writtenAt([]).document, findings, reach }
}
