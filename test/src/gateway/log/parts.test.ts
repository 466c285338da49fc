import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readAccess } from '../../../../src/gateway/log/access.ts'
import { foundAgainst, foundWithin } from '../../../../src/gateway/log/evidence.ts'
import { networkOf } from '../../../../src/gateway/log/event.ts'
import { fieldOf, isPart, isVariable } from '../../../../src/gateway/log/field.ts'
import { cutLines } from '../../../../src/gateway/log/lines.ts'
import { routesOf } from '../../../../src/gateway/log/routes.ts'
import { routePattern } from '../../../../src/gateway/positive/index.ts'
import { seenOf } from '../../../../src/gateway/log/seen.ts'
import { isPlainName, pathShapeOf, shapeOf } from '../../../../src/gateway/log/shape.ts'

test('shapes: kinds of characters, collapsed, at most 64', () => {
  expect(["O'Brien", 'Straße 42b', "1' OR '1'='1'--", '', '日本\t语', 'a.b,c', '😀'].map(shapeOf)).toEqual([
    "A'Aa",
    'Aa 0a',
    "0' A '0'='0'-",
    '',
    'a a',
    'a.a,a',
    '?',
  ])
  expect(shapeOf('a1'.repeat(500))).toBe('a0'.repeat(32))
})

test('names that are kept, and those that can be values', () => {
  const told = [
    'q',
    'petId',
    'page[size]',
    'address_line2',
    'filter[owner][name]',
    'X-Request-Id',
    '$select',
    'URL',
    'user.name',
    'ab_cd',
    'aa_bb_cc_dd_ee_ff',
    `${'a'.repeat(16)}_${'b'.repeat(15)}_${'c'.repeat(15)}`,
  ]
  const kept = [
    'user_12345',
    'a_b',
    'aa_bb_cc_dd_ee_ff_gg',
    `${'a'.repeat(17)}_${'b'.repeat(15)}_${'c'.repeat(15)}`,
    'hunter2024',
    'eyJhbGciOiJIUzI1NiJ9',
    '4111111111111111',
    'a'.repeat(49),
    'q=1',
    'aXbYcZd',
    '',
    '<script>',
    'é',
  ]
  expect(told.filter((it) => !isPlainName(it))).toEqual([])
  expect(kept.filter(isPlainName)).toEqual([])
})

test('fields of the variables of both engines', () => {
  expect(
    [
      'ARGS:q',
      'ARGS_GET:q',
      'ARGS_POST:q',
      'args:Q',
      'REQUEST_HEADERS:User-Agent',
      'REQUEST_COOKIES:sid',
      'ARGS:json.items.0.note',
      'ARGS:json.items.array_12.note',
      'ARGS:json.0',
      'MATCHED_VARS:ARGS:q',
      'ARGS_NAMES:q',
      'REQUEST_URI',
      'TX:1',
      'ARGS:4111111111111111',
      'REQUEST_HEADERS:X_SECRET!',
      'ARGS:json.token9f8e7d6c.a',
      'ARGS:a:b',
    ].map(fieldOf),
  ).toEqual([
    'query:q',
    'query:q',
    'body:q',
    'query:Q',
    'header:user-agent',
    'cookie:sid',
    'json:/items/*/note',
    'json:/items/*/note',
    null,
    'query:q',
    null,
    null,
    null,
    null,
    null,
    'json:/*/a',
    null,
  ])
})

test('variables of engines, and what only looks like one', () => {
  const known = ['ARGS:q', 'REQUEST_URI', 'MATCHED_VARS:TX:a', 'REMOTE_ADDR', 'constructor:q', 'ARGS_OF_MINE', '']
  expect(known.map(isVariable)).toEqual([true, true, true, true, false, false, false])
  expect(fieldOf('constructor:q')).toBeNull()
})

test('what an engine computed is not evidence of a value', () => {
  expect(
    ['ARGS:q', 'REQUEST_URI', 'TX:svc_path', '&TX:svc_op', 'MATCHED_VARS:TX:a', 'REMOTE_ADDR'].map(isPart),
  ).toEqual([true, true, false, false, false, false])
})

test('the variable of a message: what a client could have written twice is ignored', () => {
  expect(foundWithin("Matched Data: s&1c found within ARGS:q: x' OR 1=1--")).toEqual({
    variable: 'ARGS:q',
    value: "x' OR 1=1--",
  })
  expect(foundWithin('found within REQUEST_HEADERS:Host')).toEqual({ variable: 'REQUEST_HEADERS:Host', value: null })
  expect(foundWithin('Matched Data: a found within ARGS:b: c found within ARGS:q: d')).toBeNull()
  expect(foundWithin('Matched Data: a found within my notes: c')).toBeNull()
  expect(foundWithin('|text/plain|')).toBeNull()
  const against = (text: string) => `Matched "Operator \`Rx' with parameter \`^a' against variable \`${text}`
  expect(foundAgainst(against("ARGS:q' (Value: `va'l' )"))).toEqual({ variable: 'ARGS:q', value: "va'l" })
  expect(foundAgainst(against("ARGS:q' (Value: `abc (90 characters omitted)' )"))).toEqual({
    variable: 'ARGS:q',
    value: null,
  })
  expect(foundAgainst(against("ARGS:q' (Value: `' against variable `ARGS:x' (Value: `' )"))).toBeNull()
  expect(foundAgainst('detected SQLi using libinjection.')).toBeNull()
})

test('paths: words are kept, the rest becomes {id}', () => {
  expect(
    [
      '/users/4711/orders?token=x',
      '/v2/admin/login.php',
      '/a/0f8fad5b-d9cb-469f-a165-70867728950e',
      '/Users/Bob',
      '/',
      '',
      '/a//b/',
      '/x;jsessionid=1/y',
      `/a/${'b'.repeat(300)}`,
      '/word'.repeat(100),
    ].map((it) => pathShapeOf(it)),
  ).toEqual([
    '/users/{id}/orders',
    '/v2/admin/login.php',
    '/a/{id}',
    '/{id}/{id}',
    '/',
    '/',
    '/a//b/',
    '/{id}/y',
    '/a/{id}',
    '/word'.repeat(40),
  ])
  expect(pathShapeOf('/Users/Bob', new Set(['Users']))).toBe('/Users/{id}')
})

test('networks: /24 and /48, addresses of IPv4 in the notation of IPv6 too', () => {
  expect(['203.0.113.77', '2001:db8:1:2::3', '::ffff:203.0.113.77', 'fe80::1%eth0', 'host', ''].map(networkOf)).toEqual(
    ['203.0.113.0/24', '2001:db8:1::/48', '203.0.113.0/24', 'fe80::/48', null, null],
  )
})

test('routes: the first that fits the path as it was sent; bad patterns are skipped', () => {
  const routes = routesOf([
    { method: 'get', route: '/pets/mine', pattern: String.raw`\A/pets/mine\z` },
    { method: 'get', route: '/pets/{id}', pattern: String.raw`\A/pets/[^/]+\z` },
    { method: 'get', route: '/broken', pattern: '(' },
  ])
  const paths = [
    '/pets/mine?x',
    'http://host:8080/pets/mine',
    '/pets/%6dine',
    '/pets/a%2fb',
    '/pets/a/b',
    '/pets',
    '/broken',
  ]
  expect([...paths, `/pets/${'x'.repeat(9000)}`].map((it) => routes.find('GET', it))).toEqual([
    '/pets/mine',
    '/pets/mine',
    '/pets/{id}',
    '/pets/{id}',
    null,
    null,
    null,
    null,
  ])
  expect([8192, 8193].map((length) => routes.find('GET', `/pets/${'x'.repeat(length - 6)}`))).toEqual([
    '/pets/{id}',
    null,
  ])
  expect(routes.find('POST', '/pets/7')).toBeNull()
  expect([...routes.segments].toSorted()).toEqual(['broken', 'mine', 'pets'])
})

test('the index of routes finds what asking each in turn finds', () => {
  const names = fc.constantFrom('pets', 'mine', '{id}', '{a}.json', 'v1', 'x y', '')
  const templates = fc.array(names, { minLength: 1, maxLength: 4 }).map((it) => `/${it.join('/')}`)
  const segment = fc.constantFrom('pets', 'mine', 'v1', '7', 'a.json', 'x%20y', '')
  const paths = fc.array(segment, { minLength: 1, maxLength: 4 }).map((it) => `/${it.join('/')}`)
  fc.assert(
    fc.property(fc.uniqueArray(templates, { maxLength: 12 }), fc.array(paths, { maxLength: 12 }), (all, asked) => {
      const routes = all.map((route) => ({ method: 'GET', route, pattern: routePattern(route, ['']) }))
      const index = routesOf(routes)
      const alone = routes.map((it) => ({ ...it, it: new RegExp(`^(?:${it.pattern.slice(2, -2)})$`, 's') }))
      for (const path of asked)
        expect(index.find('GET', path)).toBe(alone.find(({ it }) => it.test(path))?.route ?? null)
    }),
  )
})

test('lines of access logs: the combined format of nginx and the JSON of Caddy', () => {
  expect(
    [
      '198.51.100.7 - bob [23/Nov/2026:09:48:45 +0130] "GET /pets?q=1 HTTP/1.1" 200 3 "-" "curl"',
      '2001:db8::1 - a b] "x" [23/Nov/2026:09:48:45 +0000] "POST /a\\"b HTTP/2.0" 404 3 "-" "curl"',
      '198.51.100.7 - - [23/Nov/2026:09:48:45 +0000] "\\x16\\x03" 400 150 "-" "-"',
      '{"ts":1795427325.25,"request":{"method":"GET","uri":"/pets"},"status":200}',
      '{"ts":"2026-11-23T09:48:45Z","request":{"method":"GET","uri":"/pets"},"status":200}',
      '{"ts":1795427325.25,"request":{"method":"GET"},"status":200}',
      '{"ts":1795427325.25,"request":{"method":"GET","uri":"/pets"}}',
      '{"ts":"soon","request":{"method":"GET","uri":"/pets"},"status":200}',
      '{"ts":',
      'hello',
    ].map(readAccess),
  ).toEqual([
    { atMs: Date.UTC(2026, 10, 23, 8, 18, 45), method: 'GET', path: '/pets?q=1', status: 200 },
    { atMs: Date.UTC(2026, 10, 23, 9, 48, 45), method: 'POST', path: '/a\\"b', status: 404 },
    null,
    { atMs: 1_795_427_325_250, method: 'GET', path: '/pets', status: 200 },
    { atMs: Date.UTC(2026, 10, 23, 9, 48, 45), method: 'GET', path: '/pets', status: 200 },
    null,
    null,
    null,
    null,
    null,
  ])
})

test('calls are counted by minute and operation; shapes of unknown paths only where something answered, and not without end', () => {
  const routes = routesOf([{ method: 'get', route: '/pets/{id}', pattern: String.raw`\A/pets/[^/]+\z` }])
  const call = (path: string, status = 200, atMs = 61_000) => ({ atMs, method: 'GET', path, status })
  const { records, dropped } = seenOf(
    [
      call('/pets/1'),
      call('/pets/2', 403),
      call('/pets/3', 200, 125_000),
      call('/admin'),
      call('/wp-login.php', 404),
      call('/admin?x'),
    ],
    routes,
    'part',
  )
  expect(records.map(({ id, ...it }) => (expect(id).toHaveLength(36), it))).toEqual([
    { kind: 'seen', at: '1970-01-01T00:01:00.000Z', method: 'GET', route: '/pets/{id}', pathShape: null, count: 2 },
    { kind: 'seen', at: '1970-01-01T00:02:00.000Z', method: 'GET', route: '/pets/{id}', pathShape: null, count: 1 },
    { kind: 'seen', at: '1970-01-01T00:01:00.000Z', method: 'GET', route: null, pathShape: '/admin', count: 2 },
  ])
  expect(dropped).toBe(0)
  const many = Array.from({ length: 150 }, (_, n) =>
    call(`/${'abcdefghij'[Math.floor(n / 26)]}${String.fromCharCode(97 + (n % 26))}`),
  )
  const flood = seenOf(many, routes, 'part')
  expect([flood.records.length, flood.dropped]).toEqual([100, 50])
  // Operations of the document, and shapes that are reported already, are counted beside any number of others.
  const { records: told, dropped: left } = seenOf([...many, call('/pets/1'), call('/aa'), call('/zz')], routes, 'part')
  const of = (route: string | null, shape: string | null) =>
    told.find((it) => it.route === route && it.pathShape === shape)?.count
  expect([told.length, left, of('/pets/{id}', null), of(null, '/aa'), of(null, '/zz')]).toEqual([
    101,
    51,
    1,
    2,
    undefined,
  ])
})

test('a path of no operation is counted where a server answered: with success, a redirect, 401 or a failure of its own', () => {
  const statuses = [100, 199, 200, 299, 301, 399, 400, 401, 402, 403, 404, 429, 499, 500, 503]
  const counted = statuses.filter((status) => {
    const { records, dropped } = seenOf([{ atMs: 0, method: 'GET', path: '/admin', status }], null, 'part')
    expect(dropped).toBe(0)
    return records.length === 1
  })
  expect(counted).toEqual([200, 299, 301, 399, 401, 500, 503])
})

test('lines: however the bytes arrive, whole lines once, long ones passed over', () => {
  const encoder = new TextEncoder()
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ maxLength: 30 }).map((it) => it.replaceAll('\n', ' ').toWellFormed()),
          fc.integer({ min: 18, max: 30 }).map((length) => 'x'.repeat(length)),
        ),
        { maxLength: 12 },
      ),
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1000)),
      (texts, step) => {
        const bytes = encoder.encode(texts.map((it) => `${it}\n`).join(''))
        const got: string[] = []
        let [from, inside, tooLong] = [0, false, 0]
        for (let to = step; ; to += step) {
          const cut = cutLines(bytes.subarray(from, Math.min(to, bytes.length)), 20, inside)
          got.push(...cut.lines)
          from += cut.used
          inside = cut.inside
          tooLong += cut.tooLong
          if (to >= bytes.length) break
        }
        const short = texts.filter((it) => it !== '' && encoder.encode(it).length <= 20)
        expect(got).toEqual(short)
        expect(tooLong).toBe(texts.filter((it) => encoder.encode(it).length > 20).length)
      },
    ),
  )
})

test('lines: one that is not whole yet is left, up to the longest, and the rest of a long one is passed over', () => {
  const cut = (text: string, inside?: boolean) => cutLines(new TextEncoder().encode(text), 5, inside)
  expect([cut('abcde\nabcde'), cut('abcdef\nabcdef'), cut('abcdef\nab'), cut('f\nab\n', true), cut('f', true)]).toEqual(
    [
      { lines: ['abcde'], used: 6, tooLong: 0, inside: false },
      { lines: [], used: 13, tooLong: 2, inside: true },
      { lines: [], used: 7, tooLong: 1, inside: false },
      { lines: ['ab'], used: 5, tooLong: 0, inside: false },
      { lines: [], used: 1, tooLong: 0, inside: true },
    ],
  )
})
