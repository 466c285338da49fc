import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/document/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { canonicalize } from '../../../src/document/serialize.ts'
import { mergeDocuments } from '../../../src/merge/merge.ts'
import { patchBetween } from '../../../src/merge/patch-between.ts'
import { patchText } from '../../../src/patch/patch-text.ts'

const read = (text: string): Json => parseDocument(text, { source: 'a.yaml' }).value
const base = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
tags: [{ name: pets }]
paths:
  /pets:
    get:
      summary: List
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: tag, in: query, schema: { type: string } }
      responses: { '200': { description: ok } }
components:
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
`
const merge = (mine: string, theirs: string) => mergeDocuments(read(base), read(mine), read(theirs))

test('changes of different operations, parameters and schemas are merged', () => {
  const mine = base
    .replace('summary: List', 'summary: List all pets')
    .replace('required: [id]', 'required: [id, name]')
    .replace(
      '{ name: limit, in: query, schema: { type: integer } }',
      '{ name: limit, in: query, schema: { type: integer, maximum: 50 } }',
    )
  const theirs = base
    .replace('paths:', "paths:\n  /owners: { get: { responses: { '200': { description: ok } } } }")
    .replace(
      '        - { name: tag, in: query, schema: { type: string } }\n',
      '        - { name: age, in: query, schema: { type: integer } }\n',
    )
    .replace('required: [id]', 'required: [id, age]')
    .replace('[{ name: pets }]', '[{ name: owners }, { name: pets }]')
  const { state, document, conflicts } = merge(mine, theirs)
  expect([state, conflicts]).toEqual(['clean', []])
  expect(document).toEqual(
    read(`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
tags: [{ name: owners }, { name: pets }]
paths:
  /pets:
    get:
      summary: List all pets
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 50 } }
        - { name: age, in: query, schema: { type: integer } }
      responses: { '200': { description: ok } }
  /owners: { get: { responses: { '200': { description: ok } } } }
components:
  schemas:
    Pet: { type: object, required: [id, name, age], properties: { id: { type: string }, name: { type: string } } }
`),
  )
})

test('places that both changed are conflicts, named by what they belong to; the result has mine', () => {
  const mine = base
    .replace('summary: List', 'summary: Mine')
    .replace(
      '{ name: limit, in: query, schema: { type: integer } }',
      '{ name: limit, in: query, schema: { type: number } }',
    )
    .replace('name: { type: string } }', 'name: { type: number } }')
  const theirs = base
    .replace('summary: List', 'summary: Theirs')
    .replace('        - { name: limit, in: query, schema: { type: integer } }\n', '')
    .replace(', name: { type: string } }', ' }')
    .replace('version: 1.0.0', 'version: 1.1.0')
  const { state, document, conflicts } = merge(mine, theirs)
  expect([state, conflicts]).toEqual([
    'conflicts',
    [
      { pointer: '/paths/~1pets/get/summary', subject: 'GET /pets', base: 'List', mine: 'Mine', theirs: 'Theirs' },
      {
        pointer: '/paths/~1pets/get/parameters/limit query',
        subject: 'parameter limit of GET /pets',
        base: { name: 'limit', in: 'query', schema: { type: 'integer' } },
        mine: { name: 'limit', in: 'query', schema: { type: 'number' } },
        theirs: null,
      },
      {
        pointer: '/components/schemas/Pet/properties/name',
        subject: 'schema Pet',
        base: { type: 'string' },
        mine: { type: 'number' },
        theirs: null,
      },
    ],
  ])
  expect(document).toEqual(read(mine.replace('version: 1.0.0', 'version: 1.1.0')))
})

test('a side that is as it was leaves the other one', () => {
  const other = base.replace('List', 'Other')
  expect(merge(base, other)).toEqual({ state: 'fast-forward', document: read(other), conflicts: [] })
  expect(merge(other, base)).toEqual({ state: 'fast-forward', document: read(other), conflicts: [] })
  expect(merge(other, other)).toEqual({ state: 'fast-forward', document: read(other), conflicts: [] })
})

const key = fc.constantFrom('a', 'b', 'c', 'name', 'in', '__proto__')
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(1, 2, 'x', 'y', true, null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).json

test('properties: one side alone wins, both alike is that, conflicts do not depend on the side, clean merges are the same', () => {
  fc.assert(
    fc.property(value, value, value, (before, mine, theirs) => {
      const same = (a: Json, b: Json) => canonicalize(a) === canonicalize(b)
      expect(same(mergeDocuments(before, before, theirs).document, theirs)).toBe(true)
      expect(same(mergeDocuments(before, mine, before).document, mine)).toBe(true)
      expect(same(mergeDocuments(before, mine, mine).document, mine)).toBe(true)
      const one = mergeDocuments(before, mine, theirs)
      const other = mergeDocuments(before, theirs, mine)
      const places = ({ conflicts }: typeof one) => conflicts.map(({ pointer }) => pointer).toSorted()
      expect(one.state).toBe(other.state)
      expect(places(one)).toEqual(places(other))
      if (one.state !== 'conflicts') expect(sorted(one.document)).toEqual(sorted(other.document))
    }),
    { numRuns: 1000 },
  )
})

/** Without the order of lists, in which the sides differ. */
const sorted = (it: Json): unknown => {
  if (Array.isArray(it))
    return (it as readonly Json[])
      .map(sorted)
      .map((one) => JSON.stringify(one))
      .toSorted()
  if (typeof it !== 'object' || it === null) return it
  return Object.entries(it)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)])
}

test('the patch between two values makes one of the other, in the text too', () => {
  fc.assert(
    fc.property(value, value, (from, to) => {
      const document = parseDocument(JSON.stringify({ it: from }), { source: 'a.json' })
      const text = patchText(document, patchBetween({ it: from }, { it: to }))
      expect(canonicalize(parseDocument(text, { source: 'a.json' }).value)).toBe(canonicalize({ it: to }))
    }),
    { numRuns: 500 },
  )
})
