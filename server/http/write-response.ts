import type { Endpoint } from '../../src/api/endpoint.ts'
import { apiVersion } from '../../src/api/version.ts'
import { answerError, type ErrorFormat } from './error-answer.ts'
import { Reply } from './reply.ts'
import { requestIdOf } from './request-id.ts'

/** What every answer carries beside its request id. */
export const commonHeaders = { 'x-api-version': apiVersion, 'x-content-type-options': 'nosniff' }

/** The form of error body that the caller asked for (RFC 9457 only when Accept names it). */
const errorFormatOf = (request: Request): ErrorFormat =>
  request.headers.get('accept')?.includes('application/problem+json') === true ? 'problem' : 'detail'

/** The answer of an operation: the result as JSON, or what a `Reply` says. */
export function answerResult(endpoint: Endpoint, result: unknown): Response {
  const status = endpoint.status ?? 200
  if (result instanceof Reply) {
    const headers = new Headers(result.headers)
    for (const cookie of result.cookies) headers.append('set-cookie', cookie)
    return new Response(result.body, { status: result.status ?? status, headers })
  }
  if (status === 204) return new Response(null, { status })
  return new Response(JSON.stringify(result), { status, headers: { 'content-type': 'application/json' } })
}

/** The answer for a failure, in the form that the caller asked for. */
export const answerFailure = (request: Request, failure: unknown): Response =>
  answerError(failure, requestIdOf(request), errorFormatOf(request))

/** Adds what every answer carries; HEAD keeps the headers of GET and drops its body. */
export async function finishAnswer(request: Request, response: Response): Promise<Response> {
  const { headers } = response
  headers.set('x-request-id', requestIdOf(request))
  for (const [name, value] of Object.entries(commonHeaders)) headers.set(name, value)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  const bare = request.method === 'HEAD' || response.status === 204 || response.status === 304
  if (bare && request.method === 'HEAD' && response.body !== null)
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  // Reading the body of an answer would make a stream of it: untouched, its bytes are sent at once.
  return bare ? new Response(null, { status: response.status, headers }) : response
}
