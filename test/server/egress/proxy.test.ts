/** The proxy that git connects through: whose requests it takes, and where it lets them go. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import net from 'node:net'
import { parseNetworks } from '../../../server/egress/address.ts'
import { openEgressProxy, type EgressProxy } from '../../../server/egress/proxy.ts'

const loopback = parseNetworks('127.0.0.1')
/** What upstream was sent, and what it sends back. */
let seen = ''
let answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
let upstream: net.Server
let port = 0
const proxies: EgressProxy[] = []
const ending = new AbortController()

beforeAll(async () => {
  upstream = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1')
      if (seen.includes('\r\n\r\n')) socket.end(answer)
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  port = (upstream.address() as net.AddressInfo).port
})
afterAll(async () => {
  await Promise.all(proxies.map((it) => it.close()))
  upstream.close()
})

const open = async (maxBytes = 10_000): Promise<EgressProxy> => {
  seen = ''
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  const proxy = await openEgressProxy({
    allow: loopback,
    maxBytes,
    connectTimeoutMs: 2000,
    signal: ending.signal,
    resolve: async (name) => (name === 'private.test' ? ['10.0.0.1'] : ['127.0.0.1']),
  })
  proxies.push(proxy)
  return proxy
}
const passOf = ({ url }: EgressProxy): string => {
  const { username, password } = new URL(url)
  return `Proxy-Authorization: Basic ${btoa(`${username}:${password}`)}\r\n`
}

/** Sends pieces one after the other and gives all that comes back until the proxy closes. */
const send = (proxy: EgressProxy, ...pieces: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = net.connect(Number(new URL(proxy.url).port), '127.0.0.1')
    const write = (at: number): void => {
      if (at >= pieces.length) return
      socket.write(pieces[at]!, 'latin1', () => setTimeout(() => write(at + 1), 20))
    }
    socket.on('connect', () => write(0))
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.on('close', () => resolve(text))
    socket.on('error', (error: Error & { code?: string }) =>
      error.code === 'ECONNRESET' ? resolve(text) : reject(error),
    )
  })
const statusOf = (text: string): string => text.split('\r\n')[0] ?? ''

test('only who knows the secret of the proxy is served', async () => {
  const proxy = await open()
  const line = `GET http://spec.test:${port}/a HTTP/1.1\r\nHost: x\r\n`
  for (const header of ['', 'Proxy-Authorization: Basic c3ZjOm5v\r\n'])
    expect(statusOf(await send(proxy, `${line}${header}\r\n`))).toBe('HTTP/1.1 407 Proxy Authentication Required')
  expect(seen).toBe('')
  expect(await send(proxy, `${line}${passOf(proxy)}\r\n`)).toEndWith('\r\n\r\nok')
  expect(proxy.failure).toBeNull()
})

test('a request is sent on with its own headers, and none that are about the connection', async () => {
  const proxy = await open()
  const head = `GET http://spec.test:${port}/a?b=c HTTP/1.1\r\nHost: evil\r\nAccept: x\r\n: odd\r\nno colon\r\nConnection: keep-alive\r\n`
  await send(proxy, `${head}${passOf(proxy)}\r\n`)
  expect(seen).toBe(`GET /a?b=c HTTP/1.1\r\nHost: spec.test:${port}\r\nAccept: x\r\nConnection: close\r\n\r\n`)
})

test('a head that comes in pieces is read whole, one that never ends is cut off', async () => {
  const proxy = await open()
  const head = `GET http://spec.test:${port}/a HTTP/1.1\r\n${passOf(proxy)}`
  expect(await send(proxy, head.slice(0, 10), head.slice(10), '\r', '\n')).toEndWith('ok')
  const padded = (length: number): string => `${head}X: ${'x'.repeat(length - head.length - 3)}`
  expect(await send(proxy, padded(64 * 1024), '\r\n\r\n')).toEndWith('ok')
  const before = seen
  expect(await send(proxy, padded(64 * 1024 + 1), '\r\n\r\n')).toBe('')
  expect(seen).toBe(before)
})

test('a tunnel carries what comes after its head, and what comes later', async () => {
  const proxy = await open()
  const head = `CONNECT spec.test:${port} HTTP/1.1\r\n${passOf(proxy)}\r\n`
  const got = await send(proxy, `${head}first `, 'second\r\n\r\n')
  expect(seen).toBe('first second\r\n\r\n')
  expect(got).toBe(`HTTP/1.1 200 Connection established\r\n\r\n${answer}`)
})

test('addresses that are closed, and schemes that are not http, are refused', async () => {
  for (const [line, code] of [
    ['GET http://private.test/ HTTP/1.1', 'egress-denied'],
    ['CONNECT private.test:443 HTTP/1.1', 'egress-denied'],
    [`GET https://spec.test:${port}/ HTTP/1.1`, 'egress-denied'],
    ['GET ftp://spec.test/ HTTP/1.1', 'egress-denied'],
  ] as const) {
    const proxy = await open()
    expect(statusOf(await send(proxy, `${line}\r\n${passOf(proxy)}\r\n`))).toBe('HTTP/1.1 403 Forbidden')
    expect([line, proxy.failure?.code]).toEqual([line, code])
    expect(seen).toBe('')
  }
})

test('so many bytes as are allowed come through, one more ends it', async () => {
  const proxy = await open(100)
  const line = `GET http://spec.test:${port}/a HTTP/1.1\r\n${passOf(proxy)}\r\n`
  answer = 'x'.repeat(100)
  expect((await send(proxy, line)).length).toBe(100)
  expect(proxy.failure).toBeNull()
  seen = ''
  answer = 'x'
  await send(proxy, line)
  expect(proxy.failure?.code).toBe('source-too-large')
})
