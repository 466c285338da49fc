/** What a provider can answer, and what comes of it. The provider is on loopback and says what a test wants it to say. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose'
import type { AuthorizationServer } from 'oauth4webapi'
import { clockOf } from '../../../db/clock.ts'
import { Issuer } from '../../../server/sign-in/issuer.ts'
import { authorizationUrl, type OidcAttempt, redeemAnswer } from '../../../server/sign-in/oidc-client.ts'
import type { Oidc } from '../../../server/sign-in/oidc-settings.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { SvcError } from '../../../src/errors.ts'

const clock = clockOf()
const attempt: OidcAttempt = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  redirectUri: 'https://svc.example/_app/oidc/callback',
  maxAgeSeconds: 600,
}

let server: Bun.Server<undefined>
let pair: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey }
/** What the provider says; each test changes what it is about. */
let says: {
  metadata: Record<string, unknown>
  claims: Record<string, unknown>
  token: (idToken: string) => Response
  userinfo: () => Response
  key: () => CryptoKey
}
let asked: { readonly path: string; readonly authorization: string | null; readonly body: string }[] = []

class SayingIssuer extends Issuer {
  override metadata(): Promise<AuthorizationServer> {
    return Promise.resolve(says.metadata as unknown as AuthorizationServer)
  }
  override key(): Promise<CryptoKey> {
    return Promise.resolve(says.key())
  }
}

const tokens = (more: object = {}) => Response.json({ access_token: 'a', token_type: 'Bearer', ...more })

beforeAll(async () => {
  pair = await generateKeyPair('ES256')
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      asked.push({
        path: pathname,
        authorization: request.headers.get('authorization'),
        body: await request.text(),
      })
      if (pathname === '/userinfo') return says.userinfo()
      const idToken = await new SignJWT(says.claims).setProtectedHeader({ alg: 'ES256' }).sign(pair.privateKey)
      return says.token(idToken)
    },
  })
})
afterAll(() => server.stop(true))

beforeEach(() => {
  const issuer = server.url.origin
  const seconds = Math.floor(clock.now() / 1000)
  asked = []
  says = {
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
    },
    claims: {
      iss: issuer,
      aud: 'svc',
      sub: 'ann',
      iat: seconds,
      exp: seconds + 60,
      nonce: attempt.nonce,
      email: 'ann@example.com',
      email_verified: true,
    },
    token: (idToken) => tokens({ id_token: idToken }),
    userinfo: () => Response.json({ sub: 'ann', email: 'info@example.com', email_verified: true }),
    key: () => pair.publicKey,
  }
})

const oidcOf = (egress = '127.0.0.1/32', clientSecret: string | null = 'secret'): Oidc => {
  const issuer = server.url.origin
  const egressAllow = parseNetworks(egress)
  return {
    settings: {
      issuer,
      clientId: 'svc',
      clientSecret,
      scopes: 'openid',
      name: 'Test',
      allowedDomains: [],
      provision: 'all',
    },
    issuer: new SayingIssuer({ issuer, egressAllow, clock, onFailure: () => {} }),
    egressAllow,
    onFailure: () => {},
  }
}

/** The verified address of who signed in, or the code and reason of the refusal. */
const redeem = async (oidc = oidcOf(), answer: object = {}): Promise<unknown> => {
  try {
    return (await redeemAnswer(oidc, { code: 'c', state: attempt.state, ...answer }, attempt, { clock, wanted: [] }))
      .person.verifiedEmail
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return `${error.code}: ${(error.detail as { reason: string }).reason}`
  }
}

test('a valid answer gives the verified address of the id_token; userinfo is asked only without one', async () => {
  expect(await redeem()).toBe('ann@example.com')
  expect(asked.map((it) => it.path)).toEqual(['/token'])
  delete says.claims['email']
  expect(await redeem()).toBe('info@example.com')
  expect(asked.map((it) => it.path)).toEqual(['/token', '/token', '/userinfo'])
  delete says.metadata['userinfo_endpoint']
  expect(await redeem()).toBeNull()
})

test('the secret goes along as the provider wants it, and a public client has none', async () => {
  await redeem()
  says.metadata['token_endpoint_auth_methods_supported'] = ['client_secret_post']
  await redeem()
  await redeem(oidcOf('127.0.0.1/32', null))
  expect(
    asked.map((it) => [it.authorization?.split(' ')[0] ?? null, it.body.includes('client_secret=secret')]),
  ).toEqual([
    ['Basic', false],
    [null, true],
    [null, false],
  ])
})

test.each([
  [{ sub: '' }, /^oidc-refused: /],
  [{ sub: 'x'.repeat(256) }, /^oidc-refused: the id_token has no usable subject$/],
  [{ azp: 'another' }, /^oidc-refused: it was issued to another client$/],
  [{ aud: ['svc', 'another'], azp: 'another' }, /^oidc-refused: /],
  [{ nonce: 'another' }, /^oidc-refused: /],
  [{ aud: 'another' }, /^oidc-refused: /],
  [{ iss: 'https://evil.example' }, /^oidc-refused: /],
  [{ iat: 1, exp: 4_000_000_000 }, /^oidc-refused: /],
])('an id_token with %o is refused', async (claims, reason) => {
  Object.assign(says.claims, claims)
  expect(await redeem()).toMatch(reason)
})

test('a subject of 255 characters, and the client itself as authorized party, are good', async () => {
  Object.assign(says.claims, { sub: 'x'.repeat(255), azp: 'svc' })
  expect(await redeem()).toBe('ann@example.com')
})

test('an answer without an id_token, or signed by another key, is refused', async () => {
  says.token = () => tokens()
  expect(await redeem()).toMatch(/^oidc-refused: .*id_token/)
  says.token = (idToken) => tokens({ id_token: idToken })
  const other = await generateKeyPair('ES256')
  says.key = () => other.publicKey
  expect(await redeem()).toMatch(/^oidc-refused: signature verification failed/)
  const rsa = await generateKeyPair('RS256')
  says.key = () => rsa.publicKey
  expect(await redeem()).toMatch(/^oidc-refused: its token cannot be verified/)
})

test('claims of userinfo: another subject, a signed answer, and a refusal', async () => {
  delete says.claims['email']
  says.userinfo = () => Response.json({ sub: 'mallory', email: 'info@example.com', email_verified: true })
  expect(await redeem()).toMatch(/^oidc-refused: /)
  says.userinfo = () => new Response('e30.e30.', { headers: { 'content-type': 'application/jwt' } })
  expect(await redeem()).toBe('oidc-refused: the userinfo endpoint answered with a JWT')
  says.userinfo = () =>
    new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
  expect(await redeem()).toBe('oidc-refused: the provider gave no claims (401)')
})

test('what a provider refuses is quoted, without characters that mean anything', async () => {
  expect(await redeem(oidcOf(), { code: undefined, error: '<b>no' })).toBe('oidc-refused: the provider answered  b no')
  says.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  expect(await redeem()).toBe('oidc-refused: the provider gave no tokens (400 invalid_grant)')
})

test('a provider that fails or cannot be reached is unavailable, which is no refusal of the person', async () => {
  says.token = () => new Response('down', { status: 500 })
  expect(await redeem()).toMatch(/^oidc-unavailable: .*it answered 500/)
  expect(await redeem(oidcOf(''))).toMatch(/^oidc-unavailable: .*not public/)
  delete says.metadata['token_endpoint']
  expect(await redeem()).toMatch(/^oidc-unavailable: /)
  says.metadata['token_endpoint'] = 'ftp://elsewhere.example'
  expect(await redeem()).toBe('oidc-refused: only HTTP and HTTPS requests are allowed')
})

test('an error of ours is neither', async () => {
  says.key = () => {
    throw new RangeError('out of order')
  }
  expect(await redeem().catch((error: Error) => error.message)).toBe('out of order')
  says.key = () => {
    throw new SvcError('issuer-unavailable')
  }
  const code = await redeemAnswer(oidcOf(), { code: 'c', state: attempt.state }, attempt, { clock, wanted: [] }).catch(
    (error: SvcError) => error.code,
  )
  expect(code).toBe('issuer-unavailable')
})

test('where the browser signs in is an http address that the provider names', async () => {
  const url = () => authorizationUrl(oidcOf(), attempt).catch((error: SvcError) => error.code)
  expect(await url()).toStartWith(`${server.url.origin}/auth?response_type=code`)
  says.metadata['authorization_endpoint'] = 'https://login.example/auth'
  expect(await url()).toStartWith('https://login.example/auth?')
  for (const endpoint of [undefined, 'nowhere', 'javascript:alert(1)', 'ftp://login.example/']) {
    says.metadata['authorization_endpoint'] = endpoint
    expect([endpoint, await url()]).toEqual([endpoint, 'oidc-unavailable'])
  }
})
