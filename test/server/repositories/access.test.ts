import { expect, test } from 'bun:test'
import { authorizationTo } from '../../../server/hosting/door.ts'
import { authorizationOf, remoteOf, Unreadable, unreadableOf } from '../../../server/repositories/access.ts'
import { GitFailure, type GitFailureKind } from '../../../server/sources/door.ts'
import { SvcError } from '../../../src/errors.ts'

test('a token is sent to the origin of its own account alone', () => {
  const credential = {
    provider: 'github',
    host: 'github.example.com',
    email: null,
    token: 'secret',
  } as unknown as Parameters<typeof authorizationTo>[2]
  const sent = (url: string) => authorizationTo(url, 'https://github.example.com', credential) !== null
  const urls: [string, boolean][] = [
    ['https://github.example.com/acme/shop.git', true],
    ['https://GITHUB.example.com:443/acme/shop.git', true],
    ['http://github.example.com/acme/shop.git', false],
    ['https://github.example.com:8443/acme/shop.git', false],
    ['https://github.com/acme/shop.git', false],
    ['https://github.example.com.evil.example/acme/shop.git', false],
    ['https://github.example.com@evil.example/acme/shop.git', false],
  ]
  for (const [url, expected] of urls) expect([url, sent(url)]).toEqual([url, expected])
})

test('an account that does not serve is the reason; without an account nothing is sent', () => {
  const hosts = { originOf: (host: string) => `https://${host}` }
  const sent = (credential: Parameters<typeof authorizationOf>[1]): unknown => {
    try {
      return authorizationOf('https://github.example.com/acme/shop.git', credential, hosts)
    } catch (error) {
      return error instanceof Unreadable ? error.reason : error
    }
  }
  expect(sent(null)).toBeNull()
  expect(sent('account-expired')).toEqual({
    code: 'account-expired',
    message: 'the token of its linked account has expired',
  })
  const credential = { provider: 'github', host: 'github.example.com', email: null, token: 'secret' } as never
  expect(String(sent(credential)).startsWith('Basic ')).toBe(true)
})

test('a repository without an account is read without credentials', async () => {
  const source = { tenantId: 'a', cloneUrl: 'https://github.com/acme/shop.git', linkedAccountId: null }
  // Nothing of the database is needed for it.
  const deps = { hosting: { hosts: {} } } as unknown as Parameters<typeof remoteOf>[0]
  expect(await remoteOf(deps, source)).toEqual({ tenantId: 'a', url: source.cloneUrl, authorization: null })
})

test('what is about the repository is a reason of its health; anything else is thrown', () => {
  const codeOf = (error: unknown): string => {
    try {
      return unreadableOf(error).reason.code
    } catch (thrown) {
      return thrown === error ? 'thrown' : 'another error was thrown'
    }
  }
  const failed = (kind: GitFailureKind) => new GitFailure('https://github.com/acme/shop.git', { kind, reason: 'no' })
  expect(codeOf(failed('missing'))).toBe('repository-missing')
  expect(codeOf(failed('credentials'))).toBe('credentials-refused')
  expect(codeOf(failed('other'))).toBe('unreachable')
  expect(codeOf(new Unreadable('account-expired', 'expired'))).toBe('account-expired')
  for (const error of [
    new SvcError('egress-denied', { host: 'a', address: '127.0.0.1' } as never),
    new SvcError('project-not-found', { project: 'a' }),
    new TypeError('a bug'),
  ])
    expect(codeOf(error)).toBe('thrown')
})
