/** Changes of documents that overlays made, with the places where the changed nodes were written. */
import type { Change, ChangeSide } from '../../src/diff/change.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import type { Document } from '../../src/document/document.ts'
import { parsePointer } from '../../src/kernel/pointer.ts'
import { isOverlaid } from '../../src/overlay/trace.ts'

/** A place of a document, in the file in which it was written. The pointer stays that of the document with its overlays. */
export function writtenSide<T extends ChangeSide>(side: T, document: Document | null, isKey = false): T {
  const isOwn = document !== null && (side.source === undefined || side.source === document.source)
  const path = isOwn && side.range !== null ? parsePointer(side.pointer) : null
  if (path === null || document === null || !isOverlaid(document)) return side
  const written = document.writtenAt(path)
  const range = written.document.locate(written.path, { key: isKey })
  return written.isOverlay ? { ...side, source: written.document.source, range } : { ...side, range }
}

/** The changes of a result, each side at the place where it was written: in a file, or in an overlay of its API. */
export function inOverlays(result: DiffResult, base: Document | null, head: Document | null): DiffResult {
  if (![base, head].some((it) => it !== null && isOverlaid(it))) return result
  const placed = (change: Change): Change => ({
    ...change,
    base: change.base === null ? null : writtenSide(change.base, base),
    head: change.head === null ? null : writtenSide(change.head, head),
  })
  return {
    ...result,
    changes: result.changes.map(placed),
    ignored: result.ignored.map((it) => ({ ...it, change: placed(it.change) })),
  }
}
