/**
 * Why operations give Elysia their schemas through Standard Schema: what Elysia makes of bare TypeBox schemas, beside what
 * the contract answers. And what the hooks correct where Elysia's routes answer otherwise.
 */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { expect, test } from 'bun:test'
import { mount } from '../../../server/http/mount.ts'
import { routesOf } from '../../../server/http/handler.ts'
import { featureOf, Operations } from '../../../server/http/operations.ts'
import { Reply } from '../../../server/http/reply.ts'
import type { Gatekeeper } from '../../../server/auth/grant.ts'
import { endpoint } from '../../../src/api/endpoint.ts'

const closed = (): ReturnType<typeof Type.Object> =>
  Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) }, { additionalProperties: false })
const openQuery = (): ReturnType<typeof Type.Object> => Type.Object({ count: Type.Optional(Type.Integer()) })
const open = { anonymous: true, reason: 'a test' } as const
const shared = { origin: 'own', access: open, response: Type.Unknown(), errors: [] } as const
const api = {
  get: endpoint({
    ...shared,
    id: 'things.get',
    method: 'GET',
    path: '/v1/things/{name}',
    summary: 'Get',
    params: Type.Object({ name: Type.String({ maxLength: 5 }) }),
    query: openQuery(),
    headers: Type.Object({ 'x-count': Type.Optional(Type.Integer()) }),
  }),
  bulk: endpoint({
    ...shared,
    id: 'bulk.run',
    method: 'POST',
    path: '/v1/things/bulk',
    summary: 'Run',
    body: closed(),
  }),
  rest: endpoint({
    ...shared,
    id: 'files.get',
    method: 'GET',
    path: '/v1/files/{file_path}',
    summary: 'Get',
    params: Type.Object({ file_path: Type.String() }),
  }),
  file: endpoint({
    ...shared,
    id: 'files.put',
    method: 'PUT',
    path: '/v1/files/{name}/content',
    summary: 'Put',
    params: Type.Object({ name: Type.String() }),
  }),
  book: endpoint({
    ...shared,
    id: 'books.get',
    method: 'GET',
    path: '/v1/shelves/{shelf}/{book}',
    summary: 'Get',
    params: Type.Object({ shelf: Type.String(), book: Type.String() }),
  }),
  books: endpoint({
    ...shared,
    id: 'books.bulk',
    method: 'POST',
    path: '/v1/shelves/{shelf}/bulk',
    summary: 'Run',
    params: Type.Object({ shelf: Type.String() }),
  }),
  shown: endpoint({
    ...shared,
    id: 'shown.get',
    method: 'GET',
    path: '/v1/shown',
    summary: 'Get',
    headers: Type.Object({ 'x-count': Type.Optional(Type.Integer()) }),
    anyOrigin: true,
  }),
  show: endpoint({ ...shared, id: 'shown.put', method: 'PUT', path: '/v1/hidden', summary: 'Put', anyOrigin: true }),
}
const gatekeeper: Gatekeeper = {
  authenticate: () => Promise.resolve(null),
  authorize: (principal) => Promise.resolve({ principal, tenant: null, role: null, permissions: new Set() }),
}
const routes = routesOf(api, {
  get: ({ params, query }) =>
    params.name === 'same' ? new Reply({ status: 304, body: null }) : { ...params, ...query },
  bulk: ({ body }) => body,
  rest: ({ params }) => params,
  file: ({ params }) => params,
  book: ({ params }) => params,
  books: ({ params }) => params,
  shown: () => 'shown',
  show: () => 'shown',
})
const app = mount(Object.values(api), new Operations([featureOf(routes)], { gatekeeper, onFault: () => {} }))
const send = async (target: { handle(request: Request): Promise<Response> }, method: string, path: string, init = {}) =>
  target.handle(new Request(`http://localhost${path}`, { method, ...init }))
const read = async (answer: Promise<Response>): Promise<unknown[]> => [
  (await answer).status,
  await (await answer).json(),
]
const json = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('with bare TypeBox schemas Elysia drops or refuses unknown properties, and reads numbers otherwise', async () => {
  const query = Type.Object({ ...openQuery().properties, size: Type.Optional(Type.Number()) })
  const bare = (normalize: boolean) =>
    new Elysia({ normalize })
      .post('/v1/things/bulk', ({ body }) => body, { body: closed() })
      .get('/v1/things/:name', ({ query: values }) => values, { query })
  const unknown = json({ name: 'a', other: 1 })
  const statusOf = async (normalize: boolean, path: string) => (await send(bare(normalize), 'GET', path)).status
  expect(await read(send(bare(true), 'POST', '/v1/things/bulk', unknown))).toEqual([200, { name: 'a' }])
  expect(await read(send(bare(true), 'GET', '/v1/things/a?more=2'))).toEqual([200, {}])
  expect(await statusOf(false, '/v1/things/a?more=2')).toBe(422)
  expect(await statusOf(true, '/v1/things/a?count=1')).toBe(422)
  expect(await read(send(bare(true), 'GET', '/v1/things/a?size=0x10'))).toEqual([200, { size: 16 }])
})

test('the contract refuses unknown properties of bodies, keeps those of queries, and reads numbers as JSON writes them', async () => {
  expect(await read(send(app, 'POST', '/v1/things/bulk', json({ name: 'a', other: 1 })))).toEqual([
    422,
    { detail: [{ loc: ['body', 'other'], msg: 'Unknown property.', type: 'extra_forbidden' }] },
  ])
  expect(await read(send(app, 'GET', '/v1/things/a?count=1.0'))).toEqual([
    422,
    { detail: [{ loc: ['query', 'count'], msg: 'Expected integer.', type: 'integer_type' }] },
  ])
  expect(await read(send(app, 'GET', '/v1/things/a?count=1&more=2'))).toEqual([200, { name: 'a', count: 1, more: '2' }])
})

test('of several parts that are wrong the path is named first, then the query, then headers', async () => {
  const places = async (path: string) => {
    const [, body] = await read(send(app, 'GET', path, { headers: { 'x-count': 'many' } }))
    return (body as { detail: { loc: unknown }[] }).detail.map(({ loc }) => loc)
  }
  expect(await places('/v1/things/too-long?count=x')).toEqual([['path', 'name']])
  expect(await places('/v1/things/a?count=x')).toEqual([['query', 'count']])
  expect(await places('/v1/things/a')).toEqual([['header', 'x-count']])
})

test('a method that a path has not is refused, though a more general path has it', async () => {
  const allow = async (method: string, path: string) => {
    const answer = await send(app, method, path)
    return [answer.status, answer.headers.get('allow')]
  }
  expect(await allow('GET', '/v1/things/bulk')).toEqual([405, 'POST'])
  expect(await allow('HEAD', '/v1/things/bulk')).toEqual([405, 'POST'])
  expect(await allow('PURGE', '/v1/things/bulk')).toEqual([405, 'POST'])
  expect(await allow('GET', '/v1/files/a/content')).toEqual([405, 'PUT'])
  expect(await allow('GET', '/v1/shelves/a/bulk')).toEqual([405, 'POST'])
  expect(await allow('GET', '/v1/shelves/a/other')).toEqual([200, null])
  expect(await allow('HEAD', '/v1/files/a/content')).toEqual([405, 'PUT'])
  expect(await read(send(app, 'GET', '/v1/files/a/b/content'))).toEqual([200, { file_path: 'a/b/content' }])
})

test('HEAD has the length of what GET sends, and none where nothing is sent', async () => {
  const head = async (path: string) => {
    const answer = await send(app, 'HEAD', path)
    return [answer.status, answer.headers.get('content-length'), await answer.text()]
  }
  expect(await head('/v1/things/a')).toEqual([200, '12', ''])
  expect(await head('/v1/things/same')).toEqual([304, null, ''])
  const { detail } = (await (await send(app, 'GET', '/v1/things/a?count=x')).json()) as { detail: unknown }
  expect(await head('/v1/things/a?count=x')).toEqual([422, String(JSON.stringify({ detail }).length), ''])
  const missing = await (await send(app, 'GET', '/v1/none')).text()
  expect(await head('/v1/none')).toEqual([404, String(missing.length), ''])
})

test('a body is not read before its sender was let in', async () => {
  const refusing = new Operations([featureOf(routes)], {
    gatekeeper: { ...gatekeeper, authorize: () => Promise.reject(new Error('refused')) },
    onFault: () => {},
  })
  let pulled = 0
  const body = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 })
  const headers = { 'content-type': 'application/json' }
  const answer = await send(mount(Object.values(api), refusing), 'POST', '/v1/things/bulk', { headers, body })
  expect([answer.status, pulled]).toEqual([500, 0])
})

test('a preflight from another origin succeeds only where an operation allows other origins', async () => {
  const preflight = await send(app, 'OPTIONS', '/v1/shown')
  expect([
    preflight.status,
    preflight.headers.get('access-control-allow-origin'),
    preflight.headers.get('access-control-allow-methods'),
  ]).toEqual([204, '*', 'GET, HEAD, OPTIONS'])
  const statusOf = async (method: string, path: string): Promise<number> => (await send(app, method, path)).status
  expect([
    await statusOf('PUT', '/v1/shown'),
    await statusOf('OPTIONS', '/v1/things/a'),
    await statusOf('OPTIONS', '/v1/hidden'),
  ]).toEqual([405, 405, 405])
})

test('a header is refused by name also where an operation has no parameters', async () => {
  expect(await read(send(app, 'GET', '/v1/shown', { headers: { 'x-count': 'many' } }))).toEqual([
    422,
    { detail: [{ loc: ['header', 'x-count'], msg: 'Expected integer.', type: 'integer_type' }] },
  ])
})

test('requests of operations are observed, those of pages and files are not', async () => {
  const observed: string[] = []
  const operations = new Operations([featureOf(routes)], { gatekeeper, onFault: () => {} })
  const watched = mount(Object.values(api), operations, ({ request }, work) => {
    observed.push(new URL(request.url).pathname)
    return work()
  })
  for (const path of ['/v1/shown', '/v1/openapi.json', '/', '/docs/none.html', '/v1/none'])
    await send(watched, 'GET', path)
  expect(observed).toEqual(['/v1/shown', '/v1/none'])
})

test('the playground is served unless it is switched off', async () => {
  const operations = new Operations([featureOf(routes)], { gatekeeper, onFault: () => {} })
  const statusOf = async (target: ReturnType<typeof mount>): Promise<number> =>
    (await send(target, 'GET', '/play')).status
  expect([
    await statusOf(app),
    await statusOf(mount(Object.values(api), operations, undefined, { playground: false })),
  ]).toEqual([200, 404])
})

test('what lies below a path with a rest refuses the methods of that path, also where no other path has them', async () => {
  const few = { rest: api.rest, file: api.file }
  const operations = new Operations([featureOf(routes)], { gatekeeper, onFault: () => {} })
  const answer = await send(mount(Object.values(few), operations), 'GET', '/v1/files/a/content')
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT'])
})
