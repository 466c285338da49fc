/** Documents of other families are named, with what svc can do for them. */
import { expect, test } from 'bun:test'
import { familyOf, familySentence } from '../../../src/document/family.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const nameOf = (text: string, source = 'x'): string | null => familyOf(parseDocument(text, { source }))?.name ?? null

test.each([
  ['asyncapi: 3.0.0\nchannels: {}\n', 'AsyncAPI 3.0.0'],
  ['asyncapi: [1]\n', 'AsyncAPI'],
  ['overlay: 1.1.0\nactions: []\n', 'an Overlay 1.1.0'],
  [
    '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[]}',
    'a Postman collection',
  ],
  ['{"info":{"_postman_id":"x","name":"n"},"item":[]}', 'a Postman collection'],
  ['{"log":{"version":"1.2","creator":{},"entries":[]}}', 'a HAR 1.2 file of recorded requests'],
  ['{"consumer":{"name":"a"},"provider":{"name":"b"},"interactions":[]}', 'a Pact contract'],
  ['{"data":{"__schema":{}}}', 'the introspection of a GraphQL schema'],
  ['# shop\n"""\nThe root\n"""\ntype Query {\n  a(b: Int): Int!\n}\n', 'a GraphQL schema'],
  ['type Query { a: Int }\n', 'a GraphQL schema'],
  ['union A = B | C\n', 'a GraphQL schema'],
  ['// shop\nsyntax = "proto3";\nmessage A { string b = 1; }\n', 'a protobuf file'],
  ['package shop.v1;\nservice Orders { rpc Get (A) returns (B); }\n', 'a protobuf file'],
  ['#%RAML 1.0\ntitle: T\n', 'RAML'],
])('%j is %s', (text, name) => {
  expect(nameOf(text)).toBe(name)
})

test.each([
  'openapi: 3.1.0\n',
  'a: 1\n',
  'type: object\nenum: [a]\n',
  'schema: { a: 1 }\n',
  '',
  'hello world\n',
  '[1]',
  'overlay: 1\n',
  'log: { a: 1 }\n',
])('%j is of no other family', (text) => {
  expect(nameOf(text)).toBeNull()
})

test('a sentence says what can be done', () => {
  expect(familySentence(parseDocument('asyncapi: 2.6.0\n', { source: 'x' }))).toBe(
    'it is AsyncAPI 2.6.0: svc has no rules for it; "svc lint --guide" applies a ruleset of yours, and "svc overlay apply" changes it',
  )
  expect(familySentence(parseDocument('a: 1\n', { source: 'x' }))).toBeNull()
})
