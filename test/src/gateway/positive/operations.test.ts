import { describe, expect, test } from 'bun:test'
import { routePattern } from '../../../../src/gateway/positive/index.ts'
import { documentWith, gateway, operation } from '../../../fixtures/gateway/positive.ts'

const get = operation()
const pets = documentWith({
  '/pets': { get, post: get },
  '/pets/{petId}': { get, delete: get },
  '/pets/mine': { get },
  '/pets/{petId}/toys/{toyId}.json': { get },
  '/': { get },
})

describe('operations', () => {
  const { status, ask, compiled } = gateway(pets)

  test('what the document declares passes, anything else does not', () => {
    const asked = [
      'GET /pets',
      'HEAD /pets',
      'POST /pets',
      'GET /pets/1',
      'GET /pets/mine',
      'DELETE /pets/mine',
      'GET /pets/1/toys/2.json',
      'GET /',
      'GET https://api.example/pets',
      'GET /admin',
      'GET /pets/',
      'GET /pets/1/toys',
      'GET /pets/1/toys/2',
      'GET /Pets',
      'PUT /pets',
      'DELETE /pets',
      'HEAD /pets/1/toys/2.xml',
    ]
    expect(asked.map((it) => `${status(it)} ${it}`)).toEqual([
      '0 GET /pets',
      '0 HEAD /pets',
      '0 POST /pets',
      '0 GET /pets/1',
      '0 GET /pets/mine',
      '0 DELETE /pets/mine',
      '0 GET /pets/1/toys/2.json',
      '0 GET /',
      '0 GET https://api.example/pets',
      '404 GET /admin',
      '404 GET /pets/',
      '404 GET /pets/1/toys',
      '404 GET /pets/1/toys/2',
      '404 GET /Pets',
      '405 PUT /pets',
      '405 DELETE /pets',
      '404 HEAD /pets/1/toys/2.xml',
    ])
  })

  test('a condition that only begins to hold does nothing: a method of another operation is no way in (trap 1)', () => {
    expect(ask('DELETE /pets')).toEqual({ status: 405, checks: ['method'] })
    // Actions of the first link of a chain run when it alone holds, so none but those for all links stand there.
    const starters = compiled.text.split('\n').filter((it) => /^SecRule .*[,"]chain[,"]/.test(it))
    expect(starters.filter((it) => /setvar|ctl:/.test(it))).toEqual([])
  })

  test('a template fits whole paths only, and any name of a variable (trap 2)', () => {
    expect(status('GET /evil/pets/1/x')).toBe(404)
    expect(status('GET /evil/pets/1')).toBe(404)
    expect(gateway(documentWith({ '/pets/{pet-id}': { get } })).status('GET /pets/1')).toBe(0)
  })

  test('templates match the path as it was sent (trap 11)', () => {
    const asked = [
      '/pets/1%2f2',
      '/pets/1;x=1',
      '/pets;x=1/1',
      '//pets',
      '/pets//1',
      '/pets/..',
      '/pets/%2e%2E',
      '/pets/.;a',
      '/pets/1/../../etc/passwd',
      '/pets/%2e%2e%2fadmin',
      '/pets/..%5cadmin',
      '/p%65ts',
    ]
    expect(asked.map((it) => `${status(`GET ${it}`)} ${it}`)).toEqual([
      '0 /pets/1%2f2',
      '0 /pets/1;x=1',
      '404 /pets;x=1/1',
      '404 //pets',
      '404 /pets//1',
      '404 /pets/..',
      '404 /pets/%2e%2E',
      '404 /pets/.;a',
      '404 /pets/1/../../etc/passwd',
      '404 /pets/%2e%2e%2fadmin',
      '404 /pets/..%5cadmin',
      '404 /p%65ts',
    ])
  })

  test('the question of a browser before a request passes', () => {
    const headers = [
      ['Origin', 'https://app.example'],
      ['Access-Control-Request-Method', 'PUT'],
    ] as const
    expect(status({ method: 'OPTIONS', uri: '/pets', headers })).toBe(0)
    expect(status('OPTIONS /pets')).toBe(405)
    expect(status({ method: 'OPTIONS', uri: '/admin', headers })).toBe(404)
  })

  test('a check in the mode log records and lets pass; one that is off does neither', () => {
    const logging = gateway(pets, { checks: { unknownOperation: 'log', method: 'off' } })
    expect(logging.ask('GET /admin')).toEqual({ status: 0, checks: ['unknownOperation'] })
    expect(logging.ask('PUT /pets')).toEqual({ status: 0, checks: [] })
    expect(gateway(pets, { mode: 'log' }).ask('PUT /pets')).toEqual({ status: 0, checks: ['method'] })
    expect(gateway(pets, { mode: 'off' }).compiled.text).toBe('')
  })

  test('ids are within the range of positive rules, in order and unique', () => {
    const ids = [...compiled.text.matchAll(/\bid:(\d+)/g)].map((it) => Number(it[1]))
    expect(ids).toEqual(ids.map((_, i) => 30_000 + i))
    expect(compiled.text).not.toContain('SecDefaultAction')
  })

  test('many operations find their way through the groups', () => {
    const names = Array.from({ length: 90 }, (_, i) => `${String.fromCodePoint(97 + (i % 26))}${i}`)
    const many = gateway(documentWith(Object.fromEntries(names.map((it) => [`/v/${it}`, { get }]))))
    expect(names.filter((it) => many.status(`GET /v/${it}`) !== 0)).toEqual([])
    expect(names.filter((it) => many.status(`GET /v/${it}x`) !== 404)).toEqual([])
  })
})

describe('prefixes', () => {
  const paths = { '/pets': { get }, '/': { get } }
  const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) })

  test('are the paths of the servers', () => {
    const { status } = gateway(documentWith(paths, servers('https://a.example/v1/', '/api/v2')))
    expect(['/v1/pets', '/api/v2/pets', '/pets', '/v1', '/v1/'].map((it) => status(`GET ${it}`))).toEqual([
      0, 0, 404, 0, 0,
    ])
  })

  test('are below what the gateway strips', () => {
    const { status } = gateway(documentWith(paths, servers('/v1')), { stripPrefix: '/shop' })
    expect(['/shop/v1/pets', '/v1/pets', '/shop/pets'].map((it) => status(`GET ${it}`))).toEqual([0, 404, 404])
  })

  test('are within the base paths of the environment', () => {
    const within = gateway(documentWith(paths, servers('/v1', '/v2')), { basePaths: ['/v2'] })
    expect(['/v1/pets', '/v2/pets'].map((it) => within.status(`GET ${it}`))).toEqual([404, 0])
    const elsewhere = gateway(documentWith(paths, servers('/v1')), { basePaths: ['/shop/'] })
    expect(['/v1/pets', '/shop/pets', '/shop/v1/pets'].map((it) => elsewhere.status(`GET ${it}`))).toEqual([404, 0, 0])
  })

  test('a variable of a server matches any text', () => {
    const server = {
      url: 'https://{region}.example/{tenant}/v1',
      variables: { region: { default: 'eu' }, tenant: { default: 'demo' } },
    }
    const { status } = gateway(documentWith(paths, { servers: [server] }))
    expect(['/demo/v1/pets', '/other/v1/pets', '/pets'].map((it) => status(`GET ${it}`))).toEqual([0, 0, 404])
  })

  test('a server of an operation counts for it alone', () => {
    const { status } = gateway(documentWith({ '/a': { get }, '/b': { get: operation(servers('/other')) } }))
    expect(['/a', '/other/a', '/b', '/other/b'].map((it) => status(`GET ${it}`))).toEqual([0, 404, 404, 0])
  })
})

describe('routes', () => {
  test('name the template of each operation with the pattern of its paths', () => {
    const { routes, operations } = gateway(
      documentWith({ '/pets/{id}': { get, delete: get } }, { servers: [{ url: '/v1' }] }),
    ).compiled
    expect(operations).toBe(2)
    expect(routes).toEqual([
      { method: 'GET', route: '/pets/{id}', pattern: '\\A/v1/pets/[^/]+\\z' },
      { method: 'DELETE', route: '/pets/{id}', pattern: '\\A/v1/pets/[^/]+\\z' },
    ])
  })

  test('patterns are anchored and take what is not plain in either form', () => {
    expect(routePattern('/a.b/{x}:{y}/ü')).toBe('\\A/a\\.b/[^/]+(?::|\\x253[aA])[^/]+/\\x25[cC]3\\x25[bB][cC]\\z')
  })
})

describe('versions of OpenAPI', () => {
  const asked = ['GET /v1/pets', 'GET /v1/pets/1', 'GET /v1/pets/x', 'POST /v1/pets']
  const id = { name: 'id', in: 'path', required: true }
  test('Swagger 2.0, 3.0, 3.1 and 3.2 say the same', () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'a', version: '1' },
      basePath: '/v1',
      paths: { '/pets': { get }, '/pets/{id}': { parameters: [{ ...id, type: 'integer' }], get } },
    }
    const modern = (version: string) => ({
      openapi: version,
      info: { title: 'a', version: '1' },
      servers: [{ url: '/v1' }],
      paths: { '/pets': { get }, '/pets/{id}': { parameters: [{ ...id, schema: { type: 'integer' } }], get } },
    })
    for (const document of [swagger, modern('3.0.3'), modern('3.1.0'), modern('3.2.0')])
      expect(asked.map(gateway(document).status)).toEqual([0, 0, 400, 405])
  })

  test('3.2 has methods of its own', () => {
    const { status } = gateway({
      openapi: '3.2.0',
      info: {},
      paths: { '/a': { query: get, additionalOperations: { COPY: get } } },
    })
    expect(['QUERY /a', 'COPY /a', 'GET /a'].map(status)).toEqual([0, 0, 405])
  })

  test('where the numbers of rules run out, single parameters are left out and listed, and operations never', () => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    const document = documentWith({ '/a/{id}': { get: operation({ parameters }) } })
    const few = gateway(document, { firstId: 97_985 })
    expect(['GET /a/x', 'GET /a/1?b=1', 'GET /b', 'PUT /a/1'].map((it) => few.status(it))).toEqual([0, 400, 404, 405])
    expect(few.compiled.notEnforced).toEqual([
      { check: 'parameters', pointer: '/paths', reason: 'A release has no numbers for 1 more of its rules.' },
    ])
    const none = gateway(document, { firstId: 98_500 }).compiled
    expect([none.text, new Set(none.checks.map((it) => it.reason))]).toEqual([
      '',
      new Set(['The document has more operations than a release has numbers for.']),
    ])
  })

  test('of what is no such document nothing is compiled, and each check says so', () => {
    for (const document of [null, [], 'x', {}, { openapi: '3.1.0' }, documentWith({})]) {
      const { text, checks, operations } = gateway(document).compiled
      expect([text, operations]).toEqual(['', 0])
      expect(new Set(checks.map((it) => `${it.state}: ${it.reason}`))).toEqual(
        new Set(['not-enforced: The document has no operations.']),
      )
    }
  })
})
