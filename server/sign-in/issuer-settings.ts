import { rulesProblem, type RuleSettings } from '../role-rules/door.ts'
import type { SettingValues } from '../settings/door.ts'
import type { OidcSettings, TrustedIssuers } from './oidc-settings.ts'

/** Issuers as the operator configured them. */
export interface IssuerSettings {
  readonly oidc: OidcSettings | null
  readonly trusted: TrustedIssuers | null
  readonly rules?: RuleSettings
}

const words = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean)

function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

/** What is wrong with the file of rules that the settings name. */
function ruleProblems(values: Readonly<Record<string, unknown>>, placeOf: (key: string) => string): readonly string[] {
  const { 'oidc.rules': file, 'oidc.issuer': issuer } = values
  const problem = typeof file === 'string' ? rulesProblem(file, typeof issuer === 'string' ? issuer : null) : null
  return problem === null ? [] : [`${placeOf('oidc.rules')}: ${problem}`]
}

/**
 * What is wrong with the settings of issuers, each with the place it came from.
 * @param placeOf the flag, variable or line of a setting
 */
export function issuerProblems(
  values: Readonly<Record<string, unknown>>,
  placeOf: (key: string) => string,
): readonly string[] {
  const problems: string[] = []
  const issuer = values['oidc.issuer']
  if (typeof issuer === 'string' && !isIssuerUrl(issuer))
    problems.push(`${placeOf('oidc.issuer')} must be an http or https address without a query, not "${issuer}"`)
  if (typeof issuer === 'string' && !values['oidc.clientId'])
    problems.push(`${placeOf('oidc.issuer')} needs SVC_OIDC_CLIENT_ID as well`)
  for (const domain of words(values['oidc.allowedDomains']))
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(domain))
      problems.push(`${placeOf('oidc.allowedDomains')} must be domains such as example.com, not "${domain}"`)
  for (const entry of words(values['jwt.issuers'])) {
    const parts = entry.split(/\s+/)
    if (parts.length > 2 || !parts.every(isIssuerUrl))
      problems.push(`${placeOf('jwt.issuers')} must be "ISSUER" or "ISSUER JWKS-ADDRESS", not "${entry}"`)
    // Tokens of this name are our own: two who sign under one name cannot be distinguished.
    if (parts[0]?.replace(/\/+$/, '') === String(values.publicUrl ?? '').replace(/\/+$/, ''))
      problems.push(`${placeOf('jwt.issuers')} must not be this service itself`)
  }
  problems.push(...ruleProblems(values, placeOf))
  if (!values['jwt.audience']) problems.push(`${placeOf('jwt.audience')} must be the audience of this service`)
  return problems
}

/** The issuers that the settings name. */
export function issuersOf(values: SettingValues): IssuerSettings {
  const issuer = values['oidc.issuer']
  const clientId = values['oidc.clientId']
  const trusted = words(values['jwt.issuers']).map((entry) => {
    const [name = '', jwksUri] = entry.split(/\s+/)
    return jwksUri === undefined ? { issuer: name } : { issuer: name, jwksUri }
  })
  return {
    oidc:
      issuer === null || clientId === null
        ? null
        : {
            issuer,
            clientId,
            // Read when it is used: it may be in a file that is replaced.
            get clientSecret() {
              return values['oidc.clientSecret']
            },
            scopes: values['oidc.scopes'],
            name: values['oidc.name'] ?? URL.parse(issuer)?.host ?? issuer,
            allowedDomains: words(values['oidc.allowedDomains']).map((it) => it.toLowerCase()),
            provision: values['oidc.provision'],
            signsOutAtProvider: values['oidc.logout'] === 'provider',
          },
    trusted: trusted.length === 0 ? null : { issuers: trusted, audience: values['jwt.audience'] },
    rules: { issuer, file: values['oidc.rules'], isFileOnly: values['oidc.rulesBy'] === 'operator' },
  }
}
