import type { Transport } from '@modelcontextprotocol/client'
import { FetchFailed, guardedOpen, type Network } from '../../egress/door.ts'
import { SvcError } from '../../../src/errors.ts'
import { filteredEvents } from './events.ts'
import { ObservationFailed } from './failure.ts'
import { maxRequests, observationLimits, type ObservationLimits } from './limits.ts'
import { observe, type Observed } from './observe.ts'
import { Recorder } from './recorder.ts'

/** What is observed over HTTP. */
export interface HttpTarget {
  readonly address: string
  readonly transport: 'streamable_http' | 'sse'
  /** Sent with every request, to the origin of the address only. */
  readonly header: { readonly name: string; readonly value: string } | null
}

export interface HttpObservationOptions {
  /** Networks beside the public internet that may be reached. */
  readonly allow: readonly Network[]
  readonly limits?: ObservationLimits
  readonly signal: AbortSignal
  /** Replaces the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
}

interface Hook {
  readonly target: HttpTarget
  readonly options: HttpObservationOptions
  readonly limits: ObservationLimits
  readonly recorder: Recorder
  readonly signal: AbortSignal
  readonly until: number
}

const answerOf = (status: number): Response => new Response(null, { status })

/** What a failure of the guard means for the observation. */
function failGuard(recorder: Recorder, error: unknown): ObservationFailed {
  if (recorder.failure !== null) return recorder.failure
  if (error instanceof FetchFailed) {
    const { kind } = error
    if (kind === 'too-large') return recorder.fail('too-large', error.message)
    return recorder.fail(kind === 'timeout' || kind === 'protocol' ? kind : 'unreachable', error.message)
  }
  if (error instanceof SvcError) return recorder.fail('refused', error.message)
  if (error instanceof ObservationFailed) return error
  throw error
}

async function bytesOf(body: ReadableStream<Uint8Array>, recorder: Recorder): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) {
    recorder.count(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Sends one request through the guard. @throws ObservationFailed */
async function exchange(hook: Hook, url: URL, method: string, init: RequestInit): Promise<Response> {
  const { target, options, recorder, signal, until } = hook
  const headers = Object.fromEntries(new Headers(init.headers))
  if (target.header !== null) headers[target.header.name.toLowerCase()] = target.header.value
  try {
    const answer = await guardedOpen(url.href, {
      allow: options.allow,
      timeoutMs: Math.max(1, until - Date.now()),
      maxBytes: recorder.left,
      method: method as 'GET' | 'POST' | 'DELETE',
      headers,
      ...(typeof init.body === 'string' && { body: new TextEncoder().encode(init.body) }),
      ...(options.resolve && { resolve: options.resolve }),
      signal,
    })
    // The end of a session: the lists are read, so that its answer decides nothing.
    if (method === 'DELETE') {
      await answer.body.cancel()
      return answerOf(204)
    }
    return await read(hook, url, answer)
  } catch (error) {
    if (method === 'DELETE') return answerOf(204)
    throw failGuard(recorder, error)
  }
}

/** Reads an answer: the status decides, then the type of the body. */
async function read(
  { recorder }: Hook,
  url: URL,
  { status, headers, body }: Awaited<ReturnType<typeof guardedOpen>>,
): Promise<Response> {
  if (status === 401 || status === 403 || status === 407) {
    await body.cancel()
    throw recorder.fail('auth-required', `It answered ${status}: it asks for credentials.`)
  }
  if (status >= 300 && status < 400) {
    await body.cancel()
    const location = URL.parse(headers.get('location') ?? '', url)
    if (location === null || location.origin !== url.origin)
      throw recorder.fail(
        'redirected',
        `It redirects to ${location?.origin ?? 'nowhere'}; only its own origin is asked.`,
      )
    return new Response(null, { status, headers: { location: location.href } })
  }
  const type = (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  const passed = new Headers()
  for (const name of ['content-type', 'mcp-session-id']) {
    const value = headers.get(name)
    if (value !== null) passed.set(name, value)
  }
  if (type === 'text/event-stream' && status < 300)
    return new Response(filteredEvents(body, recorder, failGuard), { status, headers: passed })
  const bytes = await bytesOf(body, recorder)
  if (type !== 'application/json') return new Response(status === 204 ? null : '', { status, headers: passed })
  const text = new TextDecoder().decode(bytes)
  // The answer to a notification may be anything; an error may be no message.
  if (text.trim() === '' || status >= 300)
    return new Response(errorText(recorder, text, status), { status, headers: passed })
  const messages = recorder.read(text)
  return new Response(messages.length === 1 ? JSON.stringify(messages[0]) : JSON.stringify(messages), {
    status,
    headers: passed,
  })
}

/** An error of the protocol that came with a status of HTTP; other texts say nothing to the client. */
function errorText(recorder: Recorder, text: string, status: number): string {
  if (status < 400 || text.trim() === '') return ''
  try {
    const messages = recorder.read(text)
    return messages.length === 1 ? JSON.stringify(messages[0]) : ''
  } catch {
    recorder.failure = null
    return ''
  }
}

/** The `fetch` that the client gets: the origin of the address and no other, through the guard. */
function fetchOver(hook: Hook): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const { target, recorder } = hook
  const { origin } = new URL(target.address)
  let requests = 0
  let streams = 0
  return async (asked, init = {}) => {
    const url = new URL(asked)
    const method = init.method ?? 'GET'
    if (recorder.failure !== null) throw recorder.failure
    if (url.origin !== origin)
      throw recorder.fail('redirected', `It leads to ${url.origin}; only its own origin is asked.`)
    // The stream of messages that the server begins is not needed; the older transport has one, which carries the answers.
    if (method === 'GET' && (target.transport === 'streamable_http' || ++streams > 1)) return answerOf(405)
    if (method === 'POST' && typeof init.body === 'string' && !recorder.sends(JSON.parse(init.body)))
      return answerOf(202)
    requests += 1
    if (requests > maxRequests) throw recorder.fail('protocol', `It takes more than ${maxRequests} requests to read.`)
    return exchange(hook, url, method, init)
  }
}

/**
 * Observes a server over HTTP through the egress guard. Nothing but the origin of the address is asked: a redirect elsewhere ends
 * it, a 401 ends it without looking for an authorization server, whatever metadata the answer names.
 * @throws ObservationFailed
 */
export async function observeHttp(target: HttpTarget, options: HttpObservationOptions): Promise<Observed> {
  const limits = options.limits ?? observationLimits
  const stop = new AbortController()
  const recorder = new Recorder(limits, stop)
  const signal = AbortSignal.any([stop.signal, options.signal])
  const timer = setTimeout(
    () => recorder.fail('timeout', `It was not read within ${limits.timeoutMs / 1000} seconds.`),
    limits.timeoutMs,
  )
  try {
    const sdk = await import('@modelcontextprotocol/client')
    const hook: Hook = { target, options, limits, recorder, signal, until: Date.now() + limits.timeoutMs }
    const fetch = fetchOver(hook)
    const url = new URL(target.address)
    const transport: Transport =
      target.transport === 'sse'
        ? new sdk.SSEClientTransport(url, { fetch })
        : new sdk.StreamableHTTPClientTransport(url, { fetch, reconnectionOptions: never })
    return await untilAborted(signal, observe(transport, recorder, limits), recorder)
  } finally {
    clearTimeout(timer)
    // Whatever is still open is closed.
    stop.abort()
  }
}

const never = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
}

/** The work, or its failure as soon as it is aborted: the client waits for nothing then. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>, recorder: Recorder): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(recorder.failure ?? new ObservationFailed('timeout', 'The observation was cut off.'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
  work.catch(() => {})
  return Promise.race([work, aborted])
}
