import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { edit } from '../../document/validate/rebuild.ts'
import type { Notes } from '../notes.ts'
import { upgradeSchema } from './openapi-30.ts'

const valueWords = [
  'type',
  'format',
  'items',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'enum',
  'multipleOf',
]

/** The fields of an object whose names begin with "x-". */
export const extensions = (node: JsonObject): Record<string, Json> =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key.startsWith('x-')))

/** The schema that a parameter, header or item of Swagger 2.0 spells out in its own fields. */
export const schemaOfValue = (node: JsonObject, path: Path, notes: Notes): JsonObject => {
  const picked = Object.fromEntries(
    valueWords.filter((word) => Object.hasOwn(node, word)).map((word): [string, Json] => [word, node[word] as Json]),
  )
  if (isObject(picked.items)) {
    if (typeof picked.items.collectionFormat === 'string' && picked.items.collectionFormat !== 'csv')
      notes.add(
        'collection-format',
        `OpenAPI 3.1 cannot express nested arrays with the separator "${picked.items.collectionFormat}".`,
        [...path, 'items', 'collectionFormat'],
      )
    picked.items = schemaOfValue(picked.items, [...path, 'items'], notes)
  }
  const schema = node['x-nullable'] === true ? { ...picked, nullable: true } : picked
  return schema.type === 'file'
    ? { type: 'string', contentMediaType: 'application/octet-stream' }
    : upgradeSchema(schema, path, notes)
}

/** Style and explode that say the same as a `collectionFormat`; nothing where the defaults do. */
export const styleOf = (node: JsonObject, path: Path, notes: Notes): Record<string, Json> => {
  if (node.type !== 'array') return {}
  const inQuery = node.in === 'query' || node.in === 'formData'
  const format = typeof node.collectionFormat === 'string' ? node.collectionFormat : 'csv'
  if (format === 'multi' && inQuery) return { style: 'form', explode: true }
  if (format === 'csv') return inQuery ? { style: 'form', explode: false } : {}
  if (inQuery && format === 'ssv') return { style: 'spaceDelimited', explode: false }
  if (inQuery && format === 'pipes') return { style: 'pipeDelimited', explode: false }
  notes.add(
    'collection-format',
    `OpenAPI 3.1 cannot express an array with the separator "${format}" here; used commas.`,
    [...path, 'collectionFormat'],
  )
  return inQuery ? { style: 'form', explode: false } : {}
}

/** A parameter in path, query or header as OpenAPI 3 has it. */
export const convertParameter = (node: JsonObject, path: Path, notes: Notes): JsonObject => ({
  ...Object.fromEntries(
    ['name', 'in', 'description', 'required']
      .filter((key) => Object.hasOwn(node, key))
      .map((key): [string, Json] => [key, node[key] as Json]),
  ),
  ...(node.in === 'query' && node.allowEmptyValue === true ? { allowEmptyValue: true } : {}),
  ...styleOf(node, path, notes),
  schema: schemaOfValue(node, path, notes),
  // The extension by which many documents gave parameters what OpenAPI 3 has a field for.
  ...(Object.hasOwn(node, 'x-example') ? { example: node['x-example'] as Json } : {}),
  ...extensions(edit(node, ['x-nullable', 'x-example'])),
})

/** A response header as OpenAPI 3 has it. */
export const convertHeader = (node: JsonObject, path: Path, notes: Notes): JsonObject => {
  styleOf(node, path, notes)
  return {
    ...(typeof node.description === 'string' ? { description: node.description } : {}),
    schema: schemaOfValue(node, path, notes),
    ...extensions(node),
  }
}

/** The body that a `body` parameter describes, in each media type that the operation takes. */
export const convertBody = (node: JsonObject, consumes: readonly string[]): JsonObject => {
  const { schema, ...rest } = node
  const media = schema === undefined ? {} : { schema }
  return {
    ...(typeof rest.description === 'string' ? { description: rest.description } : {}),
    ...(typeof rest.required === 'boolean' ? { required: rest.required } : {}),
    content: Object.fromEntries((consumes.length === 0 ? ['application/json'] : consumes).map((type) => [type, media])),
    // A body has no name in OpenAPI 3, but generators of code call its argument by it.
    ...(typeof rest.name === 'string' ? { 'x-body-name': rest.name } : {}),
    ...extensions(rest),
  }
}

const isForm = (type: string): boolean => /^(?:multipart\/|application\/x-www-form-urlencoded)/.test(type)

interface Fields {
  readonly fields: readonly { readonly node: JsonObject; readonly path: Path }[]
  readonly consumes: readonly string[]
  readonly ownTypes: boolean
  /** The media types that the body got. */
  readonly types: readonly string[]
}

// What a form of OpenAPI 3.1 cannot say of its fields.
const noteForm = ({ fields, consumes, ownTypes, types }: Fields, notes: Notes): void => {
  const [first] = fields
  const left = ownTypes ? consumes.filter((type) => !types.includes(type)) : []
  if (first !== undefined && left.length > 0)
    notes.add(
      'form-type',
      `Removed the media type ${left.map((type) => `"${type}"`).join(', ')}, which cannot contain these form fields.`,
      first.path,
    )
  if (!types.some((type) => type.startsWith('multipart/'))) return
  for (const { node, path } of fields)
    if (node.type === 'array' && node.collectionFormat !== 'multi')
      notes.add(
        'collection-format',
        'OpenAPI 3.1 has no separators within a multipart field; each item of this array becomes a separate part.',
        [...path, 'collectionFormat'],
      )
}

/**
 * The body that `formData` parameters describe together: an object with one property each. Of the media types of the whole
 * document only forms apply; what the operation itself lists (`ownTypes`) is taken literally.
 */
export const convertForm = (
  fields: readonly { readonly node: JsonObject; readonly path: Path }[],
  consumes: readonly string[],
  ownTypes: boolean,
  notes: Notes,
): JsonObject => {
  const properties: [string, Json][] = []
  const encoding: [string, Json][] = []
  const required: string[] = []
  for (const { node, path } of fields) {
    const name = typeof node.name === 'string' ? node.name : ''
    properties.push([
      name,
      {
        ...(typeof node.description === 'string' ? { description: node.description } : {}),
        ...schemaOfValue(node, path, notes),
        ...extensions(edit(node, ['x-nullable'])),
      },
    ])
    if (node.required === true) required.push(name)
    if (node.allowEmptyValue === true)
      notes.add('allow-empty-value', `OpenAPI 3.1 cannot express that the form field "${name}" can be empty.`, [
        ...path,
        'allowEmptyValue',
      ])
    const style = styleOf(node, path, notes)
    if (Object.keys(style).length > 0 && style.explode !== true) encoding.push([name, style])
  }
  const hasFile = fields.some(({ node }) => node.type === 'file')
  const types = hasFile
    ? [consumes.find((type) => type.startsWith('multipart/')) ?? 'multipart/form-data']
    : consumes.some(isForm)
      ? consumes.filter((type) => ownTypes || isForm(type))
      : ['application/x-www-form-urlencoded']
  noteForm({ fields, consumes, ownTypes, types }, notes)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
  const withEncoding = { schema, ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}) }
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: Object.fromEntries(types.map((type) => [type, isForm(type) ? withEncoding : { schema }])),
  }
}

const flows: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
}

/** A security scheme as OpenAPI 3 has it. */
export const convertScheme = (node: JsonObject): JsonObject => {
  const described = typeof node.description === 'string' ? { description: node.description } : {}
  if (node.type === 'basic') return { type: 'http', scheme: 'basic', ...described, ...extensions(node) }
  if (node.type !== 'oauth2') return node
  const flow = typeof node.flow === 'string' && Object.hasOwn(flows, node.flow) ? (flows[node.flow] ?? '') : 'implicit'
  const addresses = ['authorizationUrl', 'tokenUrl']
    .filter((key) => typeof node[key] === 'string')
    .map((key): [string, Json] => [key, node[key] as Json])
  const given = isObject(node.scopes) ? node.scopes : {}
  const scopes = Object.fromEntries(Object.entries(given).filter(([key]) => !key.startsWith('x-')))
  return {
    type: 'oauth2',
    ...described,
    flows: { [flow]: { ...Object.fromEntries(addresses), scopes, ...extensions(given) } },
    ...extensions(node),
  }
}
