import type { TObject, TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../src/api/endpoint.ts'
import { catalogue, type Code } from '../src/errors.ts'
import { apiVersion } from '../src/api/version.ts'

type Plain = Record<string, unknown>

// TypeBox keeps symbols beside the JSON Schema keywords; JSON drops them.
const plain = (schema: TSchema): Plain => JSON.parse(JSON.stringify(schema)) as Plain

function parametersOf(place: 'path' | 'query' | 'header', schema: TObject | undefined): Plain[] {
  if (!schema) return []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = plain(property)
    return {
      name,
      in: place,
      required: place === 'path' || (schema.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

/** Codes that every operation of this kind may answer, whatever its contract lists. */
function impliedCodes(it: Endpoint): Code[] {
  const codes: Code[] = ['request-invalid', 'internal']
  if (it.access.anonymous !== true) {
    codes.push('credentials-missing', 'credentials-invalid', 'permission-denied', 'scope-denied', 'person-required')
    if (it.path.includes('{tenant_slug}'))
      codes.push('tenant-access-denied', 'tenant-not-found', 'membership-suspended')
  } else if (it.access.credentials === 'optional') codes.push('credentials-invalid')
  if (it.body) codes.push('body-too-large', 'request-malformed', 'media-type-unsupported')
  return codes
}

function errorResponses(it: Endpoint): Plain {
  const byStatus = Map.groupBy(new Set([...it.errors, ...impliedCodes(it)]), (code) => catalogue[code].status)
  const responses: Plain = {}
  for (const [status, codes] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    const ref = status === 422 ? 'HTTPValidationError' : 'Error'
    const schema =
      status === 422 && codes.length > 1
        ? { anyOf: [{ $ref: '#/components/schemas/HTTPValidationError' }, { $ref: '#/components/schemas/Error' }] }
        : { $ref: `#/components/schemas/${ref}` }
    responses[String(status)] = {
      description: `One of: ${codes.toSorted().join(', ')}.`,
      content: { 'application/json': { schema } },
    }
  }
  return responses
}

function successResponse(it: Endpoint): Plain {
  const status = it.status ?? 200
  if (status === 204) return { '204': { description: 'Done; no content.' } }
  if (status === 302)
    return { '302': { description: 'Leads elsewhere.', headers: { location: { schema: { type: 'string' } } } } }
  const schema = plain(it.response)
  const types = it.produces ?? ['application/json']
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: type.startsWith('text/') ? { type: 'string' } : schema }]),
  )
  return { [String(status)]: { description: status === 202 ? 'Accepted.' : 'Success.', content } }
}

function requestBody(it: Endpoint): Plain {
  if (!it.body) return {}
  const content: Plain = { 'application/json': { schema: plain(it.body) } }
  for (const type of it.accepts ?? []) content[type] ??= { schema: { type: 'string', format: 'binary' } }
  return { requestBody: { required: it.bodyOptional !== true, content } }
}

function securityOf(it: Endpoint): Plain {
  const schemes = [{ bearer: [] }, { apiKey: [] }]
  if (it.access.anonymous === true) return { security: it.access.credentials === 'optional' ? [{}, ...schemes] : [] }
  const keys = it.access.credentials.some((kind) => kind !== 'user')
  return { security: keys ? schemes : [{ bearer: [] }] }
}

function accessLine({ access }: Endpoint): string {
  if (access.anonymous === true) return `Anonymous: ${access.reason}.`
  const scope = access.keyScope === undefined ? '' : ` Key scope: ${access.keyScope}.`
  return `${access.permission === null ? 'Any member.' : `Permission: ${access.permission}.`}${scope}`
}

function operationOf(it: Endpoint): Plain {
  return {
    operationId: it.id,
    tags: [it.id.split('.')[0]],
    summary: it.summary,
    description: [it.description, accessLine(it)].filter(Boolean).join('\n\n'),
    parameters: [
      ...parametersOf('path', it.params),
      ...parametersOf('query', it.query),
      ...parametersOf('header', it.headers),
    ],
    ...requestBody(it),
    responses: { ...successResponse(it), ...errorResponses(it) },
    ...securityOf(it),
  }
}

const components = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token, or an API key.' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of one tenant.' },
  },
  schemas: {
    Error: {
      type: 'object',
      required: ['detail'],
      properties: {
        detail: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', enum: Object.keys(catalogue).toSorted() },
            message: { type: 'string' },
            hint: { type: 'string' },
          },
        },
      },
    },
    HTTPValidationError: {
      type: 'object',
      properties: {
        detail: {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            properties: {
              loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
              msg: { type: 'string' },
              type: { type: 'string' },
            },
          },
        },
      },
    },
  },
}

/** The service's own contract as an OpenAPI 3.1 document, made from the declared operations. */
export function describeService(endpoints: readonly Endpoint[]): Plain {
  const paths: Record<string, Plain> = {}
  for (const it of endpoints) {
    if (!it.path.startsWith('/v1/')) continue
    const item = (paths[it.path] ??= {})
    item[it.method.toLowerCase()] = operationOf(it)
  }
  const tags = [...new Set(endpoints.map((it) => it.id.split('.')[0] ?? ''))].toSorted()
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: apiVersion,
      description: 'Imports, lints, diffs, catalogues, governs and publishes API specifications.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    tags: tags.map((name) => ({ name, description: `Operations of the group "${name}".` })),
    paths,
    components,
  }
}
