import type { Call } from '../src/api/endpoint.ts'
import { SvcError } from '../src/errors.ts'
import type { Globals } from './globals.ts'

/** An open way to the service: whoever holds it cannot know whether it is local or remote. */
export interface Connection {
  readonly call: Call
  /** Slug of the tenant to work in: the one named, else the only one there is; refuses where it cannot tell. */
  tenant(): Promise<string>
  close(): Promise<void>
  /** For messages: the address or the workspace folder. */
  readonly describe: string
}

/**
 * Opens the service of --base-url.
 * @throws SvcError `usage` where the address is no URL or the tenant is not named, `transport-failed` while calling.
 */
export const connect = async (
  globals: Globals,
  _env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Connection> => {
  if (globals.baseUrl === undefined) {
    throw new SvcError('usage', { reason: 'No service is named: give --base-url or SVC_BASE_URL' })
  }
  const { callOverHttp } = await import('./call-http.ts')
  const { baseUrl, apiKey, timeoutMs } = globals
  return {
    call: callOverHttp({ baseUrl, apiKey, timeoutMs, signal }),
    tenant: async () => {
      if (globals.tenant !== undefined) return globals.tenant
      throw new SvcError('usage', { reason: 'No tenant is named: give --tenant or SVC_TENANT' })
    },
    close: async () => {},
    describe: baseUrl,
  }
}
