import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { SvcError } from '../../src/errors.ts'
import type { Network } from './address.ts'
import { guardedFetch } from './guard.ts'

const timeoutMs = 5_000
const maxBytes = 512 * 1024

/**
 * How the protocol's library asks a provider: through the egress guard, and over http only where the operator configured
 * an issuer with an http address.
 */
export const providerRequests = (issuer: string, allow: readonly Network[]) => ({
  [customFetch]: (
    url: string,
    request: {
      readonly method: 'GET' | 'POST'
      readonly headers: Readonly<Record<string, string>>
      readonly body?: URLSearchParams | null | undefined
    },
  ): Promise<Response> => guardedResponse(url, allow, request),
  [allowInsecureRequests]: issuer.startsWith('http:'),
})

/**
 * An answer of a provider, through the egress guard.
 * @throws SvcError `egress-denied`, `fetch-failed`, also where the provider itself fails
 */
export async function guardedResponse(
  url: string,
  allow: readonly Network[],
  request: {
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: URLSearchParams | null | undefined
  },
): Promise<Response> {
  const { method, headers, body } = request
  const answer = await guardedFetch(url, {
    allow,
    timeoutMs,
    maxBytes,
    maxRedirects: 0,
    method,
    headers,
    ...(body ? { body: new TextEncoder().encode(body.toString()) } : {}),
  })
  if (answer.status >= 500) throw new SvcError('fetch-failed', { url, reason: `it answered ${answer.status}` })
  const bodyless = answer.status === 204 || answer.status === 304
  return new Response(bodyless ? null : new Uint8Array(answer.bytes), {
    status: answer.status,
    headers: answer.headers,
  })
}
