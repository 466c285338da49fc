/** What a token of another issuer must say, beside its signature. */
import { beforeAll, expect, test } from 'bun:test'
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose'
import { clockOf } from '../../../db/clock.ts'
import { createExternalTokens } from '../../../server/sign-in/external-tokens.ts'
import { Issuer } from '../../../server/sign-in/issuer.ts'
import { outcome, start } from '../../fixtures/accounts.ts'

const name = 'https://issuer.example'
const seconds = start / 1000
const clock = clockOf(() => start)
let pair: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey }

/** An issuer whose keys are at hand. */
class KnownIssuer extends Issuer {
  readonly #key: () => CryptoKey
  constructor(key: () => CryptoKey) {
    super({ issuer: name, egressAllow: [], clock, onFailure: () => {} })
    this.#key = key
  }
  override key(): Promise<CryptoKey> {
    return Promise.resolve(this.#key())
  }
}

beforeAll(async () => {
  pair = await generateKeyPair('ES256')
})

const sign = (claims: Readonly<Record<string, unknown>> = {}) =>
  new SignJWT({ iss: name, aud: 'svc', sub: 'ann', exp: seconds + 60, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(pair.privateKey)
const verify = (token: string, key: () => CryptoKey = () => pair.publicKey) =>
  outcome(createExternalTokens([new KnownIssuer(key)], 'svc', clock).verify(token))
const refused = (reason: string) => ({ code: 'credentials-invalid', reason })

test('a valid token identifies its subject', async () => {
  expect(await verify(await sign())).toMatchObject({ issuer: name, subject: 'ann' })
  expect(await verify(await sign({ sub: 'x'.repeat(255) }))).toMatchObject({ subject: 'x'.repeat(255) })
})

test('each reason for which one is refused', async () => {
  expect(await verify(await sign({ iss: 'https://other.example' }))).toEqual(refused('its issuer is not trusted'))
  const subject = refused('it has no usable subject')
  expect(await verify(await sign({ sub: '' }))).toEqual(subject)
  expect(await verify(await sign({ sub: 'x'.repeat(256) }))).toEqual(subject)
  expect(await verify(await sign({ exp: seconds - 31 }))).toEqual(refused('the token has expired'))
  expect(await verify(await sign({ aud: 'other' }))).toEqual(refused('the claim "aud" of the token is invalid'))
  expect(await verify(await sign({ nbf: seconds + 31 }))).toEqual(refused('the claim "nbf" of the token is invalid'))
  expect(await verify(await sign({ sub: undefined }))).toEqual(refused('the claim "sub" of the token is invalid'))
  const wrongKey = refused('the token was not signed by a key of its issuer')
  const other = await generateKeyPair('ES256')
  expect(await verify(await sign(), () => other.publicKey)).toEqual(wrongKey)
  // A key that is not for this algorithm.
  const rsa = await generateKeyPair('RS256')
  expect(await verify(await sign(), () => rsa.publicKey)).toEqual(wrongKey)
})

test('an error that says nothing of the token is not a refusal of it', async () => {
  const broken = verify(await sign(), () => {
    throw new RangeError('out of order')
  })
  expect(await broken.catch((error: Error) => error.message)).toBe('out of order')
})
