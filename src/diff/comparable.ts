import type { Document } from '../document/document.ts'
import { familySentence } from '../document/family.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { SvcError } from '../errors.ts'
import { suggest } from '../kernel/suggest.ts'
import type { Mode } from './options.ts'

const isSchemaValue = (value: Json): boolean => typeof value === 'boolean' || isObject(value)
const isSchemaMap = (value: Json): boolean => isObject(value) && Object.values(value).every(isSchemaValue)
const isSchemaList = (value: Json): boolean =>
  Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(isSchemaValue)
const isSchemaOrList = (value: Json): boolean => isSchemaValue(value) || isSchemaList(value)
const isText = (value: Json): boolean => typeof value === 'string'
const isNumber = (value: Json): boolean => typeof value === 'number'
const isFlag = (value: Json): boolean => typeof value === 'boolean'
const isList = (value: Json): boolean => Array.isArray(value)
const isLimit = (value: Json): boolean => isNumber(value) || isFlag(value)
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'any', 'file'])
const isType = (value: Json): boolean =>
  Array.isArray(value)
    ? value.length > 0 &&
      (value as readonly Json[]).every((it) => (typeof it === 'string' ? types.has(it) : isObject(it)))
    : typeof value === 'string' && types.has(value)

/** Keywords of JSON Schema (draft-03 to 2020-12) that say something of values, with the shape of what they hold. */
const keywords: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ['$ref', isText],
  ['$dynamicRef', isText],
  ['$recursiveRef', isText],
  ['$defs', isSchemaMap],
  ['definitions', isSchemaMap],
  ['type', isType],
  ['enum', isList],
  ['const', () => true],
  ['allOf', isSchemaList],
  ['anyOf', isSchemaList],
  ['oneOf', isSchemaList],
  ['not', isSchemaValue],
  ['if', isSchemaValue],
  ['then', isSchemaValue],
  ['else', isSchemaValue],
  ['properties', isSchemaMap],
  ['patternProperties', isSchemaMap],
  ['additionalProperties', isSchemaValue],
  ['propertyNames', isSchemaValue],
  ['unevaluatedProperties', isSchemaValue],
  ['dependentSchemas', isSchemaMap],
  ['dependentRequired', isObject],
  ['dependencies', isObject],
  ['required', (value) => isList(value) || isFlag(value)],
  ['minProperties', isNumber],
  ['maxProperties', isNumber],
  ['items', isSchemaOrList],
  ['additionalItems', isSchemaValue],
  ['prefixItems', isSchemaList],
  ['contains', isSchemaValue],
  ['minContains', isNumber],
  ['maxContains', isNumber],
  ['unevaluatedItems', isSchemaValue],
  ['minItems', isNumber],
  ['maxItems', isNumber],
  ['uniqueItems', isFlag],
  ['minLength', isNumber],
  ['maxLength', isNumber],
  ['pattern', isText],
  ['format', isText],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isLimit],
  ['exclusiveMaximum', isLimit],
  ['multipleOf', isNumber],
  ['divisibleBy', isNumber],
  ['disallow', isType],
  ['extends', isSchemaOrList],
  ['contentEncoding', isText],
  ['contentMediaType', isText],
  ['contentSchema', isSchemaValue],
  ['nullable', isFlag],
])

const remarks: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$comment',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'discriminator',
  'xml',
  'externalDocs',
])

/** How sure it is that a text of no known format is a JSON Schema. */
type Sureness = 'no' | 'possible' | 'certain'

// Enough of a schema to be one although it holds what no specification knows; and what only API descriptions have.
const decisive = ['$ref', '$defs', 'definitions', 'allOf', 'anyOf', 'oneOf', 'enum', 'properties', 'patternProperties']
const ofApis = ['paths', 'info', 'webhooks', 'channels', 'asyncapi']

const surenessOf = (value: Json): Sureness => {
  if (typeof value === 'boolean') return 'possible'
  if (!isObject(value) || ofApis.some((key) => Object.hasOwn(value, key))) return 'no'
  const names = Object.keys(value)
  const used = names.filter((key) => keywords.has(key))
  if (used.some((key) => keywords.get(key)?.(value[key]!) !== true)) return 'no'
  const isOdd = names.some((key) => !keywords.has(key) && !remarks.has(key) && !key.startsWith('x-'))
  if (!isOdd) return used.length > 0 ? 'certain' : 'possible'
  if (used.includes('type')) return 'certain'
  return used.some((key) => decisive.includes(key)) ? 'possible' : 'no'
}

const surely = (document: Document): Sureness => (document.format === null ? surenessOf(document.value) : 'certain')

/** Whether a document is certainly an API description or a JSON Schema, whatever it is compared with. */
export const isDescription = (document: Document): boolean => surely(document) === 'certain'

const entrances = ['openapi', 'swagger', 'arazzo', '$schema'] as const
const examples: Readonly<Record<string, string>> = { openapi: '3.1.0', swagger: '2.0', arazzo: '1.0.1' }

/** So many keys of a document are looked at for a misspelled one. */
const mostKeys = 100

const reasonOf = (document: Document): string => {
  const { value } = document
  const what = 'is not an API description (OpenAPI, Swagger, Arazzo, MCP) or a JSON Schema'
  const family = familySentence(document)
  if (family !== null) return `${what}: ${family}`
  if (!isObject(value)) return what
  for (const key of entrances) {
    const version = value[key]
    const example = examples[key]
    if (version !== undefined && example !== undefined)
      return `${what}: "${key}" must be a version such as "${example}", but is ${JSON.stringify(version)}`
  }
  for (const key of Object.keys(value).slice(0, mostKeys)) {
    const near = suggest(key, entrances)
    if (near !== null && near !== key) return `${what}; did you mean "${near}" instead of "${key}"?`
  }
  return what
}

const newest: Readonly<Record<string, readonly [major: string, shown: string]>> = {
  openapi: ['3.', 'OpenAPI 3.0 to 3.2 and Swagger 2.0 are'],
  swagger: ['2.', 'OpenAPI 3.0 to 3.2 and Swagger 2.0 are'],
  arazzo: ['1.', 'Arazzo 1.x is'],
}

const invalid = (document: Document, finding: string): SvcError<'document-invalid'> =>
  new SvcError('document-invalid', { reason: `${document.source} ${finding}` })

/**
 * Makes sure that two documents can be compared at all: that each is an API description or a JSON Schema, of a version that is
 * known, and that a text of several YAML documents does not lose all but its first. A comparison of anything else would find
 * nothing and look safe.
 *
 * @param mode what the caller asked for: it says that two objects without a keyword, or two booleans, are meant as JSON Schemas
 * @throws SvcError `document-invalid` with the source of the document
 * @throws SvcError `usage` for a mode that has no meaning for API descriptions
 */
export function assertComparable(base: Document, head: Document, mode?: Mode): void {
  for (const document of [base, head]) {
    if (document.problems.some(({ code }) => code === 'several-documents'))
      throw invalid(document, 'holds several YAML documents; compare them one by one, each in a file of its own')
    const [major, shown] = newest[document.format?.kind ?? ''] ?? []
    if (major !== undefined && !document.format?.version.startsWith(major))
      throw invalid(document, `is written in version ${document.format?.version}, which is not supported; ${shown}`)
  }
  const sure = [surely(base), surely(head)] as const
  const isKnown = mode !== undefined || sure.includes('certain')
  for (const [index, document] of [base, head].entries())
    if (sure[index] === 'no' || !isKnown) throw invalid(document, reasonOf(document))
  const api = [base, head].find(({ format }) => format !== null && format.kind !== 'json-schema')
  if (api !== undefined && mode !== undefined && mode !== 'backward')
    throw new SvcError('usage', {
      reason: `The mode "${mode}" is for JSON Schemas, and ${api.source} is an API description. Without a mode the comparison checks that clients of the base work with the head; swap the two sides to check that clients of the head work with the base`,
    })
}
