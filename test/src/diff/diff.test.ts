import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { diff } from '../../../src/diff/diff.ts'
import type { DiffOptions, DiffResult } from '../../../src/diff/options.ts'

const api = (operation: object, rest: object = {}, openapi = '3.1.0'): Json => ({
  openapi,
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { post: { responses: { '200': { description: 'ok' } }, ...operation } } },
  ...rest,
})
const request = (schema: Json): object => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
})
const response = (schema: Json): object => ({
  responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } },
})
const compare = (base: Json, head: Json, options: DiffOptions = {}): DiffResult =>
  diff(
    parseDocument(JSON.stringify(base), { source: 'base.json' }),
    parseDocument(JSON.stringify(head), { source: 'head.json' }),
    options,
  )
const told = (result: DiffResult): string[] => result.changes.map((change) => `${change.severity} ${change.id}`)

describe('diff of OpenAPI documents', () => {
  test('a document against itself has no changes', () => {
    const document = api(request({ type: 'object', properties: { a: { type: 'string' } } }))
    expect(compare(document, document)).toEqual({
      changes: [],
      counts: { breaking: 0, 'non-breaking': 0, 'docs-only': 0 },
      maxSeverity: null,
      verdict: 'safe',
      ignored: [],
    })
  })

  test('a narrowed request breaks with a witness, the same response does not', () => {
    const wide: Json = { type: 'string', maxLength: 20 }
    const narrow: Json = { type: 'string', maxLength: 10 }
    const result = compare(api(request(wide)), api(request(narrow)))
    expect(told(result)).toEqual(['breaking schema-max-length-decreased'])
    const [change] = result.changes
    expect(change).toMatchObject({
      method: 'POST',
      path: '/pets',
      direction: 'request',
      classification: 'breaking',
      before: 20,
      after: 10,
      operations: ['POST /pets'],
      witness: { value: 'aaaaaaaaaaa', acceptedBy: 'base' },
    })
    expect(change!.head!.pointer).toBe('/paths/~1pets/post/requestBody/content/application~1json/schema/maxLength')
    expect(told(compare(api(response(wide)), api(response(narrow))))).toEqual([
      'non-breaking schema-max-length-decreased',
    ])
    expect(told(compare(api(response(narrow)), api(response(wide))))).toEqual(['breaking schema-max-length-increased'])
  })

  test('a requirement is evaluated alone: other changes of its property are reported there', () => {
    const loose: Json = { type: 'object', properties: { a: { enum: ['x'] } } }
    const strict: Json = { type: 'object', required: ['a'], properties: { a: { enum: ['x', 'y'] } } }
    const changes = (base: object, head: object): string[] => told(compare(api(base), api(head)))
    expect(changes(response(loose), response(strict))).toEqual([
      'breaking schema-enum-value-added',
      'non-breaking schema-required-added',
    ])
    expect(changes(response(strict), response(loose))).toEqual([
      'breaking schema-required-removed',
      'non-breaking schema-enum-value-removed',
    ])
    expect(changes(request(loose), request(strict))).toEqual([
      'breaking schema-required-added',
      'non-breaking schema-enum-value-added',
    ])
    expect(changes(request(strict), request(loose))).toEqual([
      'breaking schema-enum-value-removed',
      'non-breaking schema-required-removed',
    ])
  })

  test('a component is compared once and attributed to every operation and direction', () => {
    const document = (schema: Json): Json => ({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/a': {
          post: { ...request({ $ref: '#/components/schemas/Pet' }), ...response({ $ref: '#/components/schemas/Pet' }) },
        },
        '/b': { post: { ...request({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }), responses: {} } },
      } as Json,
      components: { schemas: { Pet: schema } },
    })
    const pet = (maximum: number): Json => ({
      type: 'object',
      properties: { age: { type: 'integer', maximum }, parent: { $ref: '#/components/schemas/Pet' } },
    })
    const result = compare(document(pet(9)), document(pet(5)))
    expect(result.changes.map((change) => [change.severity, change.id, change.operations])).toEqual([
      ['breaking', 'schema-maximum-decreased', ['POST /a', 'POST /b']],
      ['non-breaking', 'schema-maximum-decreased', ['POST /a']],
    ])
  })

  test('edits of text alone are documentation', () => {
    const base = api({ summary: 'a', ...response({ type: 'string', description: 'x' }) })
    const head = api(
      { summary: 'b', ...response({ type: 'string', description: 'y', example: 'z' }) },
      { info: { title: 'Pets', version: '2' } },
    )
    const result = compare(base, head)
    expect(result.maxSeverity).toBe('docs-only')
    expect(result.counts).toEqual({ breaking: 0, 'non-breaking': 0, 'docs-only': 4 })
  })

  test('a dialect upgrade alone is no change', () => {
    const old = api(
      request({
        type: 'object',
        properties: {
          a: { type: 'string', nullable: true },
          b: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        },
      }),
      {},
      '3.0.3',
    )
    const modern = api(
      request({
        type: 'object',
        properties: { a: { type: ['string', 'null'] }, b: { type: 'integer', exclusiveMinimum: 0 } },
      }),
    )
    expect(told(compare(old, modern))).toEqual([])
  })

  test('the names of path parameters mean nothing', () => {
    const item = (name: string): Json => ({
      get: { parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }], responses: {} },
    })
    const base: Json = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: { '/pets/{id}': item('id') } }
    const head: Json = { ...base, paths: { '/pets/{pet}': item('pet') } }
    expect(told(compare(base, head))).toEqual(['non-breaking parameter-name-changed'])
  })

  test('webhooks turn the direction', () => {
    const hook = (required: string[]): Json => ({
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      webhooks: {
        sold: {
          post: { ...request({ type: 'object', properties: { a: { type: 'string' } }, required }), responses: {} },
        },
      } as Json,
    })
    expect(told(compare(hook(['a']), hook([])))).toEqual(['breaking schema-required-removed'])
    expect(told(compare(hook([]), hook(['a'])))).toEqual(['non-breaking schema-required-added'])
  })

  test('profiles, overrides and the ignore list', () => {
    const base = api(response({ enum: ['a'] }))
    const head = api(response({ enum: ['a', 'b'] }))
    expect(told(compare(base, head))).toEqual(['breaking schema-enum-value-added'])
    expect(told(compare(base, head, { profile: 'lenient' }))).toEqual(['non-breaking schema-enum-value-added'])
    expect(told(compare(base, head, { overrides: { 'schema-enum-value-added': 'docs-only' } }))).toEqual([
      'docs-only schema-enum-value-added',
    ])
    const { fingerprint } = compare(base, head).changes[0]!
    const ignore = [{ match: fingerprint, reason: 'agreed with every client', until: '2026-01-31' }]
    expect(compare(base, head, { ignore, asOf: '2026-01-31' })).toMatchObject({
      changes: [],
      verdict: 'safe',
      ignored: [{ reason: 'agreed with every client' }],
    })
    expect(told(compare(base, head, { ignore, asOf: '2026-02-01' }))).toEqual(['breaking schema-enum-value-added'])
  })

  test('what cannot be decided is unknown and never safe', () => {
    const result = compare(
      api(request({ type: 'string', pattern: '^(a|b)\\1$' })),
      api(request({ type: 'string', pattern: '^(aa|bb)$' })),
    )
    expect(result.changes.map((change) => [change.severity, change.classification])).toEqual([['breaking', 'unknown']])
    expect(result.verdict).toBe('unknown')
  })

  test('the order of keys changes nothing', () => {
    const shuffle = (value: Json): Json => {
      if (Array.isArray(value)) return (value as readonly Json[]).map(shuffle)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, it]) => [key, shuffle(it)]),
      )
    }
    const base = api({
      ...request({ type: 'object', properties: { a: { enum: ['x', 'y'] }, b: { type: 'string' } }, required: ['a'] }),
      summary: 'a',
    })
    const head = api({
      ...request({
        type: 'object',
        properties: { a: { enum: ['x'] }, b: { type: 'integer' }, c: { type: 'null' } },
        required: ['a', 'b'],
      }),
      summary: 'b',
    })
    const plain = (result: DiffResult): Json =>
      JSON.parse(JSON.stringify(result.changes, (key, it: unknown) => (key === 'range' ? undefined : it))) as Json
    expect(plain(compare(shuffle(base), shuffle(head)))).toEqual(plain(compare(base, head)))
  })

  test('a choice that shrinks to one branch concerns those who used the others', () => {
    const branch = (name: string): Json => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    })
    const choosing = (...names: string[]) => {
      const [only] = names
      const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
      const schema: Json = names.length === 1 && only ? ref(only) : { oneOf: names.map(ref) }
      return parseDocument(
        JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'T', version: '1' },
          paths: {
            '/a': {
              post: {
                requestBody: { content: { 'application/json': { schema } } },
                responses: { '200': { description: 'ok' } },
              },
            },
          },
          components: { schemas: { A: branch('a'), B: branch('b'), C: branch('c') } },
        }),
        { source: 'a.json' },
      )
    }
    const shrunk = diff(choosing('A', 'B', 'C'), choosing('A')).changes
    expect(shrunk.map((change) => [change.severity, change.id, change.base?.pointer.slice(-8)])).toEqual([
      ['breaking', 'schema-one-of-branch-removed', '/oneOf/1'],
      ['breaking', 'schema-one-of-branch-removed', '/oneOf/2'],
    ])
    expect(shrunk.map((change) => change.witness?.value)).toEqual([{ b: 'a' }, { c: 'a' }])
    expect(diff(choosing('A'), choosing('A', 'B')).changes.map((change) => [change.severity, change.id])).toEqual([
      ['breaking', 'schema-one-of-branch-added'],
    ])
  })
})
