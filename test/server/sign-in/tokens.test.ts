import { clockOf } from '../../../db/clock.ts'
import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { createTokens } from '../../../server/sign-in/tokens.ts'
import type { PublicKeys } from '../../../server/sign-in/tokens.ts'

const start = Date.UTC(2026, 0, 1)

function setUp(issuer = 'https://svc.example') {
  const published = new Map<string, JWK>()
  const clock = { now: start }
  let lookups = 0
  const keys: PublicKeys = {
    find: async (kid) => {
      lookups++
      return published.get(kid) ?? null
    },
    publish: async (kid, key) => {
      published.set(kid, key)
    },
  }
  const make = (name = issuer) => createTokens({ issuer: name, keys, clock: clockOf(() => clock.now) })
  return { make, clock, published, lookups: () => lookups }
}

const reason = async (verified: Promise<unknown>): Promise<unknown> =>
  verified.then(
    () => null,
    (error: { code?: string; detail?: { reason: string } }) => [error.code, error.detail?.reason],
  )

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const foreign = ['credentials-invalid', 'the token is not one of this service']

describe('access tokens', () => {
  test('a token verifies in another replica, which knows the signer by its published key alone', async () => {
    const setup = setUp()
    const { token, expiresIn } = await setup.make().issue('user-1')
    expect(expiresIn).toBe(900)
    const verified = await setup.make().verify(token)
    expect(verified.userId).toBe('user-1')
    expect(verified.issuedAt).toBe(start)
    for (const key of setup.published.values()) expect(Object.keys(key)).not.toContain('d')
  })

  test('a token names the sign-in that it belongs to, where there is one', async () => {
    const setup = setUp()
    const signInOf = async (signIn?: string) => {
      const { token } = await setup.make().issue('user-1', signIn)
      return (await setup.make().verify(token)).signIn
    }
    expect([await signInOf('sign-in-1'), await signInOf()]).toEqual(['sign-in-1', null])
  })

  test('its claims are iss, aud, sub, jti, iat and exp, and no more', async () => {
    const { token } = await setUp().make().issue('user-1')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub'])
    expect([claims['iss'], claims['aud'], claims['sub']]).toEqual(['https://svc.example', 'svc', 'user-1'])
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(900)
  })

  test('it ends after 15 minutes', async () => {
    const setup = setUp()
    const tokens = setup.make()
    const { token } = await tokens.issue('user-1')
    setup.clock.now = start + 899_000
    expect((await tokens.verify(token)).userId).toBe('user-1')
    setup.clock.now = start + 906_000
    expect(await reason(tokens.verify(token))).toEqual(['credentials-invalid', 'the token has expired'])
  })

  test('a process changes its key after a day', async () => {
    const setup = setUp()
    const tokens = setup.make()
    await tokens.issue('user-1')
    setup.clock.now = start + 23 * 3_600_000
    await tokens.issue('user-1')
    expect(setup.published.size).toBe(1)
    setup.clock.now = start + 24 * 3_600_000
    await tokens.issue('user-1')
    expect(setup.published.size).toBe(2)
  })

  test('other issuers and audiences are refused', async () => {
    const setup = setUp()
    const { token } = await setup.make('https://other.example').issue('user-1')
    expect(await reason(setup.make().verify(token))).toEqual(foreign)
  })

  test('algorithm confusion: none, and HMAC with the public key as secret', async () => {
    const setup = setUp()
    const tokens = setup.make()
    const { token } = await tokens.issue('user-1')
    const [, payload = '', signature = ''] = token.split('.')
    const [[kid, jwk] = ['', {} as JWK]] = [...setup.published]
    for (const alg of ['none', 'None', 'NONE', '']) {
      expect(await reason(tokens.verify(`${encode({ alg, typ: 'JWT', kid })}.${payload}.`))).toEqual(foreign)
    }
    for (const secret of [jwk.x ?? '', Buffer.from(jwk.x ?? '', 'base64url'), JSON.stringify(jwk)]) {
      const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`
      const mac = createHmac('sha256', secret).update(signed).digest('base64url')
      expect(await reason(tokens.verify(`${signed}.${mac}`))).toEqual(foreign)
    }
    expect(await reason(tokens.verify(`${encode({ alg: 'EdDSA' })}.${payload}.${signature}`))).toEqual(foreign)
  })

  test('kid tricks: paths, queries, lists and embedded keys are refused, malformed ones before any look-up', async () => {
    const setup = setUp()
    const tokens = setup.make()
    await tokens.issue('user-1')
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const jwk = await exportJWK(pair.publicKey)
    const sign = async (header: Record<string, unknown>): Promise<string> =>
      new SignJWT()
        .setProtectedHeader({ alg: 'EdDSA', ...header })
        .setIssuer('https://svc.example')
        .setAudience('svc')
        .setSubject('user-1')
        .setJti('x')
        .setIssuedAt(start / 1000)
        .setExpirationTime(start / 1000 + 900)
        .sign(pair.privateKey)
    for (const kid of ['../../etc/passwd', "' or 1=1 --", '', '*', 'x'.repeat(5000)]) {
      expect(await reason(tokens.verify(await sign({ kid, jwk, jku: 'https://evil.example/keys' })))).toEqual(foreign)
    }
    expect(setup.lookups()).toBe(0)
    const kid = await calculateJwkThumbprint(jwk)
    expect(await reason(tokens.verify(await sign({ kid, jwk })))).toEqual([
      'credentials-invalid',
      'the token was signed by an unknown key',
    ])
    expect(setup.lookups()).toBe(1)
    const [known = ''] = [...setup.published.keys()]
    expect(await reason(tokens.verify(await sign({ kid: known, jwk })))).toEqual(foreign)
  })

  test('keys are looked up once, as far as they fit: after a hundred others, again', async () => {
    const setup = setUp()
    const signed: string[] = []
    for (let n = 0; n < 102; n++) signed.push((await setup.make().issue('user-1')).token)
    const reader = setup.make()
    const [first = '', ...others] = signed
    await reader.verify(first)
    for (const token of others.slice(0, 100)) await reader.verify(token)
    expect(setup.lookups()).toBe(101)
    await reader.verify(first)
    expect(setup.lookups()).toBe(101)
    await reader.verify(others[100] ?? '')
    await reader.verify(first)
    expect(setup.lookups()).toBe(103)
  })

  test('a published key of another kind or curve is no key', async () => {
    const setup = setUp()
    const { token } = await setup.make().issue('user-1')
    const [[kid, jwk] = ['', {} as JWK]] = [...setup.published]
    for (const other of [
      { ...jwk, crv: 'X25519' },
      { ...jwk, kty: 'EC' },
      { kty: 'oct', k: jwk.x ?? '' },
    ]) {
      setup.published.set(kid, other)
      expect(await reason(setup.make().verify(token))).toEqual([
        'credentials-invalid',
        'the token was signed by an unknown key',
      ])
    }
  })

  test('what fails for another reason than the token is no refusal of the token', async () => {
    const setup = setUp()
    const { token } = await setup.make().issue('user-1')
    const broken = createTokens({
      issuer: 'https://svc.example',
      keys: { find: async (kid) => setup.published.get(kid) ?? null, publish: async () => {} },
      clock: clockOf(() => {
        throw new Error('no clock')
      }),
    })
    expect(await broken.verify(token).catch((error: Error) => error.message)).toBe('no clock')
  })

  test('texts that are no token', async () => {
    const tokens = setUp().make()
    for (const text of ['', 'a', 'a.b.c', '...', 'eyJ.eyJ.x', 'Bearer', '\u0000']) {
      expect((await reason(tokens.verify(text))) as string[]).toContain('credentials-invalid')
    }
  })
})
