import { hostname } from 'node:os'
import { authApi } from '../../src/api/auth.ts'
import { type DeviceCode, deviceApi, deviceGrant, type DeviceTokens } from '../../src/api/device.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { callOverHttp, readBase } from '../../cli/connection/http.ts'
import { command } from '../../cli/declare.ts'
import { Login, loginOf } from '../../cli/connection/login.ts'
import { withLock, writeLogin } from '../../cli/connection/login-store.ts'
import { renderFacts } from '../../cli/table.ts'
import { pause } from '../../cli/pause.ts'
import { plural } from '../../src/kernel/plural.ts'

/** Failures to reach the service that are waited out while the person approves. */
const patience = 5

/** Asks for tokens at the pace the service sets until it gives or refuses them (RFC 8628, 3.5). */
async function waitForTokens(call: Call, code: DeviceCode, signal: AbortSignal): Promise<DeviceTokens> {
  let interval = Math.max(1, code.interval)
  let failures = 0
  const deadline = performance.now() + (code.expires_in + interval) * 1000
  for (;;) {
    await pause(interval * 1000, signal)
    try {
      return await call(deviceApi.token, { body: { grant_type: deviceGrant, device_code: code.device_code } })
    } catch (error) {
      if (!(error instanceof SvcError) || performance.now() > deadline) throw error
      const { interval: slower, retry_after } = error.detail as { interval?: number; retry_after?: number }
      if (error.code === 'slow_down') interval = Math.max(interval + 5, slower ?? 0)
      else if (error.code === 'auth-rate-limited') await pause((retry_after ?? 0) * 1000, signal)
      else if (error.code === 'transport-failed' && ++failures < patience) interval += 5
      else if (error.code !== 'authorization_pending') throw error
    }
  }
}

/** The address of the page, readable in a terminal whatever the service sent. */
function pageOf(base: string, address: string): string {
  const url = URL.parse(address, `${base}/`)
  return url === null ? base : url.href
}

export default command({
  summary: 'Sign in to a service by approving a code in a browser',
  description:
    'Prints a URL and a code, waits until you approve it in a browser that is signed in, and stores the credentials of this service in a file that only you can read (in XDG_CONFIG_HOME, else ~/.config). Commands with the same --base-url and without an API key then use them.',
  examples: [
    'svc --base-url https://svc.example auth login',
    'svc --base-url https://svc.example --tenant acme auth login',
  ],
  arguments: [],
  options: {},
  dataSchema: {
    type: 'object',
    properties: {
      service: { type: 'string' },
      user: { type: 'object', properties: { email: { type: 'string' }, name: { type: 'string' } } },
      tenant: { type: ['string', 'null'] },
      path: { type: 'string', description: 'The file that holds the sign-in.' },
      expires_at: { type: 'string', description: 'When it ends unless it is used before.' },
    },
  },
  async run({ globals, env, io, signal }) {
    const { baseUrl, timeoutMs } = globals
    if (baseUrl === undefined)
      throw new SvcError('usage', {
        reason: 'Give the URL of the service with --base-url or SVC_BASE_URL; the local workspace needs no sign-in',
      })
    const base = readBase(baseUrl)
    const options = { baseUrl, timeoutMs, signal }
    const call = callOverHttp({ ...options, apiKey: undefined })
    const code = await call(deviceApi.code, {
      body: { client_id: 'svc', client_name: `svc on ${hostname()}`.slice(0, 100) },
    })
    const minutes = Math.round(code.expires_in / 60)
    io.log.log(
      `Open     ${pageOf(base, code.verification_uri)}\nand type ${code.user_code.replaceAll(/[^\w-]/g, '')} (good for ${plural(minutes, 'minute')}), or open it with the code:\n         ${pageOf(base, code.verification_uri_complete)}\nWaiting …`,
    )
    const tokens = await waitForTokens(call, code, signal)
    const login = new Login(env, options)
    const tenant = tokens.tenant ?? globals.tenant ?? null
    const kept = loginOf(base, tokens, tenant)
    const previous = login.stored()
    await withLock(login.path, async () => writeLogin(login.path, kept))
    // The sign-in that it replaces would live on for a month; failing to end it now does no damage.
    if (previous !== null)
      await call(authApi.logout, { body: { refresh_token: previous.refreshToken } }).catch(() => {})
    if (globals.apiKey !== undefined)
      io.log.warn('An API key is set too (--api-key or SVC_API_KEY); it is used instead of this sign-in.')
    const { email, name } = tokens.user
    return {
      data: { service: base, user: { email, name }, tenant, path: login.path, expires_at: kept.refreshExpiresAt },
      text: renderFacts([
        ['service', base],
        ['signed in as', email],
        ['tenant', tenant],
        ['kept in', login.path],
      ]),
    }
  },
})
