/** Atoms of Swagger 2.0. */
import type { JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import { breaksRequest, breaksResponse, isPolicy, isSafe, type Templates } from './message-atom.ts'

const done: JsonObject = { '204': { description: 'Done' } }
const get = { method: 'GET', url: '/things' }
const swagger = (operation: JsonObject, rest: JsonObject = {}): JsonObject =>
  documentOf('2.0', { '/things': { post: { responses: done, ...operation } } }, rest)
const post = { method: 'POST', url: '/things' }
const swaggerBody = (more: JsonObject): JsonObject => ({
  parameters: [{ name: 'body', in: 'body', schema: { type: 'object' }, ...more }],
})
const only2 = ['2.0'] as const
const list = { type: 'array', items: { type: 'integer' } }
const field = (more: JsonObject): JsonObject =>
  swagger({ parameters: [{ name: 'size', in: 'formData', type: 'integer', ...more }] })
const ids = (collectionFormat: string): JsonObject =>
  swagger({ parameters: [{ name: 'ids', in: 'query', ...list, collectionFormat }] })
const key = { type: 'apiKey', name: 'x-key', in: 'header' }

export const swaggerAtoms: Templates = {
  'consumes-removed': {
    field: 'consumes',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          swagger({ ...swaggerBody({ schema: { type: 'string' } }), consumes: ['application/json', 'text/plain'] }),
          swagger({ ...swaggerBody({ schema: { type: 'string' } }), consumes: ['application/json'] }),
        ],
        { ...post, headers: { 'content-type': 'text/plain' }, body: 'x' },
      ),
  },
  'consumes-added': {
    field: 'consumes',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [
          swagger({ ...swaggerBody({ schema: { type: 'string' } }), consumes: ['application/json'] }),
          swagger({ ...swaggerBody({ schema: { type: 'string' } }), consumes: ['application/json', 'text/plain'] }),
        ],
        'Bodies of the type that was there are described as before (2.0, Operation Object, consumes).',
      ),
  },
  'consumes-moved-to-root': {
    field: 'consumes',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [
          swagger({ ...swaggerBody({}), consumes: ['application/json'] }),
          swagger(swaggerBody({}), { consumes: ['application/json'] }),
        ],
        'The list of an operation takes the place of that of the document (2.0, Operation Object, consumes).',
      ),
  },
  'produces-replaced': {
    field: 'produces',
    versions: only2,
    make: () => {
      const with_ = (type: string) =>
        swagger({ produces: [type], responses: { '200': { description: 'Found', schema: { type: 'string' } } } })
      return breaksResponse([with_('application/json'), with_('text/plain')], {
        ...post,
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: 'x',
      })
    },
  },
  'collection-format-pipes': {
    field: 'collectionFormat',
    versions: only2,
    make: () => breaksRequest([ids('csv'), ids('pipes')], { ...post, url: '/things?ids=1,2' }),
  },
  'collection-format-multi': {
    field: 'collectionFormat',
    versions: only2,
    make: () => breaksRequest([ids('multi'), ids('csv')], { ...post, url: '/things?ids=1&ids=2' }),
  },
  'collection-format-tabs': {
    field: 'collectionFormat',
    versions: only2,
    make: () => breaksRequest([ids('ssv'), ids('tsv')], { ...post, url: '/things?ids=1%202' }),
  },
  'collection-format-default': {
    field: 'collectionFormat',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [ids('csv'), swagger({ parameters: [{ name: 'ids', in: 'query', ...list }] })],
        'Without the field lists are written with commas (2.0, Parameter Object, collectionFormat).',
      ),
  },
  'base-path-changed': {
    field: 'basePath',
    versions: only2,
    make: () =>
      breaksRequest([swagger({}, { basePath: '/v1' }), swagger({}, { basePath: '/v2' })], {
        ...post,
        url: '/v1/things',
      }),
  },
  'base-path-moved-into-paths': {
    field: 'basePath',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [swagger({}, { basePath: '/v1' }), documentOf('2.0', { '/v1/things': { post: { responses: done } } })],
        'The path is appended to the base path, and both make the same address (2.0, Paths Object).',
      ),
  },
  'host-changed': {
    field: 'host',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          swagger({}, { host: 'one.example.com', schemes: ['https'] }),
          swagger({}, { host: 'two.example.com', schemes: ['https'] }),
        ],
        { ...post, url: 'https://one.example.com/things' },
      ),
  },
  'scheme-removed': {
    field: 'schemes',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          swagger({}, { host: 'example.com', schemes: ['https', 'http'] }),
          swagger({}, { host: 'example.com', schemes: ['https'] }),
        ],
        { ...post, url: 'http://example.com/things' },
      ),
  },
  'scheme-added': {
    field: 'schemes',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [
          swagger({}, { host: 'example.com', schemes: ['https'] }),
          swagger({}, { host: 'example.com', schemes: ['https', 'http'] }),
        ],
        'The URLs that were described still are (2.0, Swagger Object, schemes).',
      ),
  },
  'form-field-became-required': {
    field: 'formData',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          swagger({
            parameters: [
              { name: 'size', in: 'formData', type: 'integer' },
              { name: 'note', in: 'formData', type: 'string' },
            ],
          }),
          swagger({
            parameters: [
              { name: 'size', in: 'formData', type: 'integer', required: true },
              { name: 'note', in: 'formData', type: 'string' },
            ],
          }),
        ],
        { ...post, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'note=x' },
      ),
  },
  'form-field-narrowed': {
    field: 'formData',
    versions: only2,
    make: (_, random) => {
      const bound = random.int(5, 50)
      return breaksRequest([field({ maximum: bound }), field({ maximum: bound - 1 })], {
        ...post,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `size=${bound}`,
      })
    },
  },
  'body-became-required': {
    field: 'required',
    versions: only2,
    make: () => breaksRequest([swagger(swaggerBody({})), swagger(swaggerBody({ required: true }))], post),
  },
  'body-became-optional': {
    field: 'required',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [swagger(swaggerBody({ required: true })), swagger(swaggerBody({}))],
        'A request with a body is still described; only leaving it out is new (2.0, Parameter Object, required).',
      ),
  },
  'parameter-required-added': {
    field: 'parameters',
    versions: only2,
    make: (_, random) =>
      breaksRequest(
        [
          swagger({}),
          swagger({
            parameters: [
              { name: random.names(1)[0] ?? '', in: random.pick(['query', 'header']), type: 'string', required: true },
            ],
          }),
        ],
        post,
      ),
  },
  'parameter-narrowed': {
    field: 'type',
    versions: only2,
    make: (_, random) => {
      const with_ = (type: string) => swagger({ parameters: [{ name: 'size', in: 'query', type }] })
      return breaksRequest([with_('string'), with_(random.pick(['integer', 'boolean', 'number']))], {
        ...post,
        url: '/things?size=x1',
      })
    },
  },
  'parameter-widened': {
    field: 'type',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [
          swagger({ parameters: [{ name: 'size', in: 'query', type: 'integer' }] }),
          swagger({ parameters: [{ name: 'size', in: 'query', type: 'string' }] }),
        ],
        'A parameter is text on the wire, and the text of every integer is a string (2.0, Parameter Object).',
      ),
  },
  'allow-empty-value-removed': {
    field: 'allowEmptyValue',
    versions: only2,
    make: () => {
      const with_ = (more: JsonObject) =>
        swagger({ parameters: [{ name: 'size', in: 'query', type: 'integer', ...more }] })
      return breaksRequest([with_({ allowEmptyValue: true }), with_({})], { ...post, url: '/things?size=' })
    },
  },
  'success-status-replaced': {
    field: 'responses',
    versions: only2,
    make: () =>
      breaksResponse(
        [
          swagger({ responses: { '200': { description: 'Done' } } }),
          swagger({ responses: { '201': { description: 'Done' } } }),
        ],
        { ...post, status: 201 },
      ),
  },
  'error-status-removed': {
    field: 'responses',
    versions: only2,
    make: () =>
      isSafe(
        'response',
        [
          swagger({ responses: { '200': { description: 'Done' }, '404': { description: 'Missing' } } }),
          swagger({ responses: { '200': { description: 'Done' } } }),
        ],
        'Each response that is described now was described before (2.0, Responses Object).',
      ),
  },
  'operation-removed': {
    field: 'paths',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          documentOf('2.0', { '/things': { get: { responses: done }, post: { responses: done } } }),
          documentOf('2.0', { '/things': { post: { responses: done } } }),
        ],
        get,
      ),
  },
  'operation-added': {
    field: 'paths',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [
          documentOf('2.0', { '/things': { post: { responses: done } } }),
          documentOf('2.0', { '/things': { get: { responses: done }, post: { responses: done } } }),
        ],
        'Requests of the operation that was there are described as before (2.0, Path Item Object).',
      ),
  },
  'security-added': {
    field: 'security',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          swagger({}, { securityDefinitions: { key } }),
          swagger({}, { securityDefinitions: { key }, security: [{ key: [] }] }),
        ],
        post,
      ),
  },
  'security-removed': {
    field: 'security',
    versions: only2,
    make: () =>
      isSafe(
        'request',
        [
          swagger({}, { securityDefinitions: { key }, security: [{ key: [] }] }),
          swagger({}, { securityDefinitions: { key } }),
        ],
        'Requests with credentials are described as before; none are asked for (2.0, Swagger Object, security).',
      ),
  },
  'security-key-moved': {
    field: 'securityDefinitions',
    versions: only2,
    make: () =>
      breaksRequest(
        [
          swagger({}, { securityDefinitions: { key }, security: [{ key: [] }] }),
          swagger({}, { securityDefinitions: { key: { ...key, in: 'query' } }, security: [{ key: [] }] }),
        ],
        { ...post, headers: { 'x-key': 'k' } },
      ),
  },
  'parameter-removed': {
    field: 'parameters',
    versions: only2,
    make: () =>
      isPolicy(
        'request',
        [swagger({ parameters: [{ name: 'size', in: 'query', type: 'string' }] }), swagger({})],
        'Does it break a client when the service no longer reads a parameter that the client sends?',
        'The specification does not say what a service does with a query parameter that is not described.',
      ),
  },
  'description-changed': {
    field: 'description',
    versions: only2,
    make: () =>
      isSafe(
        'both',
        [swagger({ description: 'One' }), swagger({ description: 'Two', tags: ['a'], deprecated: true })],
        'Documentation and deprecation change no request and no response (2.0, Operation Object).',
      ),
  },
}
