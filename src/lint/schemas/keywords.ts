/** What the keywords of a schema mean: in its draft, beside its type, beside each other. */
import { isObject, type Json } from '../../kernel/json.ts'
import { suggest } from '../../kernel/suggest.ts'
import type { Violation, LintFunction } from '../rule.ts'
import type { SchemaCheck } from './places.ts'

const drafts = ['draft-03', 'draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']
const ageOf = (draft: string): number => drafts.indexOf(draft)

/** Every keyword with its first draft, the first draft without it, and its replacement. */
const keywords: Readonly<Record<string, readonly [since: string, until?: string, instead?: string]>> = {
  $schema: ['draft-03'],
  $ref: ['draft-03'],
  id: ['draft-03', 'draft-06', '$id'],
  $id: ['draft-06'],
  $comment: ['draft-07'],
  $defs: ['2019-09'],
  definitions: ['draft-04'],
  $anchor: ['2019-09'],
  $vocabulary: ['2019-09'],
  $recursiveRef: ['2019-09', '2020-12', '$dynamicRef'],
  $recursiveAnchor: ['2019-09', '2020-12', '$dynamicAnchor'],
  $dynamicRef: ['2020-12'],
  $dynamicAnchor: ['2020-12'],
  type: ['draft-03'],
  enum: ['draft-03'],
  const: ['draft-06'],
  title: ['draft-03'],
  description: ['draft-03'],
  default: ['draft-03'],
  examples: ['draft-06'],
  deprecated: ['2019-09'],
  readOnly: ['draft-07'],
  writeOnly: ['draft-07'],
  multipleOf: ['draft-04'],
  divisibleBy: ['draft-03', 'draft-04', 'multipleOf'],
  minimum: ['draft-03'],
  maximum: ['draft-03'],
  exclusiveMinimum: ['draft-03'],
  exclusiveMaximum: ['draft-03'],
  minLength: ['draft-03'],
  maxLength: ['draft-03'],
  pattern: ['draft-03'],
  format: ['draft-03'],
  contentEncoding: ['draft-07'],
  contentMediaType: ['draft-07'],
  contentSchema: ['2019-09'],
  items: ['draft-03'],
  prefixItems: ['2020-12'],
  additionalItems: ['draft-03', '2020-12', 'items'],
  unevaluatedItems: ['2019-09'],
  contains: ['draft-06'],
  minContains: ['2019-09'],
  maxContains: ['2019-09'],
  minItems: ['draft-03'],
  maxItems: ['draft-03'],
  uniqueItems: ['draft-03'],
  properties: ['draft-03'],
  patternProperties: ['draft-03'],
  additionalProperties: ['draft-03'],
  unevaluatedProperties: ['2019-09'],
  propertyNames: ['draft-06'],
  required: ['draft-03'],
  minProperties: ['draft-04'],
  maxProperties: ['draft-04'],
  dependencies: ['draft-03', '2019-09', 'dependentRequired or dependentSchemas'],
  dependentRequired: ['2019-09'],
  dependentSchemas: ['2019-09'],
  allOf: ['draft-04'],
  anyOf: ['draft-04'],
  oneOf: ['draft-04'],
  not: ['draft-04'],
  if: ['draft-07'],
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  then: ['draft-07'],
  else: ['draft-07'],
  extends: ['draft-03', 'draft-04', 'allOf'],
  disallow: ['draft-03', 'draft-04', 'not'],
}

// Words of OpenAPI that people take along.
const foreign: Readonly<Record<string, string>> = {
  nullable: 'add "null" to "type"',
  example: 'use "examples", an array',
  discriminator: 'it is not a keyword of JSON Schema',
  xml: 'it is not a keyword of JSON Schema',
  externalDocs: 'it is not a keyword of JSON Schema',
}

const isExtension = (key: string): boolean =>
  /^(?:x-|[a-z]+:|\/\/)|^[A-Z]|^__|^(?:markdown|default)[A-Z]|^\$[a-z]+:/.test(key)

/** Every property is a keyword: unknown properties have no effect, so the author probably meant another one. */
export const checkKnown: SchemaCheck = ({ schema, draft }) => {
  // A custom vocabulary may define any keyword.
  return Object.keys(schema).flatMap((key): Violation[] => {
    if (Object.hasOwn(keywords, key) || isExtension(key)) return []
    const remark = Object.hasOwn(foreign, key) ? foreign[key] : undefined
    if (remark !== undefined) return [{ message: `"${key}" is a keyword of OpenAPI only; ${remark}.`, path: [key] }]
    const current = Object.keys(keywords).filter((it) => isIn(it, draft))
    const near = key.length > 3 ? suggest(key, current) : null
    const meant = near === null ? 'it has no effect' : `did you mean "${near}"?`
    const message = `Unknown keyword "${key}"; ${meant}${near === null ? '.' : ''}`
    return [{ message, path: [key], ...(near !== null && { name: near }) }]
  })
}

const isIn = (key: string, draft: string): boolean => {
  const [since, until] = keywords[key] ?? []
  if (since === undefined) return false
  return ageOf(draft) >= ageOf(since) && (until === undefined || ageOf(draft) < ageOf(until))
}

/** Every keyword belongs to the draft of the document. */
export const checkDraft: SchemaCheck = ({ schema, draft }) => {
  if (ageOf(draft) === -1) return []
  return Object.keys(schema).flatMap((key): Violation[] => {
    const entry = Object.hasOwn(keywords, key) ? keywords[key] : undefined
    // References lead into "$defs" and "definitions" in every draft.
    if (entry === undefined || isIn(key, draft) || key === '$defs') return []
    const [since, , instead] = entry
    // What is said to readers alone does no harm.
    if (['$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$anchor'].includes(key)) return []
    const later = ageOf(draft) < ageOf(since)
    const why = later ? `was added in ${since}` : `was removed; use "${instead ?? ''}"`
    return [{ message: `"${key}" has no effect in ${draft}: it ${why}.`, path: [key] }]
  })
}

const types: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: [
    'items',
    'prefixItems',
    'additionalItems',
    'unevaluatedItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
  ],
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
    'required',
    'minProperties',
    'maxProperties',
    'dependencies',
    'dependentRequired',
    'dependentSchemas',
  ],
}

/** A keyword for strings occurs with the type "string", and so on; with another type it has no effect. */
export const checkMisplaced: SchemaCheck = ({ schema }) => {
  const own =
    typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type.map(String) : []
  if (own.length === 0) return []
  return Object.entries(types).flatMap(([type, words]) => {
    const applies = own.includes(type) || (type === 'number' && own.includes('integer'))
    if (applies) return []
    return words
      .filter((key) => Object.hasOwn(schema, key))
      .map((key) => ({ message: `"${key}" has no effect: the type is ${own.join(' or ')}, not ${type}.`, path: [key] }))
  })
}

const dependents: readonly (readonly [key: string, needed: string])[] = [
  ['then', 'if'],
  ['else', 'if'],
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
  ['contentSchema', 'contentMediaType'],
]

/** A keyword that depends on another one occurs together with it. */
export const checkDependent: SchemaCheck = ({ schema, draft }) => [
  ...dependents
    .filter(([key, needed]) => Object.hasOwn(schema, key) && !Object.hasOwn(schema, needed))
    .map(([key, needed]) => ({ message: `"${key}" has no effect without "${needed}".`, path: [key] })),
  ...(Object.hasOwn(schema, 'if') && !Object.hasOwn(schema, 'then') && !Object.hasOwn(schema, 'else')
    ? [{ message: '"if" has no effect without "then" or "else".', path: ['if'] }]
    : []),
  ...(Object.hasOwn(schema, 'additionalItems') && !Array.isArray(schema.items) && draft !== '2020-12'
    ? [{ message: '"additionalItems" has no effect unless "items" is an array.', path: ['additionalItems'] }]
    : []),
]

const formats =
  'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference '
    .concat(
      'uri-template uuid json-pointer relative-json-pointer regex ',
      // Those of OpenAPI's registry that many validators know.
      'int32 int64 float double byte binary password',
    )
    .split(' ')

/** A format is one that validators know; another that is spelled nearly like one is a mistake. */
export const checkFormat: SchemaCheck = ({ schema }) => {
  const { format } = schema
  if (typeof format !== 'string' || formats.includes(format)) return []
  const near = suggest(format.replaceAll('_', '-'), formats)
  return near === null || format.length < 4
    ? []
    : [{ message: `Unknown format "${format}"; did you mean "${near}"?`, path: ['format'] }]
}

/** Before 2019-09, siblings of "$ref" are ignored. */
export const checkRefSiblings: SchemaCheck = ({ schema, draft }) => {
  if (typeof schema.$ref !== 'string' || ageOf(draft) >= ageOf('2019-09')) return []
  const words = [
    '$ref',
    '$comment',
    'title',
    'description',
    'definitions',
    '$schema',
    '$id',
    'id',
    'default',
    'examples',
  ]
  return Object.keys(schema)
    .filter((key) => !words.includes(key) && Object.hasOwn(keywords, key))
    .map((key) => ({ message: `"${key}" has no effect next to "$ref" in ${draft}.`, path: [key] }))
}

/** A property says what it is for. */
export const checkPropertyDescriptions: SchemaCheck = ({ schema }) =>
  Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, it]): Violation[] =>
    isDescribed(it) ? [] : [{ message: `The property "${name}" has no description.`, path: ['properties', name] }],
  )

const isDescribed = (schema: Json): boolean =>
  !isObject(schema) ||
  Object.hasOwn(schema, '$ref') ||
  Object.hasOwn(schema, 'const') ||
  [schema.description, schema.title].some((it) => typeof it === 'string' && it.trim() !== '')

/** The document says of which draft it is. */
export const namedDraft: LintFunction = (input) =>
  isObject(input) && typeof input.$schema !== 'string'
    ? [{ message: 'The schema does not declare its draft in "$schema"; 2020-12 is assumed.' }]
    : []
