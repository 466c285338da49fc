import { describe, expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { narrowTo, type Scope } from '../../../src/diff/scope.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const operation = (more: JsonObject = {}): JsonObject => ({ responses: { '200': { description: 'ok' } }, ...more })
const documentOf = (paths: JsonObject, more: JsonObject = {}) =>
  parseDocument(JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more }), {
    source: 'api.json',
  })

const base = documentOf({
  '/pets': {
    get: operation({ operationId: 'listPets', tags: ['pets'] }),
    post: operation({ tags: ['pets', 'write'] }),
  },
  '/pets/{id}': { get: operation({ tags: ['pets'] }), delete: operation() },
  '/shops/{shop}/pets': { get: operation({ tags: ['shops'] }) },
})
const head = documentOf(
  {
    '/pets': { get: operation({ operationId: 'listPets', tags: ['pets'] }) },
    '/pets/{petId}': { get: operation({ tags: ['pets', 'new'] }) },
    '/stores': { get: operation({ tags: ['shops'] }) },
  },
  { servers: [{ url: 'https://new.example' }] },
)
const none: Scope = { paths: [], operations: [], tags: [] }
const narrowed = (scope: Partial<Scope>) => {
  const { result, summary } = narrowTo({ ...none, ...scope }, diff(base, head), base, head)
  return {
    changes: result.changes.map(({ id, operations }) => [id, ...operations].join(' ')),
    selected: `${summary.selected} of ${summary.total}`,
    leftOut: summary.leftOut.counts,
  }
}
const refusal = (scope: Partial<Scope>): string => {
  try {
    narrowed(scope)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}
const whole = diff(base, head)
  .changes.filter(({ operations }) => operations.length === 0)
  .map(({ id }) => id)

describe('a comparison of a part of an API', () => {
  test('keeps what was asked for and what reaches every operation, and counts the rest', () => {
    expect(whole).toEqual(['server-added'])
    expect(narrowed({ operations: ['POST /pets'] })).toEqual({
      changes: ['operation-removed POST /pets', ...whole],
      selected: '1 of 6',
      leftOut: { breaking: 2, 'non-breaking': 2, 'docs-only': 0 },
    })
    expect(narrowed({ operations: ['listPets'] }).changes).toEqual(whole)
    expect(narrowed({ tags: ['write'] }).changes).toEqual(['operation-removed POST /pets', ...whole])
    expect(narrowed({ tags: ['pets'], operations: ['GET /pets/{x}'] }).changes).toEqual([
      'operation-tags-changed GET /pets/{petId}',
      ...whole,
    ])
  })

  test('a change of several operations stays where one of them was asked for', () => {
    const shared = (type: string) => {
      const use = operation({ parameters: [{ $ref: '#/components/parameters/P' }] })
      return documentOf(
        { '/a': { get: use }, '/b': { get: use } },
        { components: { parameters: { P: { name: 'p', in: 'query', schema: { type } } } } },
      )
    }
    const [before, after] = [shared('string'), shared('integer')]
    const whole = diff(before, after)
    const { result } = narrowTo({ ...none, paths: ['/a'] }, whole, before, after)
    expect(whole.changes.map((it) => it.operations)).toEqual([['GET /a', 'GET /b']])
    expect(result.changes).toEqual(whole.changes)
  })

  test('paths are globs on whole templates, or regular expressions', () => {
    const removed = (scope: Partial<Scope>) =>
      narrowed(scope).changes.filter((it) => it.startsWith('operation-removed'))
    expect(removed({ paths: ['/pets'] })).toEqual(['operation-removed POST /pets'])
    expect(removed({ paths: ['/pets/*'] })).toEqual(['operation-removed DELETE /pets/{id}'])
    expect(removed({ paths: ['/pets/{any}'] })).toEqual(['operation-removed DELETE /pets/{id}'])
    expect(removed({ paths: ['/pets**'] })).toEqual([
      'operation-removed POST /pets',
      'operation-removed DELETE /pets/{id}',
    ])
    expect(removed({ paths: ['/{shops,stores}/**'] })).toEqual(['operation-removed GET /shops/{shop}/pets'])
    expect(removed({ paths: ['^/(shops|stores)'] })).toEqual(['operation-removed GET /shops/{shop}/pets'])
    expect(removed({ paths: ['/pets'], tags: ['shops', 'write'] })).toEqual(['operation-removed POST /pets'])
  })

  test('a filter that fits nothing is refused, so that a typo passes no gate', () => {
    expect(refusal({ paths: ['/pet'] })).toContain('No operation of either document has the path "/pet"')
    expect(refusal({ operations: ['GET /pet'] })).toContain(
      'No operation of either document has the operation "GET /pet"',
    )
    expect(refusal({ tags: ['pets', 'pet'] })).toContain('No operation of either document has the tag "pet"')
    expect(refusal({ paths: ['/stores'], tags: ['write'] })).toContain(
      'No operation of either document matches all filters',
    )
    expect(refusal({ paths: ['^('] })).toContain('"^(" is not a regular expression')
    const schema = parseDocument('{"type":"string","enum":["a"]}', { source: 's.json' })
    expect(() => narrowTo({ ...none, tags: ['x'] }, diff(schema, schema), schema, schema)).toThrow(
      'Filters by path, operation and tag need documents with operations',
    )
  })
})
