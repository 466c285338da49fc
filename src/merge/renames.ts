/** Renames in a merge: what both sides call everything while it is merged, and which name it has in the end. */
import { type Json, type Path } from '../kernel/json.ts'
import { formatPointer, getPath, parsePointer } from '../kernel/pointer.ts'
import { canonicalize } from '../document/serialize.ts'
import type { MergeConflict } from './conflict.ts'
import { itemName, translations, withNames, type Renames } from './names.ts'
import { isSame, keyed, nothing, orElse, positionsOf, subjectOf, taken, valueAt, type Side } from './places.ts'
import { restore } from './restore.ts'

/** One of two documents that are merged. */
export type SideName = 'mine' | 'theirs'
type TakesTheirs = (id: string) => boolean

/** A document as a side has it, and with the names of base. */
interface Named {
  readonly original: Json
  readonly restored: Json
  readonly renames: Renames
}

/** A merged document with its names, and the conflicts about them. */
interface NamedMerge {
  readonly document: Json
  readonly conflicts: readonly MergeConflict[]
}

/** What a merge works on, and how its result gets the new names. */
interface Names {
  /** The sides with the names of base. */
  readonly mine: Json
  readonly theirs: Json
  /** Whether a side gave something below a path another name. */
  readonly renames: (side: SideName, path: Path) => boolean
  /** A conflict with the names, places and values that each side has. */
  readonly shown: (conflict: MergeConflict) => MergeConflict
  readonly apply: (merged: Json, takesTheirs: TakesTheirs) => NamedMerge
}

const has = (of: Side, name: string): boolean => valueAt(of === nothing ? null : of, [name]) !== nothing

/** The path of a place in the document of a side, from its path in the restored one, with keys of items or positions. */
function ownPath({ restored, renames }: Named, path: Path): Path {
  let at: Json | undefined = restored
  const keys: (string | number)[] = []
  return path.map((step) => {
    const list = Array.isArray(at) ? (at as readonly Json[]) : null
    const items = list === null ? null : [...(keyed(list) ?? [])]
    const item = items?.find(([key, [position]]) => key === step || position === Number(step))
    const own = item?.[1][0] ?? renames.get(formatPointer(keys))?.get(String(step)) ?? step
    at = item?.[1][1] ?? getPath(at ?? null, [step])
    keys.push(item?.[0] ?? step)
    return own
  })
}

/** One thing that got other names. */
interface Renamed {
  readonly collection: Path
  readonly from: string
  readonly to: Readonly<Record<SideName, string | undefined>>
}

class NameMerge {
  readonly conflicts: MergeConflict[] = []
  readonly #base: Json
  readonly #sides: Readonly<Record<SideName, Named>>
  readonly #takesTheirs: TakesTheirs
  #document: Json

  constructor(base: Json, sides: Readonly<Record<SideName, Named>>, document: Json, takesTheirs: TakesTheirs) {
    this.#base = base
    this.#sides = sides
    this.#document = document
    this.#takesTheirs = takesTheirs
  }

  run(): NamedMerge {
    const { mine, theirs } = this.#sides
    const names = new Map<string, Map<string, string>>()
    for (const at of new Set([...mine.renames.keys(), ...theirs.renames.keys()])) {
      const collection = parsePointer(at) ?? []
      const [left, right] = [mine.renames.get(at), theirs.renames.get(at)]
      const chosen = new Map<string, string>()
      for (const from of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
        const it: Renamed = { collection, from, to: { mine: left?.get(from), theirs: right?.get(from) } }
        const to = this.#nameOf(it)
        if (to !== null) this.#give(it, to, chosen)
      }
      names.set(at, chosen)
    }
    return { document: withNames(this.#document, translations(names).forth), conflicts: this.conflicts }
  }

  /** The name that something gets; null where it is no longer there. */
  #nameOf(renamed: Renamed): string | null {
    const { collection, from, to } = renamed
    if (valueAt(this.#document, collection) === nothing) return null
    if (this.#isRemoved(renamed)) return null
    const { mine, theirs } = to
    if (mine === undefined || theirs === undefined || mine === theirs) return mine ?? theirs ?? null
    const reason = `"${itemName(from)}" is named "${itemName(mine)}" on one side and "${itemName(theirs)}" on the other`
    return to[this.#conflict(renamed, reason)]!
  }

  /** Whether it is not in the document; where one side gave it a name and the other one removed it, that is a conflict. */
  #isRemoved(renamed: Renamed): boolean {
    const { collection, from, to } = renamed
    const path = [...collection, from]
    if (valueAt(this.#document, path) !== nothing) return false
    const by: SideName = to.mine === undefined ? 'theirs' : 'mine'
    const value = valueAt(this.#sides[by].restored, path)
    // What it also changed otherwise is a conflict already.
    if (!isSame(value, valueAt(this.#base, path))) return true
    const reason = `"${itemName(from)}" is named "${itemName(to[by] ?? from)}" on one side and removed on the other`
    if (this.#conflict(renamed, reason) !== by) return true
    const required: Path = [...collection.slice(0, -1), 'required', canonicalize(from)]
    for (const place of collection.at(-1) === 'properties' ? [path, required] : [path])
      if (valueAt(this.#sides[by].restored, place) !== nothing)
        this.#document = orElse(taken(this.#document, this.#sides[by].restored, place), this.#document)
    return false
  }

  /** Gives something its name, unless something else has it. */
  #give(renamed: Renamed, to: string, chosen: Map<string, string>): void {
    const { collection, from } = renamed
    const other = Iterator.from(chosen).find(([, name]) => name === to)?.[0]
    const isTaken = has(valueAt(this.#document, collection), to) && !chosen.has(to)
    if (other === undefined && !isTaken) {
      chosen.set(from, to)
      return
    }
    const by: SideName = renamed.to.mine === to ? 'mine' : 'theirs'
    const reason = `"${itemName(from)}" is named "${itemName(to)}" on one side, and the other one has something else of that name`
    if (this.#conflict(renamed, reason) !== by) return
    if (other === undefined) {
      const without = taken(this.#document, this.#sides[by].restored, [...collection, to])
      this.#document = orElse(without, this.#document)
    } else chosen.delete(other)
    chosen.set(from, to)
  }

  /** Adds a conflict about a name. @returns whose name is taken */
  #conflict({ collection, from, to }: Renamed, reason: string): SideName {
    const path = [...collection, from]
    const shownIn = (document: Json, at: Path, name: string): Json | null => {
      const value = getPath(document, at)
      if (value === undefined) return null
      return Array.isArray(getPath(document, at.slice(0, -1))) ? value : { [name]: value }
    }
    const at = { base: positionsOf(this.#base, path), mine: this.#own('mine', path), theirs: this.#own('theirs', path) }
    const { mine, theirs } = { mine: this.#sides.mine.original, theirs: this.#sides.theirs.original }
    const pointerIn = (document: Json, place: Path): string | null =>
      getPath(document, place) === undefined ? null : formatPointer(place)
    const pointers = {
      base: pointerIn(this.#base, at.base),
      mine: pointerIn(mine, at.mine),
      theirs: pointerIn(theirs, at.theirs),
    }
    const id = `${formatPointer(path)} (name)`
    this.conflicts.push({
      id,
      pointer: pointers.mine ?? pointers.theirs ?? pointers.base ?? '',
      pointers,
      subject: subjectOf(path),
      base: shownIn(this.#base, at.base, from),
      mine: shownIn(mine, at.mine, to.mine ?? from),
      theirs: shownIn(theirs, at.theirs, to.theirs ?? from),
      reason,
    })
    return this.#takesTheirs(id) ? 'theirs' : 'mine'
  }

  readonly #own = (side: SideName, path: Path): Path => ownPath(this.#sides[side], path)
}

/** Lets a merge see everything under the names that it had in the beginning, so that a new name is one change. */
export function namesFor(base: Json, mine: Json, theirs: Json): Names {
  const named = (side: Json, other: Json): Named => {
    const { document, renames } = restore(base, side, other)
    return { original: side, restored: document, renames }
  }
  const sides = { mine: named(mine, theirs), theirs: named(theirs, mine) }
  if (sides.mine.renames.size + sides.theirs.renames.size === 0)
    return {
      mine,
      theirs,
      renames: () => false,
      shown: (conflict) => conflict,
      apply: (document) => ({ document, conflicts: [] }),
    }
  return {
    mine: sides.mine.restored,
    theirs: sides.theirs.restored,
    renames: (side, path) => {
      const at = formatPointer(path)
      return Iterator.from(sides[side].renames.keys()).some((it) => it === at || it.startsWith(`${at}/`))
    },
    shown: (conflict) => {
      const own = (side: SideName): { readonly pointer: string | null; readonly value: Json | null } => {
        const pointer = conflict.pointers[side]
        if (pointer === null) return { pointer, value: conflict[side] }
        const path = ownPath(sides[side], parsePointer(pointer) ?? [])
        return { pointer: formatPointer(path), value: getPath(sides[side].original, path) ?? null }
      }
      const [left, right] = [own('mine'), own('theirs')]
      const pointers = { base: conflict.pointers.base, mine: left.pointer, theirs: right.pointer }
      return {
        ...conflict,
        pointer: pointers.mine ?? pointers.theirs ?? pointers.base ?? '',
        pointers,
        mine: left.value,
        theirs: right.value,
      }
    },
    apply: (document, takesTheirs) => new NameMerge(base, sides, document, takesTheirs).run(),
  }
}
