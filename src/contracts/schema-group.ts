import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { PlacedValue, Side } from '../diff/side.ts'

/** Schemas that hold together: each of `own` applies, and of each union at least one branch. */
export interface Group {
  /** Every place that was passed, references and what they lead to. */
  readonly passed: readonly PlacedValue[]
  /** The schemas that say something. */
  readonly own: readonly { readonly place: PlacedValue; readonly schema: JsonObject }[]
  readonly unions: readonly (readonly Group[])[]
  /** A boolean schema `true`, or a reference that cannot be resolved: any value is allowed. */
  readonly anything: boolean
}

const refSiblingsCount = new Set(['2020-12', '2019-09'])
// Unions within unions and references through references: real documents need a handful.
const deepest = 24

interface Building {
  readonly passed: PlacedValue[]
  readonly own: { place: PlacedValue; schema: JsonObject }[]
  readonly unions: Group[][]
  anything: boolean
}

const add = (side: Side, place: PlacedValue, group: Building, seen: ReadonlySet<Json>, depth: number): void => {
  const schema = place.value
  group.passed.push(place)
  if (!isObject(schema)) {
    if (schema === true) group.anything = true
    return
  }
  if (seen.has(schema) || depth > deepest) return
  const known = new Set(seen).add(schema)
  if (typeof schema.$ref === 'string') {
    const target = side.find(schema.$ref)
    if (target) add(side, target, group, known, depth + 1)
    else group.anything = true
    if (!refSiblingsCount.has(side.dialect)) return
  }
  group.own.push({ place, schema })
  if (Array.isArray(schema.allOf))
    for (const [i, value] of (schema.allOf as readonly Json[]).entries())
      add(side, { value, path: [...place.path, 'allOf', i] }, group, known, depth + 1)
  for (const word of ['oneOf', 'anyOf'] as const) {
    const branches = schema[word]
    if (!Array.isArray(branches)) continue
    group.unions.push(
      (branches as readonly Json[]).map((value, i) =>
        build(side, [{ value, path: [...place.path, word, i] }], known, depth + 1),
      ),
    )
  }
  for (const word of ['then', 'else'] as const)
    if (isObject(schema[word]))
      group.unions.push([build(side, [{ value: schema[word], path: [...place.path, word] }], known, depth + 1)])
}

const build = (side: Side, places: readonly PlacedValue[], seen: ReadonlySet<Json>, depth: number): Group => {
  const group: Building = { passed: [], own: [], unions: [], anything: false }
  for (const place of places) add(side, place, group, seen, depth)
  return group
}

const remembered = new WeakMap<Side, WeakMap<JsonObject, Group>>()

const isSamePath = (a: PlacedValue['path'], b: PlacedValue['path']): boolean =>
  a.length === b.length && a.every((step, i) => step === b[i])

/** Takes schemas apart that apply to one value: references, `allOf` and unions. Ends on cycles. */
export const groupOf = (side: Side, places: readonly PlacedValue[]): Group => {
  const [only] = places
  if (!only || places.length > 1 || !isObject(only.value)) return build(side, places, new Set(), 0)
  let groups = remembered.get(side)
  if (!groups) remembered.set(side, (groups = new WeakMap()))
  const known = groups.get(only.value)
  // An anchor of YAML puts one value in several places.
  if (known && isSamePath(known.passed[0]!.path, only.path)) return known
  const made = build(side, places, new Set(), 0)
  if (!known) groups.set(only.value, made)
  return made
}

const schemaAt = (
  place: PlacedValue,
  schema: JsonObject,
  ...steps: readonly (string | number)[]
): PlacedValue | null => {
  let value: Json | undefined = schema
  for (const step of steps) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(step)]
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return null
  }
  return value === undefined ? null : { value, path: [...place.path, ...steps] }
}

/** Whether a name matches a pattern of `patternProperties`; a pattern that cannot be read matches nothing. */
export const matchesPattern = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return false
  }
}

const allows = (schema: JsonObject, type: 'object' | 'array'): boolean =>
  schema.type === undefined || schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type))

/** Where a group itself declares a property. */
export const declaredIn = (group: Group, name: string): readonly PlacedValue[] =>
  group.own.flatMap(({ place, schema }) => {
    const exact = isObject(schema.properties) ? schemaAt(place, schema, 'properties', name) : null
    if (exact) return [exact]
    const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
    return patterns
      .filter((pattern) => matchesPattern(pattern, name))
      .flatMap((pattern) => schemaAt(place, schema, 'patternProperties', pattern) ?? [])
  })

const structured = (group: Group): boolean =>
  group.unions.length > 0 || group.own.some(({ schema }) => isObject(schema.properties))

/**
 * Where a group takes any property: the schema of its open map, or the schema itself where nothing is said about
 * properties at all.
 */
export const openIn = (group: Group): readonly PlacedValue[] => {
  const maps = group.own.flatMap(({ place, schema }) =>
    isObject(schema.additionalProperties) || schema.additionalProperties === true
      ? [{ value: schema.additionalProperties, path: [...place.path, 'additionalProperties'] }]
      : [],
  )
  if (maps.length > 0) return maps
  if (structured(group)) return []
  if (group.anything && group.own.length === 0) return group.passed.slice(-1)
  return group.own.every(({ schema }) => allows(schema, 'object') && schema.additionalProperties !== false)
    ? group.own.map(({ place }) => place)
    : []
}

/** The schemas of the values of a map: by any name, and by names that match a pattern. */
export const mapsIn = (group: Group): readonly PlacedValue[] =>
  group.own.flatMap(({ place, schema }) => {
    const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
    return [
      isObject(schema.additionalProperties) ? schemaAt(place, schema, 'additionalProperties') : null,
      ...patterns.map((name) => schemaAt(place, schema, 'patternProperties', name)),
    ].filter((it) => it !== null)
  })

/** Where a group declares the items of an array. */
export const itemsIn = (group: Group): readonly PlacedValue[] =>
  group.own.flatMap(({ place, schema }) => {
    const found: PlacedValue[] = []
    for (const word of ['items', 'prefixItems'] as const) {
      const value = schema[word]
      if (Array.isArray(value))
        for (const [i, it] of (value as readonly Json[]).entries())
          found.push({ value: it, path: [...place.path, word, i] })
      else if (isObject(value) || value === true) found.push({ value, path: [...place.path, word] })
    }
    return found
  })

/** Where a group takes an array of anything. */
export const openItemsIn = (group: Group): readonly PlacedValue[] => {
  if (group.unions.length > 0) return []
  if (group.anything && group.own.length === 0) return group.passed.slice(-1)
  return group.own.length > 0 && group.own.every(({ schema }) => allows(schema, 'array') && schema.items === undefined)
    ? group.own.filter(({ schema }) => !isObject(schema.properties)).map(({ place }) => place)
    : []
}
