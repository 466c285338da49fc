/** Values that fit a schema, for answers that are made from a description. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { validate } from '../schema/validate.ts'
import { deref } from './openapi.ts'

const deepest = 12
const texts: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'person@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37',
}

function textFor(schema: JsonObject): string {
  const known = typeof schema.format === 'string' ? texts[schema.format] : undefined
  const text = known ?? 'text'
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity
  return text.padEnd(Math.min(least, 10_000), 'x').slice(0, Math.max(most, least))
}

function numberFor(schema: JsonObject): number {
  const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
  const step = number(schema.multipleOf) ?? 1
  const above = number(schema.exclusiveMinimum)
  const least = number(schema.minimum) ?? (above === null ? null : above + step)
  const below = number(schema.exclusiveMaximum)
  const most = number(schema.maximum) ?? (below === null ? null : below - step)
  if (least !== null) return Math.ceil(least / step) * step
  return most !== null && most < step ? Math.floor(most / step) * step : step
}

function merged(root: JsonObject, parts: readonly Json[], depth: number): Json {
  const values = parts.map((it) => sampleOf(root, it, depth + 1))
  const objects = values.filter(isObject)
  return objects.length === 0 ? (values[0] ?? null) : Object.assign({}, ...objects)
}

function objectFor(root: JsonObject, schema: JsonObject, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [])
  const members = Object.entries(properties).flatMap(([name, written]): [string, Json][] => {
    const inner = deref(root, written)
    if (isObject(inner) && inner.writeOnly === true) return []
    // Deep down only what has to be there: a schema may contain itself.
    return depth > 4 && !required.has(name) ? [] : [[name, sampleOf(root, written, depth + 1)]]
  })
  return Object.fromEntries(members)
}

function typeOf(schema: JsonObject): string {
  const { type } = schema
  const first = Array.isArray(type) ? (type as readonly Json[]).find((it) => it !== 'null') : type
  if (typeof first === 'string') return first
  if (isObject(schema.properties)) return 'object'
  return schema.items === undefined ? 'any' : 'array'
}

function plainOf(root: JsonObject, schema: JsonObject, depth: number): Json {
  switch (typeOf(schema)) {
    case 'object':
      return objectFor(root, schema, depth)
    case 'array': {
      const least = typeof schema.minItems === 'number' ? schema.minItems : 1
      if (depth > 4 && least <= 1 && schema.minItems === undefined) return []
      return Array.from({ length: Math.min(least, 20) }, () => sampleOf(root, schema.items ?? true, depth + 1))
    }
    case 'string':
      return textFor(schema)
    case 'integer':
    case 'number':
      return numberFor(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return {}
  }
}

function sampleOf(root: JsonObject, written: Json, depth: number): Json {
  const schema = deref(root, written)
  if (!isObject(schema) || depth > deepest) return schema === true ? {} : null
  const examples = Array.isArray(schema.examples) ? (schema.examples as readonly Json[]) : []
  const given = [schema.example, ...examples, schema.default, schema.const]
  const chosen = given.find((it) => it !== undefined)
  if (chosen !== undefined) return chosen
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0] as Json
  for (const key of ['oneOf', 'anyOf'] as const)
    if (Array.isArray(schema[key])) {
      const { [key]: list, ...rest } = schema
      return merged(root, [(list as readonly Json[])[0] ?? {}, ...(typeOf(rest) === 'any' ? [] : [rest])], depth)
    }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema
    return merged(root, [...(allOf as readonly Json[]), ...(typeOf(rest) === 'any' ? [] : [rest])], depth)
  }
  return plainOf(root, schema, depth)
}

/**
 * A value of a schema: its example or default where it has one, else one that is made.
 * @param root the document in which the references of the schema are resolved
 * @returns the value, and whether it is valid: no value is made of patterns and of rare combinations
 */
export function sample(root: JsonObject, schema: Json): { readonly value: Json; readonly isValid: boolean } {
  const value = sampleOf(root, schema, 0)
  return { value, isValid: validate(schema, value, { root, mode: 'response', dialect: '2020-12' }).length === 0 }
}
