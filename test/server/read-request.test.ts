/** What is read of a request, and what is refused before a handler sees it. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { endpoint, type Endpoint } from '../../src/api/endpoint.ts'
import { readParts, readRequest } from '../../server/http/read-request.ts'
import { lastingStalls } from '../fixtures/stalls.ts'

const base = {
  id: 'things.put',
  origin: 'own',
  method: 'PUT',
  path: '/v1/things',
  summary: 'Put',
  access: { anonymous: true, reason: 'a test' },
  body: Type.Unknown(),
  bodyLimit: 20,
  response: Type.Null(),
  errors: [],
} as const
const json = endpoint(base)
// Bytes are not held against the schema, which is that of JSON.
const list = Type.Array(Type.Integer())
const text = endpoint({ ...base, body: list, accepts: ['text/plain'] })
const bytes = endpoint({ ...base, body: list, accepts: ['application/octet-stream'] })
const optional = endpoint({ ...base, body: list, bodyOptional: true })

/** A request whose body comes in pieces, so that nothing says its length. */
const pieces = (parts: readonly string[], headers: Record<string, string> = {}): Request => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  return new Request('http://localhost/v1/things', { method: 'PUT', headers, body: stream })
}
const whole = (body: BodyInit | null, type?: string): Request => {
  const request = new Request('http://localhost/v1/things', { method: 'PUT', body })
  request.headers.delete('content-type')
  if (type !== undefined) request.headers.set('content-type', type)
  return request
}

const read = async (one: Endpoint, request: Request): Promise<unknown> => {
  try {
    const { input, mediaType } = await readRequest(one, { request, url: new URL(request.url), params: {} })
    const { body } = input
    return [body instanceof Uint8Array ? `bytes ${new TextDecoder().decode(body)}` : body, mediaType]
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: { reason?: string; limit_bytes?: number } }
    return [code, detail?.reason ?? detail?.limit_bytes]
  }
}

test('a body of exactly the limit is read, one byte more is refused, whether the request says its length or not', async () => {
  const fits = `"${'x'.repeat(18)}"`
  expect(await read(json, whole(fits))).toEqual(['x'.repeat(18), null])
  expect(await read(json, pieces([fits.slice(0, 7), fits.slice(7)]))).toEqual(['x'.repeat(18), null])
  const tooLarge = ['body-too-large', 20]
  expect(await read(json, whole(`${fits} `))).toEqual(tooLarge)
  expect(await read(json, pieces([fits, ' ']))).toEqual(tooLarge)
  // The declared length is checked before a byte is read, and the bytes are counted as well.
  expect(await read(json, pieces(['1'], { 'content-length': '21' }))).toEqual(tooLarge)
  expect(await read(json, pieces(['1'], { 'content-length': '20' }))).toEqual([1, null])
  expect(await read(json, pieces([fits, ' '], { 'content-length': '1' }))).toEqual(tooLarge)
})

test('bytes in one piece, in several and in none', async () => {
  expect(await read(bytes, pieces(['ab']))).toEqual(['bytes ab', 'application/octet-stream'])
  expect(await read(bytes, pieces(['ab', 'cd']))).toEqual(['bytes abcd', 'application/octet-stream'])
  expect(await read(bytes, pieces([]))).toEqual(['bytes ', 'application/octet-stream'])
})

test('media types: JSON where nothing else is taken; a body of no named type is bytes where bytes are taken', async () => {
  for (const type of [undefined, 'application/json', 'Application/JSON; charset=utf-8', 'application/merge-patch+json'])
    expect([type, await read(json, whole('[1]', type))]).toEqual([type, [[1], null]])
  expect(await read(json, whole('[1]', 'text/plain'))).toEqual(['media-type-unsupported', undefined])
  expect(await read(text, whole('[1]', 'text/plain'))).toEqual(['bytes [1]', 'text/plain'])
  expect(await read(text, whole('[1]'))).toEqual([[1], null])
  expect(await read(bytes, whole('[1]'))).toEqual(['bytes [1]', 'application/octet-stream'])
  expect(await read(bytes, whole('[1]', 'application/json'))).toEqual([[1], null])
  expect(await read(bytes, whole('[1]', 'text/plain'))).toEqual(['media-type-unsupported', undefined])
})

test('no body at all is taken where the operation says so', async () => {
  expect(await read(optional, whole(null))).toEqual([undefined, null])
  expect(await read(optional, whole('', 'text/plain'))).toEqual([undefined, null])
  expect(await read(optional, whole('[1]'))).toEqual([[1], null])
  expect(await read(json, whole(''))).toEqual(['request-malformed', expect.stringContaining('the body is not JSON')])
  const { body: _, ...bodyless } = base
  expect(await read(endpoint(bodyless), whole('[1]'))).toEqual([undefined, null])
})

test('texts that are no JSON of ours: other encodings, depth, NUL', async () => {
  const roomy = endpoint({ ...base, bodyLimit: 100_000 })
  const malformed = async (body: BodyInit) => await read(roomy, whole(body))
  expect(await malformed(new Uint8Array([0x22, 0xff, 0x22]))).toEqual(['request-malformed', 'the body is not UTF-8'])
  expect(await malformed('['.repeat(20_000) + ']'.repeat(20_000))).toEqual([
    'request-malformed',
    expect.stringMatching(/^the body nests arrays and objects deeper than \d+ levels$/),
  ])
  const nul = ['request-malformed', 'the body contains a NUL character (U+0000), which is not allowed']
  expect(await malformed('"\\u0000"')).toEqual(nul)
  expect(await malformed('{')).toEqual(['request-malformed', expect.stringContaining('the body is not JSON')])
})

test('headers: those that are declared, as far as they were sent, checked like every other part', async () => {
  const { body: _, ...rest } = base
  const withHeaders = endpoint({
    ...rest,
    headers: Type.Object({ 'x-count': Type.Optional(Type.Integer()), 'x-name': Type.Optional(Type.String()) }),
  })
  const headersOf = async (headers: Record<string, string>) => {
    const request = new Request('http://localhost/v1/things', { method: 'PUT', headers })
    return (await readRequest(withHeaders, { request, url: new URL(request.url), params: {} })).input.headers
  }
  expect(await headersOf({ 'x-count': '3', 'x-other': 'y' })).toEqual({ 'x-count': 3 })
  expect(await headersOf({})).toEqual({})
  expect(await headersOf({ 'x-count': 'many' }).catch((error: { code: string }) => error.code)).toBe('request-invalid')
})

test('a body of more values than the operation takes is refused, whatever its bytes', async () => {
  const roomy = endpoint({ ...base, bodyLimit: 10_000_000 })
  const reason = 'the body has more than 100,000 values and keys'
  expect(await read(roomy, whole(`[${'{},'.repeat(50_000)}{}]`))).toEqual(['request-malformed', reason])
  expect(await read(endpoint({ ...base, bodyLimit: 1000, bodyValues: 5 }), whole('[1,2,3,4,5]'))).toEqual([
    'request-malformed',
    'the body has more than 5 values and keys',
  ])
  expect(await read(endpoint({ ...base, bodyLimit: 1000, bodyValues: 6 }), whole('[1,2,3,4,5]'))).toEqual([
    [1, 2, 3, 4, 5],
    null,
  ])
})

test.each([
  ['words', () => JSON.stringify({ content: 'ten words '.repeat(6_000_000) })],
  ['escapes', () => JSON.stringify({ content: '\n'.repeat(31_000_000) })],
  [
    'half a million keys',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 499_000 }, (_, at) => [at, 'x'.repeat(20)]))),
  ],
])('a large body of %s is read in short steps, so that other requests go on', async (_, make) => {
  const large = endpoint({ ...base, bodyLimit: 64 * 1024 * 1024, bodyValues: 1_000_000 })
  const text = make()
  const request = whole(text, 'application/json')
  const read: { turns: number; body: unknown }[] = []
  // What makes the request is not measured, nor what looks at the answer.
  await Bun.sleep(100)
  const stalls = await lastingStalls(async () => {
    let turns = 0
    const ticks = setInterval(() => turns++, 1)
    const { input } = await readRequest(large, { request: request.clone(), url: new URL(request.url), params: {} })
    clearInterval(ticks)
    read.push({ turns, body: input.body })
  })
  expect(stalls).toEqual([])
  expect(JSON.stringify(read.at(-1)?.body).length).toBe(text.length)
  expect(read.every(({ turns }) => turns > 2)).toBe(true)
})

test('another spelling of a property is read as the declared one, which counts where both are sent', async () => {
  const named = endpoint({ ...base, bodyLimit: 200, bodySpellings: { webhookSecret: 'webhook_secret' } })
  const sent = async (value: unknown): Promise<unknown> => await read(named, whole(JSON.stringify(value)))
  expect([
    await sent({ webhookSecret: 'a', other: 1 }),
    await sent({ webhook_secret: 'b', webhookSecret: 'a' }),
    await sent({ webhookSecret: 'a', webhook_secret: 'b' }),
    await sent({ toString: 1 }),
    await sent([{ webhookSecret: 'a' }]),
    await sent(null),
    await sent('webhookSecret'),
  ]).toEqual([
    [{ webhook_secret: 'a', other: 1 }, null],
    [{ webhook_secret: 'b' }, null],
    [{ webhook_secret: 'b' }, null],
    [{ toString: 1 }, null],
    [[{ webhookSecret: 'a' }], null],
    [null, null],
    ['webhookSecret', null],
  ])
  // Bytes have no properties.
  const raw = endpoint({ ...base, bodySpellings: { a: 'b' }, accepts: ['text/plain'] })
  expect(await read(raw, whole('a', 'text/plain'))).toEqual(['bytes a', 'text/plain'])
})

test('only the parts that an operation declares are read', async () => {
  const parts = async (one: Endpoint, request: Request): Promise<unknown> =>
    (await readParts(one, { request, url: new URL(request.url), params: { name: 'x' } })).input
  const bare = endpoint({ ...base, bodyOptional: true })
  expect(await parts(bare, whole(null))).toStrictEqual({})
  const { body: _, bodyLimit: __, ...unread } = base
  expect(await parts(endpoint(unread), whole('"x"'))).toStrictEqual({})
  const full = endpoint({
    ...base,
    path: '/v1/things/{name}',
    params: Type.Object({ name: Type.String() }),
    query: Type.Object({ size: Type.Optional(Type.Integer()) }),
    headers: Type.Object({ 'x-count': Type.Optional(Type.Integer()) }),
  })
  expect(await parts(full, whole('"x"'))).toStrictEqual({ params: { name: 'x' }, query: {}, headers: {}, body: 'x' })
})
