import { loadConfig } from '../cli/configuration.ts'
import { readBase, reasonOf } from '../cli/connection/http.ts'
import { command } from '../cli/declare.ts'
import { SvcError } from '../src/errors.ts'

/** The address of the service on this machine: what it listens on, or loopback where that is every address. */
function ownAddress(host: string, port: number): string {
  const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const reachable = loopback[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

async function ask(url: string, signal: AbortSignal, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  } catch (error) {
    if (signal.aborted) throw error
    throw new SvcError('transport-failed', { url, reason: reasonOf(error, timeoutMs) })
  }
}

export default command({
  summary: 'Check that a service answers',
  description:
    'Asks /healthz of --base-url, or of the service on this machine (SVC_HOST, SVC_PORT), and needs no key. With --ready it asks ' +
    '/readyz: whether the database answers and requests should be sent there. Exits with 1 if it does not. ' +
    'For the health check of a container or a service manager.',
  examples: ['svc health', 'svc --base-url https://svc.example.com health --ready'],
  arguments: [],
  options: { ready: { type: 'boolean', summary: 'ask whether it is ready for requests' } },
  dataSchema: {
    type: 'object',
    properties: { url: { type: 'string' }, status: { type: 'string' }, http_status: { type: 'integer' } },
  },
  run: async (invocation) => {
    const { globals, options, signal } = invocation
    const { values } = loadConfig(invocation)
    const base = readBase(globals.baseUrl ?? ownAddress(values.host, values.port))
    const url = `${base}${options.ready ? '/readyz' : '/healthz'}`
    const response = await ask(url, signal, globals.timeoutMs)
    const body = (await response.json().catch(() => null)) as { status?: unknown } | null
    const status = typeof body?.status === 'string' ? body.status : 'unknown'
    return {
      exitCode: response.ok && body !== null ? 0 : 1,
      data: { url, status, http_status: response.status },
      text: `${base} answers: ${status} (${response.status})\n`,
    }
  },
})
