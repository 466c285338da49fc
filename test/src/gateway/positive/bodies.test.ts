import { describe, expect, test } from 'bun:test'
import { corazaWasm } from '../../../../src/gateway/dialects/coraza-wasm.ts'
import type { Dialect } from '../../../../src/gateway/dialects/dialect.ts'
import type { DialectName } from '../../../../src/gateway/dialects/index.ts'
import { modsecurity } from '../../../../src/gateway/dialects/modsecurity.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import { documentWith, gateway, operation, type Checks } from '../../../fixtures/gateway/positive.ts'
import type { Request } from '../../../fixtures/gateway/seclang.ts'

type Fields = Readonly<Record<string, Json>>

const json = (body: string, type = 'application/json'): Request => ({
  method: 'POST',
  uri: '/a',
  headers: [
    ['Content-Type', type],
    ['Content-Length', String(body.length)],
  ],
  body,
})

const requestOf = (schema: Json, type = 'application/json', more: Fields = {}): Json => ({
  content: { [type]: { schema, ...more } },
})

const withBody = (
  requestBody: Json,
  more: Fields = {},
  options: { checks?: Checks; dialect?: Dialect<DialectName> } = {},
) => gateway(documentWith({ '/a': { post: operation({ requestBody }) } }, more), options)

const refused = (schema: Json, values: readonly Json[], more: Fields = {}): Json[] => {
  const { status } = withBody(requestOf(schema), more)
  return values.filter((it) => status(json(JSON.stringify(it))) === 400)
}

const schemaPath = '/paths/~1a/post/requestBody/content/application~1json/schema'
const lost = (schema: Json, more: Fields = {}): string[] =>
  withBody(requestOf(schema), more).compiled.notEnforced.map(
    (it) => `${it.check} ${it.pointer.replace(schemaPath, '')}: ${it.reason}`,
  )

/** The schema that is written for a body. */
const written = (schema: Json, more: Fields = {}): Json =>
  JSON.parse(withBody(requestOf(schema), more).compiled.files[0]?.text ?? 'null') as Json

describe('bodies of JSON', () => {
  const pet = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 3 } },
    additionalProperties: false,
  }

  test('match the schema', () => {
    const { ask, compiled } = withBody(requestOf(pet))
    const bodies = ['{"name":"Rex"}', '{"name":"Waldo"}', '{}', '{"name":"Rex","admin":true}', '[]', '{"name":']
    expect(bodies.map((it) => ask(json(it)))).toEqual([
      { status: 0, checks: [] },
      ...Array.from({ length: 5 }, () => ({ status: 400, checks: ['body'] })),
    ])
    expect([compiled.bodies, compiled.files.length, compiled.notEnforced]).toEqual([1, 1, []])
    expect(compiled.checks.find((it) => it.setting === 'positive:body')).toEqual({
      setting: 'positive:body',
      // Of a member that is there twice, Coraza looks at the last one.
      state: 'approximated',
      reason: 'When the engine was tried, some requests were decided wrongly: json duplicate names.',
    })
  })

  test('of any type that ends with json, and of no other', () => {
    const { status } = withBody({
      content: { 'application/vnd.x+json; v=1': { schema: pet }, 'text/plain': { schema: { type: 'string' } } },
    })
    expect(status(json('{}', 'application/vnd.x+json'))).toBe(400)
    expect(status(json('{}', 'application/json'))).toBe(415)
    expect(status(json('{}', 'text/plain'))).toBe(0)
  })

  test('of a range of types, unless another type has its own schema', () => {
    const { status, compiled } = withBody({
      content: { '*/*': { schema: pet }, 'application/x+json': { schema: { type: 'array' } } },
    })
    expect(
      [json('{}'), json('[]', 'application/x+json'), json('{}', 'application/x+json'), json('{}', 'image/png')].map(
        status,
      ),
    ).toEqual([400, 0, 400, 0])
    expect(compiled.notEnforced.map((it) => it.reason)).toEqual(['Of these media types JSON alone is read.'])
  })

  test('one file serves all bodies that say the same, and the names of schemas are those of the document', () => {
    const more = { components: { schemas: { Pet: { ...pet, description: 'A pet', example: {} } } } }
    const body = requestOf({ $ref: '#/components/schemas/Pet' })
    const { compiled } = gateway(
      documentWith(
        { '/a': { post: operation({ requestBody: body }) }, '/b': { put: operation({ requestBody: body }) } },
        more,
      ),
    )
    expect([compiled.bodies, compiled.files.length]).toEqual([2, 1])
    expect(JSON.parse(compiled.files[0]?.text ?? '')).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/$defs/Pet',
      $defs: {
        Pet: {
          type: 'object',
          properties: { name: { type: 'string', maxLength: 3 } },
          additionalProperties: false,
          required: ['name'],
        },
      },
    })
    expect(compiled.text).toContain(`@validateSchema ${compiled.files[0]?.path}"`)
  })

  test('of many operations are found by the number of the operation', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`/p${i}`, { post: operation({ requestBody: requestOf({ const: i }) }) }]),
    )
    const { status } = gateway(documentWith(paths))
    const answers = Array.from({ length: 40 }, (_, i) =>
      [i, i + 1].map((it) => status({ ...json(String(it)), uri: `/p${i}` })),
    )
    expect(answers).toEqual(answers.map(() => [0, 400]))
  })

  test('that are required have to be there, in every version of HTTP (trap 4)', () => {
    const { status } = withBody({ required: true, ...(requestOf(pet) as object) })
    const empty: Request = {
      method: 'POST',
      uri: '/a',
      protocol: 'HTTP/2.0',
      headers: [['Content-Type', 'application/json']],
      body: '',
    }
    expect(status(empty)).toBe(400)
    expect(withBody(requestOf(pet)).status(empty)).toBe(0)
  })

  test('with a member twice count with the last one, which no rule can change (trap 9)', () => {
    expect(withBody(requestOf(pet)).status(json('{"name":5,"name":"Rex"}'))).toBe(0)
  })
})

describe('what engines cannot check', () => {
  const body = requestOf({ type: 'object', required: ['a'] })

  test('is never asked of Coraza as WebAssembly, where the operator matches everything (trap 3)', () => {
    const { compiled, status } = withBody(body, {}, { dialect: corazaWasm })
    expect([compiled.text.includes('validateSchema'), compiled.files, compiled.bodies]).toEqual([false, [], 0])
    expect([json('{}'), json('{')].map(status)).toEqual([0, 400])
    expect(compiled.notEnforced).toEqual([
      {
        check: 'body',
        pointer: schemaPath,
        reason: 'Coraza as WebAssembly cannot check a schema: its operator matches every body.',
      },
    ])
  })

  test('nor of ModSecurity, which has no such operator', () => {
    const { compiled } = withBody(body, {}, { dialect: modsecurity })
    expect([compiled.text.includes('validateSchema'), compiled.text.includes('json_request_body')]).toEqual([
      false,
      false,
    ])
    expect(compiled.notEnforced.map((it) => it.reason)).toEqual(['ModSecurity cannot check JSON against a schema.'])
  })

  test('bodies of other types are listed', () => {
    const { compiled } = withBody({
      content: { 'multipart/form-data': { schema: { type: 'object' } }, 'application/jsonl': { itemSchema: {} } },
    })
    expect(compiled.notEnforced.map((it) => it.reason)).toEqual([
      'Bodies of this type are not read; their type is checked alone.',
      'The items of a sequence are not read one by one.',
    ])
  })
})

describe('schemas as the engine takes them', () => {
  const is30 = { openapi: '3.0.3' }

  test('formats become patterns, because the engine does not assert them (trap 5)', () => {
    expect(refused({ type: 'string', format: 'date' }, ['2024-02-29', '2023-02-29', 'never'])).toEqual([
      '2023-02-29',
      'never',
    ])
    expect(refused({ type: 'integer', format: 'int32' }, [1, 2147483648])).toEqual([2147483648])
    expect(refused({ type: 'string', format: 'email', pattern: '^a' }, ['a@x.y', 'b@x.y', 'a'])).toEqual(['b@x.y', 'a'])
    expect(JSON.stringify(written({ type: 'string', format: 'uuid' }))).not.toContain('format')
    expect(written({ type: 'string', contentEncoding: 'base64', contentMediaType: 'application/json' })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'string',
    })
  })

  test('a reference that cannot be resolved is left out and listed; what is beside it holds (trap 6)', () => {
    const schema = { $ref: '#/components/schemas/Gone', required: ['a'] }
    expect(refused(schema, [{}, { a: 1 }])).toEqual([{}])
    expect(lost(schema)).toEqual(['body /$ref: Its reference "#/components/schemas/Gone" cannot be resolved.'])
    expect(JSON.stringify(written(schema))).not.toContain('Gone')
  })

  test('a pattern that RE2 cannot read is left out and listed (trap 7)', () => {
    expect(refused({ type: 'string', pattern: '^(?!a)', minLength: 2 }, ['ab', 'bb', 'b'])).toEqual(['b'])
    expect(lost({ pattern: '(a)\\1' })).toEqual([
      'body /pattern: Its pattern has what RE2 does not: a look around, a reference back, or an escape that is not regular.',
    ])
    expect(refused({ pattern: '^\\p{L}\\.[^\\s"]$' }, ['ü.x', 'ü. ', '1.x'])).toEqual(['ü. ', '1.x'])
  })

  test('a boolean exclusive bound becomes a number (trap 8)', () => {
    expect(
      written({ type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }, is30),
    ).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'integer',
      exclusiveMinimum: 1,
      maximum: 9,
    })
    expect(lost({ minimum: '5', maxLength: -1, multipleOf: 0, type: 'text' })).toEqual([
      'body /type: It names a type that JSON Schema does not know.',
      'body /minimum: "minimum" has a value that JSON Schema does not know.',
      'body /multipleOf: "multipleOf" has a value that JSON Schema does not know.',
      'body /maxLength: "maxLength" has a value that JSON Schema does not know.',
    ])
  })

  test('null is allowed where the document says so', () => {
    expect(refused({ type: 'string', nullable: true, enum: ['a'] }, ['a', null, 'b'], is30)).toEqual(['b'])
    expect(refused({ nullable: true, allOf: [{ type: 'string' }] }, ['a', null, 1], is30)).toEqual([1])
    expect(refused({ type: 'string', nullable: true }, [null])).toEqual([null])
  })

  test('what is read-only is not asked of a request, wherever it says so', () => {
    const base = { type: 'object', required: ['id', 'name'], properties: { name: { type: 'string' } } }
    const schema = {
      allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { id: { type: 'integer', readOnly: true } } }],
    }
    const more = { components: { schemas: { Base: base } } }
    expect(refused(schema, [{ name: 'a' }, { id: 1 }, { id: 'x', name: 'a' }], more)).toEqual([
      { id: 1 },
      { id: 'x', name: 'a' },
    ])
    expect(refused({ $ref: '#/components/schemas/Base' }, [{ name: 'a' }], more)).toEqual([{ name: 'a' }])
  })

  test('cycles end: those of values stay, one about the same value is cut and listed', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' } }, required: ['v'] }
    const more = {
      components: {
        schemas: {
          Tree: tree,
          Loop: { allOf: [{ $ref: '#/components/schemas/Pool' }, { required: ['a'] }] },
          Pool: { anyOf: [{ $ref: '#/components/schemas/Loop' }] },
        },
      },
    }
    expect(
      refused(
        { $ref: '#/components/schemas/Tree' },
        [
          { v: 1, next: { v: 2 } },
          { v: 1, next: { next: {} } },
        ],
        more,
      ),
    ).toEqual([{ v: 1, next: { next: {} } }])
    expect(refused({ $ref: '#/components/schemas/Loop' }, [{ a: 1 }, {}], more)).toEqual([{}])
    expect(
      withBody(requestOf({ $ref: '#/components/schemas/Loop' }), more).compiled.notEnforced.map(
        (it) => `${it.pointer}: ${it.reason}`,
      ),
    ).toEqual([
      '/components/schemas/Loop/allOf/0/$ref: It refers to itself about the same value, which the engine would follow without end.',
    ])
  })

  test('what is not checked exactly never refuses more', () => {
    const vague = { type: 'string', format: 'email' }
    expect(refused({ oneOf: [vague, { type: 'string', format: 'date-time' }] }, ['a@b.c', 'x'])).toEqual(['x'])
    expect(refused({ not: { pattern: '(?=a)' } }, ['a', 1])).toEqual([])
    expect(
      refused({ if: { pattern: '(?=a)' }, then: { minLength: 3 }, else: { maxLength: 1 } }, ['abc', 'a', 'ab']),
    ).toEqual(['ab'])
    expect(
      refused({ patternProperties: { '(?=x)': {} }, properties: { a: {} }, additionalProperties: false }, [{ b: 1 }]),
    ).toEqual([])
    expect(refused({ allOf: [{ $ref: '#/nowhere' }], unevaluatedProperties: false }, [{ b: 1 }])).toEqual([])
    expect(refused({ contains: vague, maxContains: 1 }, [['a@b.c', 'a@b..c'], [1]])).toEqual([[1]])
    expect(lost({ oneOf: [vague, { type: 'integer' }] })).toEqual([
      'body /oneOf/0/format: The format is checked by an expression, which lets some wrong values pass.',
      'body /oneOf: More than one of its branches may match, because not all of them are checked exactly.',
    ])
  })

  test('a discriminator leaves the branches as alternatives', () => {
    const branch = (kind: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, [kind]: { type: 'integer' } },
    })
    const schema = { oneOf: [branch('cat'), branch('dog')], discriminator: { propertyName: 'kind' } }
    expect(refused(schema, [{ kind: 'cat', cat: 1 }, { kind: 'cat', cat: 'x', dog: 'x' }, {}])).toEqual([
      { kind: 'cat', cat: 'x', dog: 'x' },
      {},
    ])
    expect(lost(schema)).toEqual([
      'body /oneOf: More than one of its branches may match, because its discriminator selects one.',
    ])
  })

  test('older words mean what they did', () => {
    const more = { jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#' }
    const schema = {
      items: [{ type: 'integer' }],
      additionalItems: false,
      dependencies: { a: ['b'], c: { required: ['d'] } },
    }
    expect(refused(schema, [[1], ['x'], [1, 2], { a: 1 }, { a: 1, b: 1 }, { c: 1 }], more)).toEqual([
      ['x'],
      [1, 2],
      { a: 1 },
      { c: 1 },
    ])
  })

  test('what accepts everything is no rule', () => {
    for (const schema of [true, {}, { description: 'anything' }])
      expect(withBody(requestOf(schema)).compiled.bodies).toBe(0)
    expect(refused(false, [1])).toEqual([1])
  })
})

describe('forms', () => {
  const form = (body: string): Request => json(body, 'application/x-www-form-urlencoded')
  const schema = {
    type: 'object',
    required: ['name', 'id'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string', maxLength: 3 },
      tags: { type: 'array', items: { type: 'integer' } },
      meta: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    additionalProperties: false,
  }
  const type = 'application/x-www-form-urlencoded'

  test('have the fields of their schema', () => {
    const { status, compiled } = withBody(requestOf(schema, type, { encoding: { meta: { style: 'deepObject' } } }))
    const bodies = [
      'name=Rex',
      'name=Waldo',
      'tags=1',
      'name=Rex&tags=1&tags=2',
      'name=Rex&tags=a',
      'name=Rex&admin=1',
      'name=Rex&meta[n]=1',
      'name=Rex&meta%5Bn%5D=a',
    ]
    expect(bodies.map((it) => `${status(form(it))} ${it}`)).toEqual([
      '0 name=Rex',
      '400 name=Waldo',
      '400 tags=1',
      '0 name=Rex&tags=1&tags=2',
      '400 name=Rex&tags=a',
      '400 name=Rex&admin=1',
      '0 name=Rex&meta[n]=1',
      '400 name=Rex&meta%5Bn%5D=a',
    ])
    expect(compiled.notEnforced).toEqual([])
    // Without a body there is no form.
    expect(status({ method: 'POST', uri: '/a', headers: [['Content-Length', '0']] })).toBe(0)
    expect(status(form(''))).toBe(0)
  })

  test('of Swagger 2.0 too', () => {
    const parameters = [
      { name: 'n', in: 'formData', type: 'integer', required: true },
      { name: 'l', in: 'formData', type: 'array', items: { type: 'integer' }, collectionFormat: 'csv' },
    ]
    const { status } = gateway({ swagger: '2.0', info: {}, paths: { '/a': { post: operation({ parameters }) } } })
    expect(['n=1', 'l=1', 'n=a', 'n=1&l=1,2', 'n=1&l=1,a'].map((it) => status(form(it)))).toEqual([0, 400, 400, 0, 400])
  })

  test('beside JSON are checked on their own', () => {
    const content = { 'application/json': { schema }, [type]: { schema } }
    const { status } = withBody({ content })
    expect(
      [json('{"name":"Rex"}'), form('name=Rex'), form('name=Waldo'), json('{"name":"Waldo"}')].map(status),
    ).toEqual([0, 0, 400, 400])
  })
})
