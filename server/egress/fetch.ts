import { SvcError } from '../../src/errors.ts'
import type { Network } from './address.ts'
import { guardedFetch } from './guard.ts'

/** Fetches a document from an address that a user supplied: through the guard, within the limits of an import. */
export type Fetch = (
  url: string,
  signal: AbortSignal,
  /** Throws where a redirect must not be followed. */
  permits?: (next: string) => void,
) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer> }>

const maxBytes = 50 * 1024 * 1024
const defaultTimeoutMs = 30_000
const maxRedirects = 5

const words: Readonly<Record<number, string>> = {
  401: 'it answered 401: it asks for credentials, and an import sends none',
  403: 'it answered 403: access requires credentials',
  404: 'it answered 404: nothing is there',
  410: 'it answered 410: what was there is gone',
}

const wordsOf = (status: number): string => words[status] ?? `it answered ${status}`

// What may be otherwise a moment later: a busy server, a time-out on its side.
const passing = new Set([408, 425, 429])

/** Whether asking again cannot help: the address answered that it will not give the document. */
export const isFinal = (error: SvcError): boolean => {
  const { answered = 0 } = error.detail as { answered?: number }
  return answered >= 400 && answered < 500 && !passing.has(answered)
}

/**
 * The fetch of import jobs. `allow`: networks beside the public internet that may be reached. `timeoutMs`: of each request.
 * @throws SvcError `egress-denied`, `fetch-failed`
 */
export const importFetch =
  (allow: readonly Network[], timeoutMs = defaultTimeoutMs): Fetch =>
  async (url, signal, permits) => {
    const answer = await guardedFetch(url, { allow, timeoutMs, maxBytes, maxRedirects, signal, permits })
    if (answer.status < 200 || answer.status > 299)
      throw new SvcError('fetch-failed', { url, reason: wordsOf(answer.status), answered: answer.status })
    return { bytes: new Uint8Array(answer.bytes) }
  }
