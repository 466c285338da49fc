/** The sentences about violations of a structure. */
import { suggest } from '../../kernel/suggest.ts'
import type { Json, Path } from '../../kernel/json.ts'
import type { Grammar, NodeShape, Shape } from './grammar.ts'

const typeWords: Readonly<Record<Exclude<Shape['kind'], 'either'>, string>> = {
  any: 'any value',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'an integer',
  text: 'a string',
  list: 'an array',
  map: 'an object',
  node: 'an object',
}

const expectedType = (shape: Shape): string =>
  shape.kind === 'either' ? [...new Set(shape.shapes.map(expectedType))].join(' or ') : typeWords[shape.kind]

const actualType = (value: Json): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'number' ? 'a number' : 'a boolean'
}

/** A value by its property, with the index for an item: `"version"`, `"tags[0]"`; `The document` for the root. */
export const nameOf = (path: Path): string => {
  const property = path.findLastIndex((step) => typeof step === 'string')
  const indexes = path.slice(property + 1).map((step) => `[${step}]`)
  if (property === -1) return indexes.length === 0 ? 'The document' : `"${indexes.join('')}"`
  return `"${String(path[property])}${indexes.join('')}"`
}

const objectNames: Readonly<Record<string, string>> = {
  ExternalDocs: 'External Documentation',
  Xml: 'XML',
  OAuthFlows: 'OAuth Flows',
  ImplicitFlow: 'OAuth Flow',
  TokenFlow: 'OAuth Flow',
  CodeFlow: 'OAuth Flow',
  DeviceFlow: 'OAuth Flow',
}

/** A type of object as its specification calls it: "Operation Object". */
const objectName = (grammar: Grammar, name: string): string => {
  if (grammar.title.startsWith('JSON Schema')) return 'the schema'
  if (name === 'Document') return `${grammar.title.split(' ')[0] ?? ''} Object`
  return `${objectNames[name] ?? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')} Object`
}

const wrongType = (path: Path, shape: Shape, value: Json): string =>
  `${nameOf(path)} must be ${expectedType(shape)}, but is ${actualType(value)}`

const missing = (grammar: Grammar, name: string, key: string): string =>
  `Missing required property "${key}" in ${objectName(grammar, name)}`

const listed = (values: readonly string[]): string => values.map((one) => JSON.stringify(one)).join(', ')

const unknownValue = (path: Path, value: string, values: readonly string[]): string => {
  const near = suggest(value, values)
  const said = `Unknown value ${JSON.stringify(value)} for ${nameOf(path)}`
  return near === null
    ? `${said}; use ${values.length > 1 ? 'one of ' : ''}${listed(values)}`
    : `${said}; did you mean "${near}"?`
}

const unknownProperty = (
  grammar: Grammar,
  name: string,
  shape: NodeShape,
  key: string,
  present: readonly string[],
): string => {
  const explained = shape.explain?.(key) ?? null
  if (explained !== null) return explained
  // What is there already was not meant.
  const near = suggest(
    key,
    Object.keys(shape.fields).filter((it) => !present.includes(it)),
  )
  const said = `Unknown property "${key}" in ${objectName(grammar, name)}`
  return near === null ? `${said} (${grammar.title})` : `${said}; did you mean "${near}"?`
}

export const violation = { wrongType, missing, unknownValue, unknownProperty }

/** A sentence with its capital letter and its end. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}`
