/** Access tokens of other issuers, whose keys are published by a server on loopback. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { externalIdentities, memberships, users } from '../../../db/tables.gen.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant, addUser, start } from '../../fixtures/accounts.ts'
import { brief, startIdentityService } from '../../fixtures/identity-service.ts'

interface Signer {
  readonly kid: string
  readonly alg: string
  readonly key: CryptoKey
  readonly jwk: JWK
  readonly pem: string
}

async function newSigner(kid: string, alg: string): Promise<Signer> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }
  return { kid, alg, key: pair.privateKey, jwk, pem: await exportSPKI(pair.publicKey) }
}

let server: Bun.Server<undefined>
let issuer = ''
/** What the issuer publishes, how often it was asked, and whether it answers. */
const published = { keys: [] as JWK[], asked: 0, isDown: false }
let rsa: Signer
let ec: Signer
let next: Signer
let foreign: Signer

beforeAll(async () => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      if (published.isDown) return new Response('down', { status: 500 })
      if (url.endsWith('/.well-known/openid-configuration'))
        return Response.json({ issuer, jwks_uri: `${issuer}/keys`, authorization_endpoint: `${issuer}/auth` })
      if (!url.endsWith('/keys')) return new Response('nothing', { status: 404 })
      published.asked += 1
      return Response.json({ keys: published.keys })
    },
  })
  issuer = server.url.origin
  ;[rsa, ec, next, foreign] = await Promise.all([
    newSigner('rsa-1', 'RS256'),
    newSigner('ec-1', 'ES256'),
    newSigner('rsa-2', 'RS256'),
    newSigner('rsa-1', 'RS256'),
  ])
})
afterAll(() => server.stop(true))

onBothEngines('access tokens of other issuers', (makeDb) => {
  const setUp = async (settings: { readonly egress?: string; readonly jwks?: boolean } = {}) => {
    Object.assign(published, { keys: [rsa.jwk, ec.jwk], asked: 0, isDown: false })
    const failures: string[] = []
    const service = startIdentityService(await makeDb(), {
      trusted: {
        issuers: [settings.jwks === true ? { issuer, jwksUri: `${issuer}/keys` } : { issuer }],
        audience: 'svc',
      },
      egressAllow: parseNetworks(settings.egress ?? '127.0.0.0/8'),
      onIssuerFailure: (_, reason) => failures.push(reason),
    })
    const ann = await addUser(service.db, 'ann')
    const acme = await addTenant(service.db, 'acme')
    await addMember(service.db, acme, ann, 'editor')
    const seconds = start / 1000
    const sign = (
      changes: Readonly<Record<string, unknown>> = {},
      { signer = rsa, header = {} }: { readonly signer?: Signer; readonly header?: Record<string, unknown> } = {},
    ) =>
      new SignJWT({
        iss: issuer,
        aud: 'svc',
        sub: 'subject-1',
        iat: seconds,
        exp: seconds + 600,
        email: 'ann@example.com',
        email_verified: true,
        ...changes,
      })
        .setProtectedHeader({ alg: signer.alg, kid: signer.kid, ...header })
        .sign(signer.key)
    const ask = (token: string, line = 'GET /v1/tenants/acme') =>
      service.ask(line, { headers: { authorization: `Bearer ${token}` } })
    const refusal = async (token: string) => {
      const answer = await ask(token)
      return [answer.status, answer.body.detail?.code]
    }
    return { ...service, ann, acme, sign, ask, refusal, failures }
  }
  const refused = [401, 'credentials-invalid']

  test('a token identifies the account of its verified address, later of its subject', async () => {
    const { sign, ask, db, ann } = await setUp()
    for (const signer of [rsa, ec]) expect((await ask(await sign({}, { signer }))).status).toBe(200)
    expect((await ask(await sign({ aud: ['other', 'svc'] }))).status).toBe(200)
    expect((await db.read.select().from(externalIdentities)).map((it) => [it.subject, it.userId])).toEqual([
      ['subject-1', ann],
    ])
    // From now on the subject tells who it is, whatever the token says of the address.
    const bare = await sign({ email: undefined, email_verified: undefined })
    expect((await ask(bare)).status).toBe(200)
    const me = await ask(bare, 'GET /v1/auth/me')
    expect([me.body.kind, me.body.user.email]).toEqual(['user', 'ann@example.com'])
    // What a role may not, the token may not: keys need a permission, and the application a browser.
    expect(brief(await ask(bare, 'DELETE /v1/tenants/acme'))).toEqual([403, 'permission-denied'])
    expect(brief(await ask(bare, 'GET /_app/tenants/acme/api-keys'))).toEqual([403, 'permission-denied'])
    await db.inTransaction((tx) => tx.update(memberships).set({ status: 'suspended' }))
    expect(brief(await ask(bare))).toEqual([403, 'membership-suspended'])
    await db.inTransaction((tx) => tx.update(users).set({ status: 'disabled' }).where(eq(users.id, ann)))
    expect((await ask(bare)).status).toBe(401)
  })

  test('unverified and unknown addresses identify no account; a second subject does not get an account that has one', async () => {
    const { sign, refusal, ask, db } = await setUp()
    for (const changes of [
      { email_verified: false },
      { email_verified: undefined },
      { email_verified: 'yes' },
      { email: 'nobody@example.com' },
      { email: 'owner@localhost' },
      { email: undefined },
    ])
      expect([changes, await refusal(await sign(changes))]).toEqual([changes, refused])
    expect(await db.read.select().from(externalIdentities)).toEqual([])
    expect((await ask(await sign())).status).toBe(200)
    expect(await refusal(await sign({ sub: 'subject-2' }))).toEqual(refused)
    expect(await refusal(await sign({ sub: '' }))).toEqual(refused)
    expect(await refusal(await sign({ sub: 'x'.repeat(300) }))).toEqual(refused)
    expect(await db.read.select().from(users)).toHaveLength(1)
  })

  test('issuer, audience, expiry, not-before', async () => {
    const { sign, refusal } = await setUp()
    const seconds = start / 1000
    for (const changes of [
      { aud: 'another' },
      { aud: [] },
      { aud: undefined },
      { iss: 'https://evil.example' },
      { iss: `${issuer}/` },
      { iss: 'https://svc.example' },
      { iss: undefined },
      { exp: seconds - 31 },
      { exp: undefined },
      { nbf: seconds + 60 },
      { sub: undefined },
    ])
      expect([changes, await refusal(await sign(changes))]).toEqual([changes, refused])
  })

  test('algorithm confusion: none, HMAC with the public key as secret, an algorithm that the key is not for', async () => {
    const { sign, refusal } = await setUp()
    const claims = { iss: issuer, aud: 'svc', sub: 'subject-1', email: 'ann@example.com', email_verified: true }
    const seconds = start / 1000
    const none = new UnsecuredJWT(claims).setExpirationTime(seconds + 600).encode()
    expect(await refusal(none)).toEqual(refused)
    const secrets = [rsa.pem, JSON.stringify(rsa.jwk), rsa.jwk.n ?? '']
    for (const secret of secrets) {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'rsa-1' })
        .setExpirationTime(seconds + 600)
        .sign(new TextEncoder().encode(secret.padEnd(32, ' ')))
      expect(await refusal(token)).toEqual(refused)
    }
    const good = await sign()
    const [, payload = '', signature = ''] = good.split('.')
    const head = (header: object) => base64url.encode(JSON.stringify(header))
    for (const header of [
      { alg: 'none', kid: 'rsa-1' },
      { alg: 'PS256', kid: 'rsa-1' },
      { alg: 'ES256', kid: 'rsa-1' },
      { alg: 'RS256', kid: 'rsa-1', crit: ['exp'] },
      { alg: 'RS256', kid: 'rsa-1', b64: false, crit: ['b64'] },
    ])
      expect([header, await refusal(`${head(header)}.${payload}.${signature}`)]).toEqual([header, refused])
    expect(await refusal(`${good.slice(0, -6)}AAAAAA`)).toEqual(refused)
  })

  test('kid tricks: embedded keys and addresses of keys are never looked at, other names find nothing', async () => {
    const { sign, refusal, ask } = await setUp()
    published.asked = 0
    expect(await refusal(await sign({}, { signer: foreign }))).toEqual(refused)
    const evil = { jwk: foreign.jwk, jku: 'https://evil.example/keys', x5u: 'https://evil.example/c' }
    expect(await refusal(await sign({}, { signer: foreign, header: evil }))).toEqual(refused)
    for (const kid of ['../../../dev/null', "' or 1=1 --", 'http://evil.example', '', 'x'.repeat(5000)])
      expect(await refusal(await sign({}, { signer: foreign, header: { kid } }))).toEqual(refused)
    // A key of the set serves whatever else a header says.
    expect((await ask(await sign({}, { header: { ...evil } }))).status).toBe(200)
    published.keys = [{ kty: 'oct', k: base64url.encode('x'.repeat(32)), kid: 'oct-1', alg: 'HS256' }, rsa.jwk]
    const secret = new TextEncoder().encode('x'.repeat(32))
    const symmetric = await new SignJWT({ iss: issuer, aud: 'svc', sub: 's', exp: start / 1000 + 600 })
      .setProtectedHeader({ alg: 'HS256', kid: 'oct-1' })
      .sign(secret)
    expect(await refusal(symmetric)).toEqual(refused)
  })

  test('a new key is noticed, and unknown keys make nobody ask more often than every half minute', async () => {
    const { sign, refusal, ask, clock } = await setUp()
    expect((await ask(await sign())).status).toBe(200)
    expect(published.asked).toBe(1)
    published.keys = [next.jwk]
    expect((await ask(await sign({}, { signer: next }))).status).toBe(200)
    expect(published.asked).toBe(2)
    // The old one is gone with the rotation.
    expect(await refusal(await sign())).toEqual(refused)
    const strangers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        refusal(await sign({}, { signer: foreign, header: { kid: `k${n}` } })),
      ),
    )
    expect(strangers.every((it) => it[0] === 401)).toBe(true)
    expect(published.asked).toBe(2)
    clock.value = start + 30_000
    expect(await refusal(await sign())).toEqual(refused)
    expect(published.asked).toBe(3)
    // Asked again when what is known has become old.
    clock.value = start + 30_000 + 10 * 60_000 - 1
    expect((await ask(await sign({ exp: start / 1000 + 3600 }, { signer: next }))).status).toBe(200)
    expect(published.asked).toBe(3)
    clock.value = start + 30_000 + 10 * 60_000 + 1
    expect((await ask(await sign({ exp: start / 1000 + 3600 }, { signer: next }))).status).toBe(200)
    expect(published.asked).toBe(4)
  })

  test('an issuer that is down: what is known serves an hour, then it is 503 and never a guess', async () => {
    const { sign, ask, refusal, clock, failures } = await setUp({ jwks: true })
    const token = await sign({ exp: start / 1000 + 3 * 3600 })
    expect((await ask(token)).status).toBe(200)
    published.isDown = true
    clock.value = start + 3_600_000
    expect((await ask(token)).status).toBe(200)
    clock.value = start + 3_600_001
    expect(await refusal(token)).toEqual([503, 'issuer-unavailable'])
    expect(failures.every((it) => it.includes('it answered 500'))).toBe(true)
    const asked = failures.length
    expect(await refusal(token)).toEqual([503, 'issuer-unavailable'])
    expect(failures.length).toBe(asked)
    published.isDown = false
    clock.value = start + 3_700_000
    expect((await ask(token)).status).toBe(200)
  })

  test('an issuer on loopback is reached only where that is allowed; one that names another is not trusted', async () => {
    const closed = await setUp({ egress: '' })
    expect(await closed.refusal(await closed.sign())).toEqual([503, 'issuer-unavailable'])
    expect(closed.failures[0]).toContain('not public')
    const none = startIdentityService(await makeDb())
    const answer = await none.ask('GET /v1/tenants/me', { headers: { authorization: `Bearer ${await closed.sign()}` } })
    expect(brief(answer)).toEqual(refused)
  })
})
