/** Gives the things of a document other names, with all that refers to them. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment, formatPointer, parseFragment, parsePointer } from '../kernel/pointer.ts'
import { isOrdered } from './collections.ts'
import { keyed } from './places.ts'

/** New names by the old ones, by the JSON Pointer of what collects them; the pointers have the old names, and keys of items. */
export type Renames = ReadonlyMap<string, ReadonlyMap<string, string>>

/** How names are translated. */
interface Translation {
  /** What keys of a collection become; null where they stay. */
  readonly names: (collection: Path) => ReadonlyMap<string, string> | null
  /** What a word that names a property of a collection becomes. */
  readonly word: (collection: Path, name: string) => string
  readonly pointer: (path: Path) => Path
}

const reversed = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(Iterator.from(names).map(([from, to]) => [to, from]))

/** The names of a collection, looked up by its pointer only where its last step is that of one with other names. */
function lookUp(renames: Renames): Translation['names'] {
  const last = new Set(Iterator.from(renames.keys()).map((at) => parsePointer(at)?.at(-1)))
  return (collection) => (last.has(String(collection.at(-1))) ? (renames.get(formatPointer(collection)) ?? null) : null)
}

/** Translations between a document with old names and one with new ones. */
export function translations(renames: Renames): Readonly<Record<'back' | 'forth', Translation>> {
  const newNames = lookUp(renames)
  const oldNames = lookUp(new Map(Iterator.from(renames).map(([at, names]) => [at, reversed(names)])))
  const toOld = (path: Path): Path => {
    const old: string[] = []
    for (const step of path) old.push(oldNames(old)?.get(String(step)) ?? String(step))
    return old
  }
  const toNew = (path: Path): Path =>
    path.map((step, at) => newNames(path.slice(0, at))?.get(String(step)) ?? String(step))
  return {
    // The keys have their old names already.
    back: { names: () => null, word: (at, name) => oldNames(at)?.get(name) ?? name, pointer: toOld },
    forth: { names: newNames, word: (at, name) => newNames(at)?.get(name) ?? name, pointer: toNew },
  }
}

/** The name of a parameter in the key of an item. */
export const itemName = (key: string): string => /^name (.*) \S*$/.exec(key)?.[1] ?? key

/** The list that there was, where the other one has the same items: what did not change is shared by both documents. */
const unlessEqual = (before: readonly Json[], after: readonly Json[]): readonly Json[] =>
  before.length === after.length && after.every((item, at) => item === before[at]) ? before : after

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
    if (!list.some((item) => typeof item === 'object' && item !== null)) return list
    const keys = Array.from(keyed(list)?.keys() ?? [])
    const names = this.#by.names(path)
    const made = list.map((item, at) => {
      const key = keys[at]
      const named = this.value(item, [...path, key ?? at])
      const other = key === undefined ? undefined : names?.get(key)
      return other === undefined || !isObject(named) ? named : { ...named, name: itemName(other) }
    })
    return unlessEqual(list, made)
  }

  #object(object: JsonObject, path: Path): JsonObject {
    const { properties } = object
    const own: Path | null = isObject(properties) ? [...path, 'properties'] : null
    const names = this.#by.names(path)
    let isOther = false
    const entries = Object.entries(object).map(([key, value]) => {
      const name = names?.get(key) ?? key
      const named = this.#word(key, value, own) ?? this.value(value, [...path, key])
      isOther ||= name !== key || named !== value
      return [name, named] as const
    })
    return isOther ? Object.fromEntries(entries) : object
  }

  /** The value of a keyword that refers to something; null where it does not. @param properties those of the same schema */
  #word(key: string, value: Json, properties: Path | null): Json | null {
    if (key === '$ref' || key === 'operationRef') return this.#reference(value)
    if (key === 'required' && Array.isArray(value) && properties !== null) {
      const names = value as readonly Json[]
      return unlessEqual(names, [...new Set(names.map((it) => this.#property(it, properties)))])
    }
    if (key !== 'discriminator' || !isObject(value)) return null
    const { propertyName, mapping } = value
    const named =
      properties === null || propertyName === undefined ? propertyName : this.#property(propertyName, properties)
    const entries = isObject(mapping) ? Object.entries(mapping) : []
    const mapped = entries.map(([name, to]) => [name, this.#reference(to) ?? to] as const)
    if (named === propertyName && mapped.every(([, to], at) => to === entries[at]![1])) return value
    return {
      ...value,
      ...(named === undefined ? {} : { propertyName: named }),
      ...(isObject(mapping) ? { mapping: Object.fromEntries(mapped) } : {}),
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

/** A document with other names; it shares everything else with the one that is given. */
export const withNames = (document: Json, by: Translation): Json => new Naming(by).value(document, [])
