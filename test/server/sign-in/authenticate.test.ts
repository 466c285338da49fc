import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { apiKeys, passwordChanges, signingKeys, users } from '../../../db/tables.gen.ts'
import { authenticate } from '../../../server/sign-in/authenticate.ts'
import { makeKey } from '../../../server/auth/key-format.ts'
import { asLocalOwner } from '../../../server/auth/local-owner.ts'
import { beginSession, csrfTokenOf } from '../../../server/auth/session.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import {
  depsOver,
  addAgentKey,
  addApiKey,
  addMcpKey,
  addTenant,
  addUser,
  handClock,
  outcome,
  requestWith,
  start,
  tokensOf,
} from '../../fixtures/accounts.ts'

const invalid = (reason: string) => ({ code: 'credentials-invalid', reason })

onBothEngines('authentication', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const clock = handClock()
    const deps = { db, clock, tokens: tokensOf(db, clock), vault: depsOver(db, clock).vault }
    const ask = (headers: Record<string, string>, target?: string, method?: string, queryKey = false) =>
      outcome(authenticate(deps, requestWith(headers, target, method), { queryKey }))
    return { db, clock, deps, ask, tenantId: await addTenant(db, 'acme') }
  }

  test('nothing shown is nobody', async () => {
    const { ask } = await setUp()
    expect(await ask({})).toBeNull()
    expect(await ask({ 'x-api-key': '', authorization: '' })).toBeNull()
  })

  test('a key is taken from X-API-Key and from Authorization, and from the query only where that is allowed', async () => {
    const { db, ask, tenantId } = await setUp()
    const key = await addApiKey(db, tenantId, { scopes: ['diff:read', 'lint:read'] })
    const [row] = await db.read.select().from(apiKeys)
    const principal = { kind: 'api-key', keyId: row?.id, tenantId, scopes: ['diff:read', 'lint:read'] }
    expect(await ask({ 'x-api-key': key })).toEqual(principal)
    expect(await ask({ authorization: `Bearer ${key}` })).toEqual(principal)
    expect(await ask({ authorization: `bearer  ${key}` })).toEqual(principal)
    expect(await ask({}, `/v1/x?api_key=${key}`)).toBeNull()
    expect(await ask({}, `/v1/x?api_key=${key}`, 'GET', true)).toEqual(principal)
  })

  test('where a request names several credentials, each must be valid; the first is who asks', async () => {
    const { db, deps, ask, tenantId } = await setUp()
    const key = await addApiKey(db, tenantId)
    const token = (await deps.tokens.issue(await addUser(db, 'ann'))).token
    const unknown = makeKey('api')
    expect(await ask({ 'x-api-key': key, authorization: `Bearer ${token}` })).toMatchObject({ kind: 'api-key' })
    expect(await ask({ authorization: `Bearer ${token}` }, `/v1/x?api_key=${key}`, 'GET', true)).toMatchObject({
      kind: 'user',
    })
    expect(await ask({ 'x-api-key': key, authorization: 'Basic YTpi' })).toEqual(
      invalid('Authorization: the Authorization header is not of the form "Bearer …"'),
    )
    expect(await ask({ 'x-api-key': unknown, authorization: `Bearer ${token}` })).toEqual(
      invalid('X-API-Key: unknown key'),
    )
    expect(await ask({ 'x-api-key': key }, `/v1/x?api_key=${unknown}`, 'GET', true)).toEqual(
      invalid('the query parameter api_key: unknown key'),
    )
  })

  test('agent and MCP keys are distinguished by their letter', async () => {
    const { db, ask, tenantId } = await setUp()
    const agent = await addAgentKey(db, tenantId)
    const mcp = await addMcpKey(db, tenantId)
    expect(await ask({ 'x-api-key': agent })).toMatchObject({ kind: 'agent-key', tenantId, tools: ['spec.list'] })
    expect(await ask({ 'x-api-key': mcp })).toMatchObject({ kind: 'mcp-key', tenantId })
  })

  test('a mistyped key is refused before any query', async () => {
    const { deps } = await setUp()
    const asked: string[] = []
    const db = new Proxy(deps.db, {
      get: (target, name) => {
        asked.push(String(name))
        return target[name as keyof Database]
      },
    })
    const key = makeKey('api')
    const typo = key.slice(0, 10) + (key[10] === 'x' ? 'y' : 'x') + key.slice(11)
    for (const text of [typo, key.slice(0, -1), 'hello', `${key}${key}`]) {
      expect(await outcome(authenticate({ ...deps, db }, requestWith({ 'x-api-key': text })))).toEqual(
        invalid('the checksum of the key does not match; it may be incomplete'),
      )
    }
    expect(asked).toEqual([])
  })

  test('unknown, disabled, expired, revoked and deleted keys', async () => {
    const { db, ask, clock, tenantId } = await setUp()
    expect(await ask({ 'x-api-key': makeKey('api') })).toEqual(invalid('unknown key'))
    const disabled = await addApiKey(db, tenantId, { enabled: false })
    expect(await ask({ 'x-api-key': disabled })).toEqual(invalid(`the key ${disabled.slice(0, 12)}… is disabled`))
    const expiring = await addApiKey(db, tenantId, { expiresAt: new Date(start + 1000).toISOString() })
    expect(await ask({ 'x-api-key': expiring })).toMatchObject({ kind: 'api-key' })
    clock.value = start + 1000
    expect(await ask({ 'x-api-key': expiring })).toEqual(invalid(`the key ${expiring.slice(0, 12)}… has expired`))
    const revoked = await addAgentKey(db, tenantId, { revokedAt: new Date(start).toISOString() })
    expect(await ask({ 'x-api-key': revoked })).toEqual(invalid(`the key ${revoked.slice(0, 12)}… is revoked`))
    for (const kind of ['agent', 'mcp', 'gateway'] as const)
      expect(await ask({ 'x-api-key': makeKey(kind) })).toEqual(invalid('unknown key'))
    const ending = await addAgentKey(db, tenantId, { expiresAt: new Date(start + 2000).toISOString() })
    expect(await ask({ 'x-api-key': ending })).toMatchObject({ kind: 'agent-key' })
    clock.value = start + 2000
    expect(await ask({ 'x-api-key': ending })).toEqual(invalid(`the key ${ending.slice(0, 12)}… has expired`))
    const deleted = await addApiKey(db, tenantId)
    await db.inTransaction((tx) => tx.delete(apiKeys).where(eq(apiKeys.prefix, deleted.slice(0, 12))))
    expect(await ask({ 'x-api-key': deleted })).toEqual(invalid('unknown key'))
  })

  test('the use of a key is noted, at most once a minute', async () => {
    const { db, ask, clock, tenantId } = await setUp()
    const key = await addApiKey(db, tenantId)
    const noted = async () => (await db.read.select({ at: apiKeys.lastUsedAt }).from(apiKeys))[0]?.at
    expect(await noted()).toBeNull()
    const times = [0, 30_000, 59_999, 60_000, 61_000]
    const seen: unknown[] = []
    for (const after of times) {
      clock.value = start + after
      await ask({ 'x-api-key': key })
      seen.push(Date.parse((await noted()) ?? '') - start)
    }
    expect(seen).toEqual([0, 0, 0, 60_000, 60_000])
  })

  test('noting the use of a key touches no other key, and costs no transaction while it is fresh', async () => {
    const { deps, tenantId } = await setUp()
    let transactions = 0
    const db = new Proxy(deps.db, {
      get: (target, name) => {
        if (name === 'inTransaction') transactions += 1
        return target[name as keyof Database]
      },
    })
    const [one] = [await addApiKey(deps.db, tenantId), await addApiKey(deps.db, tenantId)]
    const use = () => authenticate({ ...deps, db }, requestWith({ 'x-api-key': one }))
    await use()
    const noted = async () => (await deps.db.read.select({ at: apiKeys.lastUsedAt }).from(apiKeys)).map((it) => it.at)
    expect((await noted()).filter((it) => it !== null)).toHaveLength(1)
    expect(transactions).toBe(1)
    await use()
    expect(transactions).toBe(1)
  })

  test('an access token names its user until it expires, the account ends or the password changes', async () => {
    const { db, ask, clock, deps } = await setUp()
    const userId = await addUser(db, 'ann')
    const { token } = await deps.tokens.issue(userId)
    const headers = { authorization: `Bearer ${token}` }
    expect(await ask(headers)).toEqual({ kind: 'user', userId, via: 'jwt' })
    expect(await ask({ 'x-api-key': token })).toEqual(
      invalid('the checksum of the key does not match; it may be incomplete'),
    )

    await db.inTransaction((tx) => tx.update(users).set({ status: 'disabled' }))
    expect(await ask(headers)).toEqual(invalid('its account is disabled'))
    await db.inTransaction((tx) => tx.update(users).set({ status: 'active' }))
    const changedAt = new Date(start + 5000).toISOString()
    await db.inTransaction((tx) => tx.insert(passwordChanges).values({ userId, changedAt }))
    expect(await ask(headers)).toEqual(invalid('the password was changed after it was issued'))
    const change = (at: number) =>
      db.inTransaction((tx) => tx.update(passwordChanges).set({ changedAt: new Date(at).toISOString() }))
    // A token counts whole seconds, and one of the same second is taken.
    await change(start + 999)
    expect(await ask(headers)).toMatchObject({ userId })
    await change(start + 1000)
    expect(await ask(headers)).toEqual(invalid('the password was changed after it was issued'))
    await change(start + 5000)
    clock.value = start + 5000
    const { token: later } = await deps.tokens.issue(userId)
    expect(await ask({ authorization: `Bearer ${later}` })).toMatchObject({ userId })
    clock.value = start + 5000 + 906_000
    expect(await ask({ authorization: `Bearer ${later}` })).toEqual(invalid('the token has expired'))
    const { token: last } = await deps.tokens.issue(userId)
    await db.inTransaction((tx) => tx.delete(users))
    expect(await ask({ authorization: `Bearer ${last}` })).toEqual(invalid('its account no longer exists'))
  })

  test('a token of one replica is good at another, and nothing at rest can sign', async () => {
    const { db, ask, clock } = await setUp()
    const userId = await addUser(db, 'ann')
    const { token } = await tokensOf(db, clock).issue(userId)
    expect(await ask({ authorization: `Bearer ${token}` })).toMatchObject({ userId })
    const stored = await db.read.select({ publicKey: signingKeys.publicKey }).from(signingKeys)
    expect(stored.flatMap((row) => Object.keys(row.publicKey)).sort()).toEqual(['crv', 'kty', 'x'])
    const { token: foreign } = await tokensOf(db, clock, 'https://elsewhere.example').issue(userId)
    expect(await ask({ authorization: `Bearer ${foreign}` })).toEqual(invalid('the token is not one of this service'))
  })

  test('other schemes are refused, not ignored', async () => {
    const { ask } = await setUp()
    const refusal = invalid('the Authorization header is not of the form "Bearer …"')
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer a b', 'token']) {
      expect(await ask({ authorization })).toEqual(refusal)
    }
  })

  test('the local owner is known by the request object alone; credentials that are shown come first', async () => {
    const { db, deps, ask, tenantId } = await setUp()
    const request = asLocalOwner(requestWith({}), 'owner')
    expect(await authenticate(deps, request)).toEqual({ kind: 'user', userId: 'owner', via: 'local' })
    expect(await authenticate(deps, new Request(request))).toBeNull()
    expect(await ask({ 'x-local-owner': 'owner', 'x-svc-user': 'owner' })).toBeNull()
    const key = await addApiKey(db, tenantId)
    const both = asLocalOwner(requestWith({ 'x-api-key': key }), 'owner')
    expect(await authenticate(deps, both)).toMatchObject({ kind: 'api-key' })
  })

  test('a browser session reads freely and changes only with its CSRF token from its own origin', async () => {
    const { db, ask, clock } = await setUp()
    const userId = await addUser(db, 'ann')
    const begun = await db.inTransaction((tx) =>
      beginSession(tx, { userId, userAgent: 'b', now: start, secure: false }),
    )
    expect(begun.cookie).toMatch(/^svc_session=\w{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    const cookie = begun.cookie.split(';')[0] ?? ''
    expect(begun.csrf).toBe(csrfTokenOf(cookie.slice('svc_session='.length)))
    const person = { kind: 'user', userId, via: 'session' }
    const post = (headers: Record<string, string>) => ask({ cookie, ...headers }, '/v1/x', 'POST')
    expect(await ask({ cookie })).toEqual(person)
    expect(await post({})).toEqual({ code: 'csrf-token-invalid' })
    expect(await post({ 'x-csrf-token': 'x'.repeat(64) })).toEqual({ code: 'csrf-token-invalid' })
    expect(await post({ 'x-csrf-token': begun.csrf })).toEqual(person)
    expect(await post({ 'x-csrf-token': begun.csrf, 'sec-fetch-site': 'same-origin' })).toEqual(person)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await post({ 'x-csrf-token': begun.csrf, 'sec-fetch-site': site })).toEqual({ code: 'csrf-token-invalid' })

    // A cookie that an attacker planted before signing in means nothing afterwards either.
    expect(await ask({ cookie: 'svc_session=planted' })).toBeNull()
    clock.value = start + 7 * 24 * 3_600_000 + 1
    expect(await ask({ cookie })).toBeNull()
  })
})
