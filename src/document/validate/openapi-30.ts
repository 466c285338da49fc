// The grammar of OpenAPI, one object after the other as the specification has them.
import { openapi30Methods } from '../../kernel/methods.ts'
import type { JsonObject } from '../../kernel/json.ts'
import {
  all,
  any,
  apart,
  type Report,
  email,
  exactlyOne,
  explainPath,
  explainStatus,
  flag,
  type Grammar,
  list,
  map,
  matching,
  node,
  nodeOrRef,
  type NodeShape,
  oneOf,
  type Shape,
  single,
  text,
  unique,
  uri,
} from './grammar.ts'
import { externalDocs, schema30, xml } from './schema-nodes.ts'

const componentName = /^[a-zA-Z0-9._-]+$/
const schema = nodeOrRef('Schema')
const media = map(node('MediaType'))
const examples = map(nodeOrRef('Example'))
const headers = map(nodeOrRef('Header'))
/** A map of components: its names have letters, digits, ".", "-" and "_". */
export const components = (value: Shape): Shape => map(value, componentName)

const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

// A parameter or header is described by a schema or by one media type, never by both (OpenAPI, 4.7.12 and 4.7.21).
const schemaOrContent = (value: JsonObject, report: Report): void => {
  exactlyOne('schema', 'content')(value, report)
  if (!Object.hasOwn(value, 'content') || Object.hasOwn(value, 'schema')) return
  for (const key of ['style', 'explode', 'allowReserved', 'example', 'examples'])
    if (Object.hasOwn(value, key)) report(`"${key}" must not be used together with "content"`, key)
}

/** The rules of a parameter beyond its fields; `reserved` says where `allowReserved` and `allowEmptyValue` may occur. */
export const checkParameter =
  (reserved: 'anywhere' | 'query') =>
  (value: JsonObject, report: Report): void => {
    schemaOrContent(value, report)
    apart('example', 'examples')(value, report)
    const place = typeof value.in === 'string' ? value.in : ''
    const allowed = Object.hasOwn(styles, place) ? styles[place] : undefined
    if (allowed !== undefined && typeof value.style === 'string' && !allowed.includes(value.style))
      report(`the style of a ${place} parameter must be ${allowed.map((one) => `"${one}"`).join(' or ')}`, 'style')
    // The schemas of 3.1 require it next to "schema" only.
    if (place === 'path' && value.required !== true && (reserved === 'anywhere' || Object.hasOwn(value, 'schema')))
      report('a path parameter must have "required: true"', Object.hasOwn(value, 'required') ? 'required' : undefined)
    if (reserved === 'query' && place !== 'query')
      for (const key of ['allowReserved', 'allowEmptyValue'])
        if (Object.hasOwn(value, key)) report(`"${key}" is allowed for query parameters only`, key)
  }

export const parameter: NodeShape = {
  fields: {
    name: text,
    in: oneOf('path', 'query', 'header', 'cookie'),
    description: text,
    required: flag,
    deprecated: flag,
    allowEmptyValue: flag,
    style: text,
    explode: flag,
    allowReserved: flag,
    schema,
    content: single(node('MediaType')),
    example: any,
    examples,
  },
  required: ['name', 'in'],
  check: checkParameter('anywhere'),
}

export const header: NodeShape = {
  fields: {
    description: text,
    required: flag,
    deprecated: flag,
    allowEmptyValue: flag,
    style: oneOf('simple'),
    explode: flag,
    allowReserved: flag,
    schema,
    content: single(node('MediaType')),
    example: any,
    examples,
  },
  check: all(schemaOrContent, apart('example', 'examples')),
}

export const operation: NodeShape = {
  fields: {
    tags: list(text),
    summary: text,
    description: text,
    externalDocs: node('ExternalDocs'),
    operationId: text,
    parameters: unique(nodeOrRef('Parameter')),
    requestBody: nodeOrRef('RequestBody'),
    responses: node('Responses'),
    callbacks: map(nodeOrRef('Callback')),
    deprecated: flag,
    security: list(node('SecurityRequirement')),
    servers: list(node('Server')),
  },
  required: ['responses'],
}

export const pathItem: NodeShape = {
  fields: {
    // Where it leads is asked elsewhere; names of files may hold templates.
    $ref: text,
    summary: text,
    description: text,
    servers: list(node('Server')),
    parameters: unique(nodeOrRef('Parameter')),
    ...Object.fromEntries(openapi30Methods.map((method) => [method, node('Operation')])),
  },
}

export const flowFields = { refreshUrl: uri, scopes: map(text) }
export const flows: Readonly<Record<string, NodeShape>> = {
  OAuthFlows: {
    fields: {
      implicit: node('ImplicitFlow'),
      password: node('TokenFlow'),
      clientCredentials: node('TokenFlow'),
      authorizationCode: node('CodeFlow'),
    },
  },
  ImplicitFlow: { fields: { ...flowFields, authorizationUrl: uri }, required: ['authorizationUrl', 'scopes'] },
  TokenFlow: { fields: { ...flowFields, tokenUrl: uri }, required: ['tokenUrl', 'scopes'] },
  CodeFlow: {
    fields: { ...flowFields, authorizationUrl: uri, tokenUrl: uri },
    required: ['authorizationUrl', 'tokenUrl', 'scopes'],
  },
}

// Which fields each type of security scheme has besides "type" and "description", and whether each must be there.
const schemeFields: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  apiKey: { name: true, in: true },
  http: { scheme: true, bearerFormat: false },
  oauth2: { flows: true, oauth2MetadataUrl: false },
  openIdConnect: { openIdConnectUrl: true },
  mutualTLS: {},
}

const checkScheme = (value: JsonObject, report: Report): void => {
  const type = typeof value.type === 'string' ? value.type : ''
  const fields = Object.hasOwn(schemeFields, type) ? schemeFields[type] : undefined
  if (fields === undefined) return
  for (const [key, needed] of Object.entries(fields))
    if (needed && !Object.hasOwn(value, key)) report(`a security scheme of type "${type}" requires "${key}"`)
  for (const key of ['name', 'in', 'scheme', 'bearerFormat', 'flows', 'openIdConnectUrl', 'oauth2MetadataUrl'])
    if (Object.hasOwn(value, key) && !Object.hasOwn(fields, key))
      report(`"${key}" is not allowed in a security scheme of type "${type}"`, key)
  if (type === 'http' && Object.hasOwn(value, 'bearerFormat') && String(value.scheme).toLowerCase() !== 'bearer')
    report('"bearerFormat" is allowed for the scheme "bearer" only', 'bearerFormat')
}

/** A security scheme of one of some types. */
export const securityScheme = (...types: readonly string[]): NodeShape => ({
  decides: 'type',
  fields: {
    type: oneOf(...types),
    description: text,
    name: text,
    in: oneOf('query', 'header', 'cookie'),
    scheme: text,
    bearerFormat: text,
    flows: node('OAuthFlows'),
    openIdConnectUrl: uri,
  },
  required: ['type'],
  check: checkScheme,
})

export const componentFields = {
  schemas: components(schema),
  responses: components(nodeOrRef('Response')),
  parameters: components(nodeOrRef('Parameter')),
  examples: components(nodeOrRef('Example')),
  requestBodies: components(nodeOrRef('RequestBody')),
  headers: components(nodeOrRef('Header')),
  securitySchemes: components(nodeOrRef('SecurityScheme')),
  links: components(nodeOrRef('Link')),
  callbacks: components(nodeOrRef('Callback')),
}

export const rootFields = {
  info: node('Info'),
  externalDocs: node('ExternalDocs'),
  servers: list(node('Server')),
  security: list(node('SecurityRequirement')),
  tags: unique(node('Tag')),
  paths: node('Paths'),
  components: node('Components'),
}

/** The nodes of 3.0, by type: what later versions build on. */
export const nodes30: Readonly<Record<string, NodeShape>> = {
  Document: {
    fields: { ...rootFields, openapi: matching(/^3\.0\.\d(?:-.+)?$/, 'a version 3.0.x') },
    required: ['openapi', 'info', 'paths'],
  },
  Info: {
    fields: {
      title: text,
      description: text,
      termsOfService: uri,
      contact: node('Contact'),
      license: node('License'),
      version: text,
    },
    required: ['title', 'version'],
  },
  Contact: { fields: { name: text, url: uri, email } },
  License: { fields: { name: text, url: uri }, required: ['name'] },
  Server: { fields: { url: text, description: text, variables: map(node('ServerVariable')) }, required: ['url'] },
  ServerVariable: { fields: { enum: list(text), default: text, description: text }, required: ['default'] },
  Components: { fields: componentFields },
  Paths: { fields: {}, patterns: [[/^\//, node('PathItem')]], explain: explainPath },
  PathItem: pathItem,
  Operation: operation,
  ExternalDocs: externalDocs,
  Parameter: parameter,
  RequestBody: { fields: { description: text, content: media, required: flag }, required: ['content'] },
  MediaType: {
    fields: { schema, example: any, examples, encoding: map(node('Encoding')) },
    check: apart('example', 'examples'),
  },
  Encoding: {
    fields: {
      contentType: text,
      headers,
      style: oneOf('form', 'spaceDelimited', 'pipeDelimited', 'deepObject'),
      explode: flag,
      allowReserved: flag,
    },
  },
  Responses: {
    fields: { default: nodeOrRef('Response') },
    patterns: [[/^[1-5](?:\d{2}|XX)$/, nodeOrRef('Response')]],
    explain: explainStatus,
    check: (value, report) => {
      if (Object.keys(value).length === 0) report('"responses" must have at least one response')
    },
  },
  Response: {
    fields: { description: text, headers, content: media, links: map(nodeOrRef('Link')) },
    required: ['description'],
  },
  Callback: { fields: {}, patterns: [[/^(?!x-)/, node('PathItem')]] },
  Example: { fields: { summary: text, description: text, value: any, externalValue: uri } },
  Link: {
    fields: {
      operationRef: uri,
      operationId: text,
      parameters: map(any),
      requestBody: any,
      description: text,
      server: node('Server'),
    },
    check: apart('operationRef', 'operationId'),
  },
  Header: header,
  Tag: { fields: { name: text, description: text, externalDocs: node('ExternalDocs') }, required: ['name'] },
  Schema: schema30,
  Discriminator: { fields: { propertyName: text, mapping: map(text) }, required: ['propertyName'], open: true },
  Xml: xml,
  SecurityScheme: securityScheme('apiKey', 'http', 'oauth2', 'openIdConnect'),
  ...flows,
  SecurityRequirement: { fields: {}, patterns: [[/^/, list(text)]] },
}

/** OpenAPI 3.0.x. */
export const openapi30: Grammar = { title: 'OpenAPI 3.0', root: 'Document', nodes: nodes30 }
