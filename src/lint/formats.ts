/** The formats by which rules say what documents they are for, as Spectral knows them, and MCP's. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'

type Complain = (code: string, message: string, path: Path) => void

interface FormatTest {
  /** As messages name it. */
  readonly title: string
  readonly test: (value: JsonObject, document: Document) => boolean
}

const textOf = (value: Json | undefined): string => (value === undefined ? '' : String(value))

/** A format identified by a version in a field: "3.1" means 3.1, 3.1.0, 3.1.9. */
const versioned = (title: string, field: string, version: string): FormatTest => {
  const pattern = new RegExp(`^${version.replace('.', '\\.')}(?:\\.[0-9]*)?$`)
  return { title, test: (value) => pattern.test(textOf(value[field])) }
}

const asyncapi = (major: string): FormatTest => {
  const pattern = new RegExp(`^${major}\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$`)
  return { title: `AsyncAPI ${major}.x`, test: (value) => pattern.test(textOf(value.asyncapi)) }
}

const asyncapiMinor = (version: string): FormatTest => {
  const { test } = versioned('', 'asyncapi', version)
  const { test: isMajor } = asyncapi(version[0] ?? '')
  return {
    title: `AsyncAPI ${version}.x`,
    test: (value, document) => isMajor(value, document) && test(value, document),
  }
}

const isSchema = ({ $schema }: JsonObject): boolean =>
  typeof $schema === 'string' && $schema.includes('//json-schema.org/')

const draft = (title: string, part: string): FormatTest => {
  const pattern = new RegExp(`^https?://json-schema.org/${part}/(?:hyper-)?schema#?$`)
  return { title: `JSON Schema ${title}`, test: ({ $schema }) => typeof $schema === 'string' && pattern.test($schema) }
}

const schemaTypes = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
const looksLikeSchema = (value: JsonObject): boolean => {
  const types = Array.isArray(value.type) ? (value.type as readonly Json[]) : [value.type]
  return (
    isSchema(value) ||
    (value.type !== undefined && types.every((it) => typeof it === 'string' && schemaTypes.has(it))) ||
    Array.isArray(value.enum) ||
    ['allOf', 'oneOf', 'anyOf', 'not', 'if'].some((key) => typeof value[key] === 'object' && value[key] !== null)
  )
}

const tests = {
  oas2: { title: 'OpenAPI 2.0 (Swagger)', test: ({ swagger }) => Number.parseInt(textOf(swagger), 10) === 2 },
  oas3: { title: 'OpenAPI 3.x', test: ({ openapi }) => Number.parseInt(textOf(openapi), 10) === 3 },
  oas3_0: versioned('OpenAPI 3.0.x', 'openapi', '3.0'),
  oas3_1: versioned('OpenAPI 3.1.x', 'openapi', '3.1'),
  oas3_2: versioned('OpenAPI 3.2.x', 'openapi', '3.2'),
  arazzo1_0: versioned('Arazzo 1.0.x', 'arazzo', '1.0'),
  arazzo1_1: versioned('Arazzo 1.1.x', 'arazzo', '1.1'),
  aas2: asyncapi('2'),
  aas2_0: asyncapiMinor('2.0'),
  aas2_1: asyncapiMinor('2.1'),
  aas2_2: asyncapiMinor('2.2'),
  aas2_3: asyncapiMinor('2.3'),
  aas2_4: asyncapiMinor('2.4'),
  aas2_5: asyncapiMinor('2.5'),
  aas2_6: asyncapiMinor('2.6'),
  aas3: asyncapi('3'),
  aas3_0: asyncapiMinor('3.0'),
  aas3_1: asyncapiMinor('3.1'),
  'json-schema': {
    title: 'JSON Schema',
    test: (value, { format }) => format?.kind === 'json-schema' || isSchema(value),
  },
  'json-schema-loose': { title: 'JSON Schema (loose)', test: looksLikeSchema },
  'json-schema-draft4': draft('Draft 4', 'draft-04'),
  'json-schema-draft6': draft('Draft 6', 'draft-06'),
  'json-schema-draft7': draft('Draft 7', 'draft-07'),
  'json-schema-2019-09': draft('Draft 2019-09', 'draft/2019-09'),
  'json-schema-2020-12': draft('Draft 2020-12', 'draft/2020-12'),
  mcp: { title: 'MCP', test: (_, { format }) => format?.kind === 'mcp' },
} satisfies Record<string, FormatTest>

export type FormatName = keyof typeof tests

export const formatNames: ReadonlySet<string> = new Set(Object.keys(tests))

const other: Readonly<Record<string, FormatName>> = {
  arazzo1: 'arazzo1_0',
  asyncapi2: 'aas2',
  asyncApi2: 'aas2',
  jsonSchema: 'json-schema',
  jsonSchemaLoose: 'json-schema-loose',
  'json-schema-draft-2019-09': 'json-schema-2019-09',
  'json-schema-draft-2020-12': 'json-schema-2020-12',
}

const isName = (text: string): text is FormatName => Object.hasOwn(tests, text)

/** The names of all formats that a document is of. */
export function formatsOf(document: Document): ReadonlySet<FormatName> {
  const { value } = document
  const found = new Set<FormatName>()
  for (const [name, { test }] of Object.entries(tests) as [FormatName, FormatTest][])
    if (isObject(value) ? test(value, document) : name === 'mcp' && document.format?.kind === 'mcp') found.add(name)
  return found
}

/** Whether Spectral 6.16 knows a format: the messages that list formats are its own. */
export const isOfSpectral = (name: string): boolean => name !== 'arazzo1_1'

/** The name of a format in messages; an unknown name is returned unchanged. */
export const formatTitle = (name: string): string => (isName(name) ? tests[name].title : name)

/** Reads a list of formats; unknown names are reported and match no document. */
export function readFormats(value: Json, path: Path, complain: Complain): readonly string[] {
  if (!Array.isArray(value)) {
    complain('invalid-format', '"formats" must be an array of names.', path)
    return []
  }
  return (value as readonly Json[]).map((entry, index) => {
    const text = String(entry)
    const plain = text.replaceAll('.', '_')
    const found = isName(text) ? text : isName(plain) ? plain : Object.hasOwn(other, text) ? other[text] : undefined
    if (found === undefined) complain('invalid-format', `Unknown format "${text}".`, [...path, index])
    return found ?? ''
  })
}

/** The format of a title; null for none. */
export const formatNamed = (title: string): FormatName | null =>
  (Object.keys(tests) as FormatName[]).find((name) => tests[name].title === title) ?? null
