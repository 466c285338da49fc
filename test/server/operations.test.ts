/** How an operation is found, whose credentials it looks at, and what becomes of faults. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { wholeOf } from '../../server/auth/grant.ts'
import type { Gatekeeper } from '../../server/auth/grant.ts'
import { routesOf } from '../../server/http/handler.ts'
import { mount } from '../../server/http/mount.ts'
import { type Feature, featureOf, Operations } from '../../server/http/operations.ts'
import { endpoint } from '../../src/api/endpoint.ts'

const read = { origin: 'own', method: 'GET', summary: 'Get', response: Type.Unknown(), errors: [] } as const
const api = {
  open: endpoint({ ...read, id: 'a.open', path: '/v1/open', access: { anonymous: true, reason: 'a test' } }),
  optional: endpoint({
    ...read,
    id: 'a.optional',
    path: '/v1/optional',
    access: { anonymous: true, reason: 'a test', credentials: 'optional' },
  }),
  closed: endpoint({
    ...read,
    id: 'a.closed',
    path: '/v1/closed/{name}/of/{tenant_slug}',
    access: { credentials: ['user'], permission: null },
    params: Type.Object({ name: Type.String(), tenant_slug: Type.String() }),
  }),
  keyed: endpoint({
    ...read,
    id: 'a.keyed',
    path: '/v1/keyed',
    access: { credentials: ['user'], permission: null },
    query: Type.Object({ api_key: Type.Optional(Type.String()) }),
  }),
  named: endpoint({
    ...read,
    id: 'a.named',
    path: '/v1/named',
    access: { credentials: ['user'], permission: null },
    query: Type.Object({ tenantSlug: Type.Optional(Type.String()) }),
  }),
}
const routes = routesOf(api, {
  open: () => 'open',
  optional: () => 'optional',
  closed: ({ params }) => params,
  keyed: () => 'keyed',
  named: () => 'named',
})

function setUp(features: readonly Feature[] = [featureOf(routes)], onFault: (fault: unknown) => void = () => {}) {
  const asked: unknown[] = []
  const gatekeeper: Gatekeeper = {
    authenticate: (request, options) => {
      asked.push(['authenticate', new URL(request.url).pathname, options])
      return Promise.resolve({ kind: 'user', userId: 'u', via: 'jwt' })
    },
    authorize: (principal, _, tenant) => {
      asked.push(['authorize', principal?.kind ?? null, tenant])
      return Promise.resolve({ principal, tenant: null, role: null, permissions: new Set() })
    },
  }
  const operations = new Operations(features, { gatekeeper, onFault })
  const app = mount(Object.values(api), operations)
  const get = async (path: string) => {
    const response = await app.handle(new Request(`http://localhost${path}`))
    return [response.status, await response.json()] as const
  }
  return { get, asked, operations }
}

test('credentials are looked at where an operation needs or takes them; in the query where it declares them', async () => {
  const { get, asked } = setUp()
  expect(await get('/v1/open')).toEqual([200, 'open'])
  expect(await get('/v1/optional')).toEqual([200, 'optional'])
  expect(await get('/v1/closed/x%20y/of/acme')).toEqual([200, { name: 'x y', tenant_slug: 'acme' }])
  expect(await get('/v1/keyed')).toEqual([200, 'keyed'])
  expect(asked).toEqual([
    ['authorize', null, wholeOf(null)],
    ['authenticate', '/v1/optional', { queryKey: false }],
    ['authorize', 'user', wholeOf(null)],
    ['authenticate', '/v1/closed/x%20y/of/acme', { queryKey: false }],
    ['authorize', 'user', wholeOf('acme')],
    ['authenticate', '/v1/keyed', { queryKey: true }],
    ['authorize', 'user', wholeOf(null)],
  ])
})

test('a feature is loaded once, by the first call of one of its operations', async () => {
  const loads: string[] = []
  const feature = (name: string, id: string): Feature => ({
    has: (it) => it === id,
    load: () => {
      loads.push(name)
      return Promise.resolve(routes)
    },
  })
  const { get, operations } = setUp([feature('one', 'a.open'), feature('two', 'a.keyed')])
  await get('/v1/keyed')
  await get('/v1/keyed')
  expect(loads).toEqual(['two'])
  expect((await operations.load()).length).toBe(10)
  await get('/v1/open')
  expect(loads).toEqual(['two', 'one'])
})

test('an operation that nobody handles, or that is declared twice, is a fault of ours', async () => {
  const faults: string[] = []
  const { get } = setUp([featureOf(routes.slice(0, 1))], (fault) => faults.push(String(fault)))
  expect((await get('/v1/open'))[0]).toBe(200)
  expect((await get('/v1/keyed'))[0]).toBe(500)
  expect(faults).toEqual(['Error: The operation a.keyed has no handler'])
  const { operations } = setUp()
  expect(() => mount([api.open, { ...api.open, id: 'a.again' }], operations)).toThrow('GET /v1/open is declared twice')
})

test('a fault while a fault is reported is an internal error, not a missing route', async () => {
  let reports = 0
  const { get } = setUp([featureOf(routes.slice(0, 1))], () => {
    if (++reports === 1) throw new Error('the log is full')
  })
  expect((await get('/v1/keyed'))[0]).toBe(500)
  expect((await get('/v1/nothing'))[0]).toBe(404)
  expect(reports).toBe(2)
})

test('what ends because the caller is gone is no fault; what fails otherwise is', async () => {
  const faults: unknown[] = []
  const failing = (fail: (signal: AbortSignal) => unknown) =>
    setUp([featureOf(routesOf({ open: api.open }, { open: (_, { signal }) => fail(signal) as string }))], (fault) =>
      faults.push(fault),
    ).operations
  const statusOf = async (operations: Operations, signal: AbortSignal): Promise<number> =>
    (await operations.respond(api.open, new Request('http://localhost/v1/open', { signal }))).status
  const gone = failing((signal) => signal.throwIfAborted())
  const broken = failing(() => {
    throw new Error('a bug')
  })
  expect(await statusOf(gone, AbortSignal.abort())).toBe(499)
  expect(faults).toEqual([])
  expect(await statusOf(broken, AbortSignal.abort())).toBe(500)
  expect(await statusOf(broken, new AbortController().signal)).toBe(500)
  expect(faults.map(String)).toEqual(['Error: a bug', 'Error: a bug'])
})

test('a person names the organization in the query where an operation declares that, and nowhere else', async () => {
  const { get, asked } = setUp()
  for (const path of ['/v1/named?tenantSlug=acme', '/v1/named?tenantSlug=', '/v1/named', '/v1/keyed?tenantSlug=acme'])
    await get(path)
  expect((asked as unknown[][]).filter(([what]) => what === 'authorize')).toEqual([
    ['authorize', 'user', wholeOf('acme')],
    ['authorize', 'user', wholeOf(null)],
    ['authorize', 'user', wholeOf(null)],
    ['authorize', 'user', wholeOf(null)],
  ])
})
