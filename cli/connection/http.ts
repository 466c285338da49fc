/** `Call` over HTTP: the contract says where a request goes and what comes back. */
import type { Call, Endpoint } from '../../src/api/endpoint.ts'
import { errorFromWire, toWire, type AnyInput, type WireRequest } from '../../src/api/wire.ts'
import { SvcError } from '../../src/errors.ts'
import type { ConsolaInstance } from 'consola/core'
import { withRequestId } from '../failure.ts'
import { pause } from '../pause.ts'

export interface HttpOptions {
  /** Address of the service, with or without a path and a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** Gives another Authorization, such as "Bearer …", or none; asked where there is no API key. */
  readonly authorization?: () => Promise<string | undefined>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Attempts of an idempotent request, the first one included; 3 when omitted. */
  readonly attempts?: number
  /** Pause before the second attempt, doubled before each further one; 250 when omitted. */
  readonly pauseMs?: number
  readonly userAgent?: string
  /** Gets a debug message for each request. */
  readonly log?: Pick<ConsolaInstance, 'debug'>
}

/**
 * The address of a service as requests and stored sign-ins name it: without query and slash at its end.
 * @throws SvcError `usage`
 */
export const readBase = (baseUrl: string): string => {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    throw new SvcError('usage', {
      reason: `--base-url must be a URL such as https://svc.example.com, not "${baseUrl}"`,
    })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new SvcError('usage', { reason: `--base-url "${baseUrl}" must begin with http:// or https://` })
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const buildRequest = async (wire: WireRequest, endpoint: Endpoint, options: HttpOptions): Promise<RequestInit> => {
  const headers = new Headers(wire.headers)
  if (options.userAgent !== undefined) headers.set('user-agent', options.userAgent)
  // A credential goes only where the operation looks at one: never along with a sign-in.
  if (endpoint.access.anonymous !== true || endpoint.access.credentials === 'optional') {
    if (options.apiKey !== undefined) headers.set('x-api-key', options.apiKey)
    else {
      const authorization = await options.authorization?.()
      if (authorization !== undefined) headers.set('authorization', authorization)
    }
  }
  const body = wire.body instanceof Uint8Array ? new Uint8Array(wire.body) : wire.body
  return { method: wire.method, headers, redirect: 'manual', ...(body === null ? {} : { body }) }
}

const excerpt = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 120)

/** The error of an answer. 5xx that say no more than "internal" are a transport failure: not our fault. */
const readError = async (response: Response, url: string): Promise<SvcError> => {
  const id = response.headers.get('x-request-id')
  const text = await response.text()
  const { status } = response
  let error: SvcError | null = null
  try {
    error = errorFromWire(status, JSON.parse(text))
  } catch {
    const reason = `it answered ${status} with content that is not JSON: "${excerpt(text)}"`
    return withRequestId(new SvcError('transport-failed', { url, reason }), id)
  }
  if (error !== null && error.code !== 'internal') return withRequestId(error, id)
  const said = error?.message ?? excerpt(text)
  return withRequestId(
    status >= 500
      ? new SvcError('transport-failed', { url, reason: `it answered ${status}: ${said}` })
      : new SvcError('service-refused', { status, reason: said }),
    id,
  )
}

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

/** The body of a success: bytes where the contract says so, text where it produces other types, JSON otherwise. */
const readSuccess = async (endpoint: Endpoint, response: Response, url: string): Promise<unknown> => {
  if (response.status === 204) return undefined
  if (endpoint.verbatim) return new Uint8Array(await response.arrayBuffer())
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  const text = await response.text()
  if (endpoint.response.type === 'string' && endpoint.produces) return text
  if (endpoint.produces?.includes(type) === true && !isJson(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    const reason = `it answered ${response.status} with content that is not JSON: "${excerpt(text)}". Check that the URL is an svc service`
    throw new SvcError('transport-failed', { url, reason })
  }
}

/** Why a request had no answer, for people. */
export const reasonOf = (error: unknown, timeoutMs: number): string => {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ConnectionRefused' || code === 'ECONNREFUSED' ? 'connection refused' : String(message ?? error)
}

const longestWaitMs = 30_000

/**
 * Calls operations of the service at `baseUrl`. Idempotent requests (GET, PUT, DELETE, or an Idempotency-Key) are
 * repeated after a connection failure, 429 and 5xx, with growing pauses; Retry-After up to 30 s is obeyed.
 * @throws SvcError with the code that the service answered; `transport-failed` where no usable answer came; `usage`
 * where the address is not one; an AbortError where `signal` aborted.
 */
export const callOverHttp = (options: HttpOptions): Call => {
  const base = readBase(options.baseUrl)
  const request = async (endpoint: Endpoint, input: AnyInput): Promise<unknown> => {
    const wire = toWire(endpoint, input)
    const init = await buildRequest(wire, endpoint, options)
    const url = base + wire.target
    const shown = url.split('?')[0] ?? url
    const repeatable =
      ['GET', 'PUT', 'DELETE'].includes(wire.method) || new Headers(init.headers).has('idempotency-key')
    const attempts = repeatable ? (options.attempts ?? 3) : 1
    for (let attempt = 1; ; attempt++) {
      let waitMs = (options.pauseMs ?? 250) * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      const started = performance.now()
      try {
        const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
        const response = await fetch(url, { ...init, signal })
        options.log?.debug(`${wire.method} ${url} ${response.status} ${Math.round(performance.now() - started)} ms`)
        if (response.ok) return await readSuccess(endpoint, response, shown)
        const passing = response.status >= 500 || response.status === 429
        const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000
        if (!passing || attempt >= attempts || retryAfterMs > longestWaitMs) throw await readError(response, shown)
        await response.body?.cancel()
        if (retryAfterMs > 0) waitMs = retryAfterMs
      } catch (error) {
        if (error instanceof SvcError || options.signal.aborted) throw error
        if (attempt >= attempts) {
          throw new SvcError('transport-failed', { url: shown, reason: reasonOf(error, options.timeoutMs) })
        }
      }
      await pause(waitMs, options.signal)
    }
  }
  return request as Call
}
