import http from 'node:http'
import net from 'node:net'
import type { Readable } from 'node:stream'
import tls from 'node:tls'
import zlib from 'node:zlib'
import { AnswerRefused } from './refused.ts'

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

/**
 * Opens a connection to exactly `address`. For TLS the certificate is checked against `name`, which is also what the
 * server gets as SNI; an address literal is checked against the address. `ca` replaces the trusted roots.
 */
export function openSocket(options: {
  readonly address: string
  readonly port: number
  readonly name: string
  readonly secure: boolean
  readonly ca?: string | undefined
  readonly signal: AbortSignal
}): Promise<net.Socket> {
  const { address, port, name, secure, ca, signal } = options
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = secure
      ? tls.connect({ host: address, port, ...(net.isIP(name) === 0 && { servername: name }), ...(ca && { ca }) })
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
    const abort = () => fail(new AnswerRefused('it did not accept the connection in time'))
    signal.addEventListener('abort', abort)
    socket.once('error', fail)
    // An error after this point reaches anyone who reads from the socket; it must not go unheard in between.
    socket.on('error', () => {})
    socket.once(secure ? 'secureConnect' : 'connect', () => settle(() => resolve(socket)))
  })
}

/** Sends one HTTP/1.1 request over `socket`, reads the whole answer within its limits and closes the socket. */
export async function exchange(socket: net.Socket, it: Exchange): Promise<Answer> {
  const { signal } = it
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort)
  try {
    return await send(socket, it)
  } catch (error) {
    throw signal.aborted ? new AnswerRefused('it did not answer in time') : error
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
}

function send(socket: net.Socket, { url, method, headers, body, maxBytes }: Exchange): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
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
    request.once('response', (message) => resolve(readAnswer(message, method, maxBytes)))
    request.end(body ?? undefined)
  })
}

async function readAnswer(message: http.IncomingMessage, method: string, maxBytes: number): Promise<Answer> {
  const bytes = await readBody(message, method, maxBytes)
  return { status: message.statusCode ?? 0, headers: headersOf(message), bytes }
}

function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  return headers
}

function readBody(message: http.IncomingMessage, method: string, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new AnswerRefused(`its answer is larger than ${maxBytes} bytes`)
  const declared = Number(message.headers['content-length'] ?? 0)
  if (method !== 'HEAD' && declared > maxBytes) return Promise.reject(tooLarge())
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decoder = encoding === 'identity' || encoding === '' ? null : decoders[encoding]?.()
  if (decoder === undefined)
    return Promise.reject(
      new AnswerRefused(`its answer is encoded as "${encoding.slice(0, 40)}", which was not asked for`),
    )
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let received = 0
    let unfolded = 0
    message.on('error', reject)
    message.on('close', () => message.complete || reject(new Error('closed')))
    message.on('data', (chunk: Uint8Array) => {
      received += chunk.byteLength
      if (received > maxBytes) reject(tooLarge())
    })
    const content: Readable = decoder ? message.pipe(decoder) : message
    content.on('error', () => reject(new AnswerRefused(`its answer is not valid ${encoding}`)))
    content.on('data', (chunk: Uint8Array) => {
      unfolded += chunk.byteLength
      if (unfolded > maxBytes) {
        content.destroy()
        return reject(tooLarge())
      }
      if (unfoldsTooFar(received, unfolded)) {
        content.destroy()
        return reject(
          new AnswerRefused(`its response decompresses to more than ${ratioLimit} times its compressed size`),
        )
      }
      chunks.push(chunk)
    })
    content.on('end', () => resolve(Buffer.concat(chunks)))
  })
}
