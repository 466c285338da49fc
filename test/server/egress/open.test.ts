import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNetworks } from '../../../server/egress/address.ts'
import { trustAuthorities } from '../../../server/egress/authorities.ts'
import { guardedOpen, type GuardOptions } from '../../../server/egress/guard.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { certificate, privateKey } from './certificate.ts'

type Options = Omit<GuardOptions, 'maxRedirects'>

const options = (over: Partial<Options> = {}): Options => ({
  allow: parseNetworks('127.0.0.1'),
  timeoutMs: 3000,
  maxBytes: 1000,
  resolve: async () => ['127.0.0.1'],
  ...over,
})

let server: ReturnType<typeof Bun.serve>
let secure: ReturnType<typeof Bun.serve>
let at = ''
let left = 0
let tick = (): void => {}

beforeAll(() => {
  // One line for each `tick`, without end.
  const events = (request: Request) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        let n = 0
        tick = () => controller.enqueue(new TextEncoder().encode(`event ${++n}\n`))
        request.signal.addEventListener('abort', () => void (left += 1))
        tick()
      },
    })
  const answer = (request: Request): Response => {
    const { pathname } = new URL(request.url)
    if (pathname === '/events') return new Response(events(request))
    if (pathname === '/large') return new Response('x'.repeat(1001))
    if (pathname === '/moved') return new Response(null, { status: 302, headers: { location: '/events' } })
    return new Response('hello', { status: 201, headers: { 'x-kind': 'plain' } })
  }
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer })
  secure = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer, tls: { key: privateKey, cert: certificate } })
  at = `http://spec.test:${server.port}`
})
afterAll(async () => {
  await Promise.all([server.stop(true), secure.stop(true)])
})

const text = async (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text()

test('the head comes first, and the body as it is sent', async () => {
  const plain = await guardedOpen(`${at}/`, options())
  expect([plain.status, plain.headers.get('x-kind'), plain.finalUrl, await text(plain.body)]).toEqual([
    201,
    'plain',
    `${at}/`,
    'hello',
  ])
  const { status, body } = await guardedOpen(`${at}/events`, options())
  const reader = body.getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  expect([status, await next()]).toEqual([200, 'event 1\n'])
  tick()
  expect(await next()).toBe('event 2\n')
  const before = left
  await reader.cancel()
  for (let n = 0; n < 200; n++) if (left === before) await Bun.sleep(5)
  expect(left).toBe(before + 1)
})

test('the limits hold for the body, and what is refused is refused before', async () => {
  const failure = (reason: string, path: string) => ({ code: 'fetch-failed', url: at + path, reason })
  const tooLarge = failure('its answer is larger than 1000 bytes', '/large')
  expect(await outcome(guardedOpen(`${at}/large`, options()))).toEqual(tooLarge)
  const endless = await guardedOpen(`${at}/events`, options({ maxBytes: 10 }))
  tick()
  expect(await outcome(text(endless.body))).toEqual(failure('its answer is larger than 10 bytes', '/events'))
  const slow = await guardedOpen(`${at}/events`, options({ timeoutMs: 100 }))
  expect(await outcome(text(slow.body))).toEqual(failure('it did not answer in time', '/events'))
  expect((await guardedOpen(`${at}/moved`, options())).status).toBe(302)
  expect(await outcome(guardedOpen(`${at}/`, options({ allow: [] })))).toMatchObject({ code: 'egress-denied' })
})

test('a body that ends before its declared end is an error', async () => {
  const heads = {
    '/length': 'content-length: 10\r\n\r\nhello',
    '/chunks': 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
  }
  const cut = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, asked) {
        const path = asked.toString().split(' ')[1] as keyof typeof heads
        socket.end(`HTTP/1.1 200 OK\r\n${heads[path]}`)
      },
    },
  })
  try {
    for (const path of Object.keys(heads)) {
      const url = `http://spec.test:${cut.port}${path}`
      const { body } = await guardedOpen(url, options())
      expect(await outcome(text(body))).toEqual({
        code: 'fetch-failed',
        url,
        reason: 'the connection broke (ECONNRESET)',
      })
    }
  } finally {
    cut.stop(true)
  }
})

test('an authority that the operator names is trusted, and verification stays on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ca-'))
  const path = join(folder, 'ca.pem')
  const url = `https://spec.test:${secure.port}/`
  try {
    writeFileSync(path, certificate)
    expect(await outcome(guardedOpen(url, options()))).toMatchObject({ code: 'fetch-failed' })
    trustAuthorities(` ${path},`)
    expect((await guardedOpen(url, options())).status).toBe(201)
    expect(await outcome(guardedOpen(url.replace('spec', 'other'), options()))).toMatchObject({ code: 'fetch-failed' })
    // The authorities of a request replace them.
    expect(await outcome(guardedOpen(url, options({ ca: 'none' })))).toMatchObject({ code: 'fetch-failed' })
    trustAuthorities(join(folder, 'none.pem'))
    expect((await guardedOpen(`${at}/`, options())).status).toBe(201)
    const problem = `SVC_EGRESS_CA: ${join(folder, 'none.pem')} is not a readable PEM file`
    expect(await outcome(guardedOpen(url, options()))).toMatchObject({ code: 'fetch-failed' })
    const { trustedAuthorities } = await import('../../../server/egress/authorities.ts')
    expect(await outcome(trustedAuthorities())).toEqual({ code: 'config-invalid', problems: [problem] })
  } finally {
    trustAuthorities('')
    rmSync(folder, { recursive: true })
  }
})
