/** Where the limits of the guard are: sizes, ports, waiting, and what counts as final. */
import { expect, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { isInside, parseNetworks } from '../../../server/egress/address.ts'
import { exchange, openSocket, unfoldsTooFar } from '../../../server/egress/connection.ts'
import { importFetch, isFinal } from '../../../server/egress/fetch.ts'
import { checkUrl, guardedFetch, openAddresses, openFirst, portOf } from '../../../server/egress/guard.ts'
import { AnswerRefused, failureOf } from '../../../server/egress/refused.ts'
import { SvcError } from '../../../src/errors.ts'
import { certificate, privateKey } from './certificate.ts'

const loopback = parseNetworks('127.0.0.0/8, ::1')
const outcome = async (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) =>
    error instanceof SvcError ? `${error.code}: ${(error.detail as { reason: string }).reason}` : String(error),
  )

/** A server for one test, which says of each request what it answers. */
async function serving<T>(handle: Parameters<typeof createServer>[1], work: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(handle as never)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
const options = { allow: loopback, timeoutMs: 3000, maxBytes: 1000, maxRedirects: 3 }

test('a body of exactly the limit is taken, one byte more is not; compressed bytes count too', async () => {
  const random = crypto.getRandomValues(new Uint8Array(1000))
  await serving(
    ({ url = '' }, response) => {
      const size = Number(url.slice(2))
      if (url.startsWith('/g')) response.setHeader('content-encoding', 'gzip')
      // Without a length, so that the bytes themselves are counted.
      if (url.startsWith('/d')) response.setHeader('content-length', size)
      response.write(url.startsWith('/g') ? gzipSync(random) : 'x'.repeat(size))
      response.end()
    },
    async (at) => {
      const size = async (path: string) => outcome(guardedFetch(at + path, options).then((it) => it.bytes.length))
      const tooLarge = 'fetch-failed: its answer is larger than 1000 bytes'
      expect(await size('/c1000')).toBe(1000)
      expect(await size('/d1000')).toBe(1000)
      expect(await size('/c1001')).toBe(tooLarge)
      expect(await size('/d1001')).toBe(tooLarge)
      expect(await size('/g')).toBe(tooLarge)
    },
  )
})

test('an answer that announces too much is refused before it comes; to HEAD it may announce what it likes', async () => {
  await serving(
    ({ method }, response) => {
      response.setHeader('content-length', 5000)
      response.flushHeaders()
      if (method === 'HEAD') response.end()
    },
    async (at) => {
      expect(await outcome(guardedFetch(at, options))).toBe('fetch-failed: its answer is larger than 1000 bytes')
      const head = await guardedFetch(at, { ...options, method: 'HEAD' })
      expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '5000', 0])
    },
  )
})

test('what unfolds too far: past the floor, and more than a hundred times its size', () => {
  const mebi = 1024 * 1024
  expect(unfoldsTooFar(1, mebi)).toBe(false)
  expect(unfoldsTooFar(1, mebi + 1)).toBe(true)
  expect(unfoldsTooFar(2 * mebi, 200 * mebi)).toBe(false)
  expect(unfoldsTooFar(2 * mebi, 200 * mebi + 1)).toBe(true)
  expect(unfoldsTooFar(2 * mebi, 2 * mebi)).toBe(false)
})

test('a redirect is an answer that says where; any other answer stays where it is', async () => {
  await serving(
    ({ url }, response) => {
      response.statusCode = url === '/nowhere' ? 302 : url === '/made' ? 201 : 200
      if (url === '/made') response.setHeader('location', '/elsewhere')
      response.end(url)
    },
    async (at) => {
      const statusOf = async (path: string) => {
        const got = await guardedFetch(at + path, options)
        return [got.status, got.finalUrl.slice(at.length)]
      }
      expect(await statusOf('/nowhere')).toEqual([302, '/nowhere'])
      expect(await statusOf('/made')).toEqual([201, '/made'])
    },
  )
})

test('ports, and addresses with half of their credentials', () => {
  const ports = ['https://a.test', 'http://a.test', 'https://a.test:8443', 'http://a.test:443']
  expect(ports.map((it) => portOf(new URL(it)))).toEqual([443, 80, 8443, 443])
  for (const url of ['http://user@a.test', 'http://:word@a.test', 'http://user:word@a.test'])
    expect(() => checkUrl(url)).toThrow('contains credentials')
  for (const url of ['http:/a.test', 'https:a.test', 'https:\\\\a.test', 'https:///a.test'])
    expect(() => checkUrl(url)).toThrow('it must begin with http')
  // A redirect may leave out what it shares with the address before.
  expect(checkUrl('/b', new URL('https://a.test/')).href).toBe('https://a.test/b')
})

test('the resolver of the system gives every address of a name', async () => {
  const signal = AbortSignal.timeout(5000)
  const addresses = await openAddresses(new URL('http://localhost'), { allow: loopback, signal })
  expect(addresses).toContain('127.0.0.1')
})

test('networks: an address is inside one of them; what is no address is inside none', () => {
  const networks = parseNetworks('10.0.0.0/8, 192.0.2.1')
  const all = ['10.1.2.3', '192.0.2.1', '192.0.2.2', '11.0.0.1', 'nowhere', '', '::1']
  expect(all.filter((it) => isInside(it, networks))).toEqual(['10.1.2.3', '192.0.2.1'])
  expect(isInside('10.1.2.3', [])).toBe(false)
})

test('an address that accepts and then says nothing gets a part of the time, and the next one the rest', async () => {
  const silent = net.createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const talking = tls.createServer({ key: privateKey, cert: certificate })
  await new Promise<void>((resolve) => talking.listen(port, '127.0.0.2', resolve))
  const connect = async (addresses: readonly string[], signal: AbortSignal, timeoutMs: number) =>
    (await openFirst(addresses, { name: 'spec.test', port, secure: true, ca: certificate, signal, timeoutMs })).socket
  const socket = await connect(['127.0.0.1', '127.0.0.2'], AbortSignal.timeout(10_000), 1200)
  expect(socket.remoteAddress).toBe('127.0.0.2')
  socket.destroy()
  // A caller that cancels meanwhile gets the address that was tried.
  const left = await connect(['127.0.0.1', '127.0.0.2'], AbortSignal.timeout(100), 60_000).catch((error: unknown) =>
    failureOf(error),
  )
  expect(left).toEqual({ reason: 'it did not accept the connection in time', kind: 'timeout' })
  silent.close()
  talking.close()
})

test('a connection that is closed before its request fails at once', async () => {
  await serving(
    (_, response) => response.end(),
    async (at) => {
      const url = new URL(at)
      const signal = AbortSignal.timeout(3000)
      const socket = await openSocket({ address: '127.0.0.1', port: portOf(url), name: 'a', secure: false, signal })
      socket.destroy()
      const sent = exchange(socket, { url, method: 'GET', headers: {}, body: null, maxBytes: 10, signal })
      expect(await sent.catch((error: Error) => error.message)).toBe('closed')
    },
  )
})

test('why a connection failed, in words and as a kind', () => {
  const broken = { reason: 'the connection broke', kind: 'connection' } as const
  expect([new Error('x'), 'x', { code: 'ECONNREFUSED' }].map(failureOf)).toEqual([broken, broken, broken])
  expect(failureOf(new AnswerRefused('it did not answer in time', 'timeout'))).toEqual({
    reason: 'it did not answer in time',
    kind: 'timeout',
  })
  const ofCode = (code: string) => Object.values(failureOf(Object.assign(new Error('x'), { code }))).join(': ')
  const codes = ['EPIPE', 'ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID']
  expect([...codes, 'HPE_HEADER_OVERFLOW', 'HPE_INVALID_CONSTANT'].map(ofCode)).toEqual([
    'the connection broke (EPIPE): connection',
    'nothing listens there: connection-refused',
    'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): tls',
    'its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID): tls',
    'the headers of its answer are too large: protocol',
    'it does not speak HTTP: protocol',
  ])
})

test('an import takes what answers with success, and gives up where asking again cannot help', async () => {
  await serving(
    ({ url = '' }, response) => {
      response.statusCode = Number(url.slice(1))
      response.end('ok')
    },
    async (at) => {
      const ask = (status: number) =>
        outcome(importFetch(loopback)(`${at}/${status}`, AbortSignal.timeout(3000)).then((it) => it.bytes.length))
      expect([await ask(200), await ask(299)]).toEqual([2, 2])
      expect(await ask(300)).toBe('fetch-failed: it answered 300')
      expect(await ask(404)).toBe('fetch-failed: it answered 404: nothing is there')
      expect(await ask(500)).toBe('fetch-failed: it answered 500')
    },
  )
  const failed = (answered?: number) =>
    new SvcError('fetch-failed', { url: 'u', reason: 'r', ...(answered === undefined ? {} : { answered }) })
  const statuses = [399, 400, 404, 408, 425, 429, 499, 500]
  expect(statuses.filter((it) => isFinal(failed(it)))).toEqual([400, 404, 499])
  expect(isFinal(failed())).toBe(false)
  expect(isFinal(new SvcError('egress-denied', { url: 'u', reason: 'r' }))).toBe(false)
})
