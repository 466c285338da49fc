/** Connections that are kept are used for the name, the certificate and the address that were checked, and for nothing else. */
import { afterEach, expect, test } from 'bun:test'
import net from 'node:net'
import { parseNetworks } from '../../../server/egress/address.ts'
import { KeptConnections, type KeptOptions } from '../../../server/egress/kept.ts'
import { FetchFailed } from '../../../server/egress/refused.ts'
import { SvcError } from '../../../src/errors.ts'
import { certificate } from './certificate.ts'
import { startCounting, type CountingServer } from './counting-server.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end()
})

async function serving(...given: Parameters<typeof startCounting>): Promise<CountingServer> {
  const server = await startCounting(...given)
  cleanUp.push(() => server.stop())
  return server
}

function keeping(options: Partial<KeptOptions> = {}) {
  const connections = new KeptConnections({
    allow: parseNetworks('127.0.0.0/8'),
    resolve: async () => ['127.0.0.1'],
    ca: certificate,
    ...options,
  })
  cleanUp.push(() => connections.close())
  return async (url: string, timeoutMs = 3000, signal = new AbortController().signal): Promise<string> => {
    try {
      const { status } = await connections.post(url, { headers: {}, body: '{}', timeoutMs, signal })
      return String(status)
    } catch (error) {
      if (error instanceof FetchFailed) return error.kind
      if (error instanceof SvcError) return error.code
      throw error
    }
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 400 && !holds(); n++) await Bun.sleep(5)
  expect(holds()).toBe(true)
}

test('requests of one name follow each other over one connection', async () => {
  const server = await serving()
  const post = keeping()
  for (let n = 0; n < 5; n++) expect(await post(`https://spec.test:${server.port}/${n}`)).toBe('200')
  expect(server.requests).toEqual([0, 0, 0, 0, 0])
})

test('another name at the same address gets a connection of its own, and its certificate is checked', async () => {
  const server = await serving()
  const post = keeping()
  expect(await post(`https://spec.test:${server.port}/`)).toBe('200')
  expect(await post(`https://other.test:${server.port}/`)).toBe('tls')
  expect(await post(`https://SPEC.test:${server.port}/`)).toBe('200')
  expect(server.requests).toEqual([0, 0])
})

test('a name that leads to a closed address is refused, though a connection waits', async () => {
  const server = await serving()
  let addresses = ['127.0.0.1']
  const post = keeping({ resolve: async () => addresses, checkedMs: 30 })
  expect(await post(`https://spec.test:${server.port}/`)).toBe('200')
  for (const next of [['10.0.0.1'], ['127.0.0.1', '169.254.169.254'], ['::1']]) {
    addresses = next
    await Bun.sleep(40)
    expect(await post(`https://spec.test:${server.port}/`)).toBe('egress-denied')
  }
  expect(server.requests).toEqual([0])
})

test('a name is resolved again when its check is too old, and not before', async () => {
  const server = await serving()
  let resolved = 0
  const resolve = async () => {
    resolved += 1
    return ['127.0.0.1']
  }
  const url = `https://spec.test:${server.port}/`
  const post = keeping({ resolve, checkedMs: 60_000 })
  await post(url)
  await post(url)
  expect(resolved).toBe(1)
  const often = keeping({ resolve, checkedMs: 0 })
  await often(url)
  await often(url)
  expect([resolved, server.requests]).toEqual([3, [0, 0, 1, 1]])
})

test('a connection that is ready when another one is free again is closed', async () => {
  const server = await serving((_, response) => void setTimeout(() => response.end(), 100))
  // Accepts and says nothing: the second address is tried after a part of the time.
  const silent = net.createServer((socket) => cleanUp.push(() => socket.destroy()))
  await new Promise<void>((resolve) => silent.listen(server.port, '127.0.0.9', resolve))
  cleanUp.push(() => silent.close())
  const addresses = [['127.0.0.1'], ['127.0.0.9', '127.0.0.1']]
  const post = keeping({ resolve: async () => addresses.shift() ?? [], checkedMs: 0 })
  const url = `https://spec.test:${server.port}/`
  const first = post(url)
  await until(() => server.requests.length === 1)
  expect(await post(url, 1600)).toBe('200')
  expect([await first, server.requests]).toEqual(['200', [0, 0]])
  await until(() => server.open() === 1)
})

test('a name that leads to another open address is followed there', async () => {
  const first = await serving()
  const second = await serving(undefined, '127.0.0.2', first.port)
  let addresses = ['127.0.0.1']
  const post = keeping({ resolve: async () => addresses, checkedMs: 30 })
  const url = `https://spec.test:${first.port}/`
  expect(await post(url)).toBe('200')
  addresses = ['127.0.0.2']
  await Bun.sleep(40)
  expect(await post(url)).toBe('200')
  addresses = ['127.0.0.3', '127.0.0.1']
  await Bun.sleep(40)
  expect(await post(url)).toBe('200')
  expect([first.requests, second.requests]).toEqual([[0, 0], [0]])
})

test('a connection that the server closed meanwhile is replaced', async () => {
  let count = 0
  // Closes each second request's connection without an answer.
  const server = await serving((request, response) => (++count % 2 === 0 ? request.socket.destroy() : response.end()))
  const post = keeping()
  const url = `https://spec.test:${server.port}/`
  for (let n = 0; n < 3; n++) expect(await post(url)).toBe('200')
  expect(server.requests).toEqual([0, 0, 1, 1, 2])
})

test('a server that always closes without an answer fails, after one request for each connection', async () => {
  const server = await serving((request) => request.socket.destroy())
  const post = keeping()
  expect(await post(`https://spec.test:${server.port}/`)).toBe('connection')
  expect(server.requests).toEqual([0])
})

test('a connection waits for a limited time, and is used for a limited time', async () => {
  const server = await serving()
  const url = `https://spec.test:${server.port}/`
  const idle = keeping({ idleMs: 50 })
  expect(await idle(url)).toBe('200')
  await until(() => server.open() === 0)
  const short = keeping({ longestMs: 0 })
  expect([await short(url), await short(url)]).toEqual(['200', '200'])
  expect(server.requests).toEqual([0, 1, 2])
})

test('of many connections at once four wait', async () => {
  const server = await serving((_, response) => void setTimeout(() => response.end(), 50))
  const post = keeping()
  const all = await Promise.all(Array.from({ length: 12 }, () => post(`https://spec.test:${server.port}/`)))
  expect(new Set(all)).toEqual(new Set(['200']))
  expect(server.requests.length).toBe(12)
  await until(() => server.open() === 4)
})

test('what follows the head does not count: slow, large and broken bodies end the connection alone', async () => {
  const server = await serving((request, response) => {
    if (request.url === '/short') return void response.end('x'.repeat(16_384))
    if (request.url === '/large') return void response.end('x'.repeat(100_000))
    if (request.url === '/torn') {
      response.writeHead(200, { 'content-length': '10' }).write('x')
      return void setTimeout(() => request.socket.destroy(), 10)
    }
    if (request.url === '/gzip') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('none')
    // One byte each 20 ms, without end.
    response.writeHead(200).write('x')
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const post = keeping()
  const at = (path: string) => post(`https://spec.test:${server.port}${path}`)
  for (const path of ['/short', '/gzip', '/large', '/torn', '/slow', '/short']) expect(await at(path)).toBe('200')
  expect(server.requests).toEqual([0, 0, 0, 1, 2, 3])
  await until(() => server.open() === 1)
})

test('no head in time, headers without end, no HTTP, and a caller who leaves', async () => {
  const server = await serving((request, response) => {
    if (request.url === '/headers') return void request.socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`)
    if (request.url === '/noise') return void request.socket.end('this is not HTTP\r\n\r\n')
    if (request.url === '/continue') {
      const timer = setInterval(() => response.writeContinue(), 5)
      return void request.socket.on('close', () => clearInterval(timer))
    }
  })
  const post = keeping()
  const at = (path: string, ms?: number, signal?: AbortSignal) =>
    post(`https://spec.test:${server.port}${path}`, ms, signal)
  expect(await at('/silent', 100)).toBe('timeout')
  expect(await at('/continue', 100)).toBe('timeout')
  expect(await at('/headers')).toBe('protocol')
  expect(await at('/noise')).toBe('protocol')
  const leaving = new AbortController()
  const left = at('/silent', 3000, leaving.signal)
  setTimeout(() => leaving.abort(), 50)
  expect(await left).toBe('timeout')
  expect(await at('/silent', 3000, AbortSignal.abort())).toBe('timeout')
  await until(() => server.open() === 0)
})

test('addresses that are refused before anything is sent', async () => {
  const post = keeping({ resolve: async () => [] })
  expect(await post('https://spec.test/')).toBe('dns')
  expect(await post('https://10.0.0.1/')).toBe('egress-denied')
  expect(await post('https://me:pw@spec.test/')).toBe('egress-denied')
})
