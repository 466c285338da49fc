import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { canonicalize } from '../document/serialize.ts'
import { compareText } from '../kernel/order.ts'
import { holding } from '../document/schema-keywords.ts'

/** Keywords that change no value that a schema accepts (JSON Schema 2020-12, validation, section 9). */
const remarks: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])

const isRemark = (key: string): boolean => remarks.has(key) || key.startsWith('x-')

const asSet = (value: readonly Json[]): Json[] => {
  const texts = [...new Set(value.map(canonicalize))].sort(compareText)
  return texts.map((it) => JSON.parse(it) as Json)
}

const mapped = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, it]) => [key, schemaMeaning(it)]))

function heldMeaning(key: string, value: Json): Json {
  const kind = holding[key]
  if (kind === 'map') return isObject(value) ? mapped(value) : value
  if (Array.isArray(value)) return (value as readonly Json[]).map(schemaMeaning)
  return schemaMeaning(value)
}

/**
 * What a schema says of values: without remarks, and with `required`, `enum` and `type` as sets. Two schemas with the same
 * meaning may still differ: it is for digests, and `src/schema` is what decides.
 */
export function schemaMeaning(schema: Json): Json {
  if (!isObject(schema)) return schema
  const members = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (isRemark(key)) return []
    if (Object.hasOwn(holding, key) && key !== 'dependencies') return [[key, heldMeaning(key, value)]]
    if (!Array.isArray(value)) return [[key, value]]
    const list = value as readonly Json[]
    if (key === 'type' && list.length === 1) return [[key, list[0] as Json]]
    return [[key, ['type', 'required', 'enum'].includes(key) ? asSet(list) : value]]
  })
  // A key named "__proto__" stays a member: entries are defined, never assigned.
  return Object.fromEntries(members)
}
