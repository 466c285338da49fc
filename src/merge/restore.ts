/** What one side renamed, and its document with the names that everything had before. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment, formatPointer } from '../kernel/pointer.ts'
import { canonicalize } from '../document/serialize.ts'
import { hasNames, isOrdered } from './collections.ts'
import { isSame, keyed } from './places.ts'
import { itemName, translations, withNames, type Renames } from './names.ts'

/** One thing of a collection with its name. */
type Named = readonly [name: string, value: Json]

/** Its template without the names of parameters changes what an operation needs, so that it is another path. */
const isSamePath = (before: string, after: string): boolean =>
  JSON.stringify(before.match(/\{[^}]*\}/g)) === JSON.stringify(after.match(/\{[^}]*\}/g))

/** A value in comparable parts; what it says of itself by its own name is the same under another one. */
function partsOf(value: Json, place: Path): ReadonlyMap<string, string> {
  const own = JSON.stringify(formatFragment(place))
  const text = (it: Json): string => canonicalize(it).replaceAll(own, '"#"')
  return new Map(isObject(value) ? Object.entries(value).map(([key, it]) => [key, text(it)]) : [['', text(value)]])
}

interface Candidate {
  readonly name: string
  readonly parts: ReadonlyMap<string, string>
  readonly text: string
}

const candidateOf = ([name, value]: Named, collection: Path): Candidate => {
  const parts = partsOf(value, [...collection, name])
  return { name, parts, text: JSON.stringify([...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

/** So many pairs of what is left are compared by their parts. */
const mostPairs = 2500

/** Pairs that are at least half equal, the most similar first. */
function similar(
  removed: readonly Candidate[],
  added: readonly Candidate[],
  isRenamed: (name: string) => boolean,
): readonly (readonly [from: string, to: string])[] {
  if (removed.length * added.length > mostPairs) return []
  return removed
    .flatMap((from) =>
      added.map((to) => {
        const equal = Iterator.from(from.parts).reduce(
          (sum, [key, text]) => sum + Number(to.parts.get(key) === text),
          0,
        )
        const share = equal / Math.max(from.parts.size, to.parts.size)
        return { pair: [from.name, to.name] as const, share, isMeant: equal >= (isRenamed(from.name) ? 1 : 2) }
      }),
    )
    .filter(({ share, isMeant }) => isMeant && share >= 0.5)
    .toSorted((a, b) => b.share - a.share)
    .map(({ pair }) => pair)
}

/**
 * Pairs each removed thing with the added one that is the same under another name: their values are equal, or at least half equal.
 * @param isRenamed whether the other side renamed it too: then one equal part is enough
 */
function pairs(
  collection: Path,
  removed: readonly Named[],
  added: readonly Named[],
  isRenamed: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const [before, after] = [removed, added].map((all) => all.map((it) => candidateOf(it, collection)))
  const free = Map.groupBy(after!, ({ text }) => text)
  const found = new Map<string, string>()
  for (const { name, parts, text } of before!) {
    const to = parts.size > 1 || isRenamed(name) ? free.get(text)?.shift() : undefined
    if (to !== undefined) found.set(name, to.name)
  }
  const taken = new Set(found.values())
  const left = before!.filter(({ name }) => !found.has(name))
  const right = after!.filter(({ name }) => !taken.has(name))
  for (const [from, to] of similar(left, right, isRenamed)) {
    if (found.has(from) || taken.has(to)) continue
    found.set(from, to)
    taken.add(to)
  }
  return found
}

/** The items of a list of parameters by their keys. */
const itemsOf = (list: readonly Json[]): ReadonlyMap<string, Json> | null => {
  const items = keyed(list)
  return items === null ? null : new Map(Iterator.from(items).map(([key, [, item]]) => [key, item]))
}

/** Where a parameter is sent; null for anything else, and for those of paths, whose names are in the path as well. */
const placeOf = (key: string): string | null => /^name .* (query|header|cookie)$/.exec(key)?.[1] ?? null

class Restoring {
  readonly renames = new Map<string, ReadonlyMap<string, string>>()

  /** A value of a side, below it with the names of base. @param other the value of the other side, where it has the place */
  value(base: Json, side: Json, other: Json | undefined, path: Path): Json {
    if (isSame(base, side) || isOrdered(path)) return side
    if (isObject(base) && isObject(side)) return this.#object(base, side, isObject(other) ? other : null, path)
    if (!Array.isArray(base) || !Array.isArray(side)) return side
    const [before, after] = [itemsOf(base as readonly Json[]), itemsOf(side as readonly Json[])]
    if (before === null || after === null) return side
    const known = Array.isArray(other) ? itemsOf(other as readonly Json[]) : null
    return this.#list(before, after, known, path)
  }

  #object(base: JsonObject, side: JsonObject, other: JsonObject | null, path: Path): JsonObject {
    const missing = (of: JsonObject, from: JsonObject): readonly Named[] =>
      Object.entries(of).filter(([name]) => !Object.hasOwn(from, name))
    const [removed, added] = [missing(base, side), missing(side, base)]
    const isMoved = (name: string): boolean =>
      other !== null && !Object.hasOwn(other, name) && missing(other, base).length > 0
    const found =
      hasNames(path) && removed.length > 0 && added.length > 0
        ? pairs(path, removed, added, isMoved)
        : new Map<string, string>()
    const meant = new Map(Iterator.from(found).filter(([from, to]) => path.at(-1) !== 'paths' || isSamePath(from, to)))
    if (meant.size > 0) this.renames.set(formatPointer(path), meant)
    const before = new Map(Iterator.from(meant).map(([from, to]) => [to, from]))
    return Object.fromEntries(
      Object.entries(side).map(([name, value]) => {
        const was = before.get(name) ?? name
        return [was, Object.hasOwn(base, was) ? this.value(base[was]!, value, other?.[was], [...path, was]) : value]
      }),
    )
  }

  /** Only items that have a name and a place, as parameters, can get another name. */
  #list(
    base: ReadonlyMap<string, Json>,
    side: ReadonlyMap<string, Json>,
    other: ReadonlyMap<string, Json> | null,
    path: Path,
  ): Json {
    const missing = (of: ReadonlyMap<string, Json>, from: ReadonlyMap<string, Json>, place: string): Named[] =>
      Array.from(of).flatMap(([key, item]): Named[] =>
        from.has(key) || placeOf(key) !== place || !isObject(item) ? [] : [[key, { ...item, name: '' }]],
      )
    const meant = new Map<string, string>()
    for (const place of ['query', 'header', 'cookie']) {
      const [removed, added] = [missing(base, side, place), missing(side, base, place)]
      if (removed.length === 0 || added.length === 0) continue
      const isMoved = (key: string): boolean =>
        other !== null && !other.has(key) && missing(other, base, place).length > 0
      for (const [from, to] of pairs(path, removed, added, isMoved)) meant.set(from, to)
    }
    if (meant.size > 0) this.renames.set(formatPointer(path), meant)
    const before = new Map(Iterator.from(meant).map(([from, to]) => [to, from]))
    return Array.from(side, ([key, item]) => {
      const was = before.get(key) ?? key
      const named = was === key || !isObject(item) ? item : { ...item, name: itemName(was) }
      return base.has(was) ? this.value(base.get(was)!, named, other?.get(was), [...path, was]) : named
    })
  }
}

/** What a side renamed, and the side with the names of base: also in references, and in what names properties. */
export function restore(base: Json, side: Json, other: Json): { readonly document: Json; readonly renames: Renames } {
  const restoring = new Restoring()
  const document = restoring.value(base, side, other, [])
  const { renames } = restoring
  return { document: renames.size === 0 ? side : withNames(document, translations(renames).back), renames }
}
