/** What one attempt makes of hostile receivers. */
import { afterEach, expect, spyOn, test } from 'bun:test'
import type { IncomingMessage, ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { clockOf } from '../../../db/clock.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { KeptConnections, type KeptOptions } from '../../../server/egress/kept.ts'
import { SvcError } from '../../../src/errors.ts'
import { attempt, signedHeaders } from '../../../server/webhooks/send.ts'
import { certificate } from '../egress/certificate.ts'
import { startCounting } from '../egress/counting-server.ts'

const now = Date.UTC(2026, 4, 5, 12)
const clock = clockOf(() => now)
const secrets = [{ kind: 'raw' as const, key: new Uint8Array(32).fill(7) }]
const cleanUp: (() => unknown)[] = []
afterEach(() => {
  for (const end of cleanUp.splice(0).toReversed()) end()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** Sends one message to a receiver that answers so; the name of the URL is spec.test unless another is given. */
async function send(
  answer: Answer,
  options: Partial<KeptOptions> & {
    readonly name?: string
    readonly timeoutMs?: number
    readonly keepsAnswer?: boolean
  } = {},
) {
  const server = await startCounting((request, response) => void answer(request, response))
  const { name = 'spec.test', timeoutMs = 2000, keepsAnswer = false, ...kept } = options
  const connections = new KeptConnections({
    allow: parseNetworks('127.0.0.1'),
    resolve: async () => ['127.0.0.1'],
    ca: certificate,
    ...kept,
  })
  cleanUp.push(
    () => server.stop(),
    () => connections.close(),
  )
  const message = { id: 'm1', url: `https://${name}:${server.port}/hook`, body: '{"a":1}', secrets, keepsAnswer }
  const signal = new AbortController().signal
  const made = await attempt(message, { connections, clock, signal, timeoutMs })
  return { made, requests: server.requests.length, brief: `${made.statusCode} ${made.outcome.errorClass}` }
}

const status =
  (code: number, headers: Record<string, string | string[]> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end()

test('an attempt keeps its status, its duration and a class, and nothing of what was answered', async () => {
  const { made } = await send((_, response) => response.writeHead(500, { 'x-secret': 'planted' }).end('planted'))
  const { durationMs, ...rest } = made
  expect(durationMs).toBeGreaterThanOrEqual(0)
  const outcome = { isAccepted: false, errorClass: 'http-500', retryAfterMs: null, request: null }
  expect(rest).toEqual({ startedAt: now, statusCode: 500, outcome, answer: null })
})

test('the beginning of an answer is kept where it is asked for, as text that can be stored and shown', async () => {
  const kept = async (body: string | Uint8Array) =>
    (await send((_, response) => response.writeHead(500).end(body), { keepsAnswer: true })).made.answer
  expect([
    await kept(''),
    await kept('<b>no</b>\n\u0000\u001b[31m'),
    await kept(new Uint8Array([0x61, 0xff, 0x62])),
    (await kept('é'.repeat(4000)))?.length,
  ]).toEqual(['', '<b>no</b>\n\ufffd\ufffd[31m', 'a\ufffdb', 1000])
})

test('it is signed at the moment when it is sent', () => {
  const headers = signedHeaders({ id: 'm1', body: '{}', secrets }, Date.now())
  const verify = (given: Record<string, string>) =>
    new Webhook(secrets[0]?.key ?? '', { format: 'raw' }).verify('{}', given)
  expect(verify(headers)).toEqual({})
  expect(() => verify(signedHeaders({ id: 'm1', body: '{}', secrets }, Date.now() - 6 * 60_000))).toThrow('too old')
})

test.each<[string, Answer]>([
  ['302 redirect', status(302, { location: 'https://127.0.0.1:1/' })],
  ['307 redirect', status(307, { location: 'http://169.254.169.254/latest/meta-data' })],
  ['308 redirect', status(308)],
  ['304 redirect', status(304)],
  ['300 redirect', status(300)],
  ['399 redirect', status(399)],
  ['400 http-400', status(400)],
  ['410 http-410', status(410)],
  ['404 http-404', status(404)],
  ['200 null', status(200)],
  ['299 null', status(299)],
  ['600 http-600', status(600)],
])('%s', async (expected, answer) => {
  const { made, brief, requests } = await send(answer)
  expect([brief, requests, made.outcome.isAccepted]).toEqual([expected, 1, expected.startsWith('2')])
})

test.each<[string, Answer]>([
  ['a large body', (_, response) => response.end('x'.repeat(5_000_000))],
  [
    'a declared length that is never sent',
    (_, response) => response.writeHead(200, { 'content-length': '99999999999' }).write('x'),
  ],
  [
    'a body of one byte each moment',
    (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    },
  ],
  [
    'a body that breaks',
    (request, response) => {
      response.writeHead(200, { 'content-length': '5' }).write('x')
      setTimeout(() => request.socket.destroy(), 5)
    },
  ],
  ['a compressed body that is none', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
])('the head says all that counts: %s', async (_, answer) => {
  const begin = performance.now()
  expect((await send(answer, { timeoutMs: 10_000 })).brief).toBe('200 null')
  expect(performance.now() - begin).toBeLessThan(5000)
})

test.each<[string, Answer]>([
  ['null timeout', () => {}],
  ['null connection', (request) => request.socket.destroy()],
  ['null protocol', (request) => request.socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(50_000)}`)],
  ['null protocol', (request) => request.socket.end('220 mail.example.com ESMTP\r\n')],
])('%s', async (expected, answer) => {
  // Only what never answers is waited for: on a busy machine the others may take their time.
  const { made, brief } = await send(answer, { timeoutMs: expected === 'null timeout' ? 300 : 30_000 })
  expect([brief, made.outcome]).toEqual([
    expected,
    { isAccepted: false, errorClass: expected.slice('null '.length), retryAfterMs: null, request: null },
  ])
})

test.each([new TypeError('a bug'), new SvcError('webhook-url-invalid', { reason: 'a bug' })])(
  '%p is no outcome',
  async (bug) => {
    const connections = new KeptConnections({ allow: [], resolve: async () => [] })
    cleanUp.push(() => connections.close())
    spyOn(connections, 'post').mockRejectedValue(bug)
    const message = { id: 'm', url: 'https://spec.test/', body: '{}', secrets }
    const made = attempt(message, { connections, clock, signal: new AbortController().signal })
    expect(await made.catch((thrown: unknown) => thrown)).toBe(bug)
  },
)

test('a name that leads elsewhere, or nowhere, and certificates of others', async () => {
  const accepts = status(200)
  const tried = [
    await send(accepts, { resolve: async () => ['10.0.0.1'] }),
    await send(accepts, { resolve: async () => ['127.0.0.1', '169.254.169.254'] }),
    await send(accepts, { resolve: async () => ['::ffff:10.0.0.1'] }),
    await send(accepts, { resolve: async () => [] }),
    await send(accepts, { resolve: () => Promise.reject(new Error('ENOTFOUND')) }),
    await send(accepts, { resolve: () => new Promise(() => {}), timeoutMs: 100 }),
    await send(accepts, { name: 'other.test' }),
    await send(accepts, { name: '127.0.0.1' }),
  ]
  expect(tried.map(({ brief, requests }) => `${brief} ${requests}`)).toEqual([
    'null egress-denied 0',
    'null egress-denied 0',
    'null egress-denied 0',
    'null dns 0',
    'null dns 0',
    'null timeout 0',
    'null tls 0',
    'null tls 0',
  ])
})

test('a certificate that no one signed, a server without TLS, and a port where nothing listens', async () => {
  const plain = net.createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('HTTP/1.1 200 OK\r\n\r\n'),
  )
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  const connections = new KeptConnections({ allow: parseNetworks('127.0.0.1'), resolve: async () => ['127.0.0.1'] })
  const to = async (at: number) => {
    const message = { id: 'm', url: `https://spec.test:${at}/`, body: '{}', secrets }
    const made = await attempt(message, { connections, clock, signal: new AbortController().signal, timeoutMs: 2000 })
    return made.outcome.errorClass
  }
  const unsigned = await startCounting()
  cleanUp.push(() => unsigned.stop())
  expect(await to(unsigned.port)).toBe('tls')
  expect(await to(port)).toBe('tls')
  await new Promise((resolve) => plain.close(resolve))
  expect(await to(port)).toBe('connection-refused')
})

test.each<[Record<string, string>, number | null]>([
  [{ 'retry-after': '120' }, 120_000],
  [{ 'retry-after': ' 7 ' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '999999999' }, 999_999_999_000],
  [{ 'retry-after': '99999999999999999999' }, null],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': '1e9' }, null],
  [{ 'retry-after': 'Infinity' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after': 'Tue, 05 May 2026 12:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Tue, 05 May 2020 12:01:00 GMT' }, 0],
  [{}, null],
])('what %p asks to wait', async (headers, expected) => {
  expect((await send(status(503, headers))).made.outcome.retryAfterMs).toBe(expected)
})

test('only 429 and 503 may ask to wait', async () => {
  const asked = async (code: number) => (await send(status(code, { 'retry-after': '9' }))).made.outcome.retryAfterMs
  expect([await asked(429), await asked(200), await asked(500), await asked(302)]).toEqual([9000, null, null, null])
})

test.each<[number, Record<string, string | string[]>, string | null]>([
  [200, { 'webhook-delivery': 'disable' }, 'disable'],
  [500, { 'webhook-delivery': ' Abort-Message ' }, 'abort-message'],
  [410, {}, 'gone'],
  [410, { 'webhook-delivery': 'abort-message' }, 'abort-message'],
  [200, { 'webhook-delivery': 'drop everything' }, null],
  [200, { 'webhook-delivery': '' }, null],
])('%p with %p asks for %p', async (code, headers, expected) => {
  expect((await send(status(code, headers))).made.outcome.request as string | null).toBe(expected)
})
