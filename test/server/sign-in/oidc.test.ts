/** Signing in at an issuer, against a real one in a process of its own. */
import { type Clock, clockOf } from '../../../db/clock.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditEvents,
  externalIdentities,
  invitations,
  memberships,
  oidcAttempts,
  sessions,
  users,
} from '../../../db/tables.gen.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { hashSecret } from '../../../server/auth/key-format.ts'
import { safeReturn } from '../../../server/sign-in/oidc.ts'
import type { OidcSettings } from '../../../server/sign-in/oidc-settings.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant, addUser, handClock } from '../../fixtures/accounts.ts'
import { type IssuerProcess, startIssuer, Visitor } from './issuer.ts'
import { startIdentityService } from '../../fixtures/identity-service.ts'

let issuer: IssuerProcess
let server: Bun.Server<undefined>
/** The service that answers at the moment: each test has a fresh one at the same address. */
let handle: (request: Request) => Promise<Response>
let base = ''

beforeAll(async () => {
  issuer = await startIssuer()
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => handle(request) })
  base = server.url.origin
  await issuer.register(`${base}/_app/oidc/callback`)
})
afterAll(async () => {
  await server.stop(true)
  await issuer.stop()
})

const secret = 'a secret & more'

onBothEngines('signing in at an issuer', (makeDb) => {
  const setUp = async (
    settings: Partial<OidcSettings> = {},
    more: { readonly egress?: string; readonly clock?: Clock } = {},
  ) => {
    const failures: string[] = []
    const service = startIdentityService(await makeDb(), {
      publicUrl: () => base,
      oidc: {
        issuer: issuer.url,
        clientId: 'svc',
        clientSecret: secret,
        scopes: 'openid email profile',
        name: 'Test issuer',
        allowedDomains: ['example.com'],
        provision: 'domains',
        ...settings,
      },
      clock: more.clock ?? clockOf(),
      egressAllow: parseNetworks(more.egress ?? '127.0.0.0/8'),
      onIssuerFailure: (_, reason) => failures.push(reason),
    })
    let address = 0
    handle = (request) => service.handle(noteAddress(request, `10.1.0.${++address}`))
    const start = async (visitor: Visitor, returnTo?: string) => {
      const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`
      const response = await visitor.visit(`${base}/_app/oidc/start${query}`)
      expect(response.status).toBe(302)
      return Visitor.next(response, base)
    }
    /** The whole way; where the service leads in the end. */
    const signIn = async (login: string, visitor = new Visitor(), returnTo?: string) => {
      const back = await visitor.passIssuer(await start(visitor, returnTo), login, base)
      const response = await visitor.visit(back)
      return { back, response, to: response.headers.get('location'), visitor }
    }
    const whoIs = async (visitor: Visitor) => {
      const response = await visitor.visit(`${base}/_app/session`)
      const { user } = (await response.json()) as { user: { email: string; name: string } | null }
      return user === null ? null : user.email
    }
    return { ...service, start, signIn, whoIs, failures }
  }

  test('an account is made for a verified address of an allowed domain; the subject is known from then on', async () => {
    const { signIn, whoIs, db, failures } = await setUp()
    const first = await signIn('ann', new Visitor(), '/app/t/acme?q=1#x')
    expect([first.response.status, first.to]).toEqual([302, '/app/t/acme?q=1#x'])
    expect(first.response.headers.get('cache-control')).toBe('no-store')
    expect(await whoIs(first.visitor)).toBe('ann@example.com')
    const [user] = await db.read.select().from(users)
    expect([user?.email, user?.name, user?.passwordHash]).toEqual(['ann@example.com', 'Person ann', null])
    await db.inTransaction((tx) => tx.update(users).set({ email: 'renamed@elsewhere.example' }))
    const second = await signIn('ann')
    expect([second.to, await whoIs(second.visitor)]).toEqual(['/app/', 'renamed@elsewhere.example'])
    expect((await db.read.select().from(users)).length).toBe(1)
    expect((await db.read.select().from(externalIdentities)).map((it) => [it.issuer, it.subject, it.userId])).toEqual([
      [issuer.url, 'ann', user?.id ?? ''],
    ])
    expect((await db.read.select().from(auditEvents).orderBy(auditEvents.id)).map((it) => it.action)).toEqual([
      'user.created',
      'user.identity-linked',
      'user.signed-in',
      'user.signed-in',
    ])
    expect([await db.read.select().from(oidcAttempts), failures]).toEqual([[], []])
  })

  test('what the issuer is asked: code, PKCE, state and nonce; nothing secret is kept or sent along', async () => {
    const { start, db } = await setUp()
    const visitor = new Visitor()
    const asked = new URL(await start(visitor))
    const { searchParams: sent } = asked
    expect(`${asked.origin}${asked.pathname}`).toBe(`${issuer.url}/auth`)
    expect(
      Object.fromEntries([...sent].filter(([name]) => !['state', 'nonce', 'code_challenge'].includes(name))),
    ).toEqual({
      response_type: 'code',
      client_id: 'svc',
      redirect_uri: `${base}/_app/oidc/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    const state = sent.get('state') ?? ''
    const [, cookie = ''] = visitor.cookiesFor(`${base}/_app/oidc/callback`).split('=')
    expect(visitor.cookiesFor(`${base}/app/`)).toBe('')
    const [row] = await db.read.select().from(oidcAttempts)
    expect([row?.stateHash, row?.browserHash]).toEqual([hashSecret(state), hashSecret(cookie)])
    const stored = JSON.stringify(row)
    for (const text of [state, cookie, sent.get('nonce') ?? '', hashSecret(`verifier:${cookie}`)])
      expect(stored.includes(text)).toBe(false)
    expect(asked.href.includes(cookie)).toBe(false)
  })

  test('an account that is there is found by its verified address, and by no other', async () => {
    const { signIn, whoIs, db } = await setUp({ provision: 'none', allowedDomains: [] })
    expect((await signIn('ann')).to).toBe('/app/sign-in?error=oidc-account-unknown')
    await addUser(db, 'ann')
    await addUser(db, 'bob')
    expect((await signIn('ann-unverified')).to).toBe('/app/sign-in?error=oidc-account-unknown')
    const { visitor, to } = await signIn('ann')
    expect([to, await whoIs(visitor)]).toEqual(['/app/', 'ann@example.com'])
    // The address now belongs to another person at the issuer: the account does not move with it.
    await db.inTransaction((tx) => tx.update(externalIdentities).set({ subject: 'previous-subject' }))
    expect((await signIn('ann')).to).toBe('/app/sign-in?error=oidc-account-unknown')
    await db.inTransaction((tx) =>
      tx.update(users).set({ status: 'disabled' }).where(eq(users.email, 'bob@example.com')),
    )
    expect((await signIn('bob')).to).toBe('/app/sign-in?error=oidc-refused')
    expect(await db.read.select().from(sessions)).toHaveLength(1)
  })

  test('domains, unverified addresses, and what an invitation becomes', async () => {
    const elsewhere = await setUp({ allowedDomains: ['other.example'] })
    expect((await elsewhere.signIn('ann')).to).toBe('/app/sign-in?error=oidc-account-unknown')
    const all = await setUp({ provision: 'all', allowedDomains: [] })
    expect((await all.signIn('eva-unverified')).to).toBe('/app/sign-in?error=oidc-account-unknown')
    const acme = await addTenant(all.db, 'acme')
    const boss = await addUser(all.db, 'boss')
    await addMember(all.db, acme, boss, 'owner')
    const invited = await all.ask('POST /v1/tenants/acme/invitations', {
      headers: { authorization: `Bearer ${(await all.identity.tokens.issue(boss)).token}` },
      body: { email: 'Eva@example.com', role: 'editor' },
    })
    expect([invited.status, (await all.db.read.select().from(invitations)).length]).toEqual([201, 1])
    const { visitor } = await all.signIn('eva')
    expect(await all.whoIs(visitor)).toBe('eva@example.com')
    const rows = await all.db.read.select().from(memberships).where(eq(memberships.role, 'editor'))
    expect(rows.map((it) => [it.tenantId, it.status])).toEqual([[acme, 'pending']])
  })

  test('an account that another person made for the address is not used when its owner signs in', async () => {
    const { signIn, whoIs, db, ask, identity } = await setUp()
    const evil = await addTenant(db, 'evil')
    const mallory = await addUser(db, 'mallory')
    await addMember(db, evil, mallory, 'owner')
    const invited = await ask('POST /v1/tenants/evil/invitations', {
      headers: { authorization: `Bearer ${(await identity.tokens.issue(mallory)).token}` },
      body: { email: 'ann@example.com', role: 'editor' },
    })
    const password = 'chosen by mallory'
    const accepted = await ask('POST /_app/invitation/accept', {
      body: { token: invited.body.token, name: 'Ann', password },
    })
    const squatted = String(accepted.body.user.id)
    const { visitor, to } = await signIn('ann')
    expect([to, await whoIs(visitor)]).toEqual(['/app/', 'ann@example.com'])
    const [link] = await db.read.select().from(externalIdentities)
    expect([link?.subject, link?.userId === squatted]).toEqual(['ann', false])
    expect(
      await db.read
        .select()
        .from(memberships)
        .where(eq(memberships.userId, link?.userId ?? '')),
    ).toEqual([])
    const opened = await ask('POST /v1/auth/login', { body: { email: 'ann@example.com', password } })
    expect(opened.body.user.id).toBe(squatted)
    // The browser is known from now on, as with a password.
    expect(visitor.cookiesFor(`${base}/app/`)).toContain('svc_browser=')
  })

  test('an answer counts once, in the browser that asked, with the state that was given', async () => {
    const { start, whoIs, db } = await setUp()
    const [victim, attacker] = [new Visitor(), new Visitor()]
    // Sign-in of another's: the attacker hands the victim the answer to a sign-in of their own.
    const back = await attacker.passIssuer(await start(attacker), 'mallory', base)
    const refused = '/app/sign-in?error=oidc-refused'
    const to = async (visitor: Visitor, url: string) => (await visitor.visit(url)).headers.get('location')
    expect(await to(victim, back)).toBe(refused)
    await start(victim)
    expect([await to(victim, back), await whoIs(victim)]).toEqual([refused, null])
    const changed = new URL(back)
    changed.searchParams.set('state', 'x'.repeat(43))
    expect(await to(attacker, changed.href)).toBe(refused)
    changed.searchParams.delete('state')
    expect(await to(attacker, changed.href)).toBe(refused)
    expect([await to(attacker, back), await whoIs(attacker)]).toEqual(['/app/', 'mallory@example.com'])
    expect(await to(attacker, back)).toBe(refused)
    expect(await db.read.select().from(sessions)).toHaveLength(1)
  })

  test('an answer counts for ten minutes, and only with a state of the right form', async () => {
    const clock = handClock()
    const { start, failures } = await setUp({}, { clock })
    /** Why the answer of an issuer that denies the sign-in is refused. */
    const refusal = async (visitor: Visitor, state: string) => {
      const query = new URLSearchParams({ state, iss: issuer.url, error: 'access_denied' })
      await visitor.visit(`${base}/_app/oidc/callback?${query}`)
      return failures.pop()
    }
    const [one, two] = [new Visitor(), new Visitor()]
    const states: string[] = []
    for (const it of [one, two]) states.push(new URL(await start(it)).searchParams.get('state') ?? '')
    for (const state of ['', 'x'.repeat(42), `${'x'.repeat(42)}-`])
      expect(await refusal(one, state)).toContain('the answer has no valid state')
    clock.value += 10 * 60_000 - 1
    expect(await refusal(one, states[0] ?? '')).toContain('access_denied')
    clock.value += 1
    expect(await refusal(two, states[1] ?? '')).toContain('has expired')
  })

  test('ten sign-ins a minute begin from one address', async () => {
    const { ask } = await setUp()
    const begin = async () => {
      const { headers } = await ask('GET /_app/oidc/start', { address: '192.0.2.7' })
      return headers.get('location') ?? ''
    }
    for (let n = 0; n < 10; n++) expect(await begin()).toStartWith(`${issuer.url}/auth?`)
    expect(await begin()).toBe('/app/sign-in?error=auth-rate-limited')
  })

  test('the answer of another issuer (mix-up), and one that does not say whose it is, are not redeemed', async () => {
    const { start, signIn, failures } = await setUp()
    for (const iss of ['https://evil.example', '', null]) {
      const visitor = new Visitor()
      const url = new URL(await visitor.passIssuer(await start(visitor), 'ann', base))
      expect(url.searchParams.get('iss')).toBe(issuer.url)
      if (iss === null) url.searchParams.delete('iss')
      else url.searchParams.set('iss', iss)
      expect((await visitor.visit(url.href)).headers.get('location')).toBe('/app/sign-in?error=oidc-refused')
    }
    expect(failures.map((it) => it.includes('"iss" (issuer)'))).toEqual([true, true, true])
    expect((await signIn('ann')).to).toBe('/app/')
  })

  test('a code of another sign-in fails for its verifier; refusals of the issuer are passed over in silence', async () => {
    const { start, failures } = await setUp()
    const [one, two] = [new Visitor(), new Visitor()]
    const ofOne = new URL(await one.passIssuer(await start(one), 'ann', base))
    const ofTwo = new URL(await two.passIssuer(await start(two), 'mallory', base))
    ofOne.searchParams.set('code', ofTwo.searchParams.get('code') ?? '')
    expect((await one.visit(ofOne.href)).headers.get('location')).toBe('/app/sign-in?error=oidc-refused')
    const three = new Visitor()
    const state = new URL(await start(three)).searchParams.get('state') ?? ''
    const words = '<script>alert(1)</script>'
    const refusal = `${base}/_app/oidc/callback?state=${state}&iss=${encodeURIComponent(issuer.url)}&error=${encodeURIComponent(words)}&error_description=x`
    expect((await three.visit(refusal)).headers.get('location')).toBe('/app/sign-in?error=oidc-refused')
    expect(failures.map((it) => it.includes('<'))).toEqual([false, false])
  })

  test('no session is fixed: one that was planted before means nothing afterwards', async () => {
    const { start, signIn, whoIs, db, browser } = await setUp()
    const planted = (await browser(await addUser(db, 'mallory'))).cookie ?? ''
    const visitor = new Visitor()
    const back = await visitor.passIssuer(await start(visitor), 'ann', base)
    const cookie = `${visitor.cookiesFor(back)}; ${planted}`
    const done = await fetch(back, { headers: { cookie }, redirect: 'manual' })
    const [fresh = ''] = done.headers.getSetCookie().map((it) => it.split(';')[0] ?? '')
    expect([fresh.startsWith('svc_session='), fresh === planted]).toEqual([true, false])
    const ask = await fetch(`${base}/_app/session`, { headers: { cookie: planted } })
    expect(((await ask.json()) as { user: unknown }).user).toBe(null)
    const again = await signIn('ann')
    expect(await whoIs(again.visitor)).toBe('ann@example.com')
  })

  test('an issuer on loopback is reached only where the operator allows it, and one that is down is said to be', async () => {
    const closed = await setUp({}, { egress: '' })
    const refused = await fetch(`${base}/_app/oidc/start`, { redirect: 'manual' })
    expect(refused.headers.get('location')).toBe('/app/sign-in?error=oidc-unavailable')
    expect(closed.failures[0]).toContain('not public')
    const down = await setUp({ issuer: 'http://127.0.0.1:9' })
    const nowhere = await fetch(`${base}/_app/oidc/start`, { redirect: 'manual' })
    expect(nowhere.headers.get('location')).toBe('/app/sign-in?error=oidc-unavailable')
    expect(down.failures.length > 0).toBe(true)
    const wrongSecret = await setUp({ clientSecret: 'wrong' })
    expect((await wrongSecret.signIn('ann')).to).toBe('/app/sign-in?error=oidc-refused')
  })

  test('the page asks which ways there are; without an issuer there is one', async () => {
    await setUp()
    expect(await (await fetch(`${base}/_app/sign-in-methods`)).json()).toEqual({
      password: true,
      passkeys: false,
      oidc: { name: 'Test issuer', start_url: '/_app/oidc/start' },
    })
    const none = startIdentityService(await makeDb())
    expect((await none.ask('GET /_app/sign-in-methods')).body).toEqual({ password: true, passkeys: false, oidc: null })
    const start = await none.ask('GET /_app/oidc/start')
    expect([start.status, start.headers.get('location')]).toEqual([302, '/app/sign-in?error=oidc-not-configured'])
  })
})

test('after signing in one comes back into the application and nowhere else', () => {
  const outside = [
    undefined,
    '',
    'https://evil.example/app/',
    '//evil.example/app/',
    '/\\evil.example',
    '/app/\\evil.example',
    '/app/../../evil',
    '/app/%2e%2e/x',
    '/app',
    '/apple/x',
    '/v1/tenants/me',
    'javascript:alert(1)',
    '/app/\n//evil.example',
    '/app//evil.example/..//..//..//',
    'app/',
  ]
  for (const text of outside) {
    const to = safeReturn(text)
    const url = new URL(to, 'https://svc.example')
    expect([text, url.origin, url.pathname.startsWith('/app/')]).toEqual([text, 'https://svc.example', true])
    expect([text, to.startsWith('//')]).toEqual([text, false])
  }
  for (const text of ['/app/\\evil.example', '/app/a b', '/x/../app/', 'app/', '//application.invalid/app/x'])
    expect([text, safeReturn(text)]).toEqual([text, '/app/'])
  expect(safeReturn('/app/t/acme/pets?x=1#y')).toBe('/app/t/acme/pets?x=1#y')
  expect(safeReturn('/app/../v1')).toBe('/app/')
})
