import { describe, expect, test } from 'bun:test'
import { convertDocument } from '../../../src/convert/convert.ts'
import { conversionNotes, isLoss } from '../../../src/convert/losses.ts'
import { diff } from '../../../src/diff/diff.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { validateStructure } from '../../../src/document/validate/structure.ts'
import { api, convert, read } from './converting.ts'
import { changedThereAndBack, sample } from './sampled.ts'

describe('an OpenAPI 3.1 document as 3.0', () => {
  test('says what it has no field for', () => {
    const { value, notes } = convert(
      api('3.1.0', {
        info: { title: 'A', version: '1', summary: 'S', license: { name: 'MIT', identifier: 'MIT' } },
        jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
        security: [{ key: ['admin'], certificate: [] }],
        webhooks: { created: { post: { requestBody: { content: { 'text/plain': { schema: true } } } } } },
        components: {
          securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X' }, certificate: { type: 'mutualTLS' } },
        },
      }),
      'openapi-3.0',
    )
    const responses = { default: { description: '' } }
    expect(value).toEqual({
      openapi: '3.0.3',
      info: { title: 'A', version: '1', 'x-summary': 'S', license: { name: 'MIT', 'x-identifier': 'MIT' } },
      security: [{ key: [], certificate: [] }],
      'x-webhooks': { created: { post: { requestBody: { content: { 'text/plain': { schema: {} } } }, responses } } },
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X' },
          certificate: { type: 'http', scheme: 'mutualTLS' },
        },
      },
      paths: {},
    })
    expect(notes).toEqual([
      'not-in-3.0 /info/license/identifier',
      'not-in-3.0 /info/summary',
      'security-roles /security/0/key',
      'responses-required /webhooks/created/post',
      'mutual-tls /components/securitySchemes/certificate/type',
      'not-in-3.0 /webhooks',
    ])
    expect(validateStructure(read(value))).toEqual([])
  })

  test('writes shared path items where they are used, and removes texts beside references', () => {
    const get = { responses: { 200: { $ref: '#/components/responses/Ok', description: 'Fine' } } }
    const { value, notes } = convert(
      api('3.1.0', {
        paths: { '/a': { $ref: '#/components/pathItems/A', summary: 'Own' } },
        components: { pathItems: { A: { get }, B: {} }, responses: { Ok: { description: 'ok' } } },
      }),
      'openapi-3.0',
    )
    expect(value).toEqual({
      openapi: '3.0.3',
      info: { title: 'A', version: '1' },
      paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/Ok' } } }, summary: 'Own' } },
      components: { responses: { Ok: { description: 'ok' } } },
    })
    expect(notes).toEqual([
      'reference-texts /components/pathItems/A/get/responses/200',
      'path-item-unused /components/pathItems/B',
    ])
  })
})

describe('OpenAPI 3.2 as 3.1', () => {
  test('says what it has no field for, and what a reference lost', () => {
    const document = api('3.2.0', {
      $self: 'https://example.com/a',
      tags: [{ name: 'a', kind: 'nav', parent: 'b' }, { name: 'b' }],
      paths: {
        '/a': {
          query: { responses: { 200: { description: 'ok' } } },
          get: {
            parameters: [{ name: 'q', in: 'querystring', content: { 'text/plain': {} } }],
            responses: { 200: { summary: 'S', content: { 'application/jsonl': { itemSchema: { type: 'string' } } } } },
            callbacks: { c: { $ref: '#/paths/~1a/query/callbacks/x' } },
          },
          additionalOperations: { COPY: { responses: { 200: { description: 'ok' } } } },
        },
      },
      components: {
        mediaTypes: { Json: { schema: {} } },
        securitySchemes: {
          o: {
            type: 'oauth2',
            flows: {
              deviceAuthorization: {
                deviceAuthorizationUrl: 'https://e.com/d',
                tokenUrl: 'https://e.com/t',
                scopes: {},
              },
            },
          },
        },
      },
    })
    const { value, notes } = convert(document, 'openapi-3.1')
    expect(validateStructure(read(value)).filter(({ severity }) => severity === 'error')).toEqual([])
    expect(notes.toSorted()).toEqual([
      'item-schema /paths/~1a/get/responses/200/content/application~1jsonl/itemSchema',
      'not-in-3.1 /$self',
      'not-in-3.1 /components/mediaTypes',
      'not-in-3.1 /components/securitySchemes/o/flows/deviceAuthorization',
      'not-in-3.1 /paths/~1a/additionalOperations',
      'not-in-3.1 /paths/~1a/get/parameters/0/in',
      'not-in-3.1 /paths/~1a/query',
      'not-in-3.1 /tags/0/kind',
      'not-in-3.1 /tags/0/parent',
      'reference-lost /paths/~1a/get/callbacks/c/$ref',
    ])
  })
})

describe('other versions', () => {
  test('a document of the version stays, and 3.1 becomes 3.2 by its number', () => {
    const document = api('3.1.0', { paths: { '/a': {} } })
    expect(convert(document, 'openapi-3.1')).toEqual({ value: document, notes: [] })
    expect(convert(document, 'openapi-3.2')).toEqual({ value: { ...document, openapi: '3.2.0' }, notes: [] })
  })

  test('files of forms keep their content type', () => {
    const file = { type: 'string', format: 'binary' }
    const content = {
      'multipart/form-data': {
        schema: { allOf: [{ properties: { f: { type: 'array', items: file }, t: { type: 'string' } } }] },
      },
    }
    const document = api('3.0.3', {
      paths: { '/a': { post: { requestBody: { content }, responses: { 200: { description: 'ok' } } } } },
    })
    const { value } = convert(document, 'openapi-3.1')
    const operation = ((value.paths as JsonObject)['/a'] as JsonObject).post as JsonObject
    expect(
      (((operation.requestBody as JsonObject).content as JsonObject)['multipart/form-data'] as JsonObject).encoding,
    ).toEqual({
      f: { contentType: 'application/octet-stream' },
    })
    expect(diff(read(document), read(value)).changes).toEqual([])
  })

  test('Swagger 2.0 becomes 3.0, with the places of Swagger in its notes', () => {
    const document = {
      swagger: '2.0',
      info: { title: 'A', version: '1' },
      paths: {},
      definitions: { T: { type: 'array', items: [{ type: 'string' }] }, N: { type: 'string', 'x-nullable': true } },
    }
    const { value, notes } = convert(document, 'openapi-3.0')
    expect((value.components as JsonObject).schemas).toEqual({
      T: { type: 'array', 'x-prefixItems': [{ type: 'string' }], items: {} },
      N: { type: 'string', nullable: true },
    })
    expect(notes).toEqual(['prefix-items /components/schemas/T/prefixItems'])
    const [note] = convertDocument(read(document), 'openapi-3.0').notes
    expect(note?.range).toEqual(read(document).locate(['definitions', 'T']))
  })
})

describe('JSON Schema', () => {
  test('of an API are its schemas', () => {
    const { value, notes } = convert(
      api('3.0.3', { paths: {}, components: { schemas: { A: { type: 'string', nullable: true } } } }),
      'json-schema',
    )
    expect(value).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'A',
      $defs: { A: { type: ['string', 'null'] } },
    })
    expect(notes).toEqual(['schemas-only '])
  })

  test('of draft 4 is written in 2020-12, with its identifiers', () => {
    const draft04 = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'https://example.com/a#',
      definitions: { n: { id: '#named', minimum: 1, exclusiveMinimum: true } },
      properties: {
        definitions: { $ref: '#/definitions/n', type: 'object' },
        t: { items: [{}], additionalItems: false },
      },
      dependencies: { a: ['b'], c: { $ref: '#/properties/t/items/0' } },
    }
    expect(convert(draft04, 'json-schema')).toEqual({
      value: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://example.com/a',
        properties: { definitions: { $ref: '#/$defs/n' }, t: { prefixItems: [{}], items: false } },
        dependentRequired: { a: ['b'] },
        dependentSchemas: { c: { $ref: '#/properties/t/prefixItems/0' } },
        $defs: { n: { $anchor: 'named', exclusiveMinimum: 1 } },
      },
      notes: ['ref-siblings /properties/definitions'],
    })
  })

  test('of 2020-12 is written in draft 7, with what it has no keyword for', () => {
    const modern = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { a: { $anchor: 'x', type: 'string' } },
      $ref: '#/$defs/a',
      minLength: 1,
      prefixItems: [{ $ref: '#x' }],
      items: { $ref: '#/prefixItems/0' },
      dependentRequired: { a: ['b'] },
      dependentSchemas: { a: false },
      contains: {},
      minContains: 2,
      unevaluatedProperties: false,
    }
    expect(convert(modern, 'json-schema-draft-07')).toEqual({
      value: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        allOf: [{ $ref: '#/definitions/a' }],
        minLength: 1,
        items: [{ $ref: '#x' }],
        additionalItems: { $ref: '#/items/0' },
        dependencies: { a: { allOf: [{ required: ['b'] }, false] } },
        contains: {},
        minContains: 2,
        unevaluatedProperties: false,
        definitions: { a: { $id: '#x', type: 'string' } },
      },
      notes: ['not-in-draft /minContains', 'not-in-draft /unevaluatedProperties'],
    })
  })
})

describe('random schemas accept the same values where nothing is lost', () => {
  for (const [target, judge] of [
    ['openapi-3.0', '3.0'],
    ['json-schema-draft-07', 'draft-07'],
    ['json-schema-2019-09', '2019-09'],
  ] as const)
    test(`as ${target}`, () => {
      const made = sample(target, judge, 20, 120)
      expect(made.unsound).toBeNull()
      expect([made.lossless > 80, made.valid > 500, made.invalid > 500]).toEqual([true, true, true])
    })
})

test('random schemas compare as compatible after 3.0 and back, where nothing is noted', () => {
  expect(changedThereAndBack(1, 100)).toEqual([])
  // Among these are schemas without any value, and a condition whose properties are those of a branch afterwards.
  expect(changedThereAndBack(7, 300)).toEqual([])
})

test('every note that conversions make has an explanation', async () => {
  const codes = new Set<string>()
  for (const folder of ['src/convert', 'src/import'])
    for await (const path of new Bun.Glob('**/*.ts').scan({ cwd: `${import.meta.dir}/../../../${folder}` })) {
      const text = await Bun.file(`${import.meta.dir}/../../../${folder}/${path}`).text()
      for (const [, code = ''] of text.matchAll(/(?:otes\.add|#later\.add|#note)\(\s*'([a-z0-9.-]+)'/g)) codes.add(code)
      for (const [, code = ''] of text.matchAll(/#keep\([^,]+, '([a-z0-9.-]+)'/g)) codes.add(code)
    }
  expect([...codes].filter((it) => !Object.hasOwn(conversionNotes, it))).toEqual([])
  expect(Object.keys(conversionNotes).filter((it) => !codes.has(it))).toEqual([])
  expect([isLoss('prefix-items'), isLoss('renamed'), isLoss('of-tomorrow')]).toEqual([true, false, true])
})

test('of one code the first fifty places are listed, and the others counted', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 53 }, (_, index) => [`S${index}`, { nullable: true, enum: ['a'] }]),
  )
  const { notes, unlisted } = convertDocument(read(api('3.0.3', { paths: {}, components: { schemas } })), 'openapi-3.1')
  expect([notes.length, [...unlisted]]).toEqual([50, [['nullable-without-type', 3]]])
})
