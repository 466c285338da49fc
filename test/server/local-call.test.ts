/** Long texts of calls in this process are handed over: what arrives, and what is refused, is the same as over HTTP. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { endpoint, type Call, type Endpoint } from '../../src/api/endpoint.ts'
import { featureOf, Operations } from '../../server/http/operations.ts'
import { createLocalCall } from '../../server/local-call.ts'

const base = {
  id: 'things.put',
  origin: 'own',
  method: 'PUT',
  path: '/v1/things',
  summary: 'Put',
  access: { anonymous: true, reason: 'a test' },
  body: Type.Unknown(),
  bodyLimit: 4_000_000,
  response: Type.Unknown(),
  errors: [],
} as const
const plain = endpoint(base)
const raw = endpoint({ ...base, body: Type.Array(Type.Integer()), accepts: ['application/json'] })

const long = `${'"ü😀\n\\ '.repeat(20_000)}\ud800`

/** What the handler of an operation gets, and how many bytes the request had. */
async function sent(one: Endpoint, body: unknown): Promise<{ readonly body: unknown; readonly bytes: number }> {
  let got: unknown
  let bytes = 0
  const handle = (input: { readonly body: unknown }) => {
    got = input.body
    return null
  }
  const gatekeeper = { authenticate: () => Promise.resolve(null), authorize: () => ({}) }
  const operations = new Operations([featureOf([{ endpoint: one, handle }])], {
    gatekeeper: gatekeeper as never,
    onFault: (fault) => {
      throw fault
    },
  })
  const call: Call = createLocalCall(operations, (request) => {
    const [counted, read] = request.body?.tee() ?? []
    void new Response(counted).bytes().then((it) => (bytes = it.length))
    return new Request(request.url, { method: 'PUT', headers: request.headers, body: read ?? null })
  })
  await call(one as never, { body } as never)
  return { body: got, bytes }
}

test('a long text arrives as it is, in an object of its own, and is not written as JSON', async () => {
  const body = { base: { text: long }, head: { text: 'short' }, left: undefined, limit: 3 }
  const { body: got, bytes } = await sent(plain, body)
  expect(got).toEqual(JSON.parse(JSON.stringify(body)))
  expect(bytes).toBe('{"base":{"text":""},"head":{"text":"short"},"limit":3}'.length)
  expect(body.base.text).toBe(long)
})

test('what JSON would write in another way goes through JSON', async () => {
  const odd = JSON.parse('{"__proto__":{"text":""},"a":{"b":{"c":{"d":{"e":""}}}},"list":[""]}') as {
    a: { b: { c: { d: { e: string } } } }
    list: string[]
  }
  Object.defineProperty(odd, '__proto__', { value: { text: long }, enumerable: true })
  odd.a.b.c.d.e = long
  odd.list[0] = long
  const body = { odd, own: { text: long, toJSON: () => 'written' } }
  const { body: got } = await sent(plain, body)
  expect(JSON.stringify(got)).toBe(JSON.stringify(body))
  expect(Object.keys((got as { odd: object }).odd)).toEqual(['__proto__', 'a', 'list'])
})

test('an operation that takes bytes gets the bytes of everything, and a text alone is JSON', async () => {
  const { body } = await sent(raw, { text: long })
  expect(new TextDecoder().decode(body as Uint8Array)).toBe(JSON.stringify({ text: long }))
  expect((await sent(plain, long)).body).toBe(long)
})

test('the limit of bytes and the refusal of NUL hold', async () => {
  const refusal = (text: string) =>
    sent(plain, { document: { text } }).then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  expect([await refusal('a'.repeat(3_999_950)), await refusal('a'.repeat(4_000_001))]).toEqual([
    'accepted',
    'The request body is larger than 4000000 bytes.',
  ])
  expect(await refusal(`${'a'.repeat(100_000)}\0`)).toBe(
    'The request cannot be read: the body contains a NUL character (U+0000), which is not allowed.',
  )
})
