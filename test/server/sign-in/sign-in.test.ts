import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, refreshTokens, users } from '../../../db/tables.gen.ts'
import { makeKey } from '../../../server/auth/key-format.ts'
import { setPassword } from '../../../server/users/set-password.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addMember, addTenant, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'

const login = (email: string, password = goodPassword) => ({ body: { email, password } })
const wrong = 'the e-mail address or the password is wrong'

onBothEngines('signing in', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb())
    const ann = await addPerson(service.db, 'ann')
    return { ...service, ann }
  }

  test('a password gives tokens that work, in any case of the address', async () => {
    const { ask, ann } = await setUp()
    const answer = await ask('POST /v1/auth/login', login(' Ann@Example.COM'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^svr_\w{43}$/),
      refresh_expires_in: 2_592_000,
      user: { id: ann, email: 'ann@example.com', name: 'ann' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const me = await ask('GET /v1/auth/me', { headers: { authorization: `Bearer ${answer.body.access_token}` } })
    expect(me.body).toEqual({ kind: 'user', user: answer.body.user, key: null, memberships: [] })
  })

  test('wrong password, unknown address and disabled account get the same words', async () => {
    const { ask, db } = await setUp()
    const off = await addPerson(db, 'off')
    await db.inTransaction((tx) => tx.update(users).set({ status: 'disabled' }).where(eq(users.id, off)))
    for (const attempt of [login('ann@example.com', 'not it'), login('nobody@example.com'), login('off@example.com')]) {
      const { status, body } = await ask('POST /v1/auth/login', attempt)
      expect([status, body.detail.code, body.detail.reason]).toEqual([401, 'credentials-invalid', wrong])
    }
    expect((await ask('POST /v1/auth/login', { body: { email: 'ann@example.com' } })).status).toBe(422)
    expect((await ask('POST /v1/auth/login', login('ann@example.com', 'x'.repeat(1025)))).status).toBe(422)
  })

  test('ten attempts a minute from one address, counted over all accounts, with Retry-After', async () => {
    const { ask, clock } = await setUp()
    const attempt = (n: number) =>
      ask('POST /v1/auth/login', { ...login(`guess${n}@example.com`, 'guess'), address: '192.0.2.1' })
    for (let n = 0; n < 10; n++) {
      clock.value = start + n * 1000
      expect((await attempt(n)).status).toBe(401)
    }
    const refused = await attempt(10)
    expect(brief(refused)).toEqual([429, 'auth-rate-limited'])
    expect(refused.headers.get('retry-after')).toBe('51')
    expect(brief(await ask('POST /_app/login', { ...login('ann@example.com'), address: '192.0.2.1' }))).toEqual([
      429,
      'auth-rate-limited',
    ])
    expect((await ask('POST /v1/auth/login', { ...login('ann@example.com'), address: '192.0.2.2' })).status).toBe(200)
    clock.value = start + 60_000
    expect((await attempt(11)).status).toBe(401)
    expect((await attempt(12)).status).toBe(429)
  })

  test('refresh tokens rotate; showing a used one ends the whole sign-in, others go on', async () => {
    const { ask, db, ann, clock } = await setUp()
    const first = (await ask('POST /v1/auth/login', login('ann@example.com'))).body
    const [stolen, untouched] = [first.refresh_token, (await ask('POST /v1/auth/login', login('ann@example.com'))).body]
    const other = untouched.refresh_token
    const me = async ({ access_token }: { readonly access_token: string }) =>
      (await ask('GET /v1/auth/me', { headers: { authorization: `Bearer ${access_token}` } })).status
    const refresh = (refresh_token: string) => ask('POST /v1/auth/refresh', { body: { refresh_token } })
    const second = await refresh(stolen)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(stolen)
    const third = await refresh(second.body.refresh_token)
    expect(third.status).toBe(200)
    expect([await me(first), await me(third.body), await me(untouched)]).toEqual([200, 200, 200])

    clock.value += 10_000
    const replay = await refresh(stolen)
    expect([replay.status, replay.body.detail.reason]).toEqual([
      401,
      'the refresh token was used before, so its sign-in has been ended',
    ])
    expect((await refresh(third.body.refresh_token)).body.detail.reason).toBe('the sign-in it belongs to has ended')
    // The access tokens of a sign-in end with it.
    expect([await me(first), await me(third.body), await me(untouched)]).toEqual([401, 401, 200])
    expect((await refresh(other)).status).toBe(200)
    const trail = await db.read.select().from(auditEvents).where(eq(auditEvents.action, 'user.tokens-revoked'))
    expect(trail.map((it) => [it.actorKind, it.targetId])).toEqual([['system', ann]])
    const stored = JSON.stringify(await db.read.select().from(refreshTokens))
    for (const token of [stolen, other, third.body.refresh_token]) expect(stored).not.toContain(token)
  })

  test('two tabs that refresh with one token at once both go on', async () => {
    const { ask } = await setUp()
    const token = (await ask('POST /v1/auth/login', login('ann@example.com'))).body.refresh_token
    const answers = await Promise.all(
      [1, 2].map(() => ask('POST /v1/auth/refresh', { body: { refresh_token: token } })),
    )
    const next = await Promise.all(
      answers.map(({ body }) => ask('POST /v1/auth/refresh', { body: { refresh_token: body.refresh_token } })),
    )
    expect([...answers, ...next].map((it) => it.status)).toEqual([200, 200, 200, 200])
  })

  test('refresh tokens that are not good count as attempts of their address', async () => {
    const { ask } = await setUp()
    const guess = () => ask('POST /v1/auth/refresh', { body: { refresh_token: 'svr_guess' }, address: '192.0.2.9' })
    for (let n = 0; n < 10; n++) expect(brief(await guess())).toEqual([401, 'credentials-invalid'])
    expect(brief(await guess())).toEqual([429, 'auth-rate-limited'])
  })

  test('the trail says who set a password: the person, or the operator', async () => {
    const { identity, db, ann } = await setUp()
    const given = { userId: ann, email: 'ann@example.com', password: 'another long secret', keepSession: null }
    await setPassword(identity, given)
    await setPassword(identity, { ...given, byOperator: true })
    const trail = await db.read.select().from(auditEvents).orderBy(auditEvents.id)
    expect(trail.map((it) => [it.action, it.actorId])).toEqual([
      ['user.password-changed', ann],
      ['user.password-reset', null],
    ])
  })

  test('refresh tokens end after 30 days, by logging out, and with the account', async () => {
    const { ask, db, clock } = await setUp()
    const begin = async () => (await ask('POST /v1/auth/login', login('ann@example.com'))).body.refresh_token as string
    const refresh = async (refresh_token: string) =>
      (await ask('POST /v1/auth/refresh', { body: { refresh_token } })).body.detail?.reason ?? 'fresh'
    const old = await begin()
    clock.value = start + 30 * 24 * 3_600_000
    expect(await refresh(old)).toBe('the refresh token has expired')
    const left = await begin()
    for (const round of [1, 2]) {
      const gone = await ask('POST /v1/auth/logout', { body: { refresh_token: left } })
      expect([round, gone.status, gone.body]).toEqual([round, 204, null])
    }
    expect(await refresh(left)).toBe('the sign-in it belongs to has ended')
    expect(await refresh('svr_never')).toBe('unknown refresh token')
    const last = await begin()
    await db.inTransaction((tx) => tx.update(users).set({ status: 'disabled' }))
    expect(await refresh(last)).toBe('its account is disabled')
  })

  test('a new password ends every token and every other session', async () => {
    const { ask, browser, clock, ann } = await setUp()
    const signedIn = (await ask('POST /v1/auth/login', login('ann@example.com'))).body
    const here = await browser(ann)
    const elsewhere = await browser(ann)
    clock.value = start + 2000
    const change = (current_password: string, new_password: string) =>
      ask('POST /v1/auth/password', { headers: here, body: { current_password, new_password } })
    expect(brief(await change('not it', 'another long secret'))).toEqual([401, 'credentials-invalid'])
    expect(brief(await change(goodPassword, 'short'))).toEqual([400, 'password-weak'])
    expect((await change(goodPassword, 'another long secret')).status).toBe(204)
    const me = async (headers: Record<string, string>) => (await ask('GET /v1/auth/me', { headers })).status
    expect(await me(here)).toBe(200)
    expect(await me(elsewhere)).toBe(401)
    expect(await me({ authorization: `Bearer ${signedIn.access_token}` })).toBe(401)
    const again = await ask('POST /v1/auth/refresh', { body: { refresh_token: signedIn.refresh_token } })
    expect(again.status).toBe(401)
    expect((await ask('POST /v1/auth/login', login('ann@example.com'))).status).toBe(401)
    expect((await ask('POST /v1/auth/login', login('ann@example.com', 'another long secret'))).status).toBe(200)
  })

  test('a browser session: cookie and CSRF token, a fresh one at each sign-in, ended by logging out', async () => {
    const { ask, ann } = await setUp()
    expect((await ask('GET /_app/session')).body).toEqual({ claimed: true, user: null, csrf_token: null })
    const planted = { cookie: 'svc_session=planted' }
    const begun = await ask('POST /_app/login', { ...login('ann@example.com'), headers: planted })
    expect(begun.status).toBe(200)
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).not.toBe(planted.cookie)
    const session = await ask('GET /_app/session', { headers: { cookie } })
    const user = { id: ann, email: 'ann@example.com', name: 'ann' }
    expect(session.body).toEqual({ claimed: true, user, csrf_token: begun.body.csrf_token })
    expect((await ask('GET /_app/session', { headers: planted })).body.user).toBeNull()

    const again = await ask('POST /_app/login', { ...login('ann@example.com'), headers: { cookie } })
    const second = again.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await ask('GET /_app/session', { headers: { cookie } })).body.user).toBeNull()
    expect(brief(await ask('POST /_app/logout', { headers: { cookie: second } }))).toEqual([403, 'csrf-token-invalid'])
    const left = await ask('POST /_app/logout', {
      headers: { cookie: second, 'x-csrf-token': again.body.csrf_token },
    })
    expect([left.status, left.headers.get('set-cookie')]).toEqual([
      204,
      'svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
    expect((await ask('GET /_app/session', { headers: { cookie: second } })).body.user).toBeNull()
  })

  test('a form of another site cannot sign a visitor in; behind https the cookie is Secure', async () => {
    const { ask, db } = await setUp()
    for (const site of ['cross-site', 'same-site']) {
      const answer = await ask('POST /_app/login', { ...login('ann@example.com'), headers: { 'sec-fetch-site': site } })
      expect(brief(answer)).toEqual([403, 'cross-site-request'])
    }
    const secure = startIdentityService(db, { secureCookies: true })
    const answer = await secure.ask('POST /_app/login', login('ann@example.com'))
    expect(answer.headers.get('set-cookie')).toEndWith('; Secure; HttpOnly; SameSite=Lax')
  })

  test('who am I, for each kind of credential', async () => {
    const { ask, db, ann, bearer } = await setUp()
    const acme = await addTenant(db, 'acme')
    await addMember(db, acme, ann, 'viewer')
    const person = await ask('GET /v1/auth/me', { headers: await bearer(ann) })
    expect(person.body.memberships).toEqual([
      {
        tenant_id: acme,
        slug: 'acme',
        name: 'Tenant acme',
        role: 'viewer',
        status: 'active',
        permissions: [
          'comments:create',
          'consumer_contracts:view',
          'primitives:view',
          'projects:view',
          'style_guides:view',
          'versions:view',
        ],
      },
    ])
    const key = await addApiKey(db, acme)
    const machine = await ask('GET /v1/auth/me', { headers: { 'x-api-key': key } })
    expect(machine.body).toMatchObject({
      kind: 'api-key',
      user: null,
      key: { prefix: key.slice(0, 12), scopes: ['*'] },
    })
    expect(machine.body.memberships).toMatchObject([{ slug: 'acme', role: 'member' }])
    expect(JSON.stringify(machine.body)).not.toContain(key)
    expect(brief(await ask('GET /v1/auth/me'))).toEqual([401, 'credentials-missing'])
    expect(brief(await ask('GET /v1/auth/me', { headers: { 'x-api-key': makeKey('api') } }))).toEqual([
      401,
      'credentials-invalid',
    ])
  })
})
