/** The three operations of a gateway at the service. What it answers is read within limits; whatever goes wrong is a `ServiceFailure`. */
import { gzipSync } from 'node:zlib'
import { enforcerSelfApi, selfBase } from '../../../src/api/gateway-enforcers.ts'
import type { Report } from '../../../src/gateway/agent/state.ts'

export class ServiceFailure extends Error {
  /** The status of the answer; null: there was none. */
  readonly status: number | null
  readonly code: string | null
  readonly retryAfterMs: number | null

  constructor(message: string, status: number | null, code: string | null = null, retryAfterMs: number | null = null) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

export type Offer =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'none' }
  | { readonly kind: 'release'; readonly etag: string | null; readonly body: unknown }

export interface EngineReport {
  readonly kind: string
  readonly version: string | null
  readonly crs: string | null
}
export interface Delivered {
  readonly accepted: number
  readonly duplicates: number
  readonly throttled: number
}

/** What the agent needs of the service; tests give another one. */
export interface Service {
  bundle(etag: string | null, waitSeconds: number, signal: AbortSignal): Promise<Offer>
  status(report: Report, engine: EngineReport, signal: AbortSignal): Promise<void>
  events(lines: readonly string[], signal: AbortSignal): Promise<Delivered>
}

const mostBytes = 256 * 1024 * 1024

/** The body of an answer, up to a limit: a proxy in between may send anything. */
async function bodyOf(response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > most) throw new ServiceFailure(`the answer has more than ${most} bytes`, response.status)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ServiceFailure(`it answered ${status} with content that is not JSON`, status)
  }
}

/** The error of an answer of the service, also one with a code that this program does not know; null: something else answered. */
function errorOf(text: string): { readonly code: string; readonly message: string } | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: { code?: unknown; message?: unknown } }
    const { code, message } = detail ?? {}
    return typeof code === 'string' && typeof message === 'string' ? { code, message } : null
  } catch {
    return null
  }
}

const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0)

export function createService(options: {
  readonly url: string
  readonly key: string
  readonly timeoutMs: number
  readonly userAgent: string
}): Service {
  const send = async (path: string, init: RequestInit, timeoutMs: number, signal: AbortSignal): Promise<Response> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const headers = new Headers(init.headers)
    headers.set('x-api-key', options.key)
    headers.set('user-agent', options.userAgent)
    let response: Response
    try {
      response = await fetch(`${options.url}${path}`, { ...init, headers, redirect: 'manual', signal: limit })
    } catch (error) {
      if (signal.aborted) throw error
      // Bun adds a question to it.
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\. Is the computer .*$/, '')
      throw new ServiceFailure(limit.aborted ? `it did not answer within ${timeoutMs / 1000} s` : reason, null)
    }
    if (response.ok || response.status === 304) return response
    const text = await bodyOf(response, 100_000).catch(() => '')
    const known = errorOf(text)
    const message = known === null ? `it answered ${response.status}` : known.message.slice(0, 300)
    const after = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw new ServiceFailure(
      message,
      response.status,
      known?.code ?? null,
      Number.isFinite(after) ? Math.min(after, 600) * 1000 : null,
    )
  }
  return {
    async bundle(etag, waitSeconds, signal) {
      const headers = etag === null ? {} : { 'if-none-match': etag }
      try {
        const timeoutMs = options.timeoutMs + waitSeconds * 1000
        const response = await send(`${selfBase}/bundle?wait=${waitSeconds}`, { headers }, timeoutMs, signal)
        if (response.status === 304) return { kind: 'unchanged' }
        const body = parse(await bodyOf(response, mostBytes), response.status)
        return { kind: 'release', etag: response.headers.get('etag'), body }
      } catch (error) {
        if (error instanceof ServiceFailure && error.code === 'release-not-found') return { kind: 'none' }
        throw error
      }
    },
    async status(report, engine, signal) {
      const body = { releaseId: report.releaseId, state: report.state, error: report.error, engine, capabilities: [] }
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      await send(enforcerSelfApi.status.path, init, options.timeoutMs, signal)
    },
    async events(lines, signal) {
      const body = new Uint8Array(gzipSync(`${lines.join('\n')}\n`))
      const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }
      const response = await send(`${selfBase}/events`, { method: 'POST', headers, body }, options.timeoutMs, signal)
      const said = parse(await bodyOf(response, 100_000), response.status) as Partial<Record<keyof Delivered, unknown>>
      return { accepted: count(said.accepted), duplicates: count(said.duplicates), throttled: count(said.throttled) }
    },
  }
}
