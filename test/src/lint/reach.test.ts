import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { reachOf } from '../../../src/lint/reach.ts'

const text = `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths:
  /a~b/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get: { responses: { '200': { $ref: '#/components/responses/Ok' } } }
    put: { responses: { '204': { description: none } } }
  /c:
    post: { responses: { '200': { $ref: '#/components/responses/Ok' } } }
components:
  parameters: { Id: { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } } }
  responses: { Ok: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } } }
  schemas:
    Id: { type: string }
    Tree: { type: array }
    Alone: { type: array }
`
const document = parseDocument(text, { source: 'api.yaml' })

test('how many operations reach a place, through references and cycles', () => {
  const reach = reachOf(document)
  const places = {
    '/paths/~1a~0b~1{id}/get/responses': 1,
    '/paths/~1a~0b~1{id}/parameters/0': 2,
    '/paths/~1c/post': 1,
    '/components/parameters/Id/schema': 2,
    '/components/schemas/Id': 2,
    '/components/schemas/Tree/items': 2,
    '/components/schemas/Alone': 0,
    '/info/title': 0,
  }
  expect(Object.fromEntries(Object.keys(places).map((it) => [it, reach(it)]))).toEqual(places)
})

test('as many as following every reference of every operation finds, however they refer to each other', () => {
  const names = Array.from({ length: 12 }, (_, at) => `S${at}`)
  const links = fc.array(fc.subarray(names, { maxLength: 3 }), { minLength: 12, maxLength: 12 })
  const operations = fc.array(fc.subarray(names, { maxLength: 2 }), { minLength: 1, maxLength: 70 })
  fc.assert(
    fc.property(links, operations, (to, used) => {
      const refs = (all: readonly string[]) => all.map((it) => ({ $ref: `#/components/schemas/${it}` }))
      const value = {
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: Object.fromEntries(used.map((it, at) => [`/p${at}`, { get: { parameters: refs(it) } }])),
        components: { schemas: Object.fromEntries(names.map((it, at) => [it, { allOf: refs(to[at]!) }])) },
      }
      const counts = Object.fromEntries(names.map((it) => [it, 0]))
      for (const first of used) {
        const reached = new Set(first)
        for (const it of reached) for (const next of to[names.indexOf(it)]!) reached.add(next)
        for (const it of reached) counts[it]!++
      }
      const reach = reachOf(parseDocument(JSON.stringify(value), { source: 'api.json' }))
      expect(Object.fromEntries(names.map((it) => [it, reach(`/components/schemas/${it}/allOf`)]))).toEqual(counts)
    }),
  )
})
