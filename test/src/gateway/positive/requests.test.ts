import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { documentWith, gateway, operation, type Checks } from '../../../fixtures/gateway/positive.ts'
import type { Request } from '../../../fixtures/gateway/seclang.ts'

const post = (headers: Readonly<Record<string, string>>, more: Partial<Request> = {}): Request => ({
  method: 'POST',
  uri: '/a',
  headers: Object.entries(headers),
  ...more,
})

describe('types of bodies', () => {
  const withBody = (body: Json, checks: Checks = { body: 'off' }) =>
    gateway(documentWith({ '/a': { post: operation({ requestBody: body }) } }), { checks })
  const content = { 'application/json': {}, 'image/*': {}, 'text/plain; charset=utf-8': {} }

  test('are those that the document declares, ranges among them', () => {
    const { status } = withBody({ content })
    const types = [
      'application/json',
      'Application/JSON ; charset=utf-8',
      'image/png',
      'text/plain',
      'text/html',
      'application/jsonx',
      'x/application/json',
      '',
    ]
    expect(types.map((type) => status(post({ 'Content-Type': type, 'Content-Length': '2' })))).toEqual([
      0, 0, 0, 0, 415, 415, 415, 415,
    ])
  })

  test('count only where there is a body', () => {
    const { status } = withBody({ content })
    expect(status(post({}))).toBe(0)
    expect(status(post({ 'Content-Length': '0', 'Content-Type': 'text/html' }))).toBe(0)
    expect(status(post({ 'Content-Length': '5' }))).toBe(415)
    expect(status(post({ 'Transfer-Encoding': 'chunked' }))).toBe(415)
    expect(status(post({ 'Transfer-Encoding': 'chunked', 'Content-Type': 'text/html' }))).toBe(415)
    expect(status(post({ 'Content-Type': 'text/html' }, { protocol: 'HTTP/2.0' }))).toBe(415)
    expect(status(post({}, { protocol: 'HTTP/2.0' }))).toBe(0)
  })

  test('a required body has to be there and to have a type (trap 4)', () => {
    const { status } = withBody({ required: true, content })
    expect(status(post({ 'Content-Type': 'application/json', 'Content-Length': '2' }))).toBe(0)
    expect(status(post({ 'Content-Type': 'application/json' }))).toBe(400)
    expect(status(post({ 'Content-Type': 'application/json', 'Content-Length': '0' }))).toBe(400)
    expect(status(post({ 'Content-Length': '2' }))).toBe(415)
    expect(status(post({ 'Content-Type': 'application/json' }, { protocol: 'HTTP/2.0' }))).toBe(0)
    expect(status(post({}, { protocol: 'HTTP/2.0' }))).toBe(415)
  })

  test('are checked for the sake of the schema where their own check is weaker (trap 4)', () => {
    const plain = post({ 'Content-Type': 'text/html', 'Content-Length': '2' })
    expect(withBody({ content }, { contentType: 'off' }).ask(plain)).toEqual({ status: 415, checks: ['body'] })
    expect(withBody({ content }, { contentType: 'log' }).ask(plain)).toEqual({
      status: 415,
      checks: ['contentType', 'body'],
    })
    expect(withBody({ content }, { contentType: 'off', body: 'off' }).ask(plain)).toEqual({ status: 0, checks: [] })
    expect(withBody({ content: { 'image/png': {} } }, { contentType: 'off' }).ask(plain)).toEqual({
      status: 0,
      checks: [],
    })
  })
})

describe('credentials', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    id: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    oauth: { type: 'oauth2', flows: {} },
    tls: { type: 'mutualTLS' },
  }
  const withSecurity = (security: Json) =>
    gateway(documentWith({ '/a': { post: operation({ security }) } }, { components: { securitySchemes } }))
  const statuses = (security: Json): number[] => {
    const { status } = withSecurity(security)
    return [
      post({}),
      post({ 'X-Key': 'k' }),
      post({ Cookie: 'sid=1' }),
      post({ 'X-Key': 'k', Cookie: 'sid=1' }),
      post({ Authorization: 'Basic eA==' }),
      post({ Authorization: 'bearer t' }),
      post({}, { uri: '/a?access_token=t' }),
    ].map(status)
  }

  test('of one of the requirements, all together', () => {
    expect(statuses([{ key: [] }])).toEqual([401, 0, 401, 0, 401, 401, 401])
    expect(statuses([{ key: [], id: [] }])).toEqual([401, 401, 401, 0, 401, 401, 401])
    expect(statuses([{ key: [], id: [] }, { basic: [] }])).toEqual([401, 401, 401, 0, 0, 401, 401])
    expect(statuses([{ bearer: [] }])).toEqual([401, 401, 401, 401, 401, 0, 401])
    expect(statuses([{ oauth: ['read'] }])).toEqual([401, 401, 401, 401, 0, 0, 0])
  })

  test('are not asked for where none is required', () => {
    expect(statuses([])).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(statuses([{ key: [] }, {}])).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  test('that the engine cannot see are left out with the reason', () => {
    const { compiled, status } = withSecurity([{ tls: [] }, { key: [] }])
    expect(status(post({}))).toBe(0)
    expect(compiled.notEnforced).toEqual([
      {
        check: 'security',
        pointer: '/paths/~1a/post/security/0',
        reason: 'The engine cannot see the credential "tls".',
      },
    ])
    expect(statuses([{ tls: [], key: [] }])).toEqual([401, 0, 401, 0, 401, 401, 401])
  })

  test('Swagger 2.0 declares them elsewhere', () => {
    const document = {
      swagger: '2.0',
      info: {},
      securityDefinitions: { b: { type: 'basic' } },
      security: [{ b: [] }],
      paths: { '/a': { post: operation() } },
    }
    const { status } = gateway(document)
    expect([post({}), post({ Authorization: 'Basic eA==' })].map(status)).toEqual([401, 0])
  })
})
