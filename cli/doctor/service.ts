/** What "svc doctor" says of services: the one that commands use, where there is one, the issuers where people sign in, and the mail server. */
import { SvcError } from '../../src/errors.ts'
import { whoami } from '../auth/memberships.ts'
import { readBase, reasonOf } from '../connection/http.ts'
import type { Check } from './checks.ts'
import { clockOf } from '../../db/clock.ts'
import { parseNetworks } from '../../server/egress/address.ts'
import { createMailer } from '../../server/mail/mailer.ts'
import { mailOf } from '../../server/mail/settings.ts'
import type { SettingValues } from '../../server/settings/settings.ts'
import { issuersOf } from '../../server/sign-in/issuer-settings.ts'
import { Issuer } from '../../server/sign-in/issuer.ts'

/** Each configured issuer is reached through the egress guard, and its keys can be read. */
export async function checkIssuers(values: SettingValues): Promise<Check[]> {
  const { oidc, trusted } = issuersOf(values)
  const wanted = [...(oidc === null ? [] : [{ issuer: oidc.issuer, jwksUri: undefined }]), ...(trusted?.issuers ?? [])]
  return Promise.all(
    wanted.map(async ({ issuer, jwksUri }): Promise<Check> => {
      const reasons: string[] = []
      const egressAllow = parseNetworks(values.egressAllow)
      const onFailure = (reason: string) => void reasons.push(reason)
      const asked = new Issuer({ issuer, jwksUri, egressAllow, clock: clockOf(), onFailure })
      return (await asked.isReachable())
        ? { name: 'issuer', status: 'pass', message: `${issuer} answers, and its keys can be read`, advice: null }
        : {
            name: 'issuer',
            status: 'fail',
            message: `${issuer} cannot be used: ${reasons[0] ?? 'it does not answer'}`,
            advice: 'Compare it with the "issuer" in the discovery document; add private networks to SVC_EGRESS_ALLOW.',
          }
    }),
  )
}

/** The mail server, where one is configured, answers, encrypts and accepts the user. Nothing is sent. */
export async function checkMail(values: SettingValues, signal: AbortSignal): Promise<Check[]> {
  const settings = mailOf(values)
  if (settings === null) return []
  const outcome = await createMailer(settings).verify(signal)
  return outcome.kind === 'sent'
    ? [{ name: 'mail', status: 'pass', message: 'the mail server answers and accepts this service', advice: null }]
    : [
        {
          name: 'mail',
          status: 'fail',
          message: `no e-mail can be sent: ${outcome.reason}`,
          advice:
            'Compare SVC_SMTP_URL with what the operator of the mail server says: host, port, TLS, user and password.',
        },
      ]
}

type Around = Parameters<typeof whoami>[0]

async function checkAnswer(baseUrl: string, { signal, globals }: Around): Promise<Check> {
  const at = readBase(baseUrl)
  const failed = (reason: string): Check => ({
    name: 'service',
    status: 'fail',
    message: `${at} ${reason}`,
    advice: 'Check --base-url or SVC_BASE_URL, and whether the service is running.',
  })
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(globals.timeoutMs)])
    const response = await fetch(`${at}/readyz`, { signal: within })
    const body = (await response.json().catch(() => null)) as { status?: unknown } | null
    if (typeof body?.status !== 'string') return failed(`is not svc: /readyz answered ${response.status}`)
    if (!response.ok) return failed(`is not ready: ${body.status} (${response.status})`)
    return { name: 'service', status: 'pass', message: `${at} is ready`, advice: null }
  } catch (error) {
    if (signal.aborted) throw error
    return failed(`cannot be reached: ${reasonOf(error, globals.timeoutMs)}`)
  }
}

/** The service at --base-url answers, and accepts the API key or sign-in in use. */
export async function checkService(baseUrl: string, around: Around): Promise<Check[]> {
  const answer = await checkAnswer(baseUrl, around)
  if (answer.status !== 'pass') return [answer]
  try {
    await whoami(around)
    return [answer, { name: 'credentials', status: 'pass', message: 'the service accepts them', advice: null }]
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return [answer, { name: 'credentials', status: 'fail', message: error.message, advice: error.hint }]
  }
}
