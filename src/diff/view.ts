import { compareNumbers, isNumeric } from '../document/exact.ts'
import { isObject } from '../kernel/json.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { inDialect } from '../schema/dialect-words.ts'
import { allTypes, typeBit, typeNames } from '../schema/node.ts'
import type { TypeName } from '../schema/node.ts'
import { isDocsWord } from './docs-words.ts'
import { isSameValue } from './sameness.ts'
import type { PlacedValue, Side } from './side.ts'

/** A choice among schemas. */
export interface Union {
  readonly word: 'oneOf' | 'anyOf'
  readonly place: PlacedValue
  readonly branches: readonly PlacedValue[]
}

/** What a schema says at its own level, `$ref` and `allOf` taken apart; each statement with its place. */
export interface View {
  readonly places: readonly PlacedValue[]
  /** Keywords with one value: the tightest where several places say something. */
  readonly words: ReadonlyMap<string, PlacedValue>
  readonly mask: number
  readonly integral: boolean
  readonly typePlace: PlacedValue | null
  readonly properties: ReadonlyMap<string, readonly PlacedValue[]>
  readonly required: ReadonlyMap<string, PlacedValue>
  readonly items: readonly PlacedValue[]
  readonly additional: readonly PlacedValue[]
  readonly unions: readonly Union[]
  /** Null is allowed although no type says so: `nullable` beside a reference or a choice, null as one of the branches. */
  readonly nullToo: boolean
  /**
   * Something in it is not reported here: a boolean schema, a reference that cannot be resolved, a keyword that two parts have with
   * different values, a part that is closed to what another part declares.
   */
  readonly partial: boolean
}

const keepGreater = new Set(['minimum', 'minLength', 'minItems', 'minProperties'])
const keepSmaller = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties'])
const structural = new Set(['$ref', 'allOf', 'oneOf', 'anyOf', 'properties', 'required', 'type', 'items'])
/** Keywords that do not change the set of values. */
export const remarks: ReadonlySet<string> = new Set([
  'readOnly',
  'writeOnly',
  'deprecated',
  'default',
  'xml',
  'discriminator',
  '$schema',
  '$id',
  '$defs',
  '$anchor',
  'definitions',
  'nullable',
])
/** Keywords that hold for the whole as soon as one part has them. */
const flags: ReadonlySet<string> = new Set(['readOnly', 'writeOnly', 'deprecated', 'uniqueItems'])
const refSiblingsCount = new Set(['2020-12', '2019-09'])

/** As many references and parts of `allOf` are followed within each other. */
const mostLevels = 1000

class Builder {
  readonly places: PlacedValue[] = []
  readonly words = new Map<string, PlacedValue>()
  readonly properties = new Map<string, PlacedValue[]>()
  readonly required = new Map<string, PlacedValue>()
  readonly items: PlacedValue[] = []
  readonly additional: PlacedValue[] = []
  readonly unions: Union[] = []
  partial = false
  mask = allTypes
  integral = false
  typePlace: PlacedValue | null = null
  private readonly seen = new Set<Json>()
  private level = 0
  private readonly side: Side

  constructor(side: Side) {
    this.side = side
  }

  nullToo = false

  /** `depth`: how many `allOf` are above. */
  add(place: PlacedValue, depth = 0): void {
    if (!isObject(place.value)) this.partial = true
    if (!isObject(place.value) || this.seen.has(place.value)) return
    // What is behind so many references is not known; a document has no such chain by chance.
    if (this.level >= mostLevels) {
      this.partial = true
      return
    }
    this.level++
    this.addSchema(place, place.value, depth)
    this.level--
  }

  private addSchema(place: PlacedValue, value: JsonObject, depth: number): void {
    this.seen.add(value)
    const schema = inDialect(value, this.side.dialect)
    if (typeof schema.$ref === 'string') {
      const target = this.side.find(schema.$ref)
      if (target) this.add(target, depth)
      else this.partial = true
      if (!refSiblingsCount.has(this.side.dialect)) return
    }
    this.places.push(place)
    this.types(schema, place)
    if (depth === 0 && schema.type === undefined && this.announcesNull(schema)) this.nullToo = true
    if (isObject(schema.properties)) {
      for (const [name, value] of Object.entries(schema.properties)) {
        const it: PlacedValue = { value, path: [...place.path, 'properties', name] }
        const known = this.properties.get(name)
        if (known) known.push(it)
        else this.properties.set(name, [it])
      }
    }
    if (Array.isArray(schema.required)) {
      for (const [i, name] of schema.required.entries()) {
        if (typeof name === 'string' && !this.required.has(name)) {
          this.required.set(name, { value: name, path: [...place.path, 'required', i] })
        }
      }
    }
    if (schema.items !== undefined && !Array.isArray(schema.items)) {
      this.items.push({ value: schema.items, path: [...place.path, 'items'] })
    }
    if (schema.additionalProperties !== undefined) {
      this.additional.push({ value: schema.additionalProperties, path: [...place.path, 'additionalProperties'] })
    }
    for (const word of ['oneOf', 'anyOf'] as const) this.union(word, schema, place, depth)
    this.keywords(schema, place)
    if (Array.isArray(schema.allOf)) {
      for (const [i, value] of schema.allOf.entries()) this.add({ value, path: [...place.path, 'allOf', i] }, depth + 1)
    }
  }

  private keywords(schema: JsonObject, place: PlacedValue): void {
    // Before 2020-12 a list of schemas under `items` is what `prefixItems` is since, and `additionalItems` is `items`.
    const tuple = Array.isArray(schema.items)
    for (const [word, value] of Object.entries(schema)) {
      if (tuple && word === 'items') this.word('prefixItems', value, place, word)
      else if (!tuple || word !== 'additionalItems') this.word(word, value, place)
    }
    if (tuple && schema.additionalItems !== undefined)
      this.items.push({ value: schema.additionalItems, path: [...place.path, 'additionalItems'] })
  }

  private announcesNull(schema: JsonObject): boolean {
    const old = this.side.dialect === 'openapi-3.0' || this.side.dialect === 'swagger-2.0'
    return old && (schema.nullable === true || schema['x-nullable'] === true)
  }

  private union(word: 'oneOf' | 'anyOf', schema: JsonObject, place: PlacedValue, depth: number): void {
    const given = schema[word]
    if (!Array.isArray(given) || given.length === 0) return
    const path = [...place.path, word]
    const branches = (given as readonly Json[]).map((value, i): PlacedValue => ({ value, path: [...path, i] }))
    // Null beside the branches, as one of them or by `nullable`, is distinguished from them.
    const apart = depth === 0 && schema.type === undefined
    const others = apart ? branches.filter((branch) => !isNull(branch.value)) : branches
    if (apart && others.length < branches.length) this.nullToo = true
    // A choice of one is not one.
    if (others.length === 1) this.add(others[0]!, depth)
    else if (others.length > 0)
      this.unions.push({ word, place: { value: others.map((branch) => branch.value), path }, branches: others })
  }

  private types(schema: JsonObject, place: PlacedValue): void {
    const named = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : []
    if (named.length === 0) return
    let mask = 0
    for (const name of named) {
      if (name === 'integer') mask |= typeBit.number
      else if (name === 'file') mask |= typeBit.string
      else if (typeof name === 'string' && name in typeBit) mask |= typeBit[name as TypeName]
    }
    if (this.announcesNull(schema)) mask |= typeBit.null
    if (mask === 0) return
    this.mask &= mask
    if (named.includes('integer') && !named.includes('number')) this.integral = true
    this.typePlace ??= { value: schema.type!, path: [...place.path, 'type'] }
  }

  /** `written`: the name under which it is there. */
  private word(word: string, value: Json, place: PlacedValue, written = word): void {
    if (structural.has(word)) return
    const it: PlacedValue = { value, path: [...place.path, written] }
    const known = this.words.get(word)
    if (known) {
      const [a, b] = [known.value, value]
      if (isSameValue(a, b)) return
      const [greater, smaller] = [keepGreater.has(word), keepSmaller.has(word)]
      if (isNumeric(a) && isNumeric(b) && (greater || smaller)) {
        const order = compareNumbers(b, a)
        if (greater ? order < 0 : order > 0) return
      } else if (flags.has(word)) {
        if (value !== true) return
      } else {
        if (!isDocsWord(word) && !remarks.has(word)) this.partial = true
        return
      }
    }
    this.words.set(word, it)
  }

  /** Looks at what only all parts together show. */
  finish(): void {
    if (this.places.length > 1 && (this.hasClosedPart() || this.places.some(hasOldBounds))) this.partial = true
  }

  /** Whether a part rules out, or asks something of, properties that another part declares. */
  private hasClosedPart(): boolean {
    if (this.additional.length === 0) return false
    if (this.additional.length > 1 || this.words.has('patternProperties')) return true
    const closing = this.places.find(({ value }) => isObject(value) && value.additionalProperties !== undefined)
    const own = isObject(closing?.value) && isObject(closing.value.properties) ? closing.value.properties : {}
    return [...this.properties.keys()].some((name) => !Object.hasOwn(own, name))
  }
}

/** Whether a bound is exclusive by a boolean beside it: then it cannot be taken from one part and the boolean from another. */
const hasOldBounds = ({ value }: PlacedValue): boolean =>
  isObject(value) && (typeof value.exclusiveMinimum === 'boolean' || typeof value.exclusiveMaximum === 'boolean')

/** Whether a schema allows null and nothing else. */
export const isNull = (schema: Json): boolean =>
  isObject(schema) &&
  Object.keys(schema).length === 1 &&
  (schema.type === 'null' ||
    schema.const === null ||
    (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null))

/** The views of places that references name: many refer to them. A reference finds the same place each time. */
const views = new WeakMap<PlacedValue, View>()

/** Whether a schema is a reference and says nothing besides. */
const isMereReference = (side: Side, schema: Json): schema is { readonly $ref: string } => {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return false
  if (!refSiblingsCount.has(side.dialect)) return true
  for (const key in schema) if (key !== '$ref') return false
  return true
}

/** Reads what the places say together. */
export const viewOf = (side: Side, places: readonly PlacedValue[]): View => {
  let at = places.length === 1 ? places[0]! : null
  if (at === null) return build(side, places)
  for (let steps = 0; steps < 50 && isMereReference(side, at.value); steps++) {
    const next = side.find(at.value.$ref)
    if (next === null) break
    at = next
  }
  const known = views.get(at)
  if (known) return known
  const view = build(side, [at])
  if (at !== places[0]) views.set(at, view)
  return view
}

const build = (side: Side, places: readonly PlacedValue[]): View => {
  const builder = new Builder(side)
  for (const place of places) builder.add(place)
  builder.finish()
  if (builder.nullToo && places.length === 1) builder.mask |= typeBit.null
  return builder
}

/** How many schemas a view names at its own level: what it costs to read it. */
export const sizeOf = ({ places, properties, unions }: View): number =>
  unions.reduce((sum, { branches }) => sum + branches.length, places.length + properties.size)

/** The names of types as OpenAPI 3.1 writes them. */
export const namesOf = (view: Pick<View, 'mask' | 'integral'>): readonly string[] =>
  typeNames
    .filter((name) => (view.mask & typeBit[name]) !== 0)
    .map((name) => (name === 'number' && view.integral ? 'integer' : name))
