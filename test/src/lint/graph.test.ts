import { expect, test } from 'bun:test'
import { isObject } from '../../../src/kernel/json.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
import { Graph } from '../../../src/lint/graph.ts'

const text = `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths: {}
components:
  schemas:
    Tree:
      $id: https://example.com/schemas/tree
      $defs:
        leaf: { title: inner }
        again: { $ref: '#/$defs/leaf' }
      properties:
        leaf: { $ref: '#/$defs/leaf' }
        again: { $ref: '#/$defs/again' }
        other: { $ref: other }
    Other: { $id: https://example.com/schemas/other, title: other }
    Use: { $ref: 'https://example.com/schemas/tree#/$defs/again' }
$defs: { leaf: { title: outer } }
`

test('references are resolved against the $id above them, through further references', () => {
  const document = parseDocument(text, { source: 'api.yaml' })
  const graph = new Graph({})
  const titleAt = (...path: string[]): Json | undefined => {
    const target = graph.deref(getPath(document.value, ['components', 'schemas', ...path])!, document)
    return isObject(target) ? target.title : undefined
  }
  expect([
    titleAt('Tree', 'properties', 'leaf'),
    titleAt('Tree', 'properties', 'again'),
    titleAt('Tree', 'properties', 'other'),
    titleAt('Use'),
  ]).toEqual(['inner', 'inner', 'other', 'inner'])
})
