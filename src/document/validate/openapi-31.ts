import type { JsonObject } from '../../kernel/json.ts'
import {
  apart,
  type Report,
  either,
  exactlyOne,
  explainStatus,
  flag,
  type Grammar,
  list,
  map,
  matching,
  node,
  nodeOrRef,
  type NodeShape,
  text,
  uri,
} from './grammar.ts'
import {
  checkParameter,
  componentFields,
  components,
  header,
  nodes30,
  operation,
  parameter,
  rootFields,
  securityScheme,
} from './openapi-30.ts'
import { schema2020 } from './schema-nodes.ts'

/** A schema in 3.1: an object or a boolean. */
export const anySchema = either(node('Schema'), flag)

// The same place in 3.1, where schemas are JSON Schema and may be booleans.
const withSchema = (shape: NodeShape): NodeShape => ({ ...shape, fields: { ...shape.fields, schema: anySchema } })

const need =
  (message: string, ...keys: readonly string[]) =>
  (value: JsonObject, report: Report): void => {
    if (!keys.some((key) => Object.hasOwn(value, key))) report(message)
  }

export const parameter31 = withSchema({ ...parameter, check: checkParameter('query') })

export const nodes31: Readonly<Record<string, NodeShape>> = {
  ...nodes30,
  Document: {
    fields: {
      ...rootFields,
      openapi: matching(/^3\.1\.\d+(?:-.+)?$/, 'a version 3.1.x'),
      jsonSchemaDialect: uri,
      webhooks: map(node('PathItem')),
    },
    required: ['openapi', 'info'],
    check: need('at least one of "paths", "components" and "webhooks" is required', 'paths', 'components', 'webhooks'),
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
    explain: explainStatus,
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
export const openapi31: Grammar = { title: 'OpenAPI 3.1', root: 'Document', nodes: nodes31, warnsIn: 'Schema' }
