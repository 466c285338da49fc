import type { Endpoint } from '../../src/api/endpoint.ts'
import { apiVersion } from '../../src/api/version.ts'
import { answerError, type ErrorFormat } from './error-answer.ts'
import { chooseCoding, encodeBytes } from './coding.ts'
import { Reply } from './reply.ts'
import { requestIdOf } from './request-id.ts'

/** What every answer carries beside its request id. */
export const commonHeaders = { 'x-api-version': apiVersion, 'x-content-type-options': 'nosniff' }

/** The form of error body: that of the interface, or the one that the caller asked for (RFC 9457 only when Accept names it). */
function errorFormatOf(request: Request): ErrorFormat {
  if (new URL(request.url).pathname.startsWith('/scim/')) return 'scim'
  return request.headers.get('accept')?.includes('application/problem+json') === true ? 'problem' : 'detail'
}

/** What an answer in HTML may do: show itself. It is text about documents of others, and runs nothing. */
const htmlPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

const isText = (mediaType: string): boolean => /^(?:text\/|application\/(?:.*\+)?(?:json|xml)\b)/.test(mediaType)

/**
 * A body in the best coding that the caller takes (RFC 9110, section 12.5.3). An answer with an ETag stays as it is: a
 * strong one names these very bytes.
 */
async function encoded(
  body: Uint8Array<ArrayBuffer> | string | null,
  headers: Headers,
  request: Request,
): Promise<Uint8Array<ArrayBuffer> | string | null> {
  const plain = headers.get('content-encoding') === null && headers.get('etag') === null
  if (body === null || body.length < 1400 || !plain || !isText(headers.get('content-type') ?? '')) return body
  headers.append('vary', 'accept-encoding')
  const coding = chooseCoding(request.headers.get('accept-encoding'))
  if (coding === null) return body
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const made = await encodeBytes(bytes, coding, 'once')
  if (made === null) return body
  headers.set('content-encoding', coding)
  return made
}

/**
 * The answer of an operation: the result as JSON, or what a `Reply` says.
 * @param request says which codings its sender takes
 */
export async function answerResult(endpoint: Endpoint, result: unknown, request: Request): Promise<Response> {
  const status = endpoint.status ?? 200
  if (!(result instanceof Reply) && status === 204) return new Response(null, { status })
  const reply = result instanceof Reply ? result : Reply.json(result)
  const headers = new Headers(reply.headers)
  for (const cookie of reply.cookies) headers.append('set-cookie', cookie)
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  if (isHtml && !headers.has('content-security-policy')) headers.set('content-security-policy', htmlPolicy)
  const body = await encoded(reply.body, headers, request)
  return new Response(body, { status: reply.status ?? status, headers })
}

/** The response to a failure, in the form that the caller asked for. */
export const answerFailure = (request: Request, failure: unknown): Response =>
  answerError(failure, requestIdOf(request), errorFormatOf(request))

/** Adds what every answer carries. */
export function finishAnswer(request: Request, response: Response): Response {
  const { headers } = response
  headers.set('x-request-id', requestIdOf(request))
  for (const [name, value] of Object.entries(commonHeaders)) headers.set(name, value)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  // Reading the body of an answer would make a stream of it: untouched, its bytes are sent at once.
  return response.status === 204 || response.status === 304
    ? new Response(null, { status: response.status, headers })
    : response
}
