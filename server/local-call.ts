import { SvcError } from '../src/errors.ts'
import type { Call, Endpoint } from '../src/api/endpoint.ts'
import { handTexts, withoutLongTexts } from './http/long-texts.ts'
import type { Operations } from './http/operations.ts'
import { errorFromWire, toWire, type AnyInput } from '../src/api/wire.ts'

const none = new Map<readonly string[], string>()

/**
 * Calls operations in this process: the same checks as over a socket, without one and without a router. `mark` binds an
 * identity to each request object before it is looked at.
 */
export function createLocalCall(
  operations: Operations,
  mark: (request: Request) => Request,
  signal?: AbortSignal,
): Call {
  const call = async (endpoint: Endpoint, input: AnyInput): Promise<unknown> => {
    // Where an operation takes bytes, they stay as they are.
    const isJson = endpoint.accepts === undefined && input.headers?.['content-type'] === undefined
    const long = isJson ? withoutLongTexts(input.body) : { body: input.body, texts: none }
    const { method, target, headers, body } = toWire(endpoint, { ...input, body: long.body })
    const request = new Request(`http://localhost${target}`, {
      method,
      headers,
      body: body as BodyInit | null,
      ...(signal ? { signal } : {}),
    })
    const marked = mark(request)
    handTexts(marked, long.texts)
    const response = await operations.respond(endpoint, marked)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok) {
      const answer: unknown = type.includes('json') ? await response.json() : null
      throw errorFromWire(response.status, answer) ?? new Error(`${endpoint.id} answered ${response.status}`)
    }
    if (response.status === 204) return null
    if (endpoint.verbatim) return response.bytes()
    return type.includes('json') ? response.json() : response.text()
  }
  return call as Call
}

/**
 * Puts a key or token on a request, as its sender would.
 * @throws SvcError `credentials-invalid` for what no header can carry
 */
export function withCredentials(request: Request, credentials: string | null): Request {
  if (credentials === null) return request
  if (!/^[\x21-\x7e]{1,8192}$/.test(credentials))
    throw new SvcError('credentials-invalid', { reason: 'it contains characters that no key has' })
  request.headers.set('authorization', `Bearer ${credentials}`)
  return request
}
