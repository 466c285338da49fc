import type { Format } from './document.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'

const majorMinor = (value: Json | undefined): string | null => {
  const text = typeof value === 'number' ? value.toFixed(1) : value
  const found = typeof text === 'string' ? /^(\d+\.\d+)(?:\.\d+.*)?$/.exec(text.trim()) : null
  return found?.[1] ?? null
}

const drafts: readonly (readonly [RegExp, string])[] = [
  [/json-schema\.org\/draft-(0[3467])\/schema/, ''],
  [/json-schema\.org\/draft\/(2019-09|2020-12)\/schema/, ''],
]

/** The draft that `$schema` names, as "draft-07" or "2020-12"; 2020-12 where it names none that is known. */
export const schemaDraft = (dialect: Json | undefined): string => {
  if (typeof dialect !== 'string') return '2020-12'
  for (const [pattern] of drafts) {
    const found = pattern.exec(dialect)?.[1]
    if (found !== undefined) return found.length === 2 ? `draft-${found}` : found
  }
  return '2020-12'
}

// Keywords that only a schema has beside each other; one of them alone is too little to call a document a schema.
const schemaWords = [
  '$schema',
  '$defs',
  'definitions',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'items',
  'properties',
  'additionalProperties',
  'patternProperties',
  'required',
  '$id',
]
const schemaTypes = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

const looksLikeSchema = (value: { readonly [key: string]: Json }): boolean => {
  if (typeof value.$schema === 'string' && value.$schema.includes('json-schema.org')) return true
  const typed =
    typeof value.type === 'string'
      ? schemaTypes.has(value.type)
      : Array.isArray(value.type) && value.type.every((one) => typeof one === 'string' && schemaTypes.has(one))
  if (typed && schemaWords.some((word) => Object.hasOwn(value, word))) return true
  if (isObject(value.properties) && (typed || Array.isArray(value.required))) return true
  // An API description whose version is missing or misspelt has definitions too.
  return (isObject(value.$defs) || isObject(value.definitions)) && !isObject(value.paths) && !isObject(value.info)
}

// What a server answers to "tools/list", without its envelope.
const isToolList = (value: readonly Json[]): boolean =>
  value.length > 0 &&
  value.every(
    (tool) =>
      isObject(tool) &&
      typeof tool.name === 'string' &&
      (isObject(tool.inputSchema) || typeof tool.description === 'string' || Array.isArray(tool.arguments)),
  )

const isServerEntry = (value: Json): boolean =>
  isObject(value) &&
  typeof value.name === 'string' &&
  (Array.isArray(value.remotes) || Array.isArray(value.packages) || isObject(value.version_detail)) &&
  !Object.hasOwn(value, '$defs')

const holds = (list: Json | undefined, key: string): boolean =>
  Array.isArray(list) &&
  list.length > 0 &&
  (list as readonly Json[]).every((it) => isObject(it) && typeof it[key] === 'string')

// What a server answers to "initialize", and to each of the lists that it offers.
const isServerAnswer = (value: JsonObject): boolean =>
  (isObject(value.serverInfo) && (typeof value.protocolVersion === 'string' || isObject(value.capabilities))) ||
  (Array.isArray(value.tools) && (value.tools.length === 0 || holds(value.tools, 'name'))) ||
  holds(value.resourceTemplates, 'uriTemplate') ||
  (holds(value.resources, 'uri') && holds(value.resources, 'name')) ||
  (holds(value.prompts, 'name') && Object.keys(value).every((key) => ['prompts', 'nextCursor', '_meta'].includes(key)))

/**
 * The format of a parsed document, detected by the mandatory fields of its specification; null if it is unknown.
 * MCP documents are a server's registry entry or a list of them ("server"), a bundle's manifest, or what a server answers:
 * its tools, prompts, resources, itself, with or without the envelope of JSON-RPC ("manifest").
 */
export const detectFormat = (value: Json): Format | null => {
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    if (list.length > 0 && list.every(isServerEntry)) return { kind: 'mcp', version: 'server' }
    return isToolList(list) ? { kind: 'mcp', version: 'manifest' } : null
  }
  if (!isObject(value)) return null
  const openapi = majorMinor(value.openapi)
  if (openapi !== null) return { kind: 'openapi', version: openapi }
  const swagger = majorMinor(value.swagger)
  if (swagger !== null) return { kind: 'swagger', version: swagger }
  const arazzo = majorMinor(value.arazzo)
  if (arazzo !== null) return { kind: 'arazzo', version: arazzo }
  if (typeof value.$schema === 'string' && value.$schema.includes('modelcontextprotocol.io'))
    return { kind: 'mcp', version: 'server' }
  if (isServerAnswer(value) || (isObject(value.result) && isServerAnswer(value.result)))
    return { kind: 'mcp', version: 'manifest' }
  if (typeof value.manifest_version === 'string' || typeof value.dxt_version === 'string')
    return { kind: 'mcp', version: 'manifest' }
  if (isServerEntry(value)) return { kind: 'mcp', version: 'server' }
  if (looksLikeSchema(value)) return { kind: 'json-schema', version: schemaDraft(value.$schema) }
  return null
}
