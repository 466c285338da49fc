import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { Selected, Selection } from '../schema/selection.ts'
import { Family, mappedReference } from './family.ts'
import { pointerOf } from './side.ts'
import type { PlacedValue, Side } from './side.ts'
import { viewOf } from './view.ts'

/** A branch or an heir of a discriminator, and the values that select it. */
interface Selectable {
  readonly ref: string
  readonly place: PlacedValue
  readonly values: readonly string[]
  /** Of these values those that are sent: its name is not where the mapping has others for it. */
  readonly sent: readonly string[]
}

/** A discriminator as one document has it. */
interface Discriminator {
  readonly property: string
  /** The branches of the schema by what is there; empty where it has none. */
  readonly branches: ReadonlyMap<Json, Selectable>
  /** The schemas that extend the one with the discriminator, and itself; empty where it has branches. */
  readonly heirs: readonly Selectable[]
  /** The branch for values that select none (OpenAPI 3.2, `defaultMapping`). */
  readonly fallback: Json | null
}

const nameIn = (ref: string): string => {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The strings that a property of a schema can have, where it lists them. */
export const listedValues = (side: Side, schema: PlacedValue, property: string): readonly string[] | null => {
  const { words } = viewOf(side, viewOf(side, [schema]).properties.get(property) ?? [])
  const given = words.has('const') ? [words.get('const')!.value] : words.get('enum')?.value
  return Array.isArray(given) ? (given as readonly Json[]).filter((it) => typeof it === 'string') : null
}

/**
 * Knows which values of a discriminator select which schema (OpenAPI 3.0.3, 3.1.1 and 3.2.0, "Discriminator Object", Swagger 2.0,
 * `discriminator`): those of the mapping and the names of the schemas.
 */
export class Selector {
  readonly family: Family
  private readonly side: Side
  private readonly known = new WeakMap<JsonObject, Discriminator | null>()
  private owners: ReadonlyMap<Json, PlacedValue> | null = null
  private used: ReadonlySet<string> | null = null

  constructor(side: Side) {
    this.side = side
    this.family = new Family(side)
  }

  /** The discriminator of a schema; null where it has none, or one that selects nothing. */
  private of(schema: JsonObject): Discriminator | null {
    const known = this.known.get(schema)
    if (known !== undefined) return known
    const made = this.side.hasDiscriminators ? this.read(schema) : null
    this.known.set(schema, made)
    return made
  }

  private read(schema: JsonObject): Discriminator | null {
    const given = schema.discriminator
    const property = isObject(given) ? given.propertyName : given
    if (typeof property !== 'string') return null
    const mapping = isObject(given) && isObject(given.mapping) ? Object.entries(given.mapping) : []
    const mapped = new Map<string, string[]>()
    for (const [value, target] of mapping) {
      const place = typeof target === 'string' ? this.side.find(mappedReference(target)) : null
      if (!place) continue
      const pointer = pointerOf(place.path)
      mapped.set(pointer, [...(mapped.get(pointer) ?? []), value])
    }
    const selectable = (ref: string, place: PlacedValue): Selectable => {
      const explicit = mapped.get(pointerOf(place.path)) ?? []
      const listed = listedValues(this.side, place, property)
      const name = nameIn(ref)
      // Where the schema lists values and its name is not one of them, the name is not meant.
      const values = [...explicit, ...(listed === null || listed.includes(name) ? [name] : [])]
      return { ref, place, values: [...new Set(values)], sent: explicit.length > 0 ? explicit : values }
    }
    const branches = new Map<Json, Selectable>()
    for (const word of ['oneOf', 'anyOf'] as const)
      for (const branch of Array.isArray(schema[word]) ? (schema[word] as readonly Json[]) : []) {
        const ref = isObject(branch) && typeof branch.$ref === 'string' ? branch.$ref : null
        const place = ref === null ? null : this.side.find(ref)
        if (ref !== null && place) branches.set(branch, selectable(ref, place))
      }
    const target = isObject(given) && typeof given.defaultMapping === 'string' ? given.defaultMapping : null
    const other = target === null ? null : this.side.find(mappedReference(target))
    const fallback = other && [...branches].find(([, it]) => it.place.value === other.value)
    const heirs =
      Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf) ? [] : this.heirsOf(schema, property, selectable)
    return { property, branches, heirs, fallback: fallback ? fallback[0] : null }
  }

  /** Those that extend the schema and the schema itself, each with its values; none where no one extends it. */
  private heirsOf(
    schema: JsonObject,
    property: string,
    selectable: (ref: string, place: PlacedValue) => Selectable,
  ): readonly Selectable[] {
    const owner = this.ownerOf(schema)
    const heirs = owner === null ? [] : this.family.descendantsOf(owner)
    if (owner === null || heirs.length === 0) return []
    const refOf = (place: PlacedValue): string => `#${encodeURI(pointerOf(place.path))}`
    const own = selectable(refOf(owner), owner)
    const others = heirs.map(({ place }) => selectable(refOf(place), place))
    // A value that the schema lists and that selects no other one is its own; its mere name is read and not sent.
    const claimed = new Set(others.flatMap(({ values }) => values))
    const listed = (listedValues(this.side, owner, property) ?? []).filter((it) => !claimed.has(it))
    const name = nameIn(own.ref)
    const sent = [...new Set([...own.sent.filter((it) => it !== name), ...listed])]
    return [{ ...own, values: [...new Set([...own.values, ...listed])], sent }, ...others]
  }

  /** The named schema that a schema is, or is a part of by `allOf`. */
  private ownerOf(schema: JsonObject): PlacedValue | null {
    if (this.owners === null) {
      const owners = new Map<Json, PlacedValue>()
      const visit = (value: Json, owner: PlacedValue): void => {
        if (!isObject(value) || owners.has(value)) return
        owners.set(value, owner)
        if (Array.isArray(value.allOf)) for (const it of value.allOf as readonly Json[]) visit(it, owner)
      }
      for (const [, place] of this.side.namedSchemas()) visit(place.value, place)
      this.owners = owners
    }
    return this.owners.get(schema) ?? null
  }

  /** The values of all discriminators of the document, each with its property. */
  get uses(): ReadonlySet<string> {
    if (this.used) return this.used
    const used = new Set<string>()
    const seen = new Set<Json>()
    const visit = (value: Json): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it)
      if (!isObject(value)) return
      const found = value.discriminator === undefined ? null : this.of(value)
      for (const { values } of found ? [...found.branches.values(), ...found.heirs] : [])
        for (const it of values) used.add(useOf(found!.property, it))
      for (const key in value) visit(value[key]!)
    }
    if (this.side.hasDiscriminators) visit(this.side.root)
    this.used = used
    return used
  }

  /**
   * What a discriminator selects among the branches and heirs of its schema; null where it selects nothing. With `shared` only
   * the values count that the other document knows as well: a value that came or went is a change of its own. Without, those
   * that are sent.
   */
  selectionOf(schema: JsonObject, shared: ReadonlySet<string> | null): Selection | null {
    const found = this.of(schema)
    if (!found || found.branches.size + found.heirs.length === 0) return null
    const { property, fallback } = found
    const counting = ({ values, sent }: Selectable): readonly string[] =>
      shared === null ? sent : values.filter((it) => shared.has(useOf(property, it)))
    const branches = new Map([...found.branches].map(([written, it]) => [written, counting(it)]))
    const heirs = found.heirs.map((it) => ({ ref: it.ref, values: counting(it) }))
    return { property, branches, heirs, fallback }
  }

  /**
   * What a discriminator says about one value, for the validator. Who sends a value sends one that selects a schema; who reads it
   * goes by the values that both documents know.
   */
  select(schema: JsonObject, value: JsonObject, shared: ReadonlySet<string> | null): Selected {
    const found = this.of(schema)
    if (!found || found.branches.size + found.heirs.length === 0) return { is: 'written' }
    const tag = Object.hasOwn(value, found.property) ? value[found.property] : undefined
    const plain: Selected = { is: shared === null ? 'written' : 'any' }
    if (tag !== undefined && typeof tag !== 'string') return plain
    const counts = tag !== undefined && (shared === null || shared.has(useOf(found.property, tag)))
    const all = [...found.branches, ...found.heirs.map((it) => [{ $ref: it.ref }, it] as const)]
    const picked = counts ? all.find(([, it]) => (shared === null ? it.sent : it.values).includes(tag)) : undefined
    if (picked) return { is: 'schema', schema: picked[0] }
    if (found.fallback !== null) return { is: 'schema', schema: found.fallback }
    if (tag === undefined || shared !== null) return plain
    return all.some(([, { place }]) => listedValues(this.side, place, found.property)?.includes(tag))
      ? plain
      : { is: 'none' }
  }
}

/** A value of a property that discriminates, as one text. */
const useOf = (property: string, value: string): string => `${property}\n${value}`
