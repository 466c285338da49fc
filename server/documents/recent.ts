import { requestIdOf } from '../mount.ts'

/** A document as it was just sent to somebody without credentials. */
interface Sent {
  readonly route: string
  /** A Blob, because the server sends it without copying it first. */
  readonly body: Blob
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly until: number
}

// Another replica may deprecate or retire a version: it is told here after this long at the latest.
const freshMs = 1000
const maxEntries = 1000

/**
 * Public documents that were sent a moment ago. Asking who may read what costs several queries; for a document that
 * everyone may read the answer holds for a second, and the second thousand readers need not ask.
 */
export class RecentDocuments {
  readonly #sent = new Map<string, Sent>()

  #keyOf(request: Request): string | null {
    if (request.method !== 'GET') return null
    const { headers } = request
    if (headers.has('authorization') || headers.has('x-api-key') || request.url.includes('?')) return null
    return `${request.url} ${headers.get('accept') ?? ''} ${headers.get('accept-encoding') ?? ''}`
  }

  /** Keeps what was sent to an anonymous reader; anything else is passed over. */
  remember(request: Request, document: Omit<Sent, 'until'>): void {
    const key = this.#keyOf(request)
    if (key === null) return
    if (this.#sent.size >= maxEntries) this.#sent.clear()
    this.#sent.set(key, { ...document, until: performance.now() + freshMs })
  }

  /** The answer to a request whose document was sent a moment ago, and its route for the log; else null. */
  recall(request: Request): { readonly route: string; readonly answer: () => Response } | null {
    if (this.#sent.size === 0) return null
    const key = this.#keyOf(request)
    const sent = key === null ? undefined : this.#sent.get(key)
    if (!sent || sent.until < performance.now()) return null
    return {
      route: sent.route,
      answer: () => {
        const headers = { ...sent.headers, 'x-request-id': requestIdOf(request) }
        const unchanged = request.headers.get('if-none-match') === sent.etag
        return unchanged ? new Response(null, { status: 304, headers }) : new Response(sent.body, { headers })
      },
    }
  }

  /** Forgets all: something published changed its state. */
  clear(): void {
    this.#sent.clear()
  }
}
