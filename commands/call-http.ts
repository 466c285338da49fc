/** `Call` over HTTP: the contract says where a request goes and what comes back. */
import type { Call, Endpoint } from '../src/api/endpoint.ts'
import { catalogue, SvcError, type Code } from '../src/errors.ts'
import { withRequestId } from './failure.ts'

export interface HttpOptions {
  /** Address of the service, with or without a path and a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** Another Authorization, such as "Bearer …"; used where there is no API key. */
  readonly authorization?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Attempts of an idempotent request, the first one included. */
  readonly attempts?: number
  /** Shortest pause before the second attempt; doubled before each further one. */
  readonly pauseMs?: number
  readonly userAgent?: string
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const buildUrl = (base: string, endpoint: Endpoint, parts: Parts): URL => {
  let url: URL
  try {
    url = new URL(base)
  } catch {
    throw new SvcError('usage', { reason: `--base-url "${base}" is no URL; give one such as https://svc.example.com` })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new SvcError('usage', { reason: `--base-url "${base}" must begin with http:// or https://` })
  }
  const path = endpoint.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(parts.params?.[name] ?? '')
    // "." and ".." would be folded away by every URL parser, encoded or not.
    if (value === '' || value === '.' || value === '..') {
      throw new SvcError('usage', { reason: `"${value}" cannot be a ${name.replaceAll('_', ' ')}` })
    }
    return encodeURIComponent(value)
  })
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  url.search = ''
  url.hash = ''
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
    }
  }
  return url
}

const buildRequest = (endpoint: Endpoint, parts: Parts, options: HttpOptions): RequestInit => {
  const headers = new Headers({ accept: 'application/json' })
  if (options.userAgent !== undefined) headers.set('user-agent', options.userAgent)
  if (options.apiKey !== undefined) headers.set('x-api-key', options.apiKey)
  else if (options.authorization !== undefined) headers.set('authorization', options.authorization)
  if (endpoint.produces) headers.set('accept', [...endpoint.produces, 'application/json;q=0.9'].join(', '))
  let body: RequestInit['body']
  if (parts.body instanceof Uint8Array) {
    headers.set('content-type', endpoint.accepts?.[0] ?? 'application/octet-stream')
    body = parts.body as Uint8Array<ArrayBuffer>
  } else if (parts.body !== undefined) {
    headers.set('content-type', 'application/json')
    body = JSON.stringify(parts.body)
  }
  for (const [name, value] of Object.entries(parts.headers ?? {})) {
    if (value !== undefined && value !== null) headers.set(name, String(value))
  }
  return { method: endpoint.method, headers, ...(body === undefined || body === null ? {} : { body }) }
}

const isCode = (code: unknown): code is Code => typeof code === 'string' && Object.hasOwn(catalogue, code)

const excerpt = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 120)

/** The SvcError of an answer that is no success. */
const readError = async (response: Response, url: string): Promise<SvcError> => {
  const id = response.headers.get('x-request-id')
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    const reason = `it answered ${response.status} with something that is no JSON: "${excerpt(text)}"`
    return withRequestId(new SvcError('transport-failed', { url, reason }), id)
  }
  const { detail } = (body ?? {}) as { detail?: unknown }
  if (Array.isArray(detail)) return withRequestId(new SvcError('request-invalid', { problems: detail }), id)
  const { code, message, ...context } = (detail ?? {}) as { code?: unknown; message?: unknown }
  // A fault over there is not a fault in here: 5xx that say no more than that end as a transport failure.
  if (isCode(code) && code !== 'internal') {
    return withRequestId(new (SvcError as new (code: Code, detail: object) => SvcError)(code, context), id)
  }
  const said = typeof message === 'string' ? message : excerpt(text)
  const error =
    response.status >= 500
      ? new SvcError('transport-failed', { url, reason: `it answered ${response.status}: ${said}` })
      : new SvcError('service-refused', { status: response.status, reason: said })
  return withRequestId(error, id)
}

const readSuccess = async (endpoint: Endpoint, response: Response, url: string): Promise<unknown> => {
  if (response.status === 204) return undefined
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  const json = type === 'application/json' || (type.endsWith('+json') && !endpoint.produces?.includes(type))
  if (endpoint.produces && !json) {
    if (endpoint.response.type === 'Uint8Array') return new Uint8Array(await response.arrayBuffer())
    return response.text()
  }
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    const reason = `it answered ${response.status} with something that is no JSON: "${excerpt(text)}"; is this svc?`
    throw new SvcError('transport-failed', { url, reason })
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })

const reasonOf = (error: unknown, timeoutMs: number): string => {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ConnectionRefused' ? 'connection refused' : String(message ?? error)
}

/**
 * Calls operations of the service at `baseUrl`. Idempotent requests (GET, PUT, DELETE, or an Idempotency-Key) are
 * repeated after a connection failure, 429 and 5xx, with growing pauses; Retry-After up to 30 s is obeyed.
 * The answers' errors are raised with the code that the service gave; no usable answer is `transport-failed`.
 */
export const callOverHttp = (options: HttpOptions): Call => {
  const request = async (endpoint: Endpoint, parts: Parts): Promise<unknown> => {
    const url = buildUrl(options.baseUrl, endpoint, parts)
    const shown = url.origin + url.pathname
    const init = buildRequest(endpoint, parts, options)
    const repeatable =
      ['GET', 'PUT', 'DELETE'].includes(endpoint.method) || new Headers(init.headers).has('idempotency-key')
    const attempts = repeatable ? (options.attempts ?? 3) : 1
    for (let attempt = 1; ; attempt++) {
      let waitMs = (options.pauseMs ?? 250) * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      try {
        const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
        const response = await fetch(url, { ...init, signal, redirect: 'manual' })
        if (response.ok) return await readSuccess(endpoint, response, shown)
        const passing = response.status >= 500 || response.status === 429
        const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000
        if (!passing || attempt >= attempts || retryAfterMs > 30_000) throw await readError(response, shown)
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
