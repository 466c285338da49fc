import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { findReferences, findUnresolved, followReference, resolveUri } from '../../../src/document/reference.ts'
import { formatPointer } from '../../../src/kernel/pointer.ts'

const parse = (value: unknown, source = 'api.json') => parseDocument(JSON.stringify(value), { source })
const found = (value: unknown) =>
  findReferences(parse(value).value).map(({ path, ref }) => `${formatPointer(path)} -> ${ref}`)

test('names, instances and extensions are not read as references', () => {
  const ref = { $ref: '#/x' }
  expect(
    found({
      openapi: '3.1.0',
      paths: {
        '/a': {
          get: {
            parameters: [ref],
            responses: {
              default: ref,
              200: {
                content: { json: { example: ref, examples: { one: ref, two: { value: ref } }, schema: ref } },
                links: { next: { parameters: { id: ref }, requestBody: ref }, other: ref },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          A: {
            properties: { $ref: { type: 'string' }, default: ref, example: { properties: { x: ref } }, enum: ref },
            default: ref,
            enum: [ref],
            const: ref,
            examples: [ref],
            'x-more': ref,
            required: ['$ref'],
          },
          default: ref,
        },
      },
    }),
  ).toEqual([
    '/paths/~1a/get/parameters/0 -> #/x',
    '/paths/~1a/get/responses/200/content/json/examples/one -> #/x',
    '/paths/~1a/get/responses/200/content/json/schema -> #/x',
    '/paths/~1a/get/responses/200/links/other -> #/x',
    '/paths/~1a/get/responses/default -> #/x',
    '/components/schemas/A/properties/default -> #/x',
    '/components/schemas/A/properties/example/properties/x -> #/x',
    '/components/schemas/A/properties/enum -> #/x',
    '/components/schemas/default -> #/x',
  ])
})

test('examples of Swagger 2.0 are instances by media type', () => {
  expect(found({ swagger: '2.0', responses: { A: { examples: { 'application/json': { $ref: '#/x' } } } } })).toEqual([])
})

describe('resolution', () => {
  const follow = (document: ReturnType<typeof parse>, ref: string, base = '', others = {}) => {
    const target = followReference(document, { ref, base }, others)
    return typeof target === 'string' ? target : `${target.document.source}#${formatPointer(target.path)}`
  }

  test('within one document', () => {
    const document = parse({
      a: { $ref: '#/b/0' },
      b: [{ $ref: '#/c%20d' }],
      'c d': { $anchor: 'here', type: 'string' },
      loop: { $ref: '#/pool' },
      pool: { $ref: '#/loop' },
    })
    expect(follow(document, '#/a')).toBe('api.json#/c d')
    expect(follow(document, '#here')).toBe('api.json#/c d')
    expect(follow(document, '#/loop')).toBe('cycle')
    expect(follow(document, '#/b/1')).toBe('place-missing')
    expect(follow(document, '#nowhere')).toBe('place-missing')
    expect(follow(document, 'other.json#/a')).toBe('document-missing')
    expect(follow(document, 'api.json#/b/0')).toBe('api.json#/c d')
  })

  test('identifiers', () => {
    const document = parse({
      $id: 'https://example.com/root.json',
      $defs: {
        A: { $id: 'nested/a.json', $defs: { B: { $anchor: 'b' } } },
        C: {},
      },
    })
    expect(follow(document, 'nested/a.json', 'https://example.com/root.json')).toBe('api.json#/$defs/A')
    expect(follow(document, '#b', 'https://example.com/nested/a.json')).toBe('api.json#/$defs/A/$defs/B')
    expect(follow(document, '/root.json#/$defs/C', 'https://example.com/nested/a.json')).toBe('api.json#/$defs/C')
    expect(follow(document, '#/$defs/B', 'https://example.com/nested/a.json')).toBe('api.json#/$defs/A/$defs/B')
  })

  test('across documents', () => {
    const others = {
      'specs/shared/types.yaml': parse(
        { T: { $ref: '../api.yaml#/x' }, U: { $ref: '#/V' }, V: {} },
        'specs/shared/types.yaml',
      ),
      'specs/api.yaml': parse({ x: {} }, 'specs/api.yaml'),
    }
    const document = parse({}, 'specs/api.yaml')
    expect(follow(document, 'shared/types.yaml#/T', '', others)).toBe('specs/api.yaml#/x')
    expect(follow(document, './shared/types.yaml#/U', '', others)).toBe('specs/shared/types.yaml#/V')
    expect(follow(document, 'shared/types.yaml', '', others)).toBe('specs/shared/types.yaml#')
  })

  test('addresses', () => {
    expect(resolveUri('https://example.com/a/b.yaml', '../c.yaml#/d')).toBe('https://example.com/c.yaml#/d')
    expect(resolveUri('/data/a.yaml', 'b c.yaml')).toBe('/data/b c.yaml')
    expect(resolveUri('a.yaml', 'https://example.com/x')).toBe('https://example.com/x')
  })
})

test('a pointer below an identifier does not leave its resource, except in API descriptions', () => {
  const embedded = { A: { $id: 'a.json', properties: { b: { $ref: '#/$defs/B' } } }, B: {} }
  const schema = parse({ $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: embedded })
  expect(findUnresolved(schema).map(({ code, path }) => `${code} ${path.join('/')}`)).toEqual([
    'unresolved-reference $defs/A/properties/b/$ref',
  ])
  const old = parse({
    $schema: 'http://json-schema.org/draft-04/schema#',
    definitions: { A: { id: 'a.json', properties: { b: { $ref: '#/definitions/B' } } }, B: {} },
  })
  expect(findUnresolved(old).map(({ path }) => path.join('/'))).toEqual(['definitions/A/properties/b/$ref'])
  const schemas = { A: { $id: 'a.json', properties: { b: { $ref: '#/components/schemas/B' } } }, B: {} }
  expect(findUnresolved(parse({ openapi: '3.1.0', components: { schemas } }))).toEqual([])
})

test('what leads nowhere is listed with its place', () => {
  const document = parseDocument(
    'openapi: 3.1.0\ncomponents:\n  schemas:\n    A:\n      $ref: "#/nope"\n    B: {$ref: "#/components/schemas/B"}\n',
    {
      source: 'a.yaml',
    },
  )
  expect(findUnresolved(document)).toEqual([
    {
      code: 'unresolved-reference',
      severity: 'error',
      message: 'Cannot resolve $ref "#/nope": the target does not exist.',
      path: ['components', 'schemas', 'A', '$ref'],
      range: { start: { line: 4, character: 12 }, end: { line: 4, character: 20 } },
    },
    {
      code: 'reference-cycle',
      severity: 'error',
      message: 'Cannot resolve $ref "#/components/schemas/B": it refers to itself.',
      path: ['components', 'schemas', 'B', '$ref'],
      range: { start: { line: 5, character: 14 }, end: { line: 5, character: 38 } },
    },
  ])
})
