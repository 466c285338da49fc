import { afterAll, beforeAll, expect, test } from 'bun:test'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { parseNetworks } from '../../../server/egress/address.ts'
import { guardedFetch, type GuardOptions, type Resolve } from '../../../server/egress/guard.ts'
import { SvcError } from '../../../src/errors.ts'
import { certificate, privateKey } from './certificate.ts'

const loopback = parseNetworks('127.0.0.1')

/** Options as an import uses them, small enough for a test; names resolve to the loopback server. */
const options = (over: Partial<GuardOptions> = {}): GuardOptions => ({
  allow: loopback,
  timeoutMs: 3000,
  maxBytes: 100_000,
  maxRedirects: 5,
  resolve: async () => ['127.0.0.1'],
  ...over,
})

/** The code and the reason of a refusal, or the status of an answer. */
async function outcome(url: string, over: Partial<GuardOptions> = {}): Promise<string> {
  try {
    return String((await guardedFetch(url, options(over))).status)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return `${error.code}: ${String((error.detail as { reason?: unknown }).reason)}`
  }
}

const seen: { path: string; host: string | null; authorization: string | null }[] = []
let server: ReturnType<typeof Bun.serve>
let secure: ReturnType<typeof Bun.serve>
let at = ''

beforeAll(() => {
  const answer = (request: Request): Response => {
    const url = new URL(request.url)
    seen.push({
      path: url.pathname,
      host: request.headers.get('host'),
      authorization: request.headers.get('authorization'),
    })
    const to = url.searchParams.get('to')
    if (url.pathname === '/redirect') return new Response(null, { status: 302, headers: { location: to ?? '' } })
    if (url.pathname === '/loop') return new Response(null, { status: 307, headers: { location: '/loop' } })
    if (url.pathname === '/large') return new Response('x'.repeat(100_001))
    if (url.pathname === '/bomb')
      return new Response(gzipSync(Buffer.alloc(20_000_000)), { headers: { 'content-encoding': 'gzip' } })
    if (url.pathname === '/gzip') return new Response(gzipSync('unfolded'), { headers: { 'content-encoding': 'gzip' } })
    if (url.pathname === '/torn') return new Response('not gzip', { headers: { 'content-encoding': 'gzip' } })
    if (url.pathname === '/odd') return new Response('x', { headers: { 'content-encoding': 'zstd' } })
    if (url.pathname === '/echo') return new Response(request.body)
    return new Response('hello')
  }
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  secure = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer, tls: { key: privateKey, cert: certificate } })
  at = `http://spec.test:${server.port}`
})
afterAll(async () => {
  await Promise.all([server.stop(true), secure.stop(true)])
})

test('an answer comes whole, and the server sees the original name', async () => {
  const got = await guardedFetch(`${at}/a?b=c`, options())
  expect([got.status, new TextDecoder().decode(got.bytes), got.finalUrl]).toEqual([200, 'hello', `${at}/a?b=c`])
  expect(seen.at(-1)).toEqual({ path: '/a', host: `spec.test:${server.port}`, authorization: null })
})

test('a body is sent with POST', async () => {
  const got = await guardedFetch(`${at}/echo`, options({ method: 'POST', body: new TextEncoder().encode('ping') }))
  expect(new TextDecoder().decode(got.bytes)).toBe('ping')
})

test('a name that turns to another address between the check and the connection gains nothing', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  let asked = 0
  const rebinding: Resolve = async () => answers[asked++] ?? []
  expect(await outcome(`${at}/`, { resolve: rebinding })).toBe('200')
  expect(asked).toBe(1)
  expect(await outcome(`${at}/`, { resolve: rebinding })).toBe(
    'egress-denied: its name leads to an address that is not public (private)',
  )
})

test('one closed address among open ones closes the name', async () => {
  expect(await outcome(`${at}/`, { resolve: async () => ['127.0.0.1', '::1'] })).toBe(
    'egress-denied: its name leads to an address that is not public (loopback)',
  )
})

test('literal addresses in every notation are judged as what they mean', async () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ]
  const outcomes = await Promise.all(hosts.map((host) => outcome(`http://${host}:${server.port}/`, { allow: [] })))
  expect(outcomes).toEqual(hosts.map(() => 'egress-denied: it is an address that is not public (loopback)'))
  expect(await outcome('http://[64:ff9b::a9fe:a9fe]/', { allow: [] })).toBe(
    'egress-denied: it is an address that is not public (NAT64)',
  )
  expect(await outcome('http://169.254.169.254/latest/meta-data/', { allow: [] })).toBe(
    'egress-denied: it is an address that is not public (link-local)',
  )
  expect(await outcome('http://１２７.０.０.１/', { allow: [] })).toBe(
    'egress-denied: it is an address that is not public (loopback)',
  )
})

test('what is no plain web address is refused before anything is resolved', async () => {
  const resolve: Resolve = () => Promise.reject(new Error('asked'))
  const of = (url: string) => outcome(url, { resolve })
  expect(await of('file:///etc/passwd')).toBe('egress-denied: only http and https are fetched')
  expect(await of('gopher://spec.test/')).toBe('egress-denied: only http and https are fetched')
  expect(await of('spec.yaml')).toBe('egress-denied: it is not a URL')
  expect(await of('http://spec.test:6379x/')).toBe('egress-denied: it is not a URL')
  expect(await of('http://[fe80::1%25eth0]/')).toBe('egress-denied: it is not a URL')
  expect(await of('http://spec.test:25/')).toBe('egress-denied: port 25 belongs to another protocol')
  expect(await of('http://spec.test:0/')).toBe('egress-denied: port 0 belongs to another protocol')
  expect(await of('http://user:secret@spec.test/')).toBe(
    'egress-denied: it contains credentials, which are not allowed in an address',
  )
})

test('a refusal shows neither credentials nor the query', async () => {
  const refusal = async (url: string) => {
    try {
      await guardedFetch(url, options({ allow: [] }))
      return ''
    } catch (error) {
      return JSON.stringify(error) + String(error)
    }
  }
  for (const url of [
    'http://me:hidden@spec.test/a',
    `${at}/a?token=hidden`,
    'http://me:hidden@spec.test:99999/?hidden',
  ])
    expect(await refusal(url)).not.toContain('hidden')
})

test('every redirect is judged again', async () => {
  const to = (target: string) => outcome(`${at}/redirect?to=${encodeURIComponent(target)}`)
  expect(await to('/end')).toBe('200')
  expect(await to('http://169.254.169.254/latest')).toBe(
    'egress-denied: it is an address that is not public (link-local)',
  )
  expect(await to('http://[::1]/')).toBe('egress-denied: it is an address that is not public (loopback)')
  expect(await to('file:///etc/passwd')).toBe('egress-denied: only http and https are fetched')
  expect(await to('http://u:p@spec.test/')).toBe(
    'egress-denied: it contains credentials, which are not allowed in an address',
  )
  expect(await outcome(`${at}/loop`)).toBe('fetch-failed: it redirects more than 5 times')
  expect(await outcome(`${at}/loop`, { maxRedirects: 0 })).toBe('307')
  expect(
    await outcome(`https://spec.test:${secure.port}/redirect?to=${encodeURIComponent(`${at}/end`)}`, {
      ca: certificate,
    }),
  ).toBe('egress-denied: a redirect leads from https to http')
})

test('only GET and HEAD follow a redirect: what is sent with another method is sent once', async () => {
  const sent = async (method: 'GET' | 'HEAD' | 'POST' | 'DELETE') =>
    (
      await guardedFetch(
        `${at}/redirect?to=/echo`,
        options({ method, ...(method === 'POST' ? { body: new Uint8Array(1) } : {}) }),
      )
    ).status
  expect([await sent('GET'), await sent('HEAD'), await sent('POST'), await sent('DELETE')]).toEqual([
    200, 200, 302, 302,
  ])
})

test('credentials stay behind when a redirect leads to another origin', async () => {
  const headers = { Authorization: 'Bearer hidden', Accept: 'text/plain' }
  await guardedFetch(`${at}/redirect?to=/same`, options({ headers }))
  expect(seen.at(-1)).toMatchObject({ path: '/same', authorization: 'Bearer hidden' })
  await guardedFetch(
    `${at}/redirect?to=${encodeURIComponent(`http://other.test:${server.port}/other`)}`,
    options({ headers }),
  )
  expect(seen.at(-1)).toMatchObject({ path: '/other', host: `other.test:${server.port}`, authorization: null })
})

test('the certificate is checked against the name, though the connection goes to an address', async () => {
  expect(await outcome(`https://spec.test:${secure.port}/`, { ca: certificate })).toBe('200')
  expect(seen.at(-1)?.host).toBe(`spec.test:${secure.port}`)
  expect(await outcome(`https://other.test:${secure.port}/`, { ca: certificate })).toBe(
    'fetch-failed: its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
  )
  expect(await outcome(`https://spec.test:${secure.port}/`)).toBe(
    'fetch-failed: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
  )
})

test('size and unfolding are bounded', async () => {
  expect(await outcome(`${at}/large`)).toBe('fetch-failed: its answer is larger than 100000 bytes')
  expect(await outcome(`${at}/bomb`)).toBe('fetch-failed: its answer is larger than 100000 bytes')
  expect(await outcome(`${at}/bomb`, { maxBytes: 50_000_000 })).toBe(
    'fetch-failed: its response decompresses to more than 100 times its compressed size',
  )
  expect(await outcome(`${at}/torn`)).toBe('fetch-failed: its answer is not valid gzip')
  expect(await outcome(`${at}/odd`)).toBe('fetch-failed: its answer is encoded as "zstd", which was not asked for')
  expect(new TextDecoder().decode((await guardedFetch(`${at}/gzip`, options())).bytes)).toBe('unfolded')
})

/** A server that answers a connection as `speak` says. */
async function withSpeaker(speak: (socket: net.Socket) => void, run: (url: string) => Promise<void>): Promise<void> {
  const sockets = new Set<net.Socket>()
  const speaker = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => speak(socket))
  })
  await new Promise<void>((resolve) => speaker.listen(0, '127.0.0.1', resolve))
  const address = speaker.address()
  try {
    await run(`http://spec.test:${typeof address === 'object' ? address?.port : 0}/`)
  } finally {
    for (const socket of sockets) socket.destroy()
    speaker.close()
  }
}

test('a server that trickles is cut off when the time for everything is over', async () => {
  const trickle = (head: string) => (socket: net.Socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  for (const head of ['HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n', 'HTTP/1.1 200 OK\r\nx-'])
    await withSpeaker(trickle(head), async (url) => {
      expect(await outcome(url, { timeoutMs: 200 })).toBe('fetch-failed: it did not answer in time')
    })
})

test('broken answers are failures, never partial documents', async () => {
  const speakers: [string, string][] = [
    ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', 'the connection broke (ECONNRESET)'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n', 'the connection broke (ECONNRESET)'],
    ['', 'the connection broke (ECONNRESET)'],
    ['SSH-2.0-OpenSSH\r\n', 'it does not speak HTTP'],
    [
      `HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(1000)}\r\n`.repeat(1000)}`,
      'the headers of its answer are too large',
    ],
  ]
  for (const [text, reason] of speakers)
    await withSpeaker(
      (socket) => socket.end(text),
      async (url) => expect(await outcome(url)).toBe(`fetch-failed: ${reason}`),
    )
})

test('names without answer, dead ports and callers who leave are failures', async () => {
  expect(await outcome(at, { resolve: async () => [] })).toBe('fetch-failed: its name has no address')
  expect(await outcome(at, { resolve: () => Promise.reject(new Error('no')) })).toBe(
    'fetch-failed: its name cannot be resolved',
  )
  expect(await outcome(at, { resolve: () => new Promise(() => {}), timeoutMs: 50 })).toBe(
    'fetch-failed: its name was not resolved in time',
  )
  expect(await outcome(at, { signal: AbortSignal.abort() })).toBe('fetch-failed: its name was not resolved in time')
  const free = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  const address = free.address()
  const port = typeof address === 'object' ? address?.port : 0
  await new Promise((resolve) => free.close(resolve))
  expect(await outcome(`http://spec.test:${port}/`)).toBe('fetch-failed: nothing listens there')
})

test('a dead address does not hide a living one', async () => {
  const allow = parseNetworks('127.0.0.1, 127.0.0.9')
  expect(await outcome(`${at}/`, { allow, resolve: async () => ['127.0.0.9', '127.0.0.1'] })).toBe('200')
})

test('proxy variables of the environment are not followed', async () => {
  const before = process.env['HTTP_PROXY']
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  try {
    expect(await outcome(`${at}/`)).toBe('200')
  } finally {
    if (before === undefined) delete process.env['HTTP_PROXY']
    else process.env['HTTP_PROXY'] = before
  }
})
