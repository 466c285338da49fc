import type { Document } from '../document/document.ts'
import { formatPointer, getPath, parsePointer } from '../kernel/pointer.ts'
import { isObject } from '../kernel/json.ts'
import { sectionsOf } from '../import/bundle/sections.ts'
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

/** The same for documents that are one file with types of a registry: only places in types name their source. */
export function inTypes(result: DiffResult, base: Document, head: Document): DiffResult {
  const side = (it: ChangeSide | null, own: string): ChangeSide | null => {
    if (it?.source !== own) return it
    const { source: _, ...place } = it
    return place
  }
  const placed = (change: Change): Change => ({
    ...change,
    base: side(change.base, base.source),
    head: side(change.head, head.source),
  })
  const found = inFiles(result, base, head)
  return found === result ? result : { ...found, changes: found.changes.map(placed) }
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

// Where parts of other files are in a document that was made of several, longest path of the file first.
function homesIn(document: Document): readonly { source: string; from: string; to: string }[] {
  if (!isBundled(document)) return []
  const sections = document.format === null ? [] : Object.values(sectionsOf(document.format))
  const homes = sections.flatMap((section) => {
    const named = getPath(document.value, section)
    if (named === undefined || !isObject(named)) return []
    return Object.keys(named).flatMap((name) => {
      const path = [...section, name]
      const { source, path: from } = document.originOf(path)
      return source === document.source ? [] : [{ source, from: formatPointer(from), to: formatPointer(path) }]
    })
  })
  return homes.toSorted((a, b) => b.from.length - a.from.length)
}

/** Changes as `inFiles` shows them, with the places that they have in the documents that were compared. */
export function inDocuments(changes: readonly Change[], base: Document, head: Document): readonly Change[] {
  if (!isBundled(base) && !isBundled(head)) return changes
  const homes = { base: homesIn(base), head: homesIn(head) }
  const back = (side: ChangeSide | null, name: 'base' | 'head'): ChangeSide | null => {
    if (side?.source === undefined) return side
    const { source, pointer } = side
    const home = homes[name].find(
      (it) => it.source === source && (pointer === it.from || pointer.startsWith(`${it.from}/`)),
    )
    return home === undefined ? side : { ...side, pointer: home.to + pointer.slice(home.from.length) }
  }
  return changes.map((it) => ({ ...it, base: back(it.base, 'base'), head: back(it.head, 'head') }))
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
