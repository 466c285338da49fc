import { expect, test } from 'bun:test'
import { issuerProblems, issuersOf } from '../../../server/sign-in/issuer-settings.ts'
import { readConfig, showValue } from '../../../server/config.ts'
import { SvcError } from '../../../src/errors.ts'

const read = (env: Readonly<Record<string, string>>) => readConfig({ env, file: null })
const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof SvcError) return (error.detail as { problems: readonly string[] }).problems
    throw error
  }
}

test('nothing configured: nobody signs in elsewhere, nobody else is trusted', () => {
  expect(issuersOf(read({}).values)).toEqual({
    oidc: null,
    trusted: null,
    rules: { file: null, isFileOnly: false, issuer: null },
  })
})

test('what the variables mean', () => {
  const { values } = read({
    SVC_OIDC_ISSUER: 'https://login.example/realms/a',
    SVC_OIDC_CLIENT_ID: 'svc',
    SVC_OIDC_CLIENT_SECRET: 'secret',
    SVC_OIDC_ALLOWED_DOMAINS: 'Example.com, sub.example.org',
    SVC_JWT_ISSUERS: 'https://a.example/, https://b.example https://keys.example/b.json',
    SVC_JWT_AUDIENCE: 'https://api.example',
  })
  expect(issuersOf(values)).toEqual({
    oidc: {
      issuer: 'https://login.example/realms/a',
      clientId: 'svc',
      clientSecret: 'secret',
      scopes: 'openid email profile',
      name: 'login.example',
      allowedDomains: ['example.com', 'sub.example.org'],
      provision: 'domains',
      signsOutAtProvider: false,
    },
    trusted: {
      issuers: [
        { issuer: 'https://a.example/' },
        { issuer: 'https://b.example', jwksUri: 'https://keys.example/b.json' },
      ],
      audience: 'https://api.example',
    },
    rules: { file: null, isFileOnly: false, issuer: 'https://login.example/realms/a' },
  })
  expect(showValue('oidc.clientSecret', values['oidc.clientSecret'])).toBe('[redacted]')
})

test('what is right is no problem: http and https, one issuer or an issuer and its keys', () => {
  const problems = (values: Record<string, unknown>) =>
    issuerProblems({ 'jwt.audience': 'svc', ...values }, (key) => key)
  for (const values of [
    { 'oidc.issuer': 'http://i.example', 'oidc.clientId': 'x' },
    { 'oidc.issuer': 'https://i.example', 'oidc.clientId': 'x' },
    { 'jwt.issuers': 'https://a.example' },
    { 'jwt.issuers': 'http://a.example http://a.example/keys' },
  ])
    expect([values, problems(values)]).toEqual([values, []])
  expect(problems({ 'jwt.audience': '' })).toEqual(['jwt.audience must be the audience of this service'])
})

test('an issuer without a client, or a client without an issuer, is nobody to sign in with', () => {
  const { values } = read({})
  expect(issuersOf({ ...values, 'oidc.clientId': 'svc' }).oidc).toBeNull()
  expect(issuersOf({ ...values, 'oidc.issuer': 'https://i.example' }).oidc).toBeNull()
})

test.each([
  [{ SVC_OIDC_ISSUER: 'login', SVC_OIDC_CLIENT_ID: 'x' }, 'SVC_OIDC_ISSUER must be an http or https address'],
  [{ SVC_OIDC_ISSUER: 'https://i.example?x=1', SVC_OIDC_CLIENT_ID: 'x' }, 'SVC_OIDC_ISSUER must be an http'],
  [{ SVC_OIDC_ISSUER: 'https://i.example' }, 'SVC_OIDC_ISSUER needs SVC_OIDC_CLIENT_ID as well'],
  [{ SVC_OIDC_ALLOWED_DOMAINS: '@example.com' }, 'SVC_OIDC_ALLOWED_DOMAINS must be domains'],
  [{ SVC_OIDC_ISSUER: 'ftp://i.example', SVC_OIDC_CLIENT_ID: 'x' }, 'SVC_OIDC_ISSUER must be an http or https address'],
  [{ SVC_JWT_ISSUERS: 'https://a.example nowhere' }, 'SVC_JWT_ISSUERS must be "ISSUER" or "ISSUER JWKS-ADDRESS"'],
  [{ SVC_JWT_ISSUERS: 'nowhere' }, 'SVC_JWT_ISSUERS must be "ISSUER" or "ISSUER JWKS-ADDRESS"'],
  [{ SVC_OIDC_PROVISION: 'some' }, 'SVC_OIDC_PROVISION takes one of none, domains, all'],
  [{ SVC_JWT_ISSUERS: 'https://a.example b c' }, 'SVC_JWT_ISSUERS must be "ISSUER" or "ISSUER JWKS-ADDRESS"'],
  [
    { SVC_JWT_ISSUERS: 'https://me.example', SVC_PUBLIC_URL: 'https://me.example/' },
    'SVC_JWT_ISSUERS must not be this',
  ],
])('%o is refused by name', (env, problem) => {
  expect(problemsOf(env)).toEqual([expect.stringContaining(problem)])
})
