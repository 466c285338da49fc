import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument, listImportFormats } from '../../../src/import/importer.ts'
import { slugify, slugifyVersion } from '../../../src/import/slug.ts'

const parse = (value: unknown, source = 'a.json') => parseDocument(JSON.stringify(value), { source })
const petstore = {
  openapi: '3.0.3',
  info: { title: ' Pet\nStore ', version: 1.5, 'x-name': 'pets' },
  paths: { '/pets': { get: { operationId: 'list', tags: ['a'], responses: { 200: { description: 'ok' } } } } },
}

test('the formats', () => {
  expect(listImportFormats().map(({ id }) => id)).toEqual(['arazzo', 'json-schema', 'mcp', 'openapi', 'swagger'])
  for (const { summary } of listImportFormats()) expect(summary.length).toBeGreaterThan(20)
})

describe('names and labels', () => {
  const named = (options: object, document: unknown = petstore, source = 'specs/My%20Pets.yaml?x=1') => {
    const { spec } = importDocument(
      parseDocument(JSON.stringify(document), { source, syntax: 'json' }),
      'auto',
      options,
    )
    return [spec?.name, spec?.version]
  }
  test.each([
    [{}, ['Pet Store', '1.5']],
    [{ projectName: 'Given', version: '2.0.0' }, ['Given', '2.0.0']],
    [{ projectNameField: 'info.x-name' }, ['pets', '1.5']],
    [{ projectNameField: '/paths/~1pets/get/operationId' }, ['list', '1.5']],
    [{ projectNameField: 'info.nope', projectName: 'Given' }, ['Given', '1.5']],
  ])('%j', (options, wanted) => {
    expect(named(options)).toEqual(wanted as [string, string])
  })
  test.each(['info.nope', '/info/nope', 'info', '', 'paths'])(
    'the name field %j, which the document does not have',
    (field) => {
      const document = parseDocument(JSON.stringify(petstore), { source: 'a.json', syntax: 'json' })
      expect(importDocument(document, 'auto', { projectNameField: field })).toEqual({
        spec: null,
        refusal: 'document-invalid',
        reason: `the document has no field "${field}", which was given as the project name field`,
        family: null,
        problems: [],
      })
    },
  )
  test('the document can name the field, the file gives the last name', () => {
    expect(named({}, { ...petstore, info: { ...petstore.info, 'x-svc-project-name-field': 'info.x-name' } })[0]).toBe(
      'pets',
    )
    expect(named({}, { ...petstore, info: {} })).toEqual(['My%20Pets', '0.0.0'])
  })
})

test('operations', () => {
  const { spec } = importDocument(
    parse({
      ...petstore,
      paths: { ...petstore.paths, '/shared': { $ref: '#/x-items/shared' }, 'x-other': { get: {} } },
      'x-items': { shared: { post: { deprecated: true, summary: 'do' } } },
    }),
    'openapi',
  )
  expect(spec?.operations).toEqual([
    {
      ref: 'GET /pets',
      method: 'GET',
      path: '/pets',
      operationId: 'list',
      summary: null,
      tags: ['a'],
      deprecated: false,
      pointer: '/paths/~1pets/get',
    },
    {
      ref: 'POST /shared',
      method: 'POST',
      path: '/shared',
      operationId: null,
      summary: 'do',
      tags: [],
      deprecated: true,
      pointer: '/x-items/shared/post',
    },
  ])
})

describe('refusals', () => {
  test.each([
    ['{"a": 1', 'auto', 'document-invalid', /ends before/],
    ['[1]', 'auto', 'document-invalid', /not an object/],
    ['{"a": 1}', 'auto', 'format-unknown', /not recognized/],
    ['{"openapi": "3.1.0"}', 'nope', 'format-unknown', /"nope"/],
    ['{"openapi": "3.1.0"}', 'swagger', 'document-invalid', /looks like openapi/],
  ])('%s as %s', (text, format, refusal, reason) => {
    const result = importDocument(parseDocument(text, { source: 'a.json' }), format)
    if (result.spec !== null) throw new Error('not refused')
    expect(result.refusal).toBe(refusal as typeof result.refusal)
    expect(result.reason).toMatch(reason)
  })
})

test('MCP: a manifest, a list of tools, a server', () => {
  const tool = {
    name: 'find pet',
    description: 'x',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } },
  }
  for (const [value, name] of [
    [{ manifest_version: '0.3', name: 'm', display_name: 'M', version: '2.1.0', tools: [tool] }, 'M'],
    [{ tools: [tool] }, 'a'],
    [[tool], 'a'],
  ] as const) {
    const { spec } = importDocument(parse(value), 'auto')
    expect(spec?.format.kind).toBe('mcp')
    expect(spec?.name).toBe(name)
    expect(spec?.problems).toEqual([])
    expect(spec?.classes).toEqual({
      'find_pet.input': {
        type: 'object',
        properties: { a: { $ref: '#/components/schemas/find_pet.input/$defs/A' } },
        $defs: { A: { type: 'string' } },
      },
    })
  }
  const server = importDocument(
    parse({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.x/y',
      version: '1.2.3',
    }),
    'mcp',
  )
  expect([server.spec?.name, server.spec?.version, server.spec?.format.version]).toEqual(['io.x/y', '1.2.3', 'server'])
  const bad = importDocument(parse({ tools: [{ name: 'a', inputSchema: { type: 'string' } }, { name: 'a' }] }), 'mcp')
  expect(bad.spec?.problems.map(({ path, code }) => `${code} ${path.join('/')}`)).toEqual([
    'structure-type tools/0/inputSchema',
    'structure-repeated tools/1/name',
  ])
})

test('OpenAPI 3.0 in the words of 3.1', () => {
  const { spec } = importDocument(
    parse({
      openapi: '3.0.0',
      info: { title: 'a', version: '1' },
      paths: {},
      components: {
        parameters: { p: { name: 'p', in: 'header', allowEmptyValue: true, schema: { type: 'string' } } },
        schemas: {
          A: { type: 'string', nullable: true, enum: ['a', null], example: 'a' },
          B: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
          C: {
            type: 'object',
            properties: { nullable: { type: 'string', format: 'byte' }, example: { type: 'string', format: 'binary' } },
          },
          D: { $ref: '#/components/schemas/A', nullable: true, description: 'kept' },
          E: { allOf: [{ $ref: '#/components/schemas/A' }], nullable: true },
          F: { anyOf: [{ type: 'string' }], nullable: true, description: 'd' },
          G: { nullable: true, description: 'd' },
        },
      },
    }),
    'auto',
  )
  expect(spec?.openapi.components).toEqual({
    parameters: { p: { name: 'p', in: 'header', schema: { type: 'string' } } },
    schemas: {
      A: { enum: ['a', null], type: ['string', 'null'], examples: ['a'] },
      B: { type: 'integer', maximum: 9, exclusiveMinimum: 1 },
      C: {
        type: 'object',
        properties: {
          nullable: { type: 'string', contentEncoding: 'base64' },
          example: { type: 'string', contentMediaType: 'application/octet-stream' },
        },
      },
      D: { $ref: '#/components/schemas/A', description: 'kept' },
      E: { anyOf: [{ allOf: [{ $ref: '#/components/schemas/A' }] }, { type: 'null' }] },
      F: { description: 'd', anyOf: [{ type: 'string' }, { type: 'null' }] },
      G: { description: 'd' },
    },
  })
  expect(spec?.warnings.map(({ code, path }) => `${code} ${path.join('/')}`)).toEqual([
    'ref-siblings components/schemas/D',
    'nullable-without-type components/schemas/E/nullable',
    'nullable-without-type components/schemas/F/nullable',
  ])
})

test('OpenAPI 3.2 in the words of 3.1', () => {
  const { spec } = importDocument(
    parse({
      openapi: '3.2.0',
      info: { title: 'a', version: '1' },
      tags: [{ name: 'a', kind: 'nav' }],
      paths: {
        '/a': {
          query: { responses: { 200: { summary: 'fine' } } },
          get: {
            parameters: [{ name: 'q', in: 'querystring', content: { 'text/plain': { schema: {} } } }],
            responses: {
              200: { description: 'd', content: { 'application/jsonl': { $ref: '#/components/mediaTypes/L' } } },
            },
          },
        },
      },
      components: { mediaTypes: { L: { itemSchema: { type: 'string' } } } },
    }),
    'auto',
  )
  expect(spec?.problems).toEqual([])
  expect(spec?.openapi.tags).toEqual([{ name: 'a', 'x-kind': 'nav' }])
  expect(spec?.openapi.paths).toEqual({
    '/a': {
      'x-query': { responses: { 200: { description: 'fine' } } },
      get: {
        parameters: [{ name: 'q', in: 'query', content: { 'text/plain': { schema: {} } } }],
        responses: {
          200: {
            description: 'd',
            content: { 'application/jsonl': { schema: { type: 'array', items: { type: 'string' } } } },
          },
        },
      },
    },
  })
  expect(spec?.warnings.map(({ code }) => code)).toEqual([
    'not-in-3.1',
    'not-in-3.1',
    'not-in-3.1',
    'item-schema',
    'not-in-3.1',
  ])
})

test('slugs', () => {
  expect(slugify('Pet Store API')).toBe('pet-store-api')
  expect(slugify('  Größe & Übermut! ')).toBe('grosse-ubermut')
  expect(slugify('myPetStore v2')).toBe('my-pet-store-v2')
  expect(slugify('宠物')).toMatch(/^project-[0-9a-f]{8}$/)
  expect(slugifyVersion('1.2.0-beta+7')).toBe('1.2.0-beta-7')
  expect(slugifyVersion('Version 2')).toBe('version-2')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(slugify(name)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/)
    }),
  )
})

test('no document makes an import throw', () => {
  const words = fc.constantFrom(
    'openapi',
    'swagger',
    'paths',
    'components',
    'schemas',
    'get',
    'parameters',
    'responses',
    'schema',
    '$ref',
    'type',
    'items',
    'tools',
    'definitions',
    '$defs',
    'info',
    'arazzo',
    'workflows',
    '/a',
    '200',
    'properties',
    '__proto__',
    'in',
    'content',
  )
  const values = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<Json>(
        '3.0.0',
        '3.1.0',
        '3.2.0',
        '2.0',
        '1.0.1',
        '#/a',
        '#',
        '#/definitions/a',
        'body',
        null,
        true,
        7,
        '',
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  })).value
  const roots = fc.constantFrom<object>(
    { openapi: '3.0.0' },
    { openapi: '3.1.0' },
    { openapi: '3.2.0' },
    { swagger: '2.0' },
    { arazzo: '1.0.0' },
    { type: 'object' },
    { tools: [] },
  )
  fc.assert(
    fc.property(roots, fc.dictionary(words, values, { noNullPrototype: true }), (root, rest) => {
      const result = importDocument(parse({ ...rest, ...root }), 'auto')
      expect(result.spec === null || typeof result.spec.name === 'string').toBe(true)
    }),
    { numRuns: 1500 },
  )
})

test('a version that YAML reads as a number keeps its zeros', () => {
  const version = (written: string) =>
    importDocument(
      parseDocument(`\uFEFFopenapi: 3.0.0\ninfo:\n  title: a\n  version: ${written} # c\npaths: {}\n`, {
        source: 'a.yaml',
      }),
      'auto',
    ).spec?.version
  expect(version('1.10')).toBe('1.10')
  expect(version('2')).toBe('2')
  expect(version('0x10')).toBe('0x10')
  expect(version("'1.0'")).toBe('1.0')
})

test('what happens everywhere is noted fifty times and counted', () => {
  const schemas = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`S${i}`, { nullable: true, oneOf: [] }]))
  const { spec } = importDocument(parse({ openapi: '3.0.0', info: {}, paths: {}, components: { schemas } }), 'auto')
  expect(spec?.warnings).toHaveLength(51)
  expect(spec?.warnings.at(-1)).toMatchObject({
    code: 'nullable-without-type',
    message: 'The same at 10 more locations.',
    path: [],
  })
})
