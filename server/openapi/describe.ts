/** The service's own API description: OpenAPI 3.1, made from the declared operations. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { type Endpoint, formType } from '../../src/api/endpoint.ts'
import { catalogue } from '../../src/errors.ts'
import { yieldToEventLoop } from '../../db/yield.ts'
import { apiVersion } from '../../src/api/version.ts'
import { webhookEvents } from '../../src/api/webhook-events.ts'
import { Components } from './components.ts'
import { exampleOf } from './examples.ts'
import { headers, responsesOf, sharedResponses } from './responses.ts'

type Plain = Record<string, unknown>

/** "change-reports.publish-preview" is ChangeReportsPublishPreview: the name of shapes that have none of their own. */
const typeNameOf = (id: string): string =>
  id.replaceAll(/(^|[.-])([a-z])/g, (_, _separator: string, letter: string) => letter.toUpperCase())

/** A parameter is there or not: none is null, whatever the handler makes of one that is missing. */
const withoutNull = (schema: Plain): Plain => {
  const { type, enum: words } = schema
  if (!Array.isArray(type)) return schema
  const [only] = (type as string[]).filter((it) => it !== 'null')
  return { ...schema, type: only, ...(Array.isArray(words) && { enum: words.filter((it) => it !== null) }) }
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  components: Components,
): Plain[] {
  if (!schema) return []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...shape } = components.refer(property)
    const rest = withoutNull(shape)
    return {
      name,
      in: place,
      required: place === 'path' || (schema.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(place === 'path' ? { example: exampleOf(rest, name, components.schemas) } : {}),
    }
  })
}

function requestBody(endpoint: Endpoint, components: Components, name: string): Plain {
  if (!endpoint.body) return {}
  const body = endpoint.describedBody ?? endpoint.body
  const mediaOf = (shape: TSchema, title: string): Plain => {
    const schema = components.refer(shape, title)
    return { schema, example: exampleOf(schema, 'document', components.schemas) }
  }
  const content: Plain = { 'application/json': mediaOf(body, `${name}Request`) }
  for (const type of endpoint.accepts ?? [])
    content[type] ??=
      type === formType
        ? // Fields that a form has beside these are skipped.
          mediaOf({ ...body, additionalProperties: undefined }, `${name}Form`)
        : { schema: { type: 'string', format: 'binary' } }
  return { requestBody: { required: endpoint.describedBody !== undefined || endpoint.bodyOptional !== true, content } }
}

function securityOf(endpoint: Endpoint): Plain {
  const schemes = [{ bearer: [] }, { apiKey: [] }]
  if (endpoint.access.anonymous === true)
    return { security: endpoint.access.credentials === 'optional' ? [{}, ...schemes] : [] }
  const keys = endpoint.access.credentials.some((kind) => kind !== 'user')
  return { security: keys ? schemes : [{ bearer: [] }] }
}

function accessLine({ access }: Endpoint): string {
  if (access.anonymous === true) return `Anonymous: ${access.reason}.`
  const scope = access.keyScope === undefined ? '' : ` Key scope: ${access.keyScope}.`
  return `${access.permission === null ? 'Any member.' : `Permission: ${access.permission}.`}${scope}`
}

function operationOf(endpoint: Endpoint, components: Components): Plain {
  const name = typeNameOf(endpoint.id)
  return {
    operationId: endpoint.id,
    tags: [endpoint.id.split('.')[0]],
    summary: endpoint.summary,
    description: [endpoint.description, accessLine(endpoint)].filter(Boolean).join('\n\n'),
    parameters: [
      ...parametersOf('path', endpoint.params, components),
      ...parametersOf('query', endpoint.query, components),
      ...parametersOf('header', endpoint.headers, components),
    ],
    ...requestBody(endpoint, components, name),
    responses: responsesOf(endpoint, components, `${name}Response`),
    ...securityOf(endpoint),
    'x-svc-origin': endpoint.origin,
  }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token, or an API key.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of one organization.' },
}

const code = { type: 'string', enum: Object.keys(catalogue).toSorted(), description: 'See /docs/errors.' }

const errorSchemas: Readonly<Record<string, Plain>> = {
  Error: {
    title: 'Error',
    type: 'object',
    required: ['detail'],
    properties: {
      detail: {
        type: 'object',
        description: 'Some codes add fields of their own.',
        required: ['code', 'message'],
        properties: { code, message: { type: 'string' }, hint: { type: 'string' } },
      },
    },
  },
  HTTPValidationError: {
    title: 'HTTPValidationError',
    type: 'object',
    properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
  },
  ValidationError: {
    title: 'ValidationError',
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        description: 'Where: body, query, path or header, then the names that lead to the value.',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      msg: { type: 'string' },
      type: { type: 'string' },
    },
  },
  Problem: {
    title: 'Problem',
    type: 'object',
    description: 'RFC 9457, where Accept names application/problem+json.',
    required: ['type', 'title', 'status', 'code'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string', format: 'uri-reference' },
      code,
      errors: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } },
    },
  },
}

/** HEAD of the one operation that clients use as a check of access; every other GET answers HEAD as well. */
const headOf = (get: Plain): Plain => {
  const answers = Object.entries(get['responses'] as Record<string, Plain>).map(([status, answer]) => {
    const { content: _, ...rest } = answer
    return [status, rest]
  })
  return {
    ...get,
    operationId: `${String(get['operationId'])}.head`,
    summary: 'Check access to an organization',
    responses: Object.fromEntries(answers) as Plain,
  }
}

const root = {
  get: {
    operationId: 'service.root',
    tags: ['service'],
    summary: 'Describe the service',
    description: 'Where the description of the API, the application and the documentation are.\n\nAnonymous.',
    'x-svc-origin': 'spec',
    responses: {
      '200': {
        description: 'Success.',
        content: {
          'application/json': {
            schema: { type: 'object', additionalProperties: { type: 'string' } },
            example: { service: 'svc', api_version: apiVersion, contract: '/v1/openapi.json' },
          },
        },
      },
      '302': { description: 'Redirects a browser to the application.' },
      '4XX': { $ref: '#/components/responses/MethodNotAllowed' },
    },
    security: [],
  },
}

/** The events that webhooks receive: their bodies, and what a receiver answers. */
const webhooksOf = (components: Components): Plain =>
  Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { schema, example, summary }]) => {
      const media = { schema: components.refer(schema), example }
      const post = {
        operationId: `events.${type}`,
        // Not that of the operations on subscriptions: generators of clients write one file for each tag.
        tags: ['events'],
        summary,
        description: 'Signed as Standard Webhooks 1.0.0 say: webhook-id, webhook-timestamp and webhook-signature.',
        requestBody: { required: true, content: { 'application/json': media } },
        responses: {
          '2XX': { description: 'Accepted: the event is not sent again.' },
          '410': { description: 'The receiver is gone: the subscription is switched off.' },
          default: { description: 'Not accepted: the event is sent again later.' },
        },
        security: [],
      }
      return [type, { post }]
    }),
  )

/** How many operations are described at once: less than 10 ms. */
const operationsAtOnce = 10

/** Makes the description; others may have a turn where it yields. */
function* describing(endpoints: readonly Endpoint[]): Generator<undefined, Plain, undefined> {
  const components = new Components()
  Object.assign(components.schemas, errorSchemas)
  const paths: Record<string, Plain> = { '/': root }
  for (const [at, it] of endpoints.entries()) {
    if (at % operationsAtOnce === 0) yield
    if (!it.path.startsWith('/v1/')) continue
    const item = (paths[it.path] ??= {})
    const operation = operationOf(it, components)
    item[it.method.toLowerCase()] = operation
    if (it.id === 'tenants.get') item['head'] = headOf(operation)
  }
  const webhooks = webhooksOf(components)
  const schemas = Object.fromEntries(Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const tags = [...new Set(['events', 'service', ...endpoints.map((it) => it.id.split('.')[0] ?? '')])].toSorted()
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: apiVersion,
      description:
        'Imports, lints, compares, catalogues, governs and publishes API descriptions.\n\nEvery GET operation also answers HEAD, with the headers of the answer to GET. Every answer carries `X-Request-Id` and `X-Api-Version`. Lists are paged with `limit` and `offset`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    tags: tags.map((name) => ({ name, description: `Operations of the group "${name}".` })),
    paths,
    webhooks,
    components: { securitySchemes, schemas, headers, responses: sharedResponses },
  }
}

/**
 * The service's own API description as an OpenAPI 3.1 document.
 * @param endpoints the declared operations; those outside `/v1` are left out
 * @throws Error where two different shapes have one name
 */
export function describeService(endpoints: readonly Endpoint[]): Plain {
  const work = describing(endpoints)
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

/** The same as JSON; other requests are answered while it is made. */
export async function writeDescription(endpoints: readonly Endpoint[]): Promise<string> {
  const work = describing(endpoints)
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return JSON.stringify(step.value)
    await yieldToEventLoop()
  }
}
