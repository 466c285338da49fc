/** Words of JSON Schema as the engine takes them: an ill-typed one would keep the whole configuration from loading. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Dialect } from '../../schema/schema-source.ts'

/** Dialects in which nothing counts beside a reference. */
export const aloneDialects: ReadonlySet<Dialect> = new Set([
  'swagger-2.0',
  'openapi-3.0',
  'draft-04',
  'draft-06',
  'draft-07',
])
const nullableDialects: ReadonlySet<Dialect> = new Set(['swagger-2.0', 'openapi-3.0'])
const withoutConditions: ReadonlySet<Dialect> = new Set(['swagger-2.0', 'openapi-3.0', 'draft-04', 'draft-06'])

export const hasConditions = (dialect: Dialect): boolean => !withoutConditions.has(dialect)

export const isNullable = (schema: JsonObject, dialect: Dialect): boolean =>
  nullableDialects.has(dialect) && (schema.nullable === true || schema['x-nullable'] === true)

const typeNames: ReadonlySet<string> = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])

/** The types that a schema names; null where one of them is not a type. */
export function typesIn(schema: JsonObject): readonly string[] | null {
  const { type } = schema
  const named = typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly Json[]) : []
  const read = named.map((it) => (it === 'file' ? 'string' : it))
  return read.every((it) => typeof it === 'string' && typeNames.has(it)) ? (read as readonly string[]) : null
}

/** The engine reads numbers of a body as doubles, so that a bound beyond them would refuse what is within. */
const isComparable = (value: Json | undefined): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && value >= 0 && Number.isInteger(value)

const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

type Lose = (word: string, reason: string) => void

const illTyped = (word: string): string => `"${word}" has a value that JSON Schema does not know.`

/** Bounds of numbers, sizes and multiples, as 2020-12 has them. */
export function numericWords(schema: JsonObject, out: Record<string, Json>, lose: Lose): void {
  for (const [word, strict] of bounds) {
    const [bound, exclusive] = [schema[word], schema[strict]]
    for (const [name, value] of [
      [word, bound],
      [strict, exclusive],
    ] as const) {
      if (value === undefined || typeof value === 'boolean') continue
      if (typeof value !== 'number') lose(name, illTyped(name))
      else if (!isComparable(value)) lose(name, 'The engine does not compare numbers of this size exactly.')
      else out[name] = value
    }
    // Until draft 4 a boolean says that the bound itself is outside (trap 8: the engine does not load it).
    if (exclusive === true && isComparable(bound)) {
      delete out[word]
      out[strict] = bound
    }
  }
  if (typeof schema.multipleOf === 'number' && schema.multipleOf > 0) out.multipleOf = schema.multipleOf
  else if (schema.multipleOf !== undefined) lose('multipleOf', illTyped('multipleOf'))
  for (const word of counts) {
    const value = schema[word]
    if (isCount(value)) out[word] = value
    else if (value !== undefined) lose(word, illTyped(word))
  }
  if (schema.uniqueItems === true) out.uniqueItems = true
}

/** The formats of integers with their bounds. */
export const integerBounds: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-2147483648, 2147483647],
  // As far as doubles go.
  int64: [-9223372036854775808, 9223372036854775808],
}

/** Adds the bounds of the integers of a format, where the schema itself has none or wider ones. */
export function formatBounds(schema: JsonObject, out: Record<string, Json>): void {
  const found = typeof schema.format === 'string' ? integerBounds[schema.format] : undefined
  if (found === undefined || typesIn(schema)?.includes('integer') !== true) return
  const [low, high] = found
  const numberAt = (word: string): number | undefined => (typeof out[word] === 'number' ? out[word] : undefined)
  if (numberAt('exclusiveMinimum') === undefined) out.minimum = Math.max(low, numberAt('minimum') ?? low)
  if (numberAt('exclusiveMaximum') === undefined) out.maximum = Math.min(high, numberAt('maximum') ?? high)
}

/** The names that a property asks for, from "dependentRequired" and the "dependencies" of earlier drafts. */
export function dependentNames(schema: JsonObject): [string, readonly string[]][] {
  return (['dependencies', 'dependentRequired'] as const).flatMap((word) => {
    const given = schema[word]
    if (!isObject(given)) return []
    return Object.entries(given).flatMap(([name, it]): [string, readonly string[]][] =>
      Array.isArray(it) ? [[name, (it as readonly Json[]).filter((other) => typeof other === 'string')]] : [],
    )
  })
}

/** The schemas that a property asks for, with the word that they are written below. */
export function dependentSchemas(schema: JsonObject): [string, string, Json][] {
  return (['dependencies', 'dependentSchemas'] as const).flatMap((word) => {
    const given = schema[word]
    if (!isObject(given)) return []
    return Object.entries(given).flatMap(([name, it]): [string, string, Json][] =>
      Array.isArray(it) ? [] : [[word, name, it]],
    )
  })
}
