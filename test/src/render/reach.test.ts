import { expect, test } from 'bun:test'
import { operationPart, Reach, schemaPart } from '../../../src/render/reach.ts'

test('a part is reached by references relative to an $id, by anchors and by URIs', () => {
  const body = { content: { 'application/json': { schema: { $ref: 'https://example.com/tree' } } } }
  const reach = new Reach({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { responses: { '200': { description: 'ok', ...body } } } } },
    components: {
      schemas: {
        Tree: { $id: 'https://example.com/tree', properties: { leaf: { $ref: 'leaf' } } },
        Leaf: { $id: 'https://example.com/leaf', $ref: '#/$defs/own', $defs: { own: { type: 'string' } } },
        Alone: { type: 'string' },
      },
    },
  })
  const reached = reach.from([operationPart('paths', '/a', 'get')])
  expect(['Tree', 'Leaf', 'Alone'].filter((name) => reached.has(schemaPart(name)))).toEqual(['Tree', 'Leaf'])
})
