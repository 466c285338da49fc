import type { Call, Endpoint, Input, Output } from '../../src/api/endpoint.ts'
import { type AnyInput, errorFromWire, toWire } from '../../src/api/wire.ts'
import { SvcError } from '../../src/errors.ts'

let csrfToken: string | null = null

/** The token that the service requires with every change of a browser session. Kept in memory only. */
export const rememberCsrfToken = (token: string | null): void => {
  csrfToken = token
}

/** Sends one call and gives the successful answer as it came; raises `SvcError` for every other one. */
const send = async (endpoint: Endpoint, input: AnyInput, signal?: AbortSignal, written?: Blob): Promise<Response> => {
  const wire = toWire(endpoint, input)
  const headers: Record<string, string> = { ...wire.headers }
  if (written) headers['content-type'] = written.type
  if (wire.method !== 'GET' && csrfToken !== null) headers['x-csrf-token'] = csrfToken
  let response: Response
  try {
    response = await fetch(wire.target, {
      method: wire.method,
      headers,
      body: written ?? (wire.body as BodyInit | null),
      credentials: 'same-origin',
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new SvcError('transport-failed', { url: location.origin, reason: 'there was no response' })
  }
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => null)
  throw (
    errorFromWire(response.status, body) ??
    new SvcError('transport-failed', { url: location.origin, reason: `it answered ${response.status}` })
  )
}

type AbortableCall = <E extends Endpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal) => Promise<Output<E>>

/** `Call` as the browser makes it: same origin, session cookie, CSRF token on changes. An aborted call raises what `fetch` does. */
export const call: AbortableCall = async <E extends Endpoint>(
  endpoint: E,
  input: AnyInput,
  signal?: AbortSignal,
): Promise<Output<E>> => {
  const response = await send(endpoint, input, signal)
  return (response.status === 204 ? null : await response.json()) as Output<E>
}

/** The same for bodies that carry documents: they are written in pieces, between which the page continues. */
export const callLarge: Call = async <E extends Endpoint>(endpoint: E, input: AnyInput): Promise<Output<E>> => {
  const { body, ...rest } = input
  const { jsonInPieces } = await import('./parts/json-pieces.ts')
  const response = await send(endpoint, rest, undefined, await jsonInPieces(body))
  return (await response.json()) as Output<E>
}

/** A text as the service holds it. */
export interface Text {
  readonly text: string
  /** What names these very bytes (RFC 9110, 8.8.3); null where the answer had none. */
  readonly etag: string | null
  readonly mediaType: string
}

/** The same for an operation that answers text: the answer's characters as they are. */
export const callText = async (endpoint: Endpoint, input: AnyInput): Promise<Text> => {
  const response = await send(endpoint, input)
  const mediaType = response.headers.get('content-type') ?? 'text/plain'
  return { text: await response.text(), etag: response.headers.get('etag'), mediaType }
}

/** The digest in an ETag. */
export const digestIn = (etag: string): string => etag.replace(/^"|(?:-(?:zstd|gzip))?"$/g, '')

/** A text as it comes over the wire, for texts that are too large to be one string. */
export interface Stream extends Omit<Text, 'text'> {
  readonly body: ReadableStream<Uint8Array>
}

/** The same, read in pieces. */
export const callStream = async (endpoint: Endpoint, input: AnyInput): Promise<Stream> => {
  const response = await send(endpoint, input)
  const mediaType = response.headers.get('content-type') ?? 'text/plain'
  const body = response.body ?? new Blob([]).stream()
  return { body, etag: response.headers.get('etag'), mediaType }
}

/** Replaces a text that was read before; refused when it was changed in the meantime. */
export const replaceText = async <E extends Endpoint>(
  endpoint: E,
  params: Readonly<Record<string, string>>,
  read: Omit<Text, 'text'>,
  text: string | Blob,
): Promise<{ readonly value: Output<E>; readonly etag: string | null }> => {
  const headers = { 'if-match': read.etag ?? '""', 'content-type': read.mediaType }
  const body = typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(await text.arrayBuffer())
  const response = await send(endpoint, { params, headers, body })
  return { value: (await response.json()) as Output<E>, etag: response.headers.get('etag') }
}
