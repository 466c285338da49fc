import { swaggerMethods } from '../../kernel/methods.ts'
import type { JsonObject } from '../../kernel/json.ts'
import {
  absoluteUri,
  any,
  type Report,
  count,
  email,
  flag,
  type Grammar,
  map,
  explainPath,
  matching,
  node,
  nodeOrRef,
  type NodeShape,
  number,
  oneOf,
  text,
  unique,
} from './grammar.ts'
import { externalDocs, schema20, xml } from './schema-nodes.ts'

const types = ['string', 'number', 'integer', 'boolean', 'array'] as const
const mediaTypes = unique(text)
const schemes = unique(oneOf('http', 'https', 'ws', 'wss'))

const valueFields = {
  type: oneOf(...types),
  format: text,
  items: node('Items'),
  collectionFormat: oneOf('csv', 'ssv', 'tsv', 'pipes'),
  default: any,
  maximum: number,
  exclusiveMaximum: flag,
  minimum: number,
  exclusiveMinimum: flag,
  maxLength: count,
  minLength: count,
  pattern: text,
  maxItems: count,
  minItems: count,
  uniqueItems: flag,
  enum: unique(any, 1),
  multipleOf: { kind: 'number', above: 0 } as const,
}

const checkParameter = (value: JsonObject, report: Report): void => {
  if (value.in === 'body') {
    if (!Object.hasOwn(value, 'schema')) report('a body parameter requires "schema"')
    for (const key of Object.keys(value))
      if (!['name', 'in', 'description', 'required', 'schema'].includes(key) && !key.startsWith('x-'))
        report(`"${key}" is not allowed in a body parameter`, key)
    return
  }
  if (typeof value.in !== 'string') return
  if (!Object.hasOwn(value, 'type')) report(`a parameter in "${value.in}" requires "type"`)
  if (Object.hasOwn(value, 'schema')) report('"schema" is allowed in a body parameter only', 'schema')
  if (value.in === 'path' && value.required !== true)
    report('a path parameter must have "required: true"', Object.hasOwn(value, 'required') ? 'required' : undefined)
  if (value.type === 'file' && value.in !== 'formData')
    report('the type "file" is allowed for form parameters only', 'type')
  if (value.collectionFormat === 'multi' && value.in !== 'query' && value.in !== 'formData')
    report('"multi" is allowed for query and form parameters only', 'collectionFormat')
  if (Object.hasOwn(value, 'allowEmptyValue') && value.in !== 'query' && value.in !== 'formData')
    report('"allowEmptyValue" is allowed for query and form parameters only', 'allowEmptyValue')
}

/** A scheme without scopes: documents of well-known APIs have that, and it can be read as having none. */
export const missingScopesCode = 'structure-scopes'

const flowNeeds: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  application: ['tokenUrl'],
  accessCode: ['authorizationUrl', 'tokenUrl'],
}

const checkScheme = (value: JsonObject, report: Report): void => {
  const needed =
    value.type === 'apiKey'
      ? ['name', 'in']
      : value.type === 'oauth2'
        ? [
            'flow',
            ...(typeof value.flow === 'string' && Object.hasOwn(flowNeeds, value.flow)
              ? (flowNeeds[value.flow] ?? [])
              : []),
          ]
        : []
  // OpenAPI 2.0, Security Scheme Object: required, also where there are none.
  if (value.type === 'oauth2' && !Object.hasOwn(value, 'scopes'))
    report(
      'this security scheme requires "scopes"; write an empty object if there are none',
      undefined,
      missingScopesCode,
    )
  for (const key of needed) if (!Object.hasOwn(value, key)) report(`this security scheme requires "${key}"`)
  const allowed = new Set(['type', 'description', ...needed, ...(value.type === 'oauth2' ? ['scopes'] : [])])
  for (const key of ['name', 'in', 'flow', 'authorizationUrl', 'tokenUrl', 'scopes'])
    if (Object.hasOwn(value, key) && !allowed.has(key)) report(`"${key}" is not allowed in this security scheme`, key)
}

const nodes: Readonly<Record<string, NodeShape>> = {
  Document: {
    fields: {
      swagger: oneOf('2.0'),
      info: node('Info'),
      host: matching(/^[^{}/ :\\]+(?::\d+)?$/, 'a host name with an optional port'),
      basePath: matching(/^\//, 'a path that starts with "/"'),
      schemes,
      consumes: mediaTypes,
      produces: mediaTypes,
      paths: node('Paths'),
      definitions: map(nodeOrRef('Schema')),
      parameters: map(node('Parameter')),
      responses: map(node('Response')),
      security: unique(node('SecurityRequirement')),
      securityDefinitions: map(node('SecurityScheme')),
      tags: unique(node('Tag')),
      externalDocs: node('ExternalDocs'),
    },
    required: ['swagger', 'info', 'paths'],
  },
  Info: {
    fields: {
      title: text,
      version: text,
      description: text,
      termsOfService: text,
      contact: node('Contact'),
      license: node('License'),
    },
    required: ['version', 'title'],
  },
  Contact: { fields: { name: text, url: absoluteUri, email } },
  License: { fields: { name: text, url: absoluteUri }, required: ['name'] },
  Paths: { fields: {}, patterns: [[/^\//, node('PathItem')]], explain: explainPath },
  PathItem: {
    fields: {
      $ref: text,
      ...Object.fromEntries(swaggerMethods.map((method) => [method, node('Operation')])),
      parameters: unique(nodeOrRef('Parameter')),
    },
  },
  Operation: {
    fields: {
      tags: unique(text),
      summary: text,
      description: text,
      externalDocs: node('ExternalDocs'),
      operationId: text,
      produces: mediaTypes,
      consumes: mediaTypes,
      parameters: unique(nodeOrRef('Parameter')),
      responses: node('Responses'),
      schemes,
      deprecated: flag,
      security: unique(node('SecurityRequirement')),
    },
    required: ['responses'],
  },
  Parameter: {
    fields: {
      ...valueFields,
      name: text,
      in: oneOf('query', 'header', 'path', 'formData', 'body'),
      description: text,
      required: flag,
      schema: nodeOrRef('Schema'),
      type: oneOf(...types, 'file'),
      allowEmptyValue: flag,
      collectionFormat: oneOf('csv', 'ssv', 'tsv', 'pipes', 'multi'),
    },
    required: ['name', 'in'],
    check: checkParameter,
  },
  Items: { fields: valueFields },
  Responses: {
    fields: { default: nodeOrRef('Response') },
    patterns: [[/^\d{3}$/, nodeOrRef('Response')]],
    least: 1,
  },
  Response: {
    fields: { description: text, schema: nodeOrRef('Schema'), headers: map(node('Header')), examples: map(any) },
    required: ['description'],
  },
  Header: { fields: { ...valueFields, description: text }, required: ['type'] },
  Tag: { fields: { name: text, description: text, externalDocs: node('ExternalDocs') }, required: ['name'] },
  ExternalDocs: { ...externalDocs, fields: { description: text, url: absoluteUri } },
  Schema: schema20,
  Xml: xml,
  SecurityScheme: {
    fields: {
      type: oneOf('basic', 'apiKey', 'oauth2'),
      description: text,
      name: text,
      in: oneOf('query', 'header'),
      flow: oneOf('implicit', 'password', 'application', 'accessCode'),
      authorizationUrl: absoluteUri,
      tokenUrl: absoluteUri,
      scopes: map(text),
    },
    required: ['type'],
    check: checkScheme,
  },
  SecurityRequirement: { fields: {}, patterns: [[/^/, unique(text)]] },
}

/** Swagger 2.0. */
export const swagger20: Grammar = { title: 'Swagger 2.0', root: 'Document', nodes }
