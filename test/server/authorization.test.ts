/** Every operation × every kind of credential × own and foreign tenant, made from the contracts. */
import { expect, test } from 'bun:test'
import type { Database } from '../../db/database.ts'
import { noteAddress } from '../../server/auth/address.ts'
import { createIdentity } from '../../server/sign-in/identity.ts'
import { makeKey } from '../../server/auth/key-format.ts'
import { asLocalOwner } from '../../server/auth/local-owner.ts'
import { beginSession } from '../../server/auth/session.ts'
import { mount } from '../../server/http/mount.ts'
import { featureOf, Operations } from '../../server/http/operations.ts'
import type { Route } from '../../server/http/handler.ts'
import { type Caller, callers, verdictOf } from '../../src/api/authorization.ts'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { credentialKinds, type Endpoint } from '../../src/api/endpoint.ts'
import { keyScopes, permissionGrid, roles } from '../../src/api/permissions.ts'
import { toolsets } from '../../src/api/toolsets.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import {
  addAgentKey,
  addApiKey,
  addGatewayKey,
  addMcpKey,
  addMember,
  addTenant,
  addUser,
  depsOver,
  handClock,
  start,
} from '../fixtures/accounts.ts'

/** What only the handler of a stub answers: the request got through the gate and its input was right. */
const reached = 'reached-the-handler'
const refusals = new Set([
  'credentials-missing',
  'credentials-invalid',
  'permission-denied',
  'scope-denied',
  'person-required',
  'tenant-access-denied',
  'tenant-not-found',
  'membership-suspended',
  'project-not-found',
  'csrf-token-invalid',
])

const targetOf = ({ path }: Endpoint, slug = 'acme'): string =>
  path.replace('{tenant_slug}', slug).replaceAll(/\{\w+\}/g, 'some-thing')

async function populate(db: Database) {
  const clock = handClock()
  const identity = createIdentity(depsOver(db, clock), { issuer: 'https://svc.example', secureCookies: false })
  const acme = await addTenant(db, 'acme')
  const other = await addTenant(db, 'other')
  const person = async (name: string, tenantId: string, role: (typeof roles)[number]) => {
    const id = await addUser(db, name)
    await addMember(db, tenantId, id, role, name === 'suspended' ? 'suspended' : 'active')
    return { id, headers: { authorization: `Bearer ${(await identity.tokens.issue(id)).token}` } }
  }
  const people = new Map<string, { id: string; headers: Record<string, string> }>()
  for (const role of roles) people.set(role, await person(role, acme, role))
  people.set('suspended', await person('suspended', acme, 'owner'))
  people.set('foreign-owner', await person('foreign-owner', other, 'owner'))
  const key = (text: string): Record<string, string> => ({ 'x-api-key': text })
  const keys: Partial<Record<Caller, Record<string, string>>> = {
    none: {},
    'key-full': key(await addApiKey(db, acme)),
    'key-diff': key(await addApiKey(db, acme, { scopes: ['diff:read'] })),
    'key-lint': key(await addApiKey(db, acme, { scopes: ['lint:read'] })),
    'key-read': key(await addApiKey(db, acme, { scopes: ['catalog:read'] })),
    'key-import': key(await addApiKey(db, acme, { scopes: ['catalog:import'] })),
    'key-publish': key(await addApiKey(db, acme, { scopes: ['catalog:publish'] })),
    'agent-key': key(await addAgentKey(db, acme, { tools: [...toolsets.design] })),
    'mcp-key': key(await addMcpKey(db, acme)),
    'gateway-key': key(await addGatewayKey(db, acme)),
    'foreign-key-full': key(await addApiKey(db, other)),
  }
  const headersOf = (caller: Caller): Record<string, string> => keys[caller] ?? people.get(caller)?.headers ?? {}
  return { clock, identity, acme, other, people, headersOf }
}

onBothEngines('authorization of every operation', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const accounts = await populate(db)
    const routes: Route[] = endpoints.map((endpoint) => ({ endpoint, handle: () => ({ detail: { code: reached } }) }))
    const faults: unknown[] = []
    const { gatekeeper } = accounts.identity
    const operations = new Operations([featureOf(routes)], { gatekeeper, onFault: (fault) => faults.push(fault) })
    const app = mount(endpoints, operations)
    const answer = async (request: Request): Promise<string> => {
      const response = await app.handle(noteAddress(request, '10.0.0.1'))
      const text = await response.text()
      return (text === '' ? null : (JSON.parse(text) as { detail: { code?: string } }).detail.code) ?? ''
    }
    const verdict = async (request: Request): Promise<string> => {
      const code = await answer(request)
      return refusals.has(code) ? code : 'allowed'
    }
    const ask = (endpoint: Endpoint, headers: Record<string, string>, slug?: string) =>
      verdict(new Request(`http://localhost${targetOf(endpoint, slug)}`, { method: endpoint.method, headers }))
    return { db, ...accounts, faults, answer, ask, verdict }
  }

  test('callers of every kind, in their own and in a foreign tenant, get what the page says', async () => {
    const { ask, headersOf, faults } = await setUp()
    const differences: string[] = []
    for (const endpoint of endpoints) {
      for (const caller of callers) {
        const [expected, got] = [verdictOf(endpoint, caller), await ask(endpoint, headersOf(caller))]
        if (expected !== got) differences.push(`${endpoint.id} for ${caller}: ${got}, not ${expected}`)
      }
    }
    expect(differences).toEqual([])
    expect(faults).toEqual([])
    // Every operation with every caller: thousands of requests.
  }, 300_000)

  test('credentials that are no longer good are refused wherever credentials are looked at', async () => {
    const { ask, db, acme, identity, clock, people, faults } = await setUp()
    const past = new Date(start - 1000).toISOString()
    const soon = new Date(start + 1000).toISOString()
    const good = makeKey('api')
    const owner = people.get('owner')?.id ?? ''
    const { token } = await identity.tokens.issue(owner)
    const other = createIdentity(depsOver(db, clock), { issuer: 'https://other.example', secureCookies: false })
    const bad: Record<string, Record<string, string>> = {
      checksum: { 'x-api-key': `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}` },
      unknown: { 'x-api-key': good },
      disabled: { 'x-api-key': await addApiKey(db, acme, { enabled: false }) },
      expired: { 'x-api-key': await addApiKey(db, acme, { expiresAt: past }) },
      'as bearer': { authorization: `Bearer ${await addApiKey(db, acme, { expiresAt: past })}` },
      'expired agent key': { 'x-api-key': await addAgentKey(db, acme, { expiresAt: past }) },
      'revoked agent key': { 'x-api-key': await addAgentKey(db, acme, { revokedAt: soon }) },
      'cut token': { authorization: `Bearer ${token.slice(0, -4)}` },
      'foreign issuer': { authorization: `Bearer ${(await other.tokens.issue(owner)).token}` },
      'no scheme': { authorization: token },
    }
    const differences: string[] = []
    for (const endpoint of endpoints) {
      const { access } = endpoint
      const looks = access.anonymous !== true || access.credentials === 'optional'
      for (const [name, headers] of Object.entries(bad)) {
        const [expected, got] = [looks ? 'credentials-invalid' : 'allowed', await ask(endpoint, headers)]
        if (expected !== got) differences.push(`${endpoint.id} with ${name}: ${got}, not ${expected}`)
      }
    }
    clock.value = start + 906_000
    for (const endpoint of endpoints.filter((it) => it.access.anonymous !== true)) {
      const got = await ask(endpoint, { authorization: `Bearer ${token}` })
      if (got !== 'credentials-invalid') differences.push(`${endpoint.id} with an expired token: ${got}`)
    }
    expect(differences).toEqual([])
    expect(faults).toEqual([])
  })

  test('a tenant that does not exist is 404 for those who are known, and 401 before that', async () => {
    const { ask, headersOf } = await setUp()
    const differences: string[] = []
    for (const endpoint of endpoints) {
      if (endpoint.access.anonymous === true || !endpoint.path.includes('{tenant_slug}')) continue
      const known = await ask(endpoint, headersOf('owner'), 'nowhere')
      const unknown = await ask(endpoint, {}, 'nowhere')
      // A decorative tenant is not looked for.
      const decorative = endpoint.access.tenancy === 'credential'
      const expected = decorative ? verdictOf(endpoint, 'owner') : 'tenant-not-found'
      if (known !== expected || unknown !== 'credentials-missing')
        differences.push(`${endpoint.id}: ${known}, ${unknown}`)
    }
    expect(differences).toEqual([])
  })

  test('what is of browsers or of the operator is refused to others before their input is looked at', async () => {
    const { db, people, answer } = await setUp()
    const userId = people.get('owner')?.id ?? ''
    const begun = await db.inTransaction((tx) => beginSession(tx, { userId, userAgent: '', now: start, secure: false }))
    const browser = { cookie: begun.cookie.split(';')[0] ?? '', 'x-csrf-token': begun.csrf }
    const wrong = { body: '{"nonsense":', headers: { 'content-type': 'application/json' } }
    const differences: string[] = []
    const restricted = endpoints.filter(({ access }) => access.anonymous !== true && access.from !== undefined)
    for (const endpoint of restricted) {
      const { method, access } = endpoint
      const send = (headers: Record<string, string>) => {
        const sent = method === 'GET' ? { headers } : { ...wrong, headers: { ...wrong.headers, ...headers } }
        return answer(new Request(`http://localhost${targetOf(endpoint)}`, { method, ...sent }))
      }
      const isOperators = access.anonymous !== true && access.from === 'operator'
      const byToken = await send(people.get('owner')?.headers ?? {})
      const inBrowser = await send(browser)
      const isRight = isOperators ? inBrowser === 'operator-required' : inBrowser !== 'browser-session-required'
      if (byToken !== 'browser-session-required' || !isRight)
        differences.push(`${endpoint.id}: ${byToken}, ${inBrowser}`)
    }
    expect(differences).toEqual([])
    expect(restricted.length).toBeGreaterThan(15)
  })

  test('a browser session changes nothing without its CSRF token, and the local owner is an Owner', async () => {
    const { db, ask, verdict, people } = await setUp()
    const userId = people.get('owner')?.id ?? ''
    const begun = await db.inTransaction((tx) => beginSession(tx, { userId, userAgent: '', now: start, secure: false }))
    const cookie = begun.cookie.split(';')[0] ?? ''
    const differences: string[] = []
    for (const endpoint of endpoints) {
      const { access, method } = endpoint
      const looks = access.anonymous !== true || access.credentials === 'optional'
      const expected = verdictOf(endpoint, 'owner')
      const bare = await ask(endpoint, { cookie })
      const whole = await ask(endpoint, { cookie, 'x-csrf-token': begun.csrf })
      const request = new Request(`http://localhost${targetOf(endpoint)}`, { method })
      const local = await verdict(asLocalOwner(request, userId))
      const expectedBare = looks && method !== 'GET' ? 'csrf-token-invalid' : expected
      if (bare !== expectedBare || whole !== expected || local !== expected)
        differences.push(`${endpoint.id}: ${bare}, ${whole}, ${local}`)
    }
    expect(differences).toEqual([])
  })
})

test('every operation has a rule that means something', () => {
  const ids = new Set<string>()
  const places = new Set<string>()
  for (const endpoint of endpoints) {
    const { access, id, method, path } = endpoint
    expect(ids.has(id)).toBe(false)
    expect(places.has(`${method} ${path}`)).toBe(false)
    ids.add(id)
    places.add(`${method} ${path}`)
    if (access.anonymous === true) {
      expect([id, access.reason.length > 10]).toEqual([id, true])
      continue
    }
    expect([id, access.credentials.length > 0]).toEqual([id, true])
    for (const kind of access.credentials) expect(credentialKinds).toContain(kind)
    if (access.permission !== null) expect(Object.keys(permissionGrid)).toContain(access.permission)
    if (access.keyScope !== undefined) expect(keyScopes).toContain(access.keyScope)
  }
})

test('the grid of permissions is the one that was decided', () => {
  const held = (role: (typeof roles)[number]) =>
    Object.entries(permissionGrid)
      .filter(([, holders]) => (holders as readonly string[]).includes(role))
      .map(([permission]) => permission)
  const viewer = [
    'projects:view',
    'versions:view',
    'consumer_contracts:view',
    'primitives:view',
    'style_guides:view',
    'comments:create',
  ]
  const editor = [
    ...viewer,
    'projects:create',
    'projects:edit',
    'versions:edit',
    'versions:publish',
    'primitives:edit',
    'consumer_contracts:create',
    'consumer_contracts:edit',
    'reviews:decide',
    'repositories:edit',
    'mcp:import',
    'security:view',
    'webhooks:view',
  ]
  const admin = [
    ...editor,
    'projects:delete',
    'consumer_contracts:delete',
    'repositories:delete',
    'versions:publish_force',
    'style_guides:edit',
    'webhooks:edit',
    'security:edit',
    'security:approve',
    'security:export',
    'mcp:govern',
    'members:edit',
    'projects:share',
    'api_keys:view',
    'api_keys:create',
    'api_keys:edit',
    'api_keys:delete',
    'billing:view',
  ]
  expect(held('guest')).toEqual([])
  expect(held('viewer').sort()).toEqual(viewer.sort())
  expect(held('editor').sort()).toEqual(editor.sort())
  expect(held('admin').sort()).toEqual(admin.sort())
  expect(held('owner').sort()).toEqual([...admin, 'bin:delete', 'tenant:delete', 'tenant:transfer'].sort())
})
