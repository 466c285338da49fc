/** A merge of two documents that began as the same one, by what their parts are and not by lines. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { isCollection, isOrdered } from './collections.ts'
import type { MergeConflict } from './conflict.ts'
import { mergeOrder } from './order.ts'
import { isSame, keyed, nothing, subjectOf, type Side } from './places.ts'
import { reconcile } from './reconcile.ts'
import { namesFor, type SideName } from './renames.ts'
import { withRequired } from './required.ts'

/** Whose values a merge has at conflicts, by their ids: mine, unless something else is said. */
export interface ChosenSides {
  readonly theirs?: readonly string[]
  /** Goes before `all`. */
  readonly mine?: readonly string[]
  /** At conflicts that are not named. */
  readonly all?: 'mine' | 'theirs'
}

/**
 * - `fast-forward`: one side is as it was, so that the other one is the result
 * - `clean`: both changed, in different places, and what they made of it is whole
 * - `conflicts`: at some places both changed; the result has mine there, or theirs where that was chosen
 */
export interface Merged {
  readonly state: 'fast-forward' | 'clean' | 'conflicts'
  readonly document: Json
  readonly conflicts: readonly MergeConflict[]
}

/** A place: what leads to it by the keys of items, and where it is in each document; null: it is not there. */
interface Place {
  readonly path: Path
  readonly base: Path | null
  readonly mine: Path | null
  readonly theirs: Path | null
}

const root: Place = { path: [], base: [], mine: [], theirs: [] }

class Merge {
  readonly conflicts: MergeConflict[] = []
  readonly #takesTheirs: (id: string) => boolean
  readonly #renames: (side: SideName, path: Path) => boolean

  /**
   * @param takesTheirs whether theirs is taken at a conflict, by its id
   * @param renames whether a side gave something below a path another name: the values that are merged have the names of base
   */
  constructor(takesTheirs: (id: string) => boolean, renames: (side: SideName, path: Path) => boolean) {
    this.#takesTheirs = takesTheirs
    this.#renames = renames
  }

  /** The value of a place, or `nothing` where it is removed. */
  value(base: Side, mine: Side, theirs: Side, place: Place): Side {
    if (isSame(mine, theirs)) return mine
    // A new name of something in it is a change, too: what the other side removed around it is looked for.
    if (isSame(base, mine) && !this.#renames('mine', place.path)) return theirs
    if (isSame(base, theirs) && !this.#renames('theirs', place.path)) return mine
    if (mine !== nothing && theirs !== nothing) {
      if (isObject(mine) && isObject(theirs) && ((base !== nothing && isObject(base)) || isCollection(place.path)))
        return this.#objects(base, mine, theirs, place)
      if (Array.isArray(mine) && Array.isArray(theirs) && !isOrdered(place.path)) {
        const merged = this.#lists(base, mine as readonly Json[], theirs as readonly Json[], place)
        if (merged !== null) return merged
      }
    }
    return this.#conflict(base, mine, theirs, place)
  }

  #conflict(base: Side, mine: Side, theirs: Side, place: Place): Side {
    const shown = (side: Side): Json | null => (side === nothing ? null : side)
    const at = (side: Side, path: Path | null): string | null =>
      side === nothing || path === null ? null : formatPointer(path)
    const pointers = {
      base: at(base, place.base),
      mine: at(mine, place.mine),
      theirs: at(theirs, place.theirs),
    }
    const id = formatPointer(place.path)
    this.conflicts.push({
      id,
      pointer: pointers.mine ?? pointers.theirs ?? pointers.base ?? '',
      pointers,
      subject: subjectOf(place.path),
      base: shown(base),
      mine: shown(mine),
      theirs: shown(theirs),
    })
    return this.#takesTheirs(id) ? theirs : mine
  }

  #objects(base: Side, mine: JsonObject, theirs: JsonObject, place: Place): JsonObject {
    const before: JsonObject = base !== nothing && isObject(base) ? base : {}
    const at = (of: JsonObject, key: string): Side => (Object.hasOwn(of, key) ? (of[key] as Json) : nothing)
    const merged: [string, Json][] = []
    // In the order of mine; what only theirs has comes after that.
    for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      const below = (path: Path | null): Path | null => (path === null ? null : [...path, key])
      const value = this.value(at(before, key), at(mine, key), at(theirs, key), {
        path: [...place.path, key],
        base: below(place.base),
        mine: below(place.mine),
        theirs: below(place.theirs),
      })
      if (value !== nothing) merged.push([key, value])
    }
    return withRequired(before, mine, theirs, Object.fromEntries(merged))
  }

  /** Null: its items are recognized by their position only, or both sides moved them, so that the list is one value. */
  #lists(base: Side, mine: readonly Json[], theirs: readonly Json[], place: Place): Json | null {
    const isBegun = base !== nothing && Array.isArray(base)
    if (!isBegun && !isCollection(place.path)) return null
    const [before, left, right] = [keyed(isBegun ? (base as readonly Json[]) : []), keyed(mine), keyed(theirs)]
    if (before === null || left === null || right === null) return null
    const order = mergeOrder([...before.keys()], [...left.keys()], [...right.keys()])
    if (order === null) return null
    const at = (of: typeof before, key: string): Side => of.get(key)?.[1] ?? (of.has(key) ? null : nothing)
    const merged: Json[] = []
    for (const key of order) {
      const below = (path: Path | null, of: typeof before): Path | null => {
        const found = of.get(key)
        return path === null || found === undefined ? null : [...path, found[0]]
      }
      const value = this.value(at(before, key), at(left, key), at(right, key), {
        path: [...place.path, key],
        base: below(place.base, before),
        mine: below(place.mine, left),
        theirs: below(place.theirs, right),
      })
      if (value !== nothing) merged.push(value)
    }
    return merged
  }
}

/**
 * Merges two documents that began as `base`: objects by their properties; lists of parameters, tags, servers, steps, references
 * and scalars by what their items are; any other list as one value. What both sides added is merged where it collects things by
 * name (paths, operations of a path, components, properties), and is a conflict anywhere else. So is what only both together break:
 * a reference to what the other side removed, one operationId twice, an empty range, an object that its specification does not allow.
 * A new name of a property, schema, path or parameter is one change, with everything that refers to it.
 * @param chosen at which conflicts the result has theirs; at the others it has mine
 */
export function mergeDocuments(base: Json, mine: Json, theirs: Json, chosen: ChosenSides = {}): Merged {
  const [taken, kept] = [new Set(chosen.theirs), new Set(chosen.mine)]
  const takesTheirs = (id: string): boolean => taken.has(id) || (chosen.all === 'theirs' && !kept.has(id))
  if (isSame(base, mine)) return { state: 'fast-forward', document: theirs, conflicts: [] }
  if (isSame(base, theirs) || isSame(mine, theirs)) return { state: 'fast-forward', document: mine, conflicts: [] }
  const names = namesFor(base, mine, theirs)
  const sides = { base, mine: names.mine, theirs: names.theirs }
  const merge = new Merge(takesTheirs, names.renames)
  const document = merge.value(base, sides.mine, sides.theirs, root)
  const whole = reconcile(sides, document === nothing ? sides.mine : document, takesTheirs)
  const conflicts = [...merge.conflicts, ...whole.conflicts].map(names.shown)
  const named = names.apply(whole.document, takesTheirs)
  const all = [...conflicts, ...named.conflicts]
  return { state: all.length > 0 ? 'conflicts' : 'clean', document: named.document, conflicts: all }
}
