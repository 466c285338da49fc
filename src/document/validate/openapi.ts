// Longer than 400 lines: the grammar of OpenAPI, one object after the other as the specification has them.
import type { JsonObject } from '../json.ts'
import {
  all,
  any,
  apart,
  type Complain,
  email,
  either,
  exactlyOne,
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
import { externalDocs, schema2020, schema30, xml } from './schema-nodes.ts'

const componentName = /^[a-zA-Z0-9._-]+$/
const schema = nodeOrRef('Schema')
const media = map(node('MediaType'))
const examples = map(nodeOrRef('Example'))
const headers = map(nodeOrRef('Header'))
const components = (value: Shape): Shape => map(value, componentName)

const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

// A parameter or header is described by a schema or by one media type, never by both (OpenAPI, 4.7.12 and 4.7.21).
const schemaOrContent = (value: JsonObject, complain: Complain): void => {
  exactlyOne('schema', 'content')(value, complain)
  if (!Object.hasOwn(value, 'content') || Object.hasOwn(value, 'schema')) return
  for (const key of ['style', 'explode', 'allowReserved', 'example', 'examples'])
    if (Object.hasOwn(value, key)) complain(`"${key}" has no meaning beside "content"`, key)
}

const checkParameter =
  (reserved: 'anywhere' | 'query') =>
  (value: JsonObject, complain: Complain): void => {
    schemaOrContent(value, complain)
    apart('example', 'examples')(value, complain)
    const place = typeof value.in === 'string' ? value.in : ''
    const allowed = Object.hasOwn(styles, place) ? styles[place] : undefined
    if (allowed !== undefined && typeof value.style === 'string' && !allowed.includes(value.style))
      complain(`a ${place} parameter has the style ${allowed.map((one) => `"${one}"`).join(', ')}`, 'style')
    // The schemas of 3.1 ask for it beside "schema" only.
    if (place === 'path' && value.required !== true && (reserved === 'anywhere' || Object.hasOwn(value, 'schema')))
      complain('a path parameter must have "required: true"', Object.hasOwn(value, 'required') ? 'required' : undefined)
    if (reserved === 'query' && place !== 'query')
      for (const key of ['allowReserved', 'allowEmptyValue'])
        if (Object.hasOwn(value, key)) complain(`"${key}" is for query parameters only`, key)
  }

const parameter: NodeShape = {
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

const header: NodeShape = {
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

const operation: NodeShape = {
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

const operations = (...methods: readonly string[]): Record<string, Shape> =>
  Object.fromEntries(methods.map((method) => [method, node('Operation')]))

const pathItem: NodeShape = {
  fields: {
    $ref: uri,
    summary: text,
    description: text,
    servers: list(node('Server')),
    parameters: unique(nodeOrRef('Parameter')),
    ...operations('get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'),
  },
}

const flowFields = { refreshUrl: uri, scopes: map(text) }
const flows: Readonly<Record<string, NodeShape>> = {
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

const checkScheme = (value: JsonObject, complain: Complain): void => {
  const type = typeof value.type === 'string' ? value.type : ''
  const fields = Object.hasOwn(schemeFields, type) ? schemeFields[type] : undefined
  if (fields === undefined) return
  for (const [key, needed] of Object.entries(fields))
    if (needed && !Object.hasOwn(value, key)) complain(`a security scheme of type "${type}" needs "${key}"`)
  for (const key of ['name', 'in', 'scheme', 'bearerFormat', 'flows', 'openIdConnectUrl', 'oauth2MetadataUrl'])
    if (Object.hasOwn(value, key) && !Object.hasOwn(fields, key))
      complain(`a security scheme of type "${type}" has no "${key}"`, key)
  if (type === 'http' && Object.hasOwn(value, 'bearerFormat') && String(value.scheme).toLowerCase() !== 'bearer')
    complain('"bearerFormat" is for the scheme "bearer" only', 'bearerFormat')
}

const securityScheme = (...types: readonly string[]): NodeShape => ({
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

const componentFields = {
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

const rootFields = {
  info: node('Info'),
  externalDocs: node('ExternalDocs'),
  servers: list(node('Server')),
  security: list(node('SecurityRequirement')),
  tags: unique(node('Tag')),
  paths: node('Paths'),
  components: node('Components'),
}

const nodes30: Readonly<Record<string, NodeShape>> = {
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
  Paths: { fields: {}, patterns: [[/^\//, node('PathItem')]] },
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
    check: (value, complain) => {
      if (Object.keys(value).length === 0) complain('at least one response is expected')
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

const anySchema = either(node('Schema'), flag)

// The same place in 3.1, where schemas are JSON Schema and may be booleans.
const withSchema = (shape: NodeShape): NodeShape => ({ ...shape, fields: { ...shape.fields, schema: anySchema } })

const need =
  (message: string, ...keys: readonly string[]) =>
  (value: JsonObject, complain: Complain): void => {
    if (!keys.some((key) => Object.hasOwn(value, key))) complain(message)
  }

const parameter31 = withSchema({ ...parameter, check: checkParameter('query') })

const nodes31: Readonly<Record<string, NodeShape>> = {
  ...nodes30,
  Document: {
    fields: {
      ...rootFields,
      openapi: matching(/^3\.1\.\d+(?:-.+)?$/, 'a version 3.1.x'),
      jsonSchemaDialect: uri,
      webhooks: map(node('PathItem')),
    },
    required: ['openapi', 'info'],
    check: need(
      'at least one of "paths", "components" and "webhooks" must be given',
      'paths',
      'components',
      'webhooks',
    ),
  },
  Info: { ...nodes30.Info, fields: { ...nodes30.Info?.fields, summary: text } },
  License: {
    fields: { name: text, identifier: text, url: uri },
    required: ['name'],
    check: apart('identifier', 'url'),
  },
  ServerVariable: { fields: { enum: list(text, 1), default: text, description: text }, required: ['default'] },
  Components: {
    fields: { ...componentFields, schemas: components(anySchema), pathItems: components(node('PathItem')) },
  },
  Operation: { fields: operation.fields },
  Parameter: parameter31,
  Header: withSchema({
    ...header,
    fields: Object.fromEntries(
      Object.entries(header.fields).filter(([key]) => key !== 'allowReserved' && key !== 'allowEmptyValue'),
    ),
  }),
  MediaType: withSchema(nodes30.MediaType ?? { fields: {} }),
  Responses: {
    fields: { default: nodeOrRef('Response') },
    patterns: [[/^[1-5](?:\d{2}|XX)$/, nodeOrRef('Response')]],
    least: 1,
  },
  Example: { ...nodes30.Example, fields: { ...nodes30.Example?.fields }, check: apart('value', 'externalValue') },
  Link: {
    fields: { ...nodes30.Link?.fields, parameters: map(text) },
    check: exactlyOne('operationRef', 'operationId'),
  },
  Schema: schema2020,
  SecurityScheme: securityScheme('apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'),
}

/** OpenAPI 3.1.x. */
export const openapi31: Grammar = { title: 'OpenAPI 3.1', root: 'Document', nodes: nodes31 }

const media32 = map(nodeOrRef('MediaType'))
const content32 = { kind: 'map', value: nodeOrRef('MediaType'), only: 1 } as const

/** OpenAPI 3.2.x: 3.1 and what it adds. */
export const openapi32: Grammar = {
  title: 'OpenAPI 3.2',
  root: 'Document',
  nodes: {
    ...nodes31,
    Document: {
      ...nodes31.Document,
      fields: { ...nodes31.Document?.fields, openapi: matching(/^3\.2\.\d+(?:-.+)?$/, 'a version 3.2.x'), $self: uri },
    },
    Server: { ...nodes30.Server, fields: { ...nodes30.Server?.fields, name: text } },
    Components: { fields: { ...nodes31.Components?.fields, mediaTypes: components(nodeOrRef('MediaType')) } },
    PathItem: {
      fields: { ...pathItem.fields, query: node('Operation'), additionalOperations: map(node('Operation')) },
    },
    Parameter: {
      ...parameter31,
      fields: {
        ...parameter31.fields,
        in: oneOf('path', 'query', 'querystring', 'header', 'cookie'),
        content: content32,
      },
      check: (value, complain) => {
        if (value.in !== 'cookie' && value.in !== 'path' && value.in !== 'header')
          checkParameter('anywhere')(value, complain)
        else if (value.in === 'cookie' && value.style === 'cookie')
          checkParameter('anywhere')({ ...value, style: 'form' }, complain)
        else checkParameter('anywhere')(value, complain)
      },
    },
    Header: { ...nodes31.Header, fields: { ...nodes31.Header?.fields, content: content32 } },
    RequestBody: { ...nodes30.RequestBody, fields: { ...nodes30.RequestBody?.fields, content: media32 } },
    Response: {
      fields: { ...nodes30.Response?.fields, summary: text, content: media32 },
    },
    MediaType: {
      ...nodes31.MediaType,
      fields: {
        ...nodes31.MediaType?.fields,
        itemSchema: anySchema,
        prefixEncoding: list(node('Encoding')),
        itemEncoding: node('Encoding'),
      },
    },
    Encoding: {
      fields: {
        ...nodes30.Encoding?.fields,
        encoding: map(node('Encoding')),
        prefixEncoding: list(node('Encoding')),
        itemEncoding: node('Encoding'),
      },
    },
    Example: { fields: { ...nodes30.Example?.fields, dataValue: any, serializedValue: text } },
    Tag: { ...nodes30.Tag, fields: { ...nodes30.Tag?.fields, summary: text, parent: text, kind: text } },
    Discriminator: {
      fields: { propertyName: text, mapping: map(text), defaultMapping: text },
      required: ['propertyName'],
      open: true,
    },
    Xml: { fields: { ...xml.fields, nodeType: text } },
    OAuthFlows: { fields: { ...flows.OAuthFlows?.fields, deviceAuthorization: node('DeviceFlow') } },
    DeviceFlow: {
      fields: { ...flowFields, deviceAuthorizationUrl: uri, tokenUrl: uri },
      required: ['deviceAuthorizationUrl', 'tokenUrl', 'scopes'],
    },
    SecurityScheme: {
      ...nodes31.SecurityScheme,
      fields: { ...nodes31.SecurityScheme?.fields, deprecated: flag, oauth2MetadataUrl: uri },
    },
  },
}
