import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { endpoint } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { mount } from '../../server/http/mount.ts'
import { featureOf, Operations } from '../../server/http/operations.ts'
import { routesOf } from '../../server/http/handler.ts'
import { Reply } from '../../server/http/reply.ts'
import type { Gatekeeper } from '../../server/auth/grant.ts'

const thing = Type.Object(
  { name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
)
const member = { credentials: ['user'], permission: null } as const
const api = {
  get: endpoint({
    id: 'things.get',
    origin: 'own',
    method: 'GET',
    path: '/v1/things/{name}',
    summary: 'Get',
    access: { anonymous: true, reason: 'a test' },
    params: Type.Object({ name: Type.String() }),
    query: Type.Object({ size: Type.Optional(Type.Integer()) }),
    response: thing,
    errors: [],
  }),
  put: endpoint({
    id: 'things.put',
    origin: 'own',
    method: 'PUT',
    path: '/v1/things/{name}',
    summary: 'Put',
    access: member,
    params: Type.Object({ name: Type.String() }),
    body: thing,
    bodyLimit: 100,
    response: thing,
    errors: [],
  }),
  drop: endpoint({
    id: 'things.drop',
    origin: 'own',
    method: 'DELETE',
    path: '/v1/things/{name}',
    summary: 'Drop',
    access: member,
    params: Type.Object({ name: Type.String() }),
    response: Type.Null(),
    status: 204,
    errors: [],
  }),
  me: endpoint({
    id: 'things.me',
    origin: 'own',
    method: 'GET',
    path: '/v1/things/me',
    summary: 'Me',
    access: { anonymous: true, reason: 'a test' },
    response: Type.String(),
    errors: [],
  }),
}
const faults: unknown[] = []
const gatekeeper: Gatekeeper = {
  authenticate: (request) =>
    Promise.resolve(request.headers.has('authorization') ? { kind: 'user', userId: 'u', via: 'jwt' } : null),
  authorize: (principal, access) => {
    if (access.anonymous !== true && principal === null) throw new SvcError('credentials-missing')
    return Promise.resolve({ principal, tenant: null, role: null, permissions: new Set() })
  },
}
const routes = routesOf(api, {
  get: ({ params, query }) => {
    if (params.name === 'bug') throw new Error('secret words')
    if (params.name === 'raw')
      return new Reply({ status: 200, headers: { 'content-type': 'text/plain', etag: '"x"' }, body: 'raw' })
    return { name: params.name, ...(query?.size === undefined ? {} : { size: query.size }) }
  },
  put: ({ body }) => body,
  drop: () => null,
  me: () => 'me',
})
const app = mount(
  Object.values(api),
  new Operations([featureOf(routes)], { gatekeeper, onFault: (fault) => faults.push(fault) }),
)
const send = (method: string, path: string, init: RequestInit = {}) =>
  app.handle(new Request(`http://localhost${path}`, { method, ...init }))
const json = async (response: Promise<Response>) => [(await response).status, await (await response).json()] as const
const signedIn = { authorization: 'Bearer x', 'content-type': 'application/json' }

test('path, query and static routes beside parameters', async () => {
  expect(await json(send('GET', '/v1/things/a%2Fb?size=3'))).toEqual([200, { name: 'a/b', size: 3 }])
  expect(await json(send('GET', '/v1/things/me'))).toEqual([200, 'me'])
  expect(await json(send('GET', '/v1/things/a?size=x'))).toEqual([
    422,
    { detail: [{ loc: ['query', 'size'], msg: 'Expected integer.', type: 'integer_type' }] },
  ])
  expect((await json(send('GET', '/v1/things/%ff')))[0]).toBe(400)
})

test('404 and 405 come before credentials, 401 before 413, 400 and 422', async () => {
  const missing = await json(send('GET', '/v1/nothing'))
  expect(missing).toEqual([
    404,
    {
      detail: {
        code: 'route-not-found',
        message: 'There is no route /v1/nothing.',
        hint: 'See GET /v1/openapi.json for every operation.',
        path: '/v1/nothing',
      },
    },
  ])
  const wrong = await send('POST', '/v1/things/a')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE'])
  const large = JSON.stringify({ name: 'x'.repeat(200) })
  expect((await send('PUT', '/v1/things/a', { body: large })).status).toBe(401)
  expect(await json(send('PUT', '/v1/things/a', { body: large, headers: signedIn }))).toEqual([
    413,
    {
      detail: {
        code: 'body-too-large',
        message: 'The request body is larger than 100 bytes.',
        hint: 'Send less data, or split the document into files.',
        limit_bytes: 100,
      },
    },
  ])
  expect((await json(send('PUT', '/v1/things/a', { body: '{', headers: signedIn })))[0]).toBe(400)
  expect((await json(send('PUT', '/v1/things/a', { body: '{"name":"\\u0000"}', headers: signedIn })))[0]).toBe(400)
  expect(await json(send('PUT', '/v1/things/a', { body: '{"nam":"x"}', headers: signedIn }))).toEqual([
    422,
    {
      detail: [
        { loc: ['body', 'name'], msg: 'This property is required.', type: 'missing' },
        { loc: ['body', 'nam'], msg: 'Unknown property.', type: 'extra_forbidden' },
      ],
    },
  ])
  expect(
    (await send('PUT', '/v1/things/a', { body: 'x', headers: { ...signedIn, 'content-type': 'text/plain' } })).status,
  ).toBe(415)
})

test('HEAD, 204, raw replies and the headers of every answer', async () => {
  const head = await send('HEAD', '/v1/things/abc', { headers: { 'x-request-id': 'r-1' } })
  expect([
    head.status,
    head.headers.get('content-length'),
    await head.text(),
    head.headers.get('x-request-id'),
    head.headers.get('x-api-version'),
  ]).toEqual([200, '14', '', 'r-1', '1.204.2'])
  const gone = await send('DELETE', '/v1/things/abc', { headers: signedIn })
  expect([gone.status, await gone.text()]).toEqual([204, ''])
  const raw = await send('GET', '/v1/things/raw')
  expect([raw.headers.get('etag'), raw.headers.get('content-type'), await raw.text()]).toEqual([
    '"x"',
    'text/plain',
    'raw',
  ])
})

test('a fault is answered without its words and told to the log; problem+json on request', async () => {
  const response = await send('GET', '/v1/things/bug', {
    headers: { accept: 'application/problem+json', 'x-request-id': 'r-2' },
  })
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toEqual({
    type: '/docs/errors#internal',
    title: 'Internal error (request r-2).',
    status: 500,
    detail: 'Report it with the request id; the log of the service has the details.',
    instance: 'urn:svc:request:r-2',
    code: 'internal',
    request_id: 'r-2',
  })
  expect(faults.map(String)).toEqual(['Error: secret words'])
})
