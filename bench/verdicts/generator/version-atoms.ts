/** Atoms of what only some versions have: webhooks and callbacks, OpenAPI 3.2, Swagger 2.0. */
import type { Json, JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import { breaksRequest, breaksResponse, isSafe, three, type MessageAtom, type Templates } from './message-atom.ts'
import type { Version } from './schemas.ts'

const done: JsonObject = { '204': { description: 'Done' } }
const get = { method: 'GET', url: '/things' }
const json = (schema: Json): JsonObject => ({ required: true, content: { 'application/json': { schema } } })
const event = (bound: number): JsonObject => ({
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'integer', maximum: bound } },
})

/** What a service sends by itself breaks where it is widened. */
function outgoing(make: (schema: JsonObject) => JsonObject, bound: number, isWidened: boolean): MessageAtom {
  const [narrow, wide] = [make(event(bound)), make(event(bound + 1))]
  if (isWidened)
    return { direction: 'response', verdict: 'breaking', base: narrow, head: wide, value: { size: bound + 1 } }
  return isSafe(
    'response',
    [wide, narrow],
    'The service sends this body, and each one that it sends now was described before (Callback Object; OpenAPI Object, webhooks).',
  )
}

const callback =
  (version: Version) =>
  (schema: JsonObject): JsonObject =>
    documentOf(version, {
      '/things': {
        post: {
          responses: done,
          callbacks: { changed: { '{$request.query.url}': { post: { requestBody: json(schema), responses: done } } } },
        },
      },
    })
const webhook =
  (version: Version) =>
  (schema: JsonObject): JsonObject =>
    documentOf(
      version,
      { '/things': { get: { responses: done } } },
      { webhooks: { changed: { post: { requestBody: json(schema), responses: done } } } },
    )

const outgoingAtoms: Templates = {
  'callback-body-widened': {
    field: 'callbacks',
    versions: three,
    make: (version, random) => outgoing(callback(version), random.int(5, 50), true),
  },
  'callback-body-narrowed': {
    field: 'callbacks',
    versions: three,
    make: (version, random) => outgoing(callback(version), random.int(5, 50), false),
  },
  'webhook-body-widened': {
    field: 'webhooks',
    versions: ['3.1', '3.2'],
    make: (version, random) => outgoing(webhook(version), random.int(5, 50), true),
  },
  'webhook-body-narrowed': {
    field: 'webhooks',
    versions: ['3.1', '3.2'],
    make: (version, random) => outgoing(webhook(version), random.int(5, 50), false),
  },
}

const lines = (version: Version, itemSchema: JsonObject): JsonObject =>
  documentOf(version, {
    '/things': {
      get: { responses: { '200': { description: 'Found', content: { 'application/jsonl': { itemSchema } } } } },
    },
  })
const querystring = (version: Version, schema: JsonObject): JsonObject =>
  documentOf(version, {
    '/things': {
      get: {
        parameters: [
          {
            name: 'all',
            in: 'querystring',
            required: true,
            content: { 'application/x-www-form-urlencoded': { schema } },
          },
        ],
        responses: done,
      },
    },
  })

const latestAtoms: Templates = {
  'query-method-removed': {
    field: 'query',
    versions: ['3.2'],
    make: (version) => {
      const post = { post: { responses: done } }
      return breaksRequest(
        [
          documentOf(version, { '/things': { ...post, query: { responses: done } } }),
          documentOf(version, { '/things': post }),
        ],
        { method: 'QUERY', url: '/things' },
      )
    },
  },
  'query-method-added': {
    field: 'query',
    versions: ['3.2'],
    make: (version) => {
      const post = { post: { responses: done } }
      return isSafe(
        'request',
        [
          documentOf(version, { '/things': post }),
          documentOf(version, { '/things': { ...post, query: { responses: done } } }),
        ],
        'Requests of the operation that was there are described as before (3.2, Path Item Object, query).',
      )
    },
  },
  'additional-operation-removed': {
    field: 'additionalOperations',
    versions: ['3.2'],
    make: (version, random) => {
      const method = random.pick(['COPY', 'LINK', 'PURGE'])
      const post = { post: { responses: done } }
      return breaksRequest(
        [
          documentOf(version, { '/things': { ...post, additionalOperations: { [method]: { responses: done } } } }),
          documentOf(version, { '/things': post }),
        ],
        { method, url: '/things' },
      )
    },
  },
  'additional-operation-added': {
    field: 'additionalOperations',
    versions: ['3.2'],
    make: (version, random) => {
      const method = random.pick(['COPY', 'LINK', 'PURGE'])
      const post = { post: { responses: done } }
      return isSafe(
        'request',
        [
          documentOf(version, { '/things': post }),
          documentOf(version, { '/things': { ...post, additionalOperations: { [method]: { responses: done } } } }),
        ],
        'Requests of the operation that was there are described as before (3.2, Path Item Object, additionalOperations).',
      )
    },
  },
  'item-schema-widened': {
    field: 'itemSchema',
    versions: ['3.2'],
    make: (version, random) => {
      const bound = random.int(5, 50)
      return breaksResponse([lines(version, event(bound)), lines(version, event(bound + 1))], {
        ...get,
        status: 200,
        headers: { 'content-type': 'application/jsonl' },
        body: [{ size: bound + 1 }],
      })
    },
  },
  'item-schema-narrowed': {
    field: 'itemSchema',
    versions: ['3.2'],
    make: (version, random) => {
      const bound = random.int(5, 50)
      return isSafe(
        'response',
        [lines(version, event(bound + 1)), lines(version, event(bound))],
        'The schema holds for each item, and each one that is sent now was described before (3.2, Media Type Object, itemSchema).',
      )
    },
  },
  'querystring-narrowed': {
    field: 'querystring',
    versions: ['3.2'],
    make: (version, random) => {
      const bound = random.int(5, 50)
      return breaksRequest([querystring(version, event(bound + 1)), querystring(version, event(bound))], {
        method: 'GET',
        url: `/things?size=${bound + 1}`,
      })
    },
  },
  'querystring-widened': {
    field: 'querystring',
    versions: ['3.2'],
    make: (version, random) => {
      const bound = random.int(5, 50)
      return isSafe(
        'request',
        [querystring(version, event(bound)), querystring(version, event(bound + 1))],
        'The whole query is valid for one schema, and the new one allows more (3.2, Parameter Locations, querystring).',
      )
    },
  },
  'tag-fields-added': {
    field: 'tags',
    versions: ['3.2'],
    make: (version) => {
      const with_ = (more: JsonObject) =>
        documentOf(
          version,
          { '/things': { get: { responses: done } } },
          { tags: [{ name: 'a' }, { name: 'b', ...more }] },
        )
      return isSafe(
        'both',
        [with_({}), with_({ parent: 'a', kind: 'nav', summary: 'B' })],
        'Tags order documentation (3.2, Tag Object).',
      )
    },
  },
  'self-added': {
    field: '$self',
    versions: ['3.2'],
    make: (version) => {
      const with_ = (more: JsonObject) =>
        documentOf(
          version,
          { '/things': { get: { responses: done } } },
          { servers: [{ url: 'https://example.com' }], ...more },
        )
      return isSafe(
        'both',
        [with_({}), with_({ $self: 'https://example.com/openapi.json' })],
        'The field is the address of the document; no reference of it is relative (3.2, OpenAPI Object, $self).',
      )
    },
  },
}

export const versionAtoms: Templates = { ...outgoingAtoms, ...latestAtoms }
