import {
  any,
  count,
  either,
  flag,
  list,
  map,
  matching,
  node,
  nodeOrRef,
  type NodeShape,
  number,
  oneOf,
  text,
  unique,
  uri,
} from './grammar.ts'

const schema = nodeOrRef('Schema')
const positive = { kind: 'number', above: 0 } as const
const names = unique(text, 1)

const shared = {
  title: text,
  description: text,
  default: any,
  multipleOf: positive,
  maximum: number,
  minimum: number,
  maxLength: count,
  minLength: count,
  pattern: text,
  maxItems: count,
  minItems: count,
  uniqueItems: flag,
  maxProperties: count,
  minProperties: count,
  format: text,
  readOnly: flag,
  example: any,
  externalDocs: node('ExternalDocs'),
  xml: node('Xml'),
}

const booleanBounds = { exclusiveMaximum: flag, exclusiveMinimum: flag }

export const xml: NodeShape = {
  fields: { name: text, namespace: uri, prefix: text, attribute: flag, wrapped: flag },
}

export const externalDocs: NodeShape = { fields: { description: text, url: uri }, required: ['url'] }

/** The schema of OpenAPI 3.0: a closed dialect of its own. */
export const schema30: NodeShape = {
  fields: {
    ...shared,
    ...booleanBounds,
    required: names,
    enum: list(any, 1),
    type: oneOf('array', 'boolean', 'integer', 'number', 'object', 'string'),
    not: schema,
    allOf: list(schema),
    oneOf: list(schema),
    anyOf: list(schema),
    items: schema,
    properties: map(schema),
    additionalProperties: either(schema, flag),
    nullable: flag,
    discriminator: node('Discriminator'),
    writeOnly: flag,
    deprecated: flag,
  },
}

/** The schema of Swagger 2.0: a part of JSON Schema draft 4. */
export const schema20: NodeShape = {
  fields: {
    ...shared,
    ...booleanBounds,
    required: names,
    enum: unique(any, 1),
    type: either(
      oneOf('array', 'boolean', 'integer', 'number', 'object', 'string', 'null', 'file'),
      unique(oneOf('array', 'boolean', 'integer', 'number', 'object', 'string', 'null'), 1),
    ),
    allOf: list(schema, 1),
    items: either(schema, list(schema, 1)),
    properties: map(schema),
    additionalProperties: either(schema, flag),
    discriminator: text,
  },
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const
const full = either(node('Schema'), flag)

/** JSON Schema 2020-12 with the words that OpenAPI 3.1 adds; unknown words are allowed. */
export const schema2020: NodeShape = {
  open: true,
  fields: {
    ...shared,
    $schema: uri,
    $id: matching(/^[^#\s]*#?$/, 'a URI reference without a fragment'),
    $ref: uri,
    $anchor: matching(/^[A-Za-z_][-A-Za-z0-9._]*$/, 'a name of letters, digits, "-", "_" and "."'),
    $dynamicRef: uri,
    $dynamicAnchor: matching(/^[A-Za-z_][-A-Za-z0-9._]*$/, 'a name of letters, digits, "-", "_" and "."'),
    $comment: text,
    $vocabulary: map(flag),
    $defs: map(full),
    definitions: map(full),
    type: either(oneOf(...types), unique(oneOf(...types), 1)),
    enum: list(any),
    const: any,
    exclusiveMaximum: number,
    exclusiveMinimum: number,
    maxContains: count,
    minContains: count,
    required: unique(text),
    dependentRequired: map(unique(text)),
    prefixItems: list(full, 1),
    items: full,
    contains: full,
    additionalProperties: full,
    properties: map(full),
    patternProperties: map(full),
    dependentSchemas: map(full),
    propertyNames: full,
    if: full,
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: full,
    else: full,
    allOf: list(full, 1),
    anyOf: list(full, 1),
    oneOf: list(full, 1),
    not: full,
    unevaluatedItems: full,
    unevaluatedProperties: full,
    contentEncoding: text,
    contentMediaType: text,
    contentSchema: full,
    examples: list(any),
    deprecated: flag,
    writeOnly: flag,
    discriminator: node('Discriminator'),
  },
}
