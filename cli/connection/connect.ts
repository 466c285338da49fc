import type { Call } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import type { HttpOptions } from './http.ts'
import type { Globals } from '../globals.ts'

/** An open way to the service: whoever holds it cannot know whether it is local or remote. */
export interface Connection {
  readonly call: Call
  /** The same, for what has to be said while leaving: Ctrl-C does not end it. */
  readonly lastCall: Call
  /** Slug of the tenant to work in: the one named, else the only one there is; refuses where it cannot tell. */
  tenant(): Promise<string>
  /** Ends it. Jobs that run in this process finish first, or are given back, at once where it is in a hurry. */
  close(inHurry?: boolean): Promise<void>
  /** For messages: the address or the workspace folder. */
  readonly describe: string
}

// Whoever pressed Ctrl-C does not want to wait.
const lastCallMs = 5000

/** The only tenant of the credentials, for whoever named none. */
async function onlyTenant(call: Call): Promise<string> {
  const { tenantsApi } = await import('../../src/api/tenants.ts')
  const { items } = await call(tenantsApi.me, {})
  const [only, ...others] = items
  if (only && others.length === 0) return only.slug
  const known = items.map((item) => item.slug).join(', ')
  throw new SvcError('usage', {
    reason: `Name the tenant with --tenant or SVC_TENANT${known === '' ? '' : `; you can reach ${known}`}`,
  })
}

/**
 * Opens the service of --base-url, with the API key or else the stored sign-in; without an address the local workspace.
 * @throws SvcError `usage` where the address is no URL or the tenant is not named, `transport-failed` while calling,
 *   `workspace-unusable`, `database-unavailable` or `database-newer` where the workspace cannot be opened.
 */
export const connect = async (
  globals: Globals,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  signal: AbortSignal,
): Promise<Connection> => {
  const { baseUrl, apiKey, timeoutMs } = globals
  if (baseUrl === undefined) {
    const { connectLocal } = await import('./local.ts')
    return connectLocal(globals, env, cwd, signal)
  }
  const lastWords = {
    baseUrl,
    timeoutMs: Math.min(timeoutMs, lastCallMs),
    attempts: 1,
    signal: new AbortController().signal,
  }
  const { callOverHttp } = await import('./http.ts')
  const { callAsLogin, Login } = await import('./login.ts')
  const login = new Login(env, { baseUrl, timeoutMs, signal })
  const open = (options: Omit<HttpOptions, 'apiKey'>): Call =>
    apiKey === undefined ? callAsLogin(login, options) : callOverHttp({ ...options, apiKey })
  const call = open({ baseUrl, timeoutMs, signal })
  const named = globals.tenant ?? (apiKey === undefined ? login.stored()?.tenant : null) ?? null
  let tenant: Promise<string> | undefined
  return {
    call,
    lastCall: open(lastWords),
    tenant: () => (tenant ??= named === null ? onlyTenant(call) : Promise.resolve(named)),
    close: async () => {},
    describe: baseUrl,
  }
}
