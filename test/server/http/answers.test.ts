import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import { endpoint } from '../../../src/api/endpoint.ts'
import { checkPart } from '../../../server/http/validation.ts'
import { Reply } from '../../../server/http/reply.ts'
import { answerResult } from '../../../server/http/write-response.ts'

const any = endpoint({
  id: 'test.any',
  origin: 'own',
  method: 'GET',
  path: '/v1/test',
  summary: 'test',
  access: { anonymous: true, reason: 'test' },
  response: Type.Any(),
  errors: [],
})
const asking = (encoding?: string) =>
  new Request('http://localhost/v1/test', encoding === undefined ? {} : { headers: { 'accept-encoding': encoding } })
const long = { text: 'abc '.repeat(1000) }
const text = JSON.stringify(long)

const shapeOf = async (response: Response) => ({
  coding: response.headers.get('content-encoding'),
  vary: response.headers.get('vary'),
  bytes: new Uint8Array(await response.arrayBuffer()),
})

test('long JSON is sent in the coding that the caller takes, and says that it depends on it', async () => {
  const zstd = await shapeOf(await answerResult(any, long, asking('gzip, zstd')))
  expect([zstd.coding, zstd.vary, zstd.bytes.byteLength < 200]).toEqual(['zstd', 'accept-encoding', true])
  expect(new TextDecoder().decode(Bun.zstdDecompressSync(zstd.bytes))).toBe(text)
  const gzip = await shapeOf(await answerResult(any, long, asking('gzip;q=0.5, zstd;q=0')))
  expect([gzip.coding, new TextDecoder().decode(gunzipSync(gzip.bytes))]).toEqual(['gzip', text])
  const plain = await shapeOf(await answerResult(any, long, asking('identity')))
  expect([plain.coding, plain.vary, new TextDecoder().decode(plain.bytes)]).toEqual([null, 'accept-encoding', text])
})

test('short answers, bytes, and answers with an ETag stay as they are', async () => {
  const of = async (reply: unknown) => (await shapeOf(await answerResult(any, reply, asking('zstd')))).coding
  expect(await of({ short: true })).toBe(null)
  expect(await of(Reply.json(long, { etag: '"1"' }))).toBe(null)
  expect(await of(new Reply({ headers: { 'content-type': 'application/zip' }, body: text }))).toBe(null)
  expect(await of(new Reply({ headers: { 'content-type': 'application/problem+json' }, body: text }))).toBe('zstd')
})

test('HTML may show itself and nothing else, unless it has a policy of its own', async () => {
  const of = async (headers: Record<string, string>) => {
    const reply = new Reply({ headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body: '<p>' })
    return (await answerResult(any, reply, asking())).headers.get('content-security-policy')
  }
  expect(await of({})).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'none'; sandbox",
  )
  expect(await of({ 'content-security-policy': "default-src 'self'" })).toBe("default-src 'self'")
  expect((await answerResult(any, long, asking())).headers.get('content-security-policy')).toBe(null)
})

test('lengths are counted in characters, and names are composed; texts and documents stay', () => {
  const schema = Type.Object({
    name: Type.String({ minLength: 2, maxLength: 4 }),
    text: Type.Optional(Type.String({ maxLength: 4 })),
    document: Type.Optional(Type.Unknown()),
    tags: Type.Optional(Type.Array(Type.String())),
    of: Type.Optional(Type.Array(Type.Object({ label: Type.Union([Type.String(), Type.Null()]) }))),
  })
  const read = (body: object): unknown => {
    try {
      return checkPart('body', schema, body)
    } catch (error) {
      return (error as { entries: { msg: string }[] }).entries.map(({ msg }) => msg)
    }
  }
  const nfd = 'e\u0301'
  expect(read({ name: '🙂🙂🙂🙂', text: '🙂🙂🙂🙂' })).toEqual({ name: '🙂🙂🙂🙂', text: '🙂🙂🙂🙂' })
  expect(read({ name: '🙂🙂🙂🙂🙂' })).toEqual(['Expected string length less or equal to 4.'])
  expect(read({ name: '🙂' })).toEqual(['Expected string length greater or equal to 2.'])
  expect(read({ name: `caf${nfd}`, text: nfd, document: { name: nfd }, tags: [nfd], of: [{ label: nfd }] })).toEqual({
    name: 'caf\u00e9',
    text: nfd,
    document: { name: nfd },
    tags: ['\u00e9'],
    of: [{ label: '\u00e9' }],
  })
})

test('numbers and booleans of a query are written as JSON writes them', () => {
  const schema = Type.Object({
    whole: Type.Optional(Type.Integer()),
    flag: Type.Optional(Type.Boolean()),
    many: Type.Optional(Type.Array(Type.Integer())),
    maybe: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    text: Type.Optional(Type.String()),
  })
  const read = (query: Record<string, unknown>): unknown => {
    try {
      return checkPart('query', schema, query)
    } catch (error) {
      return (error as { entries: { loc: unknown[]; msg: string }[] }).entries.map(({ loc, msg }) => [
        loc.join('.'),
        msg,
      ])
    }
  }
  expect(read({ whole: '-7', flag: 'true', many: ['1', '0'], maybe: '3', text: '1' })).toEqual({
    whole: -7,
    flag: true,
    many: [1, 0],
    maybe: 3,
    text: '1',
  })
  for (const whole of ['true', '1.5', '0x10', '1e1', '', ' 1', '01', '+1', '1_0', '١'])
    expect(read({ whole })).toEqual([['query.whole', 'Expected integer.']])
  for (const flag of ['1', 'yes', 'TRUE', '']) expect(read({ flag })).toEqual([['query.flag', 'Expected boolean.']])
  expect(read({ many: ['1', 'x'] })).toEqual([['query.many.1', 'Expected integer.']])
  expect(read({ other: '1' })).toEqual({ other: '1' })
})
