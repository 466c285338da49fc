import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { callOverHttp, type HttpOptions } from '../../../cli/connection/http.ts'
import { endpoint } from '../../../src/api/endpoint.ts'
import { ValidationError } from '../../../src/api/wire.ts'
import { SvcError } from '../../../src/errors.ts'

const access = { credentials: ['api-key'], permission: null } as const
const params = Type.Object({ tenant_slug: Type.String() })
const path = '/v1/tenants/{tenant_slug}/things'
const response = Type.Object({ ok: Type.Boolean() })
const list = endpoint({
  id: 'things.list',
  origin: 'own',
  method: 'GET',
  path,
  summary: 'List',
  access,
  params,
  query: Type.Object({ tag: Type.Optional(Type.Array(Type.String())), limit: Type.Optional(Type.Integer()) }),
  response,
  errors: [],
})
const add = endpoint({
  id: 'things.add',
  origin: 'own',
  method: 'POST',
  path,
  summary: 'Add',
  access,
  params,
  body: Type.Object({ name: Type.String() }),
  response,
  status: 201,
  errors: [],
})
const remove = endpoint({
  id: 'things.remove',
  origin: 'own',
  method: 'DELETE',
  path,
  summary: 'Remove',
  access,
  params,
  response: Type.Null(),
  status: 204,
  errors: [],
})
const sign = endpoint({
  id: 'things.sign',
  origin: 'own',
  method: 'POST',
  path: '/v1/auth/login',
  summary: 'Sign in',
  access: { anonymous: true, reason: 'this is how one signs in' },
  response,
  errors: [],
})
const page = endpoint({
  id: 'things.page',
  origin: 'own',
  method: 'GET',
  path: '/page',
  summary: 'Page',
  access,
  response: Type.String(),
  produces: ['text/html'],
  errors: [],
})

let answers: Response[] = []
let seen: { method: string; url: string; key: string | null; body: string; type: string | null }[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const url = request.url.slice(server.url.origin.length)
    const { method, headers } = request
    seen.push({
      method,
      url,
      key: headers.get('x-api-key'),
      body: await request.text(),
      type: headers.get('content-type'),
    })
    return answers.shift() ?? Response.json({ ok: true })
  },
})
afterAll(() => server.stop(true))
beforeEach(() => {
  answers = []
  seen = []
})

const callWith = (options: Partial<HttpOptions> = {}) =>
  callOverHttp({
    baseUrl: `${server.url.origin}/base/`,
    apiKey: 'k',
    timeoutMs: 5000,
    pauseMs: 1,
    signal: new AbortController().signal,
    ...options,
  })
const call = callWith()
const given = { params: { tenant_slug: 'a b/c' } }

const refusal = async (work: Promise<unknown>): Promise<SvcError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof SvcError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

test('a request is made from the contract', async () => {
  expect(await call(list, { ...given, query: { tag: ['x', 'y&z'], limit: 5 } })).toEqual({ ok: true })
  await call(add, { ...given, body: { name: 'n' } })
  answers = [new Response(null, { status: 204 })]
  expect(await call(remove, given)).toBeUndefined()
  const url = '/base/v1/tenants/a%20b%2Fc/things'
  expect(seen).toEqual([
    { method: 'GET', url: `${url}?tag=x&tag=y%26z&limit=5`, key: 'k', body: '', type: null },
    { method: 'POST', url, key: 'k', body: '{"name":"n"}', type: 'application/json' },
    { method: 'DELETE', url, key: 'k', body: '', type: null },
  ])
})

test('a credential is not sent where the operation takes none', async () => {
  await call(sign, {})
  expect(seen.map(({ key }) => key)).toEqual([null])
})

test('a credential is sent where the operation looks at one though it needs none', async () => {
  const looks = { ...sign, access: { ...sign.access, credentials: 'optional' } } as const
  await call(looks, {})
  expect(seen.map(({ key }) => key)).toEqual(['k'])
})

test('text stays text where the contract produces it', async () => {
  answers = [new Response('<p>1</p>', { headers: { 'content-type': 'text/html' } })]
  expect(await call(page, {})).toBe('<p>1</p>')
})

test('a value that would reach another operation is refused', async () => {
  expect((await refusal(call(list, { params: { tenant_slug: '..' } }))).code).toBe('usage')
  expect(seen).toEqual([])
})

test('an error comes back as what it was', async () => {
  const detail = {
    code: 'project-not-found',
    message: 'There is no project "shop" in this organization.',
    project: 'shop',
  }
  answers = [Response.json({ detail }, { status: 404 })]
  expect(await refusal(call(list, given))).toMatchObject({
    code: 'project-not-found',
    detail: { project: 'shop' },
    exitCode: 2,
  })
  answers = [
    Response.json({ detail: [{ loc: ['body', 'name'], msg: 'is missing', type: 'missing' }] }, { status: 422 }),
  ]
  const invalid = await refusal(call(add, { ...given, body: { name: '' } }))
  expect(invalid).toBeInstanceOf(ValidationError)
  expect(invalid.message).toBe('body.name: is missing')
  answers = [Response.json({ detail: { code: 'from-the-future', message: 'No.' } }, { status: 409 })]
  expect(await refusal(call(list, given))).toMatchObject({ code: 'service-refused', exitCode: 2 })
})

test('a fault of the service is a transport failure after three attempts, of what may be repeated', async () => {
  const fault = () => Response.json({ detail: { code: 'internal', message: 'm', request_id: 'r' } }, { status: 500 })
  answers = [fault(), fault(), fault()]
  expect(await refusal(call(list, given))).toMatchObject({ code: 'transport-failed', exitCode: 1 })
  expect(seen.length).toBe(3)
  answers = [fault()]
  expect(await refusal(call(add, { ...given, body: { name: '' } }))).toMatchObject({ code: 'transport-failed' })
  expect(seen.length).toBe(4)
  answers = [new Response('bad gateway', { status: 502 }), new Response('', { status: 429 })]
  expect(await call(list, given)).toEqual({ ok: true })
})

test('an answer that is no JSON is named', async () => {
  answers = [new Response('<html>hello</html>')]
  const error = await refusal(call(list, given))
  expect(error.message).toContain(
    'it answered 200 with content that is not JSON: "<html>hello</html>". Check that the URL is an svc service',
  )
  expect(error.exitCode).toBe(1)
})

test('nobody there, too slow, or no address', async () => {
  const closed = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const baseUrl = closed.url.origin
  await closed.stop(true)
  expect((await refusal(callWith({ baseUrl })(list, given))).message).toBe(
    `The service at ${baseUrl}/v1/tenants/a%20b%2Fc/things did not answer: connection refused.`,
  )
  const slow = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise(() => {}) })
  const late = await refusal(callWith({ baseUrl: slow.url.origin, timeoutMs: 50, attempts: 1 })(list, given))
  expect(late.message).toContain('did not answer: no answer within 0.05 s.')
  await slow.stop(true)
  expect(() => callWith({ baseUrl: 'localhost' })).toThrow(
    '--base-url must be a URL such as https://svc.example.com, not "localhost"',
  )
  expect(() => callWith({ baseUrl: 'ftp://x' })).toThrow('must begin with http:// or https://')
})
