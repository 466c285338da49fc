import type { Document } from '../document/document.ts'
import { formatPointer, getPath, parsePointer } from '../document/pointer.ts'
import { isBundled } from '../import/bundle/written.ts'
import type { Change, ChangeSide } from './change.ts'
import type { DiffResult } from './options.ts'
import { tallyOf } from './tally.ts'

const written = (side: ChangeSide | null, document: Document | null): ChangeSide | null => {
  if (side === null || document === null || !isBundled(document)) return side
  const path = parsePointer(side.pointer)
  if (path === null) return side
  const origin = document.originOf(path)
  return { ...side, pointer: formatPointer(origin.path), source: origin.source }
}

const named: ReadonlySet<string> = new Set(['schema-component-added', 'schema-component-removed'])

// A name that no one gave: joining files made it.
const isMade = (side: ChangeSide | null, document: Document | null): boolean => {
  const path = side === null ? null : parsePointer(side.pointer)
  return document !== null && path !== null && isBundled(document) && getPath(document.own, path) === undefined
}

/** A result whose places are those of the files that the documents were made of; null for a document that is not available. */
export function inFiles(result: DiffResult, base: Document | null, head: Document | null): DiffResult {
  if (![base, head].some((it) => it !== null && isBundled(it))) return result
  const place = (change: Change): Change => ({
    ...change,
    base: written(change.base, base),
    head: written(change.head, head),
  })
  const meant = result.changes.filter(
    (change) => !named.has(change.id) || !(isMade(change.base, base) || isMade(change.head, head)),
  )
  return {
    ...result,
    ...tallyOf(meant),
    changes: meant.map(place),
    ignored: result.ignored.map((it) => ({ ...it, change: place(it.change) })),
  }
}

/** By fingerprint, where in the head a change is shown that has no place in it: the nearest place that is left. */
export function anchorsIn(
  head: Document,
  changes: readonly Change[],
): ReadonlyMap<string, ChangeSide & { source: string }> {
  const anchors = new Map<string, ChangeSide & { source: string }>()
  for (const { base, head: own, fingerprint } of changes) {
    if (own !== null || base === null) continue
    const path = parsePointer(base.pointer) ?? []
    let depth = path.length
    while (depth > 0 && getPath(head.value, path.slice(0, depth)) === undefined) depth--
    const nearest = path.slice(0, depth)
    // Its name is where a reader begins; the whole of it may be the document.
    const { start, end } = head.locate(nearest, { key: true })
    const place = {
      pointer: formatPointer(nearest),
      source: head.source,
      range: { start, end: depth === 0 ? start : end },
    }
    anchors.set(fingerprint, { ...place, ...written(place, head) })
  }
  return anchors
}
