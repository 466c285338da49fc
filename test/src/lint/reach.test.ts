import { expect, test } from 'bun:test'
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
