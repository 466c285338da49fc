import { exactAsJson, isNumeric } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { openapi30 } from '../../document/validate/openapi-30.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import type { Notes } from '../notes.ts'
import { mapDiscriminator, referenceOfName } from './discriminator.ts'

// What may be beside `$ref` in 3.1 without changing what is allowed; in 3.0 all of it was ignored.
const annotations = new Set([
  '$ref',
  'title',
  'summary',
  'description',
  'deprecated',
  'example',
  'examples',
  'externalDocs',
])

/** The words of draft 4 and of OpenAPI 3.0 that 2020-12 says otherwise. */
export const upgradeSchema = (schema: JsonObject, path: Path, notes: Notes): JsonObject => {
  const without: string[] = []
  const extra: Record<string, Json> = {}
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const flag = schema[exclusive]
    if (typeof flag !== 'boolean') continue
    without.push(exclusive)
    if (!flag) continue
    const limit: unknown = schema[bound]
    if (isNumeric(limit)) {
      without.push(bound)
      extra[exclusive] = exactAsJson(limit)
    } else
      notes.add('bound-missing', `Removed "${exclusive}: true" without "${bound}", which had no effect.`, [
        ...path,
        exclusive,
      ])
  }
  if (Object.hasOwn(schema, 'nullable')) {
    without.push('nullable')
    const { type } = schema
    if (schema.nullable === true && typeof type === 'string') extra.type = type === 'null' ? type : [type, 'null']
  }
  if (Object.hasOwn(schema, 'example')) {
    without.push('example')
    if (!Array.isArray(schema.examples)) extra.examples = [schema.example as Json]
  }
  if (schema.format === 'byte' || schema.format === 'base64') {
    without.push('format')
    extra.contentEncoding = 'base64'
  } else if (schema.format === 'binary') {
    without.push('format')
    extra.contentMediaType = 'application/octet-stream'
  }
  const upgraded = without.length === 0 && Object.keys(extra).length === 0 ? schema : edit(schema, without, extra)
  const untyped = schema.nullable === true && schema.type === undefined
  return untyped ? allowNull(upgraded, path, notes) : upgraded
}

const isAnnotation = (key: string): boolean =>
  key.startsWith('x-') ||
  [
    'title',
    'description',
    'default',
    'deprecated',
    'readOnly',
    'writeOnly',
    'examples',
    'externalDocs',
    'xml',
  ].includes(key)

// Without "type" the word has no effect by the letter of 3.0.3; everybody who writes it beside oneOf, allOf or enum means it.
const allowNull = (schema: JsonObject, path: Path, notes: Notes): JsonObject => {
  const entries = Object.entries(schema)
  const rules = entries.filter(([key]) => !isAnnotation(key))
  if (rules.length === 0) return schema
  notes.add('nullable-without-type', 'Read "nullable" without "type" as allowing null in addition.', [
    ...path,
    'nullable',
  ])
  const [only, ...others] = rules
  const branches =
    only?.[0] === 'anyOf' && Array.isArray(only[1]) && others.length === 0
      ? (only[1] as readonly Json[])
      : [Object.fromEntries(rules)]
  return {
    ...Object.fromEntries(entries.filter(([key]) => isAnnotation(key))),
    anyOf: [...branches, { type: 'null' }],
  }
}

/** A reference to a schema: what was beside it was ignored and would count in 3.1. */
export const upgradeSchemaReference = (reference: JsonObject, path: Path, notes: Notes): JsonObject => {
  const ignored = Object.keys(reference).filter((key) => !annotations.has(key) && !key.startsWith('x-'))
  const hasExample = Object.hasOwn(reference, 'example')
  if (ignored.length === 0 && !hasExample) return reference
  if (ignored.length > 0)
    notes.add(
      'ref-siblings',
      `Removed ${ignored.map((key) => `"${key}"`).join(', ')} next to "$ref", which had no effect.`,
      path,
    )
  return edit(reference, [...ignored, 'example'], hasExample ? { examples: [reference.example as Json] } : {})
}

const onlyRef = (reference: JsonObject): JsonObject => {
  const extra = Object.keys(reference).filter((key) => key !== '$ref' && key !== 'summary' && key !== 'description')
  return extra.length === 0 ? reference : edit(reference, extra)
}

const isEmptyResponses = (responses: Json | undefined): boolean =>
  typeof responses === 'object' && responses !== null && Object.keys(responses).every((key) => key.startsWith('x-'))

/** An OpenAPI 3.0 document as 3.1.0 that says the same. */
export const upgradeOpenapi30 = (content: JsonObject, notes: Notes): JsonObject => {
  const referenceTo = referenceOfName(isObject(content.components) ? content.components.schemas : undefined)
  return rebuild(openapi30, content, (name, node, path, reference) => {
    if (reference) return name === 'Schema' ? upgradeSchemaReference(node, path, notes) : onlyRef(node)
    switch (name) {
      case 'Document':
        return { openapi: '3.1.0', ...edit(node, ['openapi']) }
      case 'Schema':
        return upgradeSchema(node, path, notes)
      case 'Discriminator':
        return mapDiscriminator(node, referenceTo)
      case 'Operation':
        return isEmptyResponses(node.responses) ? edit(node, ['responses']) : node
      case 'Example':
        if (!Object.hasOwn(node, 'value') || !Object.hasOwn(node, 'externalValue')) return node
        notes.add(
          'example-twice',
          'An example cannot have both "value" and "externalValue"; kept the latter as "x-externalValue".',
          path,
        )
        return edit(node, ['externalValue'], { 'x-externalValue': node.externalValue })
      case 'ServerVariable':
        return Array.isArray(node.enum) && node.enum.length === 0 ? edit(node, ['enum']) : node
      case 'Parameter': {
        // They have a meaning for query parameters only.
        if (node.in === 'query') return node
        const idle = ['allowReserved', 'allowEmptyValue'].filter((key) => Object.hasOwn(node, key))
        return idle.length === 0 ? node : edit(node, idle)
      }
      case 'Header': {
        const idle = ['allowReserved', 'allowEmptyValue'].filter((key) => Object.hasOwn(node, key))
        return idle.length === 0 ? node : edit(node, idle)
      }
      default:
        return node
    }
  })
}
