import http from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import tls from 'node:tls'
import zlib from 'node:zlib'
import { AnswerRefused } from './refused.ts'
import { trustedAuthorities } from './authorities.ts'

/** What one exchange sends, over a socket that is already open. */
export interface Exchange {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** How far a compressed body may decompress: this many times its own size, once it is past the floor. */
const ratioLimit = 100
const ratioFloorBytes = 1024 * 1024

/** Whether so many bytes are more than so few should become; what is not compressed never is. */
export const unfoldsTooFar = (received: number, unfolded: number): boolean =>
  unfolded > ratioFloorBytes && unfolded > received * ratioLimit

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
}

let known: { readonly authorities: readonly string[]; readonly context: tls.SecureContext } | undefined

/** What TLS trusts where authorities are added; undefined: what the runtime trusts, NODE_EXTRA_CA_CERTS included. */
async function trustedContext(): Promise<tls.SecureContext | undefined> {
  const authorities = await trustedAuthorities()
  if (authorities.length === 0) return undefined
  // Made once: for each connection it would parse every authority again.
  if (known?.authorities !== authorities) {
    const extra = process.env.NODE_EXTRA_CA_CERTS
    const more = extra ? [await Bun.file(extra).text()] : []
    const ca = [...tls.rootCertificates, ...more, ...authorities]
    known = { authorities, context: tls.createSecureContext({ ca }) }
  }
  return known.context
}

/**
 * Opens a connection to exactly `address`. For TLS the certificate is checked against `name`, which is also what the
 * server gets as SNI; an address literal is checked against the address. `ca` replaces the trusted roots.
 */
export async function openSocket(options: {
  readonly address: string
  readonly port: number
  readonly name: string
  readonly secure: boolean
  readonly ca?: string | undefined
  readonly signal: AbortSignal
}): Promise<net.Socket> {
  const { address, port, name, secure, ca, signal } = options
  const secureContext = secure && ca === undefined ? await trustedContext() : undefined
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const own = ca ? { ca } : {}
    const trust = secureContext ? { secureContext } : own
    const socket = secure
      ? tls.connect({ host: address, port, ...(net.isIP(name) === 0 && { servername: name }), ...trust })
      : net.connect({ host: address, port })
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', abort)
      socket.off('error', fail)
      finish()
    }
    const fail = (error: Error) =>
      settle(() => {
        socket.destroy()
        reject(error)
      })
    const abort = () => fail(new AnswerRefused('it did not accept the connection in time', 'timeout'))
    signal.addEventListener('abort', abort)
    socket.once('error', fail)
    // An error after this point reaches anyone who reads from the socket; it must not go unheard in between.
    socket.on('error', () => {})
    socket.once(secure ? 'secureConnect' : 'connect', () => settle(() => resolve(socket)))
  })
}

/** An answer whose body is read by the caller. */
export interface OpenAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body, decompressed; it fails where it breaks a limit. Cancel it where it is not wanted. */
  readonly body: ReadableStream<Uint8Array>
}

/** Sends one HTTP/1.1 request over `socket`, reads the whole answer within its limits and closes the socket. */
export async function exchange(socket: net.Socket, entry: Exchange): Promise<Answer> {
  const { status, headers, body } = await openExchange(socket, entry)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, headers, bytes: Buffer.concat(chunks) }
}

/**
 * Sends one HTTP/1.1 request over `socket` and answers as soon as the head of the answer is there. The socket is closed when
 * the body ends, fails, or is cancelled, and when the signal aborts.
 */
export async function openExchange(socket: net.Socket, exchange: Exchange): Promise<OpenAnswer> {
  const { signal } = exchange
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort)
  const end = () => {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
  const explain = (error: unknown) =>
    signal.aborted ? new AnswerRefused('it did not answer in time', 'timeout') : error
  try {
    const message = await send(socket, exchange)
    const content = decodedBody(message, exchange.method, exchange.maxBytes)
    return { status: message.statusCode ?? 0, headers: headersOf(message), body: toStream(content, end, explain) }
  } catch (error) {
    end()
    throw explain(error)
  }
}

function send(socket: net.Socket, { url, method, headers, body }: Exchange): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Error('closed'))
    // The socket is handed over ready made: no resolver and no proxy variable of the environment comes between.
    const request = http.request({
      host: url.hostname,
      port: url.port,
      method,
      path: url.pathname + url.search,
      headers: {
        'accept-encoding': 'gzip, br',
        ...headers,
        host: url.host,
        ...(body && { 'content-length': String(body.byteLength) }),
      },
      createConnection: () => socket,
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('closed')))
    request.once('response', resolve)
    request.end(body ?? undefined)
  })
}

function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  return headers
}

/**
 * The body as it comes, decompressed and within its limits.
 * @throws AnswerRefused at once for a body that is declared too large or has an encoding that was not asked for
 */
function decodedBody(message: http.IncomingMessage, method: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  const tooLarge = () => new AnswerRefused(`its answer is larger than ${maxBytes} bytes`, 'too-large')
  const declared = Number(message.headers['content-length'] ?? 0)
  if (method !== 'HEAD' && declared > maxBytes) throw tooLarge()
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decoder = encoding === 'identity' || encoding === '' ? null : decoders[encoding]?.()
  if (decoder === undefined)
    throw new AnswerRefused(`its answer is encoded as "${encoding.slice(0, 40)}", which was not asked for`, 'protocol')
  const count = { received: 0, unfolded: 0 }
  const receive = async function* () {
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      count.received += chunk.byteLength
      if (count.received > maxBytes) throw tooLarge()
      yield chunk
    }
  }
  return (async function* () {
    for await (const chunk of decoder === null ? receive() : unfold(receive(), decoder, encoding)) {
      count.unfolded += chunk.byteLength
      if (count.unfolded > maxBytes) throw tooLarge()
      if (unfoldsTooFar(count.received, count.unfolded))
        throw new AnswerRefused(
          `its response decompresses to more than ${ratioLimit} times its compressed size`,
          'too-large',
        )
      yield chunk
    }
  })()
}

async function* unfold(
  received: AsyncIterable<Uint8Array>,
  decoder: NodeJS.ReadWriteStream & Readable,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  let failure: unknown
  // What fails before the decoder is the reason of its end; what fails in it is the answer's own encoding.
  const source = Readable.from(received).on('error', (error) => {
    failure = error
    decoder.destroy(error)
  })
  try {
    for await (const chunk of source.pipe(decoder) as AsyncIterable<Uint8Array>) yield chunk
  } catch {
    throw failure ?? new AnswerRefused(`its answer is not valid ${encoding}`, 'protocol')
  } finally {
    source.destroy()
  }
}

function toStream(
  content: AsyncGenerator<Uint8Array>,
  end: () => void,
  explain: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await content.next()
          if (done !== true) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          end()
          controller.error(explain(error))
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
