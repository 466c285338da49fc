/** Gives the things of a document other names, with all that refers to them. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment, formatPointer, parseFragment } from '../kernel/pointer.ts'
import { isOrdered } from './collections.ts'
import { keyed } from './places.ts'

/** New names by the old ones, by the JSON Pointer of what collects them; the pointers have the old names, and keys of items. */
export type Renames = ReadonlyMap<string, ReadonlyMap<string, string>>

/** How names are translated. */
interface Translation {
  /** What the keys of a collection become. */
  readonly key: (collection: Path, name: string) => string
  /** What a word that names a property of a collection becomes. */
  readonly word: (collection: Path, name: string) => string
  readonly pointer: (path: Path) => Path
}

const reversed = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(Iterator.from(names).map(([from, to]) => [to, from]))

/** Translations between a document with old names and one with new ones. */
export function translations(renames: Renames): Readonly<Record<'back' | 'forth', Translation>> {
  const olds: Renames = new Map(Iterator.from(renames).map(([at, names]) => [at, reversed(names)]))
  const named = (of: Renames, collection: Path, name: string): string =>
    of.get(formatPointer(collection))?.get(name) ?? name
  const toOld = (path: Path): Path => {
    const old: string[] = []
    for (const step of path) old.push(named(olds, old, String(step)))
    return old
  }
  const toNew = (path: Path): Path => path.map((step, at) => named(renames, path.slice(0, at), String(step)))
  return {
    // The keys have their old names already.
    back: { key: (_, name) => name, word: (at, name) => named(olds, at, name), pointer: toOld },
    forth: {
      key: (at, name) => named(renames, at, name),
      word: (at, name) => named(renames, at, name),
      pointer: toNew,
    },
  }
}

/** The name of a parameter in the key of an item. */
export const itemName = (key: string): string => /^name (.*) \S*$/.exec(key)?.[1] ?? key

class Naming {
  readonly #by: Translation

  constructor(by: Translation) {
    this.#by = by
  }

  value(value: Json, path: Path): Json {
    if (isOrdered(path)) return value
    if (Array.isArray(value)) return this.#list(value as readonly Json[], path)
    return isObject(value) ? this.#object(value, path) : value
  }

  #list(list: readonly Json[], path: Path): Json {
    const keys = keyed(list) === null ? null : [...keyed(list)!.keys()]
    return list.map((item, at) => {
      const key = keys?.[at]
      const named = this.value(item, [...path, key ?? at])
      const other = key === undefined ? key : this.#by.key(path, key)
      return other === key || other === undefined || !isObject(named) ? named : { ...named, name: itemName(other) }
    })
  }

  #object(object: JsonObject, path: Path): JsonObject {
    const { properties } = object
    const own: Path | null = isObject(properties) ? [...path, 'properties'] : null
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        this.#by.key(path, key),
        this.#word(key, value, own) ?? this.value(value, [...path, key]),
      ]),
    )
  }

  /** The value of a keyword that refers to something; null where it does not. @param properties those of the same schema */
  #word(key: string, value: Json, properties: Path | null): Json | null {
    if (key === '$ref' || key === 'operationRef') return this.#reference(value)
    if (key === 'required' && Array.isArray(value) && properties !== null)
      return [...new Set((value as readonly Json[]).map((it) => this.#property(it, properties)))]
    if (key !== 'discriminator' || !isObject(value)) return null
    const { propertyName, mapping } = value
    return {
      ...value,
      ...(properties === null || propertyName === undefined
        ? {}
        : { propertyName: this.#property(propertyName, properties) }),
      ...(isObject(mapping)
        ? {
            mapping: Object.fromEntries(Object.entries(mapping).map(([name, to]) => [name, this.#reference(to) ?? to])),
          }
        : {}),
    }
  }

  readonly #property = (name: Json, properties: Path): Json =>
    typeof name === 'string' ? this.#by.word(properties, name) : name

  #reference(value: Json): Json | null {
    const path = typeof value === 'string' && value.startsWith('#/') ? parseFragment(value) : null
    if (path === null) return null
    const to = this.#by.pointer(path)
    return to.every((step, at) => step === path[at]) ? value : formatFragment(to)
  }
}

export const withNames = (document: Json, by: Translation): Json => new Naming(by).value(document, [])
