/** Atoms of operations, paths and servers of OpenAPI 3. */
import type { JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import { breaksRequest, isPolicy, isSafe, three, type Templates } from './message-atom.ts'
import { done, get, operation, plain } from './pieces.ts'

export const operationAtoms: Templates = {
  'operation-removed': {
    field: 'paths',
    versions: three,
    make: (version, random) => {
      const method = random.pick(['get', 'put', 'delete', 'patch', 'options', 'head', 'trace'])
      const both = { [method]: { responses: done }, post: { responses: done } }
      return breaksRequest(
        [documentOf(version, { '/things': both }), documentOf(version, { '/things': { post: { responses: done } } })],
        { method: method.toUpperCase(), url: '/things' },
      )
    },
  },
  'operation-added': {
    field: 'paths',
    versions: three,
    make: (version, random) => {
      const method = random.pick(['get', 'put', 'delete', 'patch'])
      const post = { post: { responses: done } }
      return isSafe(
        'request',
        [
          documentOf(version, { '/things': post }),
          documentOf(version, { '/things': { ...post, [method]: { responses: done } } }),
        ],
        'Requests of the operation that was there are described as before (Path Item Object).',
      )
    },
  },
  'path-removed': {
    field: 'paths',
    versions: three,
    make: (version, random) => {
      const other = `/${random.noun()}`
      return breaksRequest(
        [
          documentOf(version, { '/things': { get: { responses: done } }, [other]: { get: { responses: done } } }),
          documentOf(version, { [other]: { get: { responses: done } } }),
        ],
        get,
      )
    },
  },
  'path-added': {
    field: 'paths',
    versions: three,
    make: (version, random) =>
      isSafe(
        'request',
        [
          operation(version, {}),
          documentOf(version, {
            '/things': { get: { responses: done } },
            [`/${random.noun()}`]: { get: { responses: done } },
          }),
        ],
        'The new path matches no URL that was described before (Paths Object).',
      ),
  },
  'path-renamed': {
    field: 'paths',
    versions: three,
    make: (version) =>
      breaksRequest([operation(version, {}), documentOf(version, { '/thing': { get: { responses: done } } })], get),
  },
  'concrete-path-beside-template': {
    field: 'paths',
    versions: three,
    make: (version) => {
      const template = {
        get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }], responses: done },
      }
      const concrete = {
        get: {
          parameters: [{ name: 'x-trace', in: 'header', required: true, schema: { type: 'string' } }],
          responses: done,
        },
      }
      return breaksRequest(
        [
          documentOf(version, { '/things/{id}': template }),
          documentOf(version, { '/things/{id}': template, '/things/me': concrete }),
        ],
        { method: 'GET', url: '/things/me' },
      )
    },
  },
  'method-changed': {
    field: 'paths',
    versions: three,
    make: (version) =>
      breaksRequest([operation(version, {}), documentOf(version, { '/things': { post: { responses: done } } })], get),
  },
  'operation-documented': {
    field: 'summary',
    versions: three,
    make: (version, random) => {
      const more = random.pick<JsonObject>([
        { summary: 'Lists' },
        { description: 'Lists them' },
        { tags: ['lists'] },
        { deprecated: true },
        { externalDocs: { url: 'https://example.com/' } },
      ])
      return isSafe(
        'both',
        [operation(version, {}), operation(version, more)],
        'Documentation and deprecation change no request and no response (Operation Object).',
      )
    },
  },
  'operation-id-changed': {
    field: 'operationId',
    versions: three,
    make: (version) =>
      isPolicy(
        'both',
        [operation(version, { operationId: 'list' }), operation(version, { operationId: 'listThings' })],
        'Does it break a client that was generated when the name of a function changes?',
        'No request and no response changes; names in generated code may.',
      ),
  },
  'info-changed': {
    field: 'info',
    versions: three,
    make: (version, random) => {
      const info = {
        title: 'Things',
        version: `1.${random.int(1, 9)}.0`,
        description: 'More',
        contact: { name: 'Team' },
        license: { name: 'MIT' },
      }
      return isSafe(
        'both',
        [plain(version, {}), { ...plain(version, {}), info }],
        'The info object is about the document (Info Object).',
      )
    },
  },
  'tags-changed': {
    field: 'tags',
    versions: three,
    make: (version) =>
      isSafe(
        'both',
        [
          plain(version, {}),
          plain(version, { tags: [{ name: 'a', description: 'A' }], externalDocs: { url: 'https://example.com/' } }),
        ],
        'Tags and external documentation change no request and no response (Tag Object).',
      ),
  },
  'server-removed': {
    field: 'servers',
    versions: three,
    make: (version) => {
      const [one, two] = [{ url: 'https://one.example.com' }, { url: 'https://two.example.com' }]
      return breaksRequest([plain(version, { servers: [one, two] }), plain(version, { servers: [two] })], {
        method: 'GET',
        url: 'https://one.example.com/things',
      })
    },
  },
  'server-added': {
    field: 'servers',
    versions: three,
    make: (version) => {
      const [one, two] = [{ url: 'https://one.example.com' }, { url: 'https://two.example.com' }]
      return isSafe(
        'request',
        [plain(version, { servers: [two] }), plain(version, { servers: [two, one] })],
        'The URLs that were described still are (OpenAPI Object, servers).',
      )
    },
  },
  'server-path-changed': {
    field: 'servers',
    versions: three,
    make: (version) => {
      const with_ = (url: string) => plain(version, { servers: [{ url }] })
      return breaksRequest([with_('https://example.com/v1'), with_('https://example.com/v2')], {
        method: 'GET',
        url: 'https://example.com/v1/things',
      })
    },
  },
  'server-prefix-moved-into-paths': {
    field: 'servers',
    versions: three,
    make: (version) => {
      const head = documentOf(
        version,
        { '/v1/things': { get: { responses: done } } },
        { servers: [{ url: 'https://example.com' }] },
      )
      return isSafe(
        'request',
        [plain(version, { servers: [{ url: 'https://example.com/v1' }] }), head],
        'The path is appended to the URL of the server, and both make the same address (Paths Object).',
      )
    },
  },
  'server-variable-value-removed': {
    field: 'variables',
    versions: three,
    make: (version, random) => {
      const [lost = '', kept = ''] = random.values(2)
      const with_ = (values: string[]) =>
        plain(version, {
          servers: [{ url: 'https://{zone}.example.com', variables: { zone: { default: kept, enum: values } } }],
        })
      return breaksRequest([with_([kept, lost]), with_([kept])], {
        method: 'GET',
        url: `https://${lost}.example.com/things`,
      })
    },
  },
  'server-variable-value-added': {
    field: 'variables',
    versions: three,
    make: (version, random) => {
      const [added = '', kept = ''] = random.values(2)
      const with_ = (values: string[]) =>
        plain(version, {
          servers: [{ url: 'https://{zone}.example.com', variables: { zone: { default: kept, enum: values } } }],
        })
      return isSafe(
        'request',
        [with_([kept]), with_([kept, added])],
        'The URLs of the listed values are described as before (Server Variable Object, enum).',
      )
    },
  },
  'servers-moved-to-operation': {
    field: 'servers',
    versions: three,
    make: (version) => {
      const servers = [{ url: 'https://one.example.com' }]
      return isSafe(
        'request',
        [plain(version, { servers }), operation(version, { servers })],
        'Servers of an operation take the place of those of the document (Operation Object, servers).',
      )
    },
  },
}
