/** Signing out at the issuer and by it: a real issuer for the ways that work, tokens of a key of its own for those that are refused. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import { auditEvents, providerSessions, sessions } from '../../../db/tables.gen.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { keepProviderSession } from '../../../server/sign-in/provider-logout.ts'
import { addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startIdentityService } from '../../fixtures/identity-service.ts'
import { type IssuerProcess, startIssuer, Visitor } from './issuer.ts'

let issuer: IssuerProcess
let server: Bun.Server<undefined>
let handle: (request: Request) => Promise<Response>
let base = ''
/** An issuer that only says its keys. */
let keys: Bun.Server<undefined>
let own: CryptoKey
let foreign: CryptoKey

beforeAll(async () => {
  issuer = await startIssuer()
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => handle(request) })
  base = server.url.origin
  await issuer.register(`${base}/_app/oidc/callback`)
  const pair = await generateKeyPair('RS256', { extractable: true })
  own = pair.privateKey
  foreign = (await generateKeyPair('RS256')).privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  keys = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { origin, pathname } = new URL(request.url)
      if (pathname === '/jwks') return Response.json({ keys: [jwk] })
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    },
  })
})
afterAll(async () => {
  await server.stop(true)
  await keys.stop(true)
  await issuer.stop()
})

const event = 'http://schemas.openid.net/event/backchannel-logout'

onBothEngines('signing out at an issuer', (makeDb) => {
  const setUp = async (at: string, signsOutAtProvider: boolean) => {
    const failures: string[] = []
    const service = startIdentityService(await makeDb(), {
      publicUrl: () => base,
      oidc: {
        issuer: at,
        clientId: 'svc',
        clientSecret: 'a secret & more',
        scopes: 'openid email profile',
        name: 'Test issuer',
        allowedDomains: [],
        provision: 'all',
        signsOutAtProvider,
      },
      clock: clockOf(),
      egressAllow: parseNetworks('127.0.0.0/8'),
      onIssuerFailure: (_, reason) => failures.push(reason),
    })
    let address = 0
    handle = (request) => service.handle(noteAddress(request, `10.1.0.${++address}`))
    const signIn = async (login: string) => {
      const visitor = new Visitor()
      const start = Visitor.next(await visitor.visit(`${base}/_app/oidc/start`), base)
      const done = await visitor.visit(await visitor.passIssuer(start, login, base))
      expect(done.headers.get('location')).toBe('/app/')
      return visitor
    }
    const session = async (visitor: Visitor) =>
      (await (await visitor.visit(`${base}/_app/session`)).json()) as {
        user: { email: string } | null
        csrf_token: string | null
      }
    const signOut = async (visitor: Visitor) => {
      const { csrf_token: token } = await session(visitor)
      const headers = { 'x-csrf-token': token ?? '', origin: base }
      return visitor.visit(`${base}/_app/logout`, { method: 'POST', headers })
    }
    const send = async (token: string | null) => {
      const body = token === null ? '' : new URLSearchParams({ logout_token: token }).toString()
      const response = await handle(
        new Request(`${base}/_app/oidc/backchannel-logout`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        }),
      )
      const said = response.status === 200 ? null : ((await response.json()) as { error_description?: string })
      return [response.status, response.headers.get('cache-control'), said?.error_description ?? null] as const
    }
    return { ...service, signIn, signOut, session, send, failures }
  }

  test('the browser is sent to the issuer with a hint of who signs out, and comes back to the sign-in page', async () => {
    const { signIn, signOut, session } = await setUp(issuer.url, true)
    const visitor = await signIn('out')
    const answer = await signOut(visitor)
    expect(answer.status).toBe(200)
    const { location } = (await answer.json()) as { location: string }
    const url = new URL(location)
    expect(url.origin).toBe(issuer.url)
    expect([...url.searchParams.keys()]).toEqual(['id_token_hint', 'client_id', 'post_logout_redirect_uri'])
    expect((await session(visitor)).user).toBeNull()
    const back = await visitor.signOutAtIssuer(location)
    expect(back).toBe(`${base}/_app/oidc/signed-out`)
    const landed = await visitor.visit(back)
    expect([landed.status, landed.headers.get('location')]).toEqual([302, '/app/sign-in'])
  })

  test('without the setting signing out ends the session here alone', async () => {
    const { signIn, signOut } = await setUp(issuer.url, false)
    expect((await signOut(await signIn('stay'))).status).toBe(204)
  })

  test('who signs out at the issuer is signed out here; others, and their other browsers, are not', async () => {
    const { signIn, signOut, session, db, failures } = await setUp(issuer.url, true)
    const [first, second, other] = [await signIn('two'), await signIn('two'), await signIn('other')]
    const { location } = (await (await signOut(first)).json()) as { location: string }
    await first.signOutAtIssuer(location)
    // That session had ended here already: the issuer says so of it alone.
    expect([(await session(second)).user?.email, (await session(other)).user?.email]).toEqual([
      'two@example.com',
      'other@example.com',
    ])
    const [kept] = await db.read.select().from(providerSessions).where(eq(providerSessions.subject, 'two'))
    const url = new URL(location)
    url.searchParams.set('id_token_hint', kept?.idToken ?? '')
    // The browser goes to the issuer by itself, so the session here is still open.
    await second.signOutAtIssuer(url.href)
    for (let n = 0; n < 100 && (await session(second)).user !== null; n++) await Bun.sleep(20)
    expect([(await session(second)).user, (await session(other)).user?.email]).toEqual([null, 'other@example.com'])
    const ended = await db.read.select().from(auditEvents).where(eq(auditEvents.action, 'user.signed-out-by-provider'))
    expect([ended.length, failures]).toEqual([1, []])
  })

  test('a token ends one session by its sid, all of a subject without one, and counts once', async () => {
    const at = keys.url.origin
    const { db, send, browser, clock } = await setUp(at, false)
    const ada = await addUser(db, 'ada')
    const begin = async (sid: string, subject = 'ada', of = at) => {
      await browser(ada)
      const known = new Set((await db.read.select().from(providerSessions)).map(({ sessionId }) => sessionId))
      const session = (await db.read.select().from(sessions)).find(({ id }) => !known.has(id))
      await db.inTransaction((tx) =>
        keepProviderSession(tx, session?.id ?? '', { issuer: of, subject, sid, idToken: 'hint' }),
      )
    }
    await begin('s1')
    await begin('s2')
    await begin('s3', 'bob')
    await begin('s4', 'ada', 'https://other.example')
    const left = async () =>
      (await db.read.select({ sid: providerSessions.sid }).from(providerSessions))
        .map(({ sid }) => sid ?? '')
        .toSorted()
    const now = Math.floor(Date.now() / 1000)
    const sign = (
      claims: JWTPayload,
      { key = own, typ = 'logout+jwt', kid = 'k1' }: { key?: CryptoKey; typ?: string; kid?: string } = {},
    ) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(key)
    const good = (more: JWTPayload = {}): JWTPayload => ({
      iss: at,
      aud: 'svc',
      iat: now,
      exp: now + 120,
      jti: Bun.randomUUIDv7(),
      events: { [event]: {} },
      sub: 'ada',
      ...more,
    })
    const without = (name: string): JWTPayload => {
      const { [name]: _, ...rest } = good()
      return rest
    }
    const refusals: Record<string, string | null> = {
      'no token': null,
      'not a token': 'x.y.z',
      'another key': await sign(good(), { key: foreign }),
      'a key that is unknown': await sign(good(), { kid: 'k9' }),
      'another type': await sign(good(), { typ: 'at+jwt' }),
      'another issuer': await sign(good({ iss: 'https://other.example' })),
      'another audience': await sign(good({ aud: 'else' })),
      expired: await sign(good({ iat: now - 600, exp: now - 300 })),
      'of the future': await sign(good({ iat: now + 3600, exp: now + 7200 })),
      'a nonce': await sign(good({ nonce: 'n' })),
      'no event': await sign(good({ events: { 'https://example.com/else': {} } })),
      'an event that is no object': await sign(good({ events: { [event]: 'x' } })),
      'an event that is a list': await sign(good({ events: { [event]: [] } })),
      'no signature': new UnsecuredJWT(good()).encode(),
      'the secret of the client as its key': await new SignJWT(good())
        .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
        .sign(new TextEncoder().encode('a secret & more, as long as a key')),
      'neither sid nor sub': await sign(without('sub')),
      'a sid that is no text': await sign(good({ sid: 7 })),
    }
    for (const name of ['iat', 'exp', 'jti', 'events', 'iss', 'aud']) refusals[`no ${name}`] = await sign(without(name))
    for (const [name, token] of Object.entries(refusals)) {
      const [status, cache, reason] = await send(token)
      expect([name, status, cache, reason !== null]).toEqual([name, 400, 'no-store', true])
    }
    const long = await handle(
      new Request(`${base}/_app/oidc/backchannel-logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `logout_token=${'x'.repeat(70_000)}`,
      }),
    )
    expect(long.status).toBe(413)
    expect(await left()).toEqual(['s1', 's2', 's3', 's4'])
    const ofSession = await sign(good({ sid: 's1' }))
    expect(await send(ofSession)).toEqual([200, 'no-store', null])
    expect(await left()).toEqual(['s2', 's3', 's4'])
    const [again, , reason] = await send(ofSession)
    expect([again, reason]).toEqual([400, expect.stringContaining('it was sent before')])
    // A session of somebody else is not ended by a subject that does not fit.
    expect((await send(await sign(good({ sid: 's3' }))))[0]).toBe(200)
    expect(await left()).toEqual(['s2', 's3', 's4'])
    expect((await send(await sign(good())))[0]).toBe(200)
    expect(await left()).toEqual(['s3', 's4'])
    expect(clock.now()).toBeGreaterThan(0)
  })
})
