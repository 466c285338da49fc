/** Servers, path items, callbacks and security. */
import type { Json } from '../../../../src/kernel/json.ts'
import { withOperation } from '../changes-of.ts'
import type { Pair } from './pairs.ts'
import { testPairs } from './pairs.ts'

const get = { get: { responses: { '200': { description: 'ok' } } } }
const api = (servers: unknown, paths: object = { '/a': get }, openapi = '3.1.1'): Json =>
  ({ openapi, info: { title: 'A', version: '1' }, ...(servers === undefined ? {} : { servers }), paths }) as Json
const at = (...urls: string[]): Json => api(urls.map((url) => ({ url })))
const swagger = (fields: object, paths: object = { '/a': get }): Json =>
  ({ swagger: '2.0', info: { title: 'A', version: '1' }, ...fields, paths }) as Json
const variable = (url: string, v: object): Json => api([{ url, variables: { v } }])
const own = (url: string): object => ({ '/a': { get: { ...get.get, servers: [{ url }] } } })

const servers: readonly Pair[] = [
  ['another version in the path', at('https://a.example/v1'), at('https://a.example/v2'), 'B', 'B'],
  ['another host', at('https://a.example'), at('https://b.example'), 'B', 'B'],
  ['one more server', at('https://a.example'), at('https://a.example', 'https://b.example'), 'N', 'B'],
  [
    'another order',
    at('https://a.example', 'https://b.example'),
    at('https://b.example', 'https://a.example'),
    'N',
    'N',
  ],
  ['no servers are the server /', api(undefined), at('/'), 'N', 'N'],
  ['an empty list is the server /', api([]), at('/'), 'N', 'N'],
  ['no servers, then a path', api(undefined), at('/v1'), 'B', 'B'],
  ['the slash at the end means nothing', at('https://a.example/v1'), at('https://a.example/v1/'), 'N', 'N'],
  [
    'case, default port and dots mean nothing',
    at('HTTPS://A.example:443/x/../v1'),
    at('https://a.example/v1'),
    'N',
    'N',
  ],
  ['plain HTTP is another place', at('http://a.example'), at('https://a.example'), 'B', 'B'],
  [
    'a prefix moves from the server to the paths',
    at('https://a.example/v1'),
    api([{ url: 'https://a.example' }], { '/v1/a': get }),
    'N',
    'N',
  ],
  [
    'a prefix moves and the host changes',
    at('https://a.example/v1'),
    api([{ url: 'https://b.example' }], { '/v1/a': get }),
    'B',
    'B',
  ],
  [
    'the operation has the server that it inherited',
    at('https://a.example'),
    api([{ url: 'https://a.example' }], own('https://a.example')),
    'N',
    'N',
  ],
  [
    'the operation has another server than it inherited',
    at('https://a.example'),
    api([{ url: 'https://a.example' }], own('https://b.example')),
    'B',
    'B',
  ],
  [
    'the path item has it, and nobody uses the one of the document',
    api([{ url: 'https://a.example' }], own('https://c.example')),
    api([{ url: 'https://b.example' }], own('https://c.example')),
    'N',
    'N',
  ],
  [
    'a listed value less',
    variable('https://{v}.example', { default: 'a', enum: ['a', 'b'] }),
    variable('https://{v}.example', { default: 'a', enum: ['a'] }),
    'B',
    'N',
  ],
  [
    'another default of listed values',
    variable('https://{v}.example', { default: 'a', enum: ['a', 'b'] }),
    variable('https://{v}.example', { default: 'b', enum: ['a', 'b'] }),
    'N',
    'N',
  ],
  [
    'another default of a free value',
    variable('https://a.example/{v}', { default: 'v1' }),
    variable('https://a.example/{v}', { default: 'v2' }),
    'N',
    'N',
  ],
  [
    'a URL as one value of a variable',
    at('https://a.example/v1'),
    variable('https://a.example/{v}', { default: 'v2' }),
    'N',
    'B',
  ],
  [
    'values written as servers',
    variable('https://{v}.example', { default: 'a', enum: ['a', 'b'] }),
    at('https://a.example', 'https://b.example'),
    'N',
    'N',
  ],
  [
    'another name of a variable',
    variable('https://{v}.example', { default: 'a', enum: ['a'] }),
    api([{ url: 'https://{w}.example', variables: { w: { default: 'a', enum: ['a'] } } }]),
    'N',
    'N',
  ],
  [
    'Swagger 2.0 in the words of OpenAPI 3',
    swagger({ host: 'a.example', basePath: '/v1', schemes: ['https', 'http'] }),
    at('https://a.example/v1', 'http://a.example/v1'),
    'N',
    'N',
  ],
  [
    'the base path of Swagger 2.0 is gone',
    swagger({ host: 'a.example', basePath: '/v1', schemes: ['https'] }),
    at('https://a.example'),
    'B',
    'B',
  ],
  [
    'the base path of Swagger 2.0 moves to the paths',
    swagger({ host: 'a.example', basePath: '/v1', schemes: ['https'] }),
    api([{ url: 'https://a.example' }], { '/v1/a': get }),
    'N',
    'N',
  ],
  ['Swagger 2.0 without a host', swagger({ basePath: '/v1' }), at('/v1'), 'N', 'N'],
  [
    'a scheme of Swagger 2.0 less',
    swagger({ host: 'a.example', schemes: ['http', 'https'] }),
    swagger({ host: 'a.example', schemes: ['https'] }),
    'B',
    'N',
  ],
]

const shared = { get: get.get, parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] }
const item = (fields: object, components: object = { pathItems: { A: shared } }): Json =>
  ({ ...(api(undefined, { '/a': { $ref: '#/components/pathItems/A', ...fields } }) as object), components }) as Json
const pathItems: readonly Pair[] = [
  ['an operation beside the reference', item({}), item({ post: get.get }), 'N', 'B'],
  [
    'a parameter beside the reference',
    item({}),
    item({ parameters: [{ name: 'r', in: 'query', required: true, schema: { type: 'string' } }] }),
    'B',
    'B',
  ],
  ['a server beside the reference', item({}), item({ servers: [{ url: '/b' }] }), 'B', 'B'],
  ['what the reference names', item({}), api(undefined, { '/a': shared }), 'N', 'N'],
  [
    'a reference to a reference',
    item({}),
    item({}, { pathItems: { A: { $ref: '#/components/pathItems/B' }, B: shared } }),
    'N',
    'N',
  ],
  [
    'an operation beside the second reference',
    item({}),
    item({}, { pathItems: { A: { $ref: '#/components/pathItems/B', put: get.get }, B: shared } }),
    'N',
    'B',
  ],
]

const call = (schema: object): object => ({
  post: { requestBody: { content: { 'application/json': { schema } } }, responses: { '200': { description: 'ok' } } },
})
const callbacks = (all: object): Json => withOperation({ callbacks: all })
const url = '{$request.body#/url}'
const string = { type: 'string' }
const calls: readonly Pair[] = [
  [
    'the key is a name in the document',
    callbacks({ a: { [url]: call(string) } }),
    callbacks({ b: { [url]: call(string) } }),
    'N',
    'N',
  ],
  [
    'under another key, another body',
    callbacks({ a: { [url]: call(string) } }),
    callbacks({ b: { [url]: call({ type: 'integer' }) } }),
    'B',
    'B',
  ],
  [
    'another address',
    callbacks({ a: { [url]: call(string) } }),
    callbacks({ a: { '{$request.query.url}': call(string) } }),
    'B',
    'B',
  ],
  [
    'two keys in one',
    callbacks({ a: { [url]: call(string) }, b: { [`${url}/b`]: call(string) } }),
    callbacks({ a: { [url]: call(string), [`${url}/b`]: call(string) } }),
    'N',
    'N',
  ],
  [
    'the case of a header in the address means nothing',
    callbacks({ a: { '{$request.header.X-Url}': call(string) } }),
    callbacks({ a: { '{$request.header.x-url}': call(string) } }),
    'N',
    'N',
  ],
  ['a callback less', callbacks({ a: { [url]: call(string) } }), callbacks({}), 'B', 'N'],
]

const key = (name: string, where = 'header'): object => ({ type: 'apiKey', in: where, name })
const bearer = { type: 'http', scheme: 'bearer' }
const oauth = (tokenUrl = 'https://a.example/token', scopes: object = { r: '', w: '' }): object => ({
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl, scopes } },
})
const secured = (security: readonly object[], securitySchemes: object): Json =>
  withOperation({ security }, { components: { securitySchemes } })
const security: readonly Pair[] = [
  [
    'the key of a scheme is a name in the document',
    secured([{ a: [] }], { a: bearer }),
    secured([{ b: [] }], { b: bearer }),
    'N',
    'N',
  ],
  [
    'the case of a header means nothing',
    secured([{ a: [] }], { a: key('X-Key') }),
    secured([{ a: [] }], { a: key('x-key') }),
    'N',
    'N',
  ],
  [
    'the case of a query parameter counts',
    secured([{ a: [] }], { a: key('Key', 'query') }),
    secured([{ a: [] }], { a: key('key', 'query') }),
    'B',
    'B',
  ],
  [
    'the case of an HTTP scheme means nothing',
    secured([{ a: [] }], { a: bearer }),
    secured([{ a: [] }], { a: { type: 'http', scheme: 'Bearer' } }),
    'N',
    'N',
  ],
  [
    'a hint at the format of the token',
    secured([{ a: [] }], { a: bearer }),
    secured([{ a: [] }], { a: { ...bearer, bearerFormat: 'JWT' } }),
    'N',
    'N',
  ],
  [
    'a scheme that no operation uses',
    secured([{ a: [] }], { a: bearer, b: key('B') }),
    secured([{ a: [] }], { a: bearer, b: key('B', 'query') }),
    'N',
    'N',
  ],
  [
    'a scheme that is used changes',
    secured([{ a: [] }], { a: bearer }),
    secured([{ a: [] }], { a: { type: 'http', scheme: 'basic' } }),
    'B',
    'B',
  ],
  [
    'two keys swap their schemes',
    secured([{ a: [] }], { a: key('A'), b: key('B') }),
    secured([{ b: [] }], { a: key('B'), b: key('A') }),
    'N',
    'N',
  ],
  [
    'renamed and changed',
    secured([{ a: [] }], { a: key('A') }),
    secured([{ b: [] }], { b: key('A', 'cookie') }),
    'B',
    'B',
  ],
  [
    'both were needed, one is enough',
    secured([{ a: [], b: [] }], { a: key('A'), b: key('B') }),
    secured([{ a: [] }], { a: key('A'), b: key('B') }),
    'N',
    'B',
  ],
  [
    'one alternative less',
    secured([{ a: [] }, { b: [] }], { a: key('A'), b: key('B') }),
    secured([{ a: [] }], { a: key('A'), b: key('B') }),
    'B',
    'N',
  ],
  [
    'nobody has to authenticate',
    secured([{ a: [] }], { a: key('A') }),
    secured([{ a: [] }, {}], { a: key('A') }),
    'N',
    'B',
  ],
  ['an empty list is no requirement', secured([], { a: key('A') }), secured([{}], { a: key('A') }), 'N', 'N'],
  ['one scope more', secured([{ a: ['r'] }], { a: oauth() }), secured([{ a: ['r', 'w'] }], { a: oauth() }), 'B', 'N'],
  [
    'scopes in another order',
    secured([{ a: ['r', 'w'] }], { a: oauth() }),
    secured([{ a: ['w', 'r'] }], { a: oauth() }),
    'N',
    'N',
  ],
  [
    'tokens come from another place',
    secured([{ a: [] }], { a: oauth() }),
    secured([{ a: [] }], { a: oauth('https://b.example/token') }),
    'B',
    'B',
  ],
  [
    'the same place in another spelling',
    secured([{ a: [] }], { a: oauth() }),
    secured([{ a: [] }], { a: oauth('https://A.example:443/token') }),
    'N',
    'N',
  ],
  [
    'renamed OAuth with other scopes',
    secured([{ a: ['r'] }], { a: oauth() }),
    secured([{ b: ['w'] }], { b: oauth() }),
    'B',
    'B',
  ],
  [
    'two schemes that look alike are two credentials',
    secured([{ a: [] }], { a: key('A'), b: key('A') }),
    secured([{ a: [], b: [] }], { a: key('A'), b: key('A') }),
    'B',
    'N',
  ],
]

testPairs('servers', servers)
testPairs('path items', pathItems)
testPairs('callbacks', calls)
testPairs('security', security)
