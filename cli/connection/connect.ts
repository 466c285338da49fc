import type { Call } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import type { HttpOptions } from './http.ts'
import type { Globals } from '../globals.ts'
import type { ConnectContext, Connection } from './connection.ts'

// The longest that a call made after Ctrl-C may take.
const shutdownCallMs = 5000

/** The only tenant of the credentials, used when no tenant is named. */
async function onlyTenant(call: Call): Promise<string> {
  const { tenantsApi } = await import('../../src/api/tenants.ts')
  const { items } = await call(tenantsApi.me, {}).catch((error: unknown) => {
    // A key for one purpose alone cannot ask where it belongs.
    if (error instanceof SvcError && error.code === 'scope-denied')
      throw new SvcError('usage', {
        reason: 'This API key cannot look up its organization. Name it with --tenant or SVC_TENANT',
      })
    throw error
  })
  const [only, ...others] = items
  if (only && others.length === 0) return only.slug
  const known = items.map((item) => item.slug).join(', ')
  throw new SvcError('usage', {
    reason: `Choose the organization with --tenant or SVC_TENANT${known === '' ? '' : `: ${known}`}`,
  })
}

/**
 * Opens the service of --base-url, with the API key or else the stored sign-in; without an address the local workspace.
 * @throws SvcError `usage` where the address is not a URL or the tenant is not named, `transport-failed` while calling,
 *   `workspace-unusable`, `database-unavailable` or `database-newer` where the workspace cannot be opened.
 */
export const connect = async (globals: Globals, context: ConnectContext): Promise<Connection> => {
  const { baseUrl, apiKey, timeoutMs } = globals
  if (baseUrl === undefined) {
    const { connectLocal } = await import('./local.ts')
    return connectLocal(globals, context)
  }
  const { env, signal, log } = context
  log.debug(`Service: ${baseUrl}`)
  const shutdown = {
    baseUrl,
    timeoutMs: Math.min(timeoutMs, shutdownCallMs),
    attempts: 1,
    signal: new AbortController().signal,
  }
  const { callOverHttp } = await import('./http.ts')
  const { callAsLogin, Login } = await import('./login.ts')
  const login = new Login(env, { baseUrl, timeoutMs, signal })
  const open = (options: Omit<HttpOptions, 'apiKey'>): Call =>
    apiKey === undefined ? callAsLogin(login, { ...options, log }) : callOverHttp({ ...options, log, apiKey })
  const call = open({ baseUrl, timeoutMs, signal })
  const named = globals.tenant ?? (apiKey === undefined ? login.stored()?.tenant : null) ?? null
  let tenant: Promise<string> | undefined
  return {
    call,
    shutdownCall: open(shutdown),
    tenant: () => (tenant ??= named === null ? onlyTenant(call) : Promise.resolve(named)),
    close: async () => {},
    describe: baseUrl,
  }
}
