/** Conflicts of meaning: what two sides break only together, and which values undo it. */
import type { Json, Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { brokenBy, documentOf } from './broken-by.ts'
import type { MergeConflict } from './conflict.ts'
import { isSame, keysOf, nothing, orElse, positionsOf, subjectOf, taken, valueAt } from './places.ts'

type Sides = Readonly<Record<'base' | 'mine' | 'theirs', Json>>

/** So often a document is looked at again after the values of one side were taken. */
const mostRounds = 12

/**
 * Finds what a merged document breaks and neither side does, and takes the values of one side at all places of it, or around them:
 * so references resolve, names are used once, ranges are not empty, and the structural rules hold. What no part of one side undoes
 * stays as it is, with its conflict.
 */
export function reconcile(
  sides: Sides,
  merged: Json,
  takesTheirs: (id: string) => boolean,
): { readonly document: Json; readonly conflicts: readonly MergeConflict[] } {
  const before = [documentOf(sides.mine), documentOf(sides.theirs)]
  const conflicts = new Map<string, MergeConflict>()
  /** By the breakage: the name of its conflict, and how many steps above its places a side is taken next. */
  const tried = new Map<string, { readonly id: string; readonly height: number }>()
  let document = merged
  for (let round = 0; round < mostRounds; round++) {
    const broken = brokenBy(documentOf(document), before)
    let next = document
    for (const { name, key, reason, places } of broken) {
      const paths = places.map((path) => keysOf(document, path))
      // The place that mine did not make so is the one to look at.
      const first = Math.max(
        0,
        paths.findIndex((it) => !isSame(valueAt(document, it), valueAt(sides.mine, it))),
      )
      const { id, height } = tried.get(name) ?? {
        id: `${formatPointer(paths[first]!)} (${key.split(' ')[0]!})`,
        height: 0,
      }
      const source = takesTheirs(id) ? sides.theirs : sides.mine
      const taking = differing(next, source, paths, height)
      tried.set(name, { id, height: (taking?.height ?? height) + 1 })
      const around = (taking?.paths ?? paths)[first]!
      if (taking !== null || !conflicts.has(id)) conflicts.set(id, conflictAt(sides, around, id, reason))
      for (const at of taking?.paths ?? []) next = orElse(taken(next, source, at), next)
    }
    if (next === document) break
    document = next
  }
  return { document, conflicts: [...conflicts.values()] }
}

/** Places, or so much above them, below the root, that a side has something else there; null where it has the same all the way. */
function differing(
  document: Json,
  side: Json,
  paths: readonly Path[],
  from: number,
): { readonly paths: readonly Path[]; readonly height: number } | null {
  const longest = Math.max(...paths.map((it) => it.length))
  for (let height = from; height < longest; height++) {
    const above = paths.map((it) => it.slice(0, Math.max(1, it.length - height)))
    if (above.some((it) => !isSame(valueAt(document, it), valueAt(side, it)))) return { paths: above, height }
  }
  return null
}

function conflictAt(sides: Sides, path: Path, id: string, reason: string): MergeConflict {
  const shown = (side: Json): Json | null => {
    const found = valueAt(side, path)
    return found === nothing ? null : found
  }
  const at = (side: Json): string | null =>
    valueAt(side, path) === nothing ? null : formatPointer(positionsOf(side, path))
  const pointers = { base: at(sides.base), mine: at(sides.mine), theirs: at(sides.theirs) }
  return {
    id,
    pointer: pointers.mine ?? pointers.theirs ?? pointers.base ?? '',
    pointers,
    subject: subjectOf(path),
    base: shown(sides.base),
    mine: shown(sides.mine),
    theirs: shown(sides.theirs),
    reason,
  }
}
