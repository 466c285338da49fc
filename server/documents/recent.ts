import { isKnown, type Note, pathOf, requestIdFrom } from '../http/door.ts'
import { nameCache, type CacheFill } from '../../src/kernel/sized-cache.ts'

/** A document as it was just sent to someone without credentials. */
interface Sent {
  readonly route: string
  readonly path: string
  /** A Blob, because the server sends it without copying it first. */
  readonly body: Blob
  readonly etag: string
  readonly headers: Headers
  /** Bytes of the body and of what it is found by. */
  readonly size: number
  until: number
  /** Someone asks again whether it still holds. */
  isRenewed: boolean
}

// Another replica may deprecate or retire a version: this one notices after this long at the latest.
const freshMs = 1000
// While one request asks again, the others at the same moment still get what is available.
const renewalMs = 25
const maxEntries = 1000
const maxBytes = 48 * 1024 * 1024

/** What the answer depends on beside the address. */
const variantOf = (headers: Headers): string =>
  `${headers.get('accept') ?? ''}\n${headers.get('accept-encoding') ?? ''}`

/** Whether a request is one that everybody would get the same answer to. */
const isPlain = (request: Request): boolean => {
  const { headers } = request
  return request.method === 'GET' && !headers.has('authorization') && !headers.has('x-api-key')
}

/**
 * Public documents that were sent a moment ago. Asking who may read what costs several queries; for a document that
 * everyone may read the answer holds for a second, and the second thousand readers need not ask. This is the most
 * travelled way through the service, so it makes few objects and waits for nothing.
 */
export class RecentDocuments {
  /** By address, then by what it varies with. */
  readonly #sent = new Map<string, Map<string, Sent>>()
  #entries = 0
  #bytes = 0
  #epoch = 0

  constructor() {
    nameCache('recent_documents', this)
  }

  /** How full it is, in bytes. */
  get fill(): CacheFill {
    return { entries: this.#entries, size: this.#bytes, limit: maxBytes }
  }

  /** Counts how often all was forgotten: what was read before that must not be remembered after it. */
  get epoch(): number {
    return this.#epoch
  }

  /** Keeps what was sent to an anonymous reader; anything else, and what was read in an earlier epoch, is skipped. */
  remember(
    request: Request,
    document: { readonly route: string; readonly body: Blob; readonly etag: string; readonly headers: HeadersInit },
    epoch: number,
  ): void {
    const { url } = request
    const variant = variantOf(request.headers)
    // Each character of a text takes two bytes at most.
    const size = document.body.size + 2 * (url.length + variant.length)
    if (epoch !== this.#epoch || url.includes('?') || !isPlain(request) || size > maxBytes / 4) return
    if (this.#entries >= maxEntries || this.#bytes + size > maxBytes) this.clear()
    const variants = this.#sent.get(url) ?? new Map<string, Sent>()
    this.#sent.set(url, variants)
    const until = performance.now() + freshMs
    const before = variants.get(variant)
    if (before === undefined) this.#entries += 1
    this.#bytes += size - (before?.size ?? 0)
    variants.set(variant, {
      ...document,
      path: pathOf(request),
      headers: new Headers(document.headers),
      size,
      until,
      isRenewed: false,
    })
  }

  /** Whether a request would be remembered: not worth asking for what is kept already and fresh. */
  wants(request: Request): boolean {
    if (request.url.includes('?') || !isPlain(request)) return false
    const sent = this.#sent.get(request.url)?.get(variantOf(request.headers))
    return sent === undefined || sent.until < performance.now() + renewalMs
  }

  /** Forgets one address: what it answers is not for everybody any more. */
  forget(url: string): void {
    for (const { size } of this.#sent.get(url)?.values() ?? []) {
      this.#entries -= 1
      this.#bytes -= size
    }
    this.#sent.delete(url)
  }

  /**
   * Answers a request whose document was sent a moment ago, and notes it; null for every other request.
   */
  recall(request: Request, note: Note | null): Response | null {
    const variants = this.#sent.get(request.url)
    if (variants === undefined || !isPlain(request)) return null
    const begun = performance.now()
    const given = request.headers
    const sent = variants.get(variantOf(given))
    if (sent === undefined) return null
    if (sent.until < begun) {
      // Anyone who asked has not brought it back: it is perhaps not for everybody any more.
      if (sent.isRenewed) this.forget(request.url)
      sent.isRenewed = true
      sent.until = begun + renewalMs
      return null
    }
    const condition = given.get('if-none-match')
    const status = condition !== null && isKnown(condition, sent.etag) ? 304 : 200
    const requestId = requestIdFrom(given.get('x-request-id'))
    const response = new Response(status === 304 ? null : sent.body, { status, headers: sent.headers })
    response.headers.set('x-request-id', requestId)
    note?.({ method: 'GET', path: sent.path, requestId, route: sent.route, status, begun })
    return response
  }

  /** Forgets all: something published changed its state. */
  clear(): void {
    this.#sent.clear()
    this.#entries = 0
    this.#bytes = 0
    this.#epoch += 1
  }
}
