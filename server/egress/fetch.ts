import { SvcError } from '../../src/errors.ts'
import type { Network } from './address.ts'
import { guardedFetch } from './guard.ts'

/** Fetches a document from an address that a user supplied: through the guard, within the limits of an import. */
export type Fetch = (url: string, signal: AbortSignal) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer> }>

const maxBytes = 50 * 1024 * 1024
const timeoutMs = 30_000
const maxRedirects = 5

/** The fetch of import jobs. `allow`: networks beside the public internet that may be reached. Raises `egress-denied`, `fetch-failed`. */
export const importFetch =
  (allow: readonly Network[]): Fetch =>
  async (url, signal) => {
    const answer = await guardedFetch(url, { allow, timeoutMs, maxBytes, maxRedirects, signal })
    if (answer.status < 200 || answer.status > 299)
      throw new SvcError('fetch-failed', { url, reason: `it answered ${answer.status}` })
    return { bytes: new Uint8Array(answer.bytes) }
  }
