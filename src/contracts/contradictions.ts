/** What example values of a contract test say against the schemas that a specification declares for them. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { PlacedValue, Side } from '../diff/side.ts'
import { fitsFormat } from '../schema/validation/formats.ts'
import { canonical } from '../schema/node.ts'
import { formatDataPath, type Step } from './data-path.ts'

/** A value that its schema does not allow. */
export interface Contradiction {
  /** The data path of the value, "items[].price"; "" for the whole. */
  readonly field: string
  /** "must be a string, but is 18". */
  readonly reason: string
}

const deepest = 40
const mostValues = 20_000
const most = 50

const typeNameOf = (value: Json): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'boolean' : typeof value
}

const isOfType = (type: Json, value: Json): boolean => {
  const name = typeNameOf(value)
  return type === 'integer' ? Number.isInteger(value) : type === name || typeof type !== 'string'
}

const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}

const withArticle = (type: string): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const typesOf = (schema: JsonObject): readonly string[] => {
  const given = Array.isArray(schema.type) ? (schema.type as readonly Json[]) : [schema.type ?? null]
  const types = given.filter((it): it is string => typeof it === 'string' && it !== 'any' && it !== 'file')
  if (types.length === 0) return []
  return schema.nullable === true ? [...types, 'null'] : types
}

// What one schema object says of one value by itself; null where it has nothing against it.
const objection = (schema: JsonObject, value: Json): string | null => {
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `must be ${types.map(withArticle).join(' or ')}, but is ${shown(value)}`
  if (value === null && schema.nullable === true) return null
  const text = canonical(value)
  if (Array.isArray(schema.enum) && !(schema.enum as readonly Json[]).some((it) => canonical(it) === text))
    return `must be one of ${shown(schema.enum)}, but is ${shown(value)}`
  if (schema.const !== undefined && canonical(schema.const) !== text)
    return `must be ${shown(schema.const)}, but is ${shown(value)}`
  if (typeof schema.format === 'string' && !fitsFormat(schema.format, value))
    return `must have the format "${schema.format}", but is ${shown(value)}`
  return null
}

class Search {
  readonly #side: Side
  #left = mostValues

  constructor(side: Side) {
    this.#side = side
  }

  in(place: PlacedValue, value: Json, steps: readonly Step[]): Contradiction[] {
    this.#left--
    const { value: schema, path } = this.#side.follow(place)
    if (!isObject(schema) || steps.length > deepest || this.#left < 0) return []
    const own = objection(schema, value)
    if (own !== null) return [{ field: formatDataPath(steps), reason: own }]
    const below = (step: Json, key: string | number): PlacedValue => ({ value: step, path: [...path, key] })
    const branches = (keyword: 'allOf' | 'oneOf' | 'anyOf'): PlacedValue[] =>
      Array.isArray(schema[keyword])
        ? (schema[keyword] as readonly Json[]).map((it, at) => ({ value: it, path: [...path, keyword, at] }))
        : []
    const found = [
      ...this.#members(schema, value, steps, below),
      ...branches('allOf').flatMap((it) => this.in(it, value, steps)),
      ...this.#choice(branches('oneOf'), value, steps),
      ...this.#choice(branches('anyOf'), value, steps),
    ]
    return found.slice(0, most)
  }

  // What any branch allows is allowed; otherwise the branch that comes nearest speaks.
  #choice(branches: readonly PlacedValue[], value: Json, steps: readonly Step[]): Contradiction[] {
    let least: Contradiction[] = []
    for (const [index, branch] of branches.entries()) {
      const found = this.in(branch, value, steps)
      if (found.length === 0) return []
      if (index === 0 || found.length < least.length) least = found
    }
    return least
  }

  #members(
    schema: JsonObject,
    value: Json,
    steps: readonly Step[],
    below: (value: Json, key: string | number) => PlacedValue,
  ): Contradiction[] {
    if (Array.isArray(value)) {
      const { items } = schema
      if (!isObject(items)) return []
      const seen = new Map<string, Contradiction>()
      for (const it of value as readonly Json[])
        for (const one of this.in(below(items, 'items'), it, [...steps, 'items']))
          if (!seen.has(one.field)) seen.set(one.field, one)
      return [...seen.values()]
    }
    if (!isObject(value)) return []
    const { properties, additionalProperties } = schema
    return Object.entries(value).flatMap(([name, it]) => {
      const step: Step = { name }
      const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
      if (own !== undefined) {
        const { path } = below(own, 'properties')
        return this.in({ value: own, path: [...path, name] }, it, [...steps, step])
      }
      return isObject(additionalProperties)
        ? this.in(below(additionalProperties, 'additionalProperties'), it, [...steps, step])
        : []
    })
  }
}

/**
 * The values of an example that contradict the declared types, enumerations, constants and formats, each once. What is missing
 * from the example says nothing, because an example shows only what a consumer uses; nor do properties that no one declares.
 *
 * @param places the schemas of which any may hold
 */
export function contradictionsOf(side: Side, places: readonly PlacedValue[], value: Json): readonly Contradiction[] {
  let least: Contradiction[] | null = null
  for (const place of places) {
    const found = new Search(side).in(place, value, [])
    if (found.length === 0) return []
    if (least === null || found.length < least.length) least = found
  }
  return least ?? []
}

const readings = (text: string): readonly Json[] => {
  const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? [Number(text)] : []
  return [text, ...number, ...(text === 'true' ? [true] : text === 'false' ? [false] : text === '' ? [null] : [])]
}

const listed = (side: Side, place: PlacedValue): PlacedValue | null => {
  const { value, path } = side.follow(place)
  return isObject(value) && isObject(value.items) ? { value: value.items, path: [...path, 'items'] } : null
}

/**
 * Why a text cannot be a value of a parameter or header; null where it can. A list is read element by element.
 *
 * @param texts what was given under the name, once or several times
 */
export function textContradiction(side: Side, place: PlacedValue, texts: readonly string[]): string | null {
  const items = listed(side, place)
  const [schema, values] = items === null ? [place, texts] : [items, texts.flatMap((it) => it.split(','))]
  const { value: declared } = side.follow(schema)
  // Objects are written in too many ways to read them.
  if (isObject(declared) && declared.type === 'object') return null
  for (const text of values) {
    const found = readings(text).map((it) => contradictionsOf(side, [schema], it))
    if (found.every((it) => it.length > 0)) return found[0]?.[0]?.reason ?? null
  }
  return null
}
