/**
 * The guard for programs that make their own connections: a proxy on loopback. Whatever is asked of it is resolved, evaluated and
 * connected to as `guardedFetch` does it; nothing else gets out through it, and no one but the program that got its password.
 */
import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { SvcError } from '../../src/errors.ts'
import type { Network } from './address.ts'
import { checkUrl, nameOf, openAddresses, openFirst, portOf, type Resolve } from './guard.ts'
import { failureOf, FetchFailed } from './refused.ts'

export interface ProxyOptions {
  /** Networks beside the public internet that may be reached. */
  readonly allow: readonly Network[]
  readonly resolve?: Resolve | undefined
  /** Bytes that may come in through all connections together. */
  readonly maxBytes: number
  readonly connectTimeoutMs: number
  readonly signal: AbortSignal
}

export interface EgressProxy {
  /** "http://user:password@127.0.0.1:PORT", for programs that speak to HTTP proxies. */
  readonly url: string
  /**
   * Opens a port of its own that leads to one host and port alone, for programs that speak other protocols.
   * @throws SvcError `egress-denied`, `fetch-failed`
   */
  forward(host: string, port: number): Promise<number>
  /** The first thing that was refused or failed, since the program itself tells only that a connection broke. */
  readonly failure: SvcError | null
  close(): Promise<void>
}

const longestHead = 64 * 1024

interface Head {
  readonly method: string
  readonly target: string
  /** Name and value of each header, as they came. */
  readonly headers: readonly (readonly [string, string])[]
  /** What came after the head. */
  readonly rest: Buffer
}

function parseHead(bytes: Buffer): Head | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : []
  })
  return { method, target, headers, rest: bytes.subarray(end + 4) }
}

class Proxy implements EgressProxy {
  readonly #options: ProxyOptions
  readonly #secret = randomBytes(24).toString('hex')
  readonly #servers: net.Server[] = []
  readonly #sockets = new Set<net.Socket>()
  #received = 0
  #port = 0
  failure: SvcError | null = null

  constructor(options: ProxyOptions) {
    this.#options = options
  }

  get url(): string {
    return `http://svc:${this.#secret}@127.0.0.1:${this.#port}`
  }

  async open(): Promise<this> {
    this.#port = await this.#listen((client) => this.#serve(client))
    this.#options.signal.addEventListener('abort', () => void this.close())
    return this
  }

  async forward(host: string, port: number): Promise<number> {
    // The name is evaluated now, so that a refusal is reported before a program is started.
    const target = `ssh://${host.includes(':') ? `[${host}]` : host}:${port}`
    const addresses = await this.#addresses(target)
    return this.#listen((client) => {
      const connect = async () =>
        this.#pipe(client, await this.#connect(addresses, host, port, target), Buffer.alloc(0))
      connect().catch((error: unknown) => this.#fail(client, error))
    })
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
  }

  #listen(handle: (client: net.Socket) => void): Promise<number> {
    const server = net.createServer((client) => {
      this.#track(client)
      handle(client)
    })
    this.#servers.push(server)
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port))
    })
  }

  #track(socket: net.Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  #serve(client: net.Socket): void {
    let bytes: Buffer = Buffer.alloc(0)
    const read = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const head = parseHead(bytes)
      if (head === null) {
        if (bytes.length > longestHead) client.destroy()
        return
      }
      client.off('data', read)
      client.pause()
      this.#answer(client, head).catch((error: unknown) => this.#fail(client, error))
    }
    client.on('data', read)
  }

  async #answer(client: net.Socket, head: Head): Promise<void> {
    const wanted = `Basic ${Buffer.from(`svc:${this.#secret}`).toString('base64')}`
    const given = head.headers.find(([name]) => name.toLowerCase() === 'proxy-authorization')?.[1]
    if (given !== wanted) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="svc"\r\nContent-Length: 0\r\n\r\n',
      )
      return
    }
    if (head.method === 'CONNECT') {
      const url = checkUrl(`https://${head.target}`)
      const upstream = await this.#connect(await this.#addresses(url.href), nameOf(url), portOf(url), url.href)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      this.#pipe(client, upstream, head.rest)
      return
    }
    const url = checkUrl(head.target)
    if (url.protocol !== 'http:')
      throw new SvcError('egress-denied', { url: url.host, reason: 'it is not an http address' })
    const upstream = await this.#connect(await this.#addresses(url.href), nameOf(url), portOf(url), url.href)
    // One request to each connection: the next one may be for another host, and is evaluated by itself.
    const kept = head.headers.filter(([name]) => !/^(?:proxy-.*|connection|keep-alive|host)$/i.test(name))
    const lines = [['Host', url.host], ...kept, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`)
    upstream.write(`${head.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
    this.#pipe(client, upstream, head.rest)
  }

  #addresses(target: string): Promise<readonly string[]> {
    const { allow, resolve, connectTimeoutMs, signal } = this.#options
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(connectTimeoutMs)])
    return openAddresses(new URL(target), { allow, resolve, signal: deadline })
  }

  async #connect(addresses: readonly string[], name: string, port: number, shown: string): Promise<net.Socket> {
    const { connectTimeoutMs: timeoutMs } = this.#options
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const { socket } = await openFirst(addresses, { name, port, secure: false, signal, timeoutMs })
      this.#track(socket)
      return socket
    } catch (error) {
      const { reason, kind } = failureOf(error)
      throw new FetchFailed(shown.replace(/\/$/, ''), reason, kind)
    }
  }

  #pipe(client: net.Socket, upstream: net.Socket, first: Buffer): void {
    upstream.on('data', (chunk: Buffer) => {
      this.#received += chunk.byteLength
      if (this.#received <= this.#options.maxBytes) return
      const what = { source: 'the repository', what: 'bytes', limit: this.#options.maxBytes }
      this.failure ??= new SvcError('source-too-large', what)
      client.destroy()
      upstream.destroy()
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.end())
    upstream.write(first)
    client.pipe(upstream)
    upstream.pipe(client)
    client.resume()
  }

  #fail(client: net.Socket, error: unknown): void {
    const failure =
      error instanceof SvcError
        ? error
        : new SvcError('fetch-failed', { url: 'the address', reason: failureOf(error).reason })
    this.failure ??= failure
    client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  }
}

/** Opens a proxy on a free port of 127.0.0.1; it ends with its signal, or when it is closed. */
export const openEgressProxy = (options: ProxyOptions): Promise<EgressProxy> => new Proxy(options).open()
