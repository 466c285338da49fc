/** Edits of an API description that change how it is written and nothing that it says. */
import { isObject } from '../../../src/kernel/json.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

type Mutable = { [key: string]: Json }
export type Random = () => number
/** Edits a copy; false where the document has nothing of the kind. */
export type Mutation = (document: Mutable, random: Random) => boolean

const pick = <T>(list: readonly T[], random: Random): T | undefined => list[Math.floor(random() * list.length)]

const members = (value: Json | undefined): Mutable => (isObject(value) ? value : {})

const schemasOf = (document: Mutable): Mutable => members(document.definitions ?? members(document.components).schemas)

/** Keywords whose members or elements are schemas. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const singles = new Set(['items', 'additionalProperties', 'not', 'schema'])

interface Spot {
  readonly owner: Mutable | Json[]
  readonly key: string | number
}

/** Every place of the document where a schema stands, with what holds it. */
const spotsOf = (document: Mutable): Spot[] => {
  const spots: Spot[] = []
  const schema = (owner: Mutable | Json[], key: string | number): void => {
    spots.push({ owner, key })
    visit((owner as Mutable)[key as string]!)
  }
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it)
    if (!isObject(value)) return
    for (const [key, it] of Object.entries(value)) {
      if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum' || key === 'const') continue
      if (singles.has(key) && isObject(it)) schema(value, key)
      else if (maps.has(key) && isObject(it)) for (const name of Object.keys(it)) schema(it, name)
      else if (lists.has(key) && Array.isArray(it)) for (const i of it.keys()) schema(it as Json[], i)
      else visit(it)
    }
  }
  visit(document)
  const named = schemasOf(document)
  for (const name of Object.keys(named)) spots.push({ owner: named, key: name })
  return spots.filter(({ owner, key }) => isObject((owner as Mutable)[key as string]))
}

const shuffled = (value: Json, random: Random): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => shuffled(it, random))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, it]): [number, string, Json] => [random(), key, shuffled(it, random)])
      .sort((a, b) => a[0] - b[0])
      .map(([, key, it]) => [key, it]),
  )
}

const reorder: Mutation = (document, random) => {
  const mixed = shuffled(document, random) as JsonObject
  for (const key of Object.keys(document)) delete document[key]
  Object.assign(document, mixed)
  return true
}

/** What may be in any order: alternatives, members, values, required names, parameters, tags of an operation. */
const unordered = new Set(['enum', 'required', 'anyOf', 'oneOf', 'allOf', 'parameters'])

const reorderLists: Mutation = (document, random) => {
  let found = false
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it)
    if (!isObject(value)) return
    for (const [key, it] of Object.entries(value)) {
      if (unordered.has(key) && Array.isArray(it) && it.length > 1) {
        found = true
        const list = it as Json[]
        list.sort(() => random() - 0.5)
      }
      visit(it)
    }
  }
  visit(document)
  return found
}

const renameComponent: Mutation = (document, random) => {
  const named = schemasOf(document)
  const name = pick(Object.keys(named), random)
  // Without a mapping the name of a schema is the value of a discriminator.
  if (name === undefined || JSON.stringify(document).includes('"discriminator"')) return false
  const prefix = document.definitions ? '#/definitions/' : '#/components/schemas/'
  const fresh = `${name}Renamed`
  named[fresh] = named[name]!
  delete named[name]
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it)
    if (!isObject(value)) return
    for (const [key, it] of Object.entries(value)) {
      if (key === '$ref' && typeof it === 'string' && (it === prefix + name || it.startsWith(`${prefix}${name}/`)))
        members(value)[key] = prefix + fresh + it.slice(prefix.length + name.length)
      else visit(it)
    }
  }
  visit(document)
  return true
}

const targetOf = (document: Mutable, schema: Json): Json | undefined => {
  if (!isObject(schema) || typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return undefined
  let at: Json | undefined = document
  for (const step of schema.$ref.slice(2).split('/'))
    at = members(at)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
  return at
}

/** Puts what a reference names in its place; in a cycle that unrolls it once. */
const inline: Mutation = (document, random) => {
  const spot = pick(
    spotsOf(document).filter(({ owner, key }) => targetOf(document, (owner as Mutable)[key as string]!) !== undefined),
    random,
  )
  if (!spot) return false
  const place = spot.owner as Mutable
  const old = members(place[spot.key as string])
  const copy = structuredClone(targetOf(document, old)!)
  // The name of a branch tells which one a discriminator means.
  if (
    lists.has(String(spot.key)) ||
    (Array.isArray(spot.owner) && JSON.stringify(document).includes('"discriminator"'))
  )
    return false
  place[spot.key as string] = copy
  return true
}

const wrapInAllOf: Mutation = (document, random) => {
  // A reference into a path would lead nowhere when a schema on its way moves down.
  if (JSON.stringify(document).includes('"$ref":"#/paths/')) return false
  const spot = pick(spotsOf(document), random)
  if (!spot || (Array.isArray(spot.owner) && JSON.stringify(document).includes('"discriminator"'))) return false
  const place = spot.owner as Mutable
  const old = members(place[spot.key as string])
  // Words that say how to read a property belong to the property itself.
  if (['readOnly', 'writeOnly', 'nullable', 'discriminator', 'xml', 'deprecated', 'default'].some((it) => it in old))
    return false
  if ('unevaluatedProperties' in old || 'unevaluatedItems' in old || '$defs' in old) return false
  place[spot.key as string] = { allOf: [old] }
  return true
}

const upgraded = (value: Json): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map(upgraded)
  if (!isObject(value)) return value
  // What stands beside a reference counts for nothing before the upgrade, so it does not come along.
  if (typeof value.$ref === 'string') return { $ref: value.$ref }
  let schema: Mutable = Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, isExample(key) ? it : upgraded(it)]),
  )
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (schema[exclusive] === true && typeof schema[bound] === 'number') {
      schema[exclusive] = schema[bound]
      delete schema[bound]
    } else if (typeof schema[exclusive] === 'boolean') delete schema[exclusive]
  }
  if (schema.nullable === true) {
    delete schema.nullable
    if (typeof schema.type === 'string') {
      schema.type = [schema.type, 'null']
      if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null]
    } else schema = { anyOf: [schema, { type: 'null' }] }
  } else if (schema.nullable === false) delete schema.nullable
  return schema
}

const isExample = (key: string): boolean =>
  key === 'example' || key === 'examples' || key === 'default' || key === 'enum'

const upgradeDialect: Mutation = (document) => {
  if (typeof document.openapi !== 'string' || !document.openapi.startsWith('3.0')) return false
  for (const key of ['paths', 'components'] as const) if (document[key]) document[key] = upgraded(document[key])
  document.openapi = '3.1.0'
  return true
}

export const mutations: Readonly<Record<string, Mutation>> = {
  reorder,
  reorderLists,
  renameComponent,
  inline,
  wrapInAllOf,
  upgradeDialect,
}
