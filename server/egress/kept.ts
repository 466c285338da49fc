/** Requests to receivers that get many of them: over connections that are kept for the next one. */
import http from 'node:http'
import type { Socket } from 'node:net'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { Network } from './address.ts'
import { checkUrl, failedExchange, nameOf, openAddresses, openFirst, portOf, type Resolve } from './guard.ts'
import { AnswerRefused } from './refused.ts'

export interface KeptOptions {
  /** Networks beside the public internet that may be reached. */
  readonly allow: readonly Network[]
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve
  /** PEM certificates that replace the system's trusted roots. */
  readonly ca?: string
  /** How long a connection waits for its next request. */
  readonly idleMs?: number
  /** How long a connection is used. */
  readonly longestMs?: number
  /** How long the addresses of a name count as checked. */
  readonly checkedMs?: number
}

export interface KeptRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For resolving, connecting and the head of the answer together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** How many bytes of the body are handed back at most; none when omitted. */
  readonly keepBytes?: number
}

/** The head of an answer, and the beginning of its body where it is asked for. */
export interface Head {
  readonly status: number
  readonly headers: Readonly<http.IncomingHttpHeaders>
  readonly beginning: Uint8Array
}

/** Connections that wait, of one address and of all together; more are closed. */
const mostWaiting = 4
const mostWaitingOfAll = 256
/** What of a body is let through so that its connection can be kept. */
const mostDiscarded = 16 * 1024
const longestDiscardMs = 100
/** How many names' addresses are remembered. */
const mostNames = 1000

const tooLate = () => new AnswerRefused('it did not answer in time', 'timeout')

/** What a request needs of the agent beside what Node knows. */
interface Opened extends http.RequestOptions {
  readonly keptFor: string
  readonly opened: () => Socket | undefined
}

class Agent extends http.Agent {
  readonly #longestMs: number
  readonly #born = new WeakMap<object, number>()
  constructor(options: { readonly idleMs: number; readonly longestMs: number }) {
    super({ keepAlive: true, timeout: options.idleMs, maxFreeSockets: mostWaiting })
    this.#longestMs = options.longestMs
  }
  /** Which connections a request may use: those of its scheme, name and port that lead to the address that was checked. */
  override getName(options?: http.RequestOptions): string {
    return (options as Opened).keptFor
  }
  override createConnection(options: http.RequestOptions): Socket {
    const socket = (options as Opened).opened()
    if (socket === undefined) throw new Error('A connection is opened before its request.')
    this.#born.set(socket, performance.now())
    return socket
  }
  override keepSocketAlive(socket: Socket): boolean {
    const waiting = Object.values(this.freeSockets).reduce((sum, some) => sum + (some?.length ?? 0), 0)
    const age = performance.now() - (this.#born.get(socket) ?? 0)
    const isKept: unknown = super.keepSocketAlive(socket)
    return isKept !== false && waiting < mostWaitingOfAll && age < this.#longestMs
  }
  /** Whether a connection waits for a request. */
  waitsFor(key: string): boolean {
    return this.freeSockets[key]?.some((socket) => !socket.destroyed) === true
  }
  /** Closes the connections that wait. */
  drop(key: string): void {
    // A copy: what is destroyed leaves the list.
    for (const socket of this.freeSockets[key]?.slice() ?? []) socket.destroy()
  }
}

/**
 * Sends requests as `guardedOpen` does, but keeps connections. A connection is used again only for the name that its
 * certificate was checked for, and only while the address that it leads to is among the addresses of the name that were
 * checked last, at most `checkedMs` ago.
 */
export class KeptConnections {
  readonly #options: KeptOptions
  readonly #checkedMs: number
  readonly #agent: Agent
  readonly #checked = new SizedCache<{ readonly addresses: readonly string[]; readonly until: number }>(mostNames)

  constructor(options: KeptOptions) {
    const { idleMs = 4000, longestMs = 60_000, checkedMs = 2000 } = options
    this.#options = options
    this.#checkedMs = checkedMs
    this.#agent = new Agent({ idleMs, longestMs })
  }

  /**
   * Sends a POST that may be sent twice: where the server closes a kept connection at the moment of the request, it is sent
   * again over a new one. A redirect is handed back as the answer it is.
   * @throws SvcError `egress-denied`; `FetchFailed` when no head of an answer came properly and in time
   */
  async post(text: string, request: KeptRequest): Promise<Head> {
    const url = checkUrl(text)
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)])
    const addresses = await this.#addresses(url, signal)
    const keyOf = (address: string) => `${url.origin} ${address}`
    try {
      if (signal.aborted) throw tooLate()
      const kept = addresses.map(keyOf).find((key) => this.#agent.waitsFor(key))
      if (kept !== undefined) {
        const answer = await this.#send(url, { ...request, signal }, kept)
        if (answer !== null) return answer
      }
      const { timeoutMs } = request
      const secure = url.protocol === 'https:'
      const to = { name: nameOf(url), port: portOf(url), secure, ca: this.#options.ca, signal, timeoutMs }
      const { socket, address } = await openFirst(addresses, to)
      const answer = await this.#send(url, { ...request, signal }, keyOf(address), socket)
      if (answer === null) throw new Error('closed')
      return answer
    } catch (error) {
      throw failedExchange(url, error)
    }
  }

  /** Closes the connections that wait; those in use end with their request. */
  close(): void {
    this.#agent.destroy()
  }

  async #addresses(url: URL, signal: AbortSignal): Promise<readonly string[]> {
    const name = nameOf(url)
    const known = this.#checked.get(name)
    if (known !== undefined && known.until > performance.now()) return known.addresses
    const { allow, resolve } = this.#options
    const addresses = await openAddresses(url, { allow, resolve, signal })
    this.#checked.set(name, { addresses, until: performance.now() + this.#checkedMs }, 1)
    return addresses
  }

  /** @returns null where a kept connection turns out to be closed: nothing was answered over it */
  #send(url: URL, keptRequest: KeptRequest, keptFor: string, socket?: Socket): Promise<Head | null> {
    return new Promise((resolve, reject) => {
      let isTaken = false
      let isAnswered = false
      const options: Opened = {
        agent: this.#agent,
        keptFor,
        opened: () => {
          isTaken = true
          return socket
        },
        host: url.hostname,
        port: url.port,
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          'user-agent': 'svc',
          ...keptRequest.headers,
          host: url.host,
          'content-length': String(Buffer.byteLength(keptRequest.body)),
        },
      }
      let request: http.ClientRequest
      try {
        request = http.request(options)
      } catch (error) {
        socket?.destroy()
        return reject(error)
      }
      // Meanwhile another request gave its connection back, and this one got it.
      if (socket !== undefined && !isTaken) socket.destroy()
      const abort = () => request.destroy(tooLate())
      keptRequest.signal.addEventListener('abort', abort)
      const settle = (finish: () => void) => {
        keptRequest.signal.removeEventListener('abort', abort)
        finish()
      }
      const fail = (error: Error) =>
        settle(() => {
          // The head says all that counts: what breaks after it does not matter.
          if (isAnswered) return
          if (!request.reusedSocket || error instanceof AnswerRefused) return reject(error)
          this.#agent.drop(keptFor)
          resolve(null)
        })
      request.on('error', fail)
      request.on('close', () => fail(new Error('closed')))
      request.once('response', (message) => {
        isAnswered = true
        const head = { status: message.statusCode ?? 0, headers: message.headers }
        void discard(message, keptRequest.keepBytes ?? 0).then((beginning) =>
          settle(() => resolve({ ...head, beginning })),
        )
      })
      request.end(keptRequest.body)
    })
  }
}

/** Lets a short body pass, so that the connection can be kept; any other ends the connection. Hands back its first bytes. */
function discard(message: http.IncomingMessage, keepBytes: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    let received = 0
    const kept: Uint8Array[] = []
    const timer = setTimeout(() => message.destroy(), longestDiscardMs)
    const end = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(kept).subarray(0, keepBytes))
    }
    message.on('data', (chunk: Uint8Array) => {
      if (received < keepBytes) kept.push(chunk)
      received += chunk.byteLength
      if (received > mostDiscarded) message.destroy()
    })
    message.on('error', end)
    message.on('end', end)
    message.on('close', end)
  })
}
