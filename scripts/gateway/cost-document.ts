/** Documents of a chosen number of operations, and requests that they describe, for measuring what rules cost. */

type Json = Record<string, unknown>

const words = [
  'orders',
  'accounts',
  'invoices',
  'parcels',
  'drivers',
  'stores',
  'refunds',
  'quotes',
  'routes',
  'alerts',
]
/** Operations of one resource. */
const perResource = 5

const text = (maxLength: number): Json => ({ type: 'string', minLength: 1, maxLength })
const query = (name: string, schema: Json): Json => ({ name, in: 'query', schema })
const bodyOf = (name: string): Json => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['name', 'amount'],
        properties: {
          name: text(80),
          amount: { type: 'integer', minimum: 1, maximum: 10_000 },
          note: text(200),
          tags: { type: 'array', maxItems: 10, items: text(20) },
          [`${name}-state`]: { type: 'string', enum: ['open', 'closed', name] },
        },
      },
    },
  },
})
const responses: Json = { 200: { description: 'Done' } }

const nameOf = (resource: number): string => {
  const round = Math.floor(resource / words.length)
  return `${words[resource % words.length]}${round === 0 ? '' : `-${round}`}`
}

function pathsOf(resource: number): Json {
  const name = nameOf(resource)
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z0-9]{4,32}$' } }
  return {
    [`/${name}`]: {
      get: {
        operationId: `list-${name}`,
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 100 }),
          query('cursor', text(40)),
          query('state', { type: 'string', enum: ['open', 'closed', nameOf(resource)] }),
        ],
        responses,
      },
      post: { operationId: `create-${name}`, requestBody: bodyOf(name), responses },
    },
    [`/${name}/{id}`]: {
      parameters: [id],
      get: { operationId: `show-${name}`, responses },
      patch: { operationId: `change-${name}`, requestBody: bodyOf(name), responses },
      delete: { operationId: `remove-${name}`, responses },
    },
  }
}

/** An OpenAPI document with so many operations, rounded up to whole resources. */
export function costDocument(operations: number): Json {
  const resources = Array.from({ length: Math.ceil(operations / perResource) }, (_, i) => i)
  return {
    openapi: '3.1.0',
    info: { title: `Cost of ${operations} operations`, version: '1.0.0' },
    paths: Object.assign({}, ...resources.map(pathsOf)) as Json,
  }
}

/** A request that the document describes. */
export interface CostRequest {
  readonly method: 'GET' | 'POST'
  readonly uri: string
  readonly body: string
}

/** Requests of each kind, spread over all resources of the document. */
export function costRequests(operations: number): Record<'GET' | 'POST', CostRequest[]> {
  const resources = Array.from({ length: Math.ceil(operations / perResource) }, (_, i) => nameOf(i))
  const sent = JSON.stringify({ name: 'Ada', amount: 42, note: 'leave it at the door', tags: ['fragile', 'gift'] })
  return {
    GET: resources.flatMap((it): CostRequest[] => [
      { method: 'GET', uri: `/${it}?limit=20&state=open`, body: '' },
      { method: 'GET', uri: `/${it}/a1b2c3d4`, body: '' },
    ]),
    POST: resources.map((it) => ({ method: 'POST', uri: `/${it}`, body: sent })),
  }
}
