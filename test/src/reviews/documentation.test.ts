/** What is documentation alone: the cases in which an approval of one document is one of another. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { distanceBetween } from '../../../src/reviews/documentation.ts'

const pet = (more: Record<string, Json> = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1', description: 'All of them.' },
  paths: {
    '/pets': {
      get: { operationId: 'listPets', summary: 'List', tags: ['pets'], responses: { '200': { description: 'Pets' } } },
    },
  },
  components: { schemas: { Pet: { type: 'object', title: 'Pet', properties: { description: { type: 'string' } } } } },
  ...more,
})
const changed = (from: string, to: string): Json => {
  const before = JSON.stringify(pet())
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${from} is not there`)
  return JSON.parse(after) as Json
}
const between = (after: Json): [boolean, boolean] => {
  const { isDocumentationOnly, hasSameExtensions } = distanceBetween(pet(), after)
  return [isDocumentationOnly, hasSameExtensions]
}

test('texts for people are documentation, and nothing that a program may read', () => {
  const cases: [string, Json, boolean, boolean][] = [
    ['the same', pet(), true, true],
    ['a description', changed('All of them.', 'Most of them.'), true, true],
    ['a summary', changed('"summary":"List"', '"summary":"List pets"'), true, true],
    ['a description that is gone', changed(',"description":"All of them."', ''), true, true],
    ['external documentation', pet({ externalDocs: { url: 'https://example.com' } }), true, true],
    ['an extension', pet({ 'x-amazon-apigateway-integration': { uri: 'http://other.example' } }), false, false],
    ['an extension within', changed('"tags":["pets"]', '"tags":["pets"],"x-internal":true'), false, false],
    ['a description within an extension', pet({ 'x-a': { description: 'a' } }), false, false],
    ['a title', changed('"title":"Pet"', '"title":"Animal"'), false, true],
    ['a version', changed('"version":"1"', '"version":"2"'), false, true],
    ['a tag', changed('["pets"]', '["animals"]'), false, true],
    ['an operationId', changed('listPets', 'getPets'), false, true],
    ['a server', pet({ servers: [{ url: 'http://other.example' }] }), false, true],
    ['an example', changed('"type":"string"', '"type":"string","example":"Rex"'), false, true],
    ['a property called description', changed('{"description":{"type":"string"}}', '{}'), false, true],
    ['the type of a property called description', changed('"type":"string"', '"type":"integer"'), false, true],
    [
      'a default with a description',
      changed('"type":"object"', '"type":"object","default":{"description":"a"}'),
      false,
      true,
    ],
  ]
  expect(cases.map(([name, after]) => [name, ...between(after)])).toEqual(
    cases.map(([name, , documentation, extensions]) => [name, documentation, extensions]),
  )
})

test('an extension within a name is none: a property may be called x-y', () => {
  const named = (type: string): Json => ({ properties: { 'x-y': { type } } })
  expect(distanceBetween(named('string'), named('integer'))).toEqual({
    isDocumentationOnly: false,
    hasSameExtensions: true,
  })
})

test('documents that are alike stay alike whatever texts for people say, and differ as soon as data does', () => {
  const text = fc.string()
  fc.assert(
    fc.property(text, text, text, (one, other, value) => {
      const of = (description: string, data: string): Json => ({
        info: { description },
        paths: { '/a': { get: { summary: description, parameters: [{ name: 'a', schema: { default: data } }] } } },
      })
      expect(distanceBetween(of(one, value), of(other, value)).isDocumentationOnly).toBe(true)
      expect(distanceBetween(of(one, value), of(one, `${value}.`)).isDocumentationOnly).toBe(false)
    }),
  )
})

test('lists, data and names are looked at as what they are, however deep', () => {
  const answers = (before: Json, after: Json): [boolean, boolean] => {
    const { isDocumentationOnly, hasSameExtensions } = distanceBetween(before, after)
    return [isDocumentationOnly, hasSameExtensions]
  }
  const cases: [string, Json, Json, boolean, boolean][] = [
    [
      'data within data',
      { default: { a: { description: 'a' } } },
      { default: { a: { description: 'b' } } },
      false,
      true,
    ],
    ['data', { default: { description: 'a' } }, { default: { description: 'b' } }, false, true],
    ['an extension', { 'x-a': { description: 'a' } }, { 'x-a': { description: 'b' } }, false, false],
    ['data in a list', { examples: [{ description: 'a' }] }, { examples: [{ description: 'b' }] }, false, true],
    [
      'a property called default',
      { properties: { default: { description: 'a' } } },
      { properties: { default: { description: 'b' } } },
      true,
      true,
    ],
    [
      'a list of parameters',
      { parameters: [{ description: 'a' }] },
      { parameters: [{ description: 'b' }] },
      true,
      true,
    ],
    ['a list and a text', { tags: ['a'] }, { tags: 'a' }, false, true],
    ['one of two', { tags: ['a', 'b'] }, { tags: ['a', 'c'] }, false, true],
    ['an object and a boolean', { additionalProperties: {} }, { additionalProperties: true }, false, true],
    ['an extension in a list', { servers: [{ 'x-a': 1 }] }, { servers: [{ 'x-a': 2 }] }, false, false],
    ['one of a parameter', { parameters: [{ 'x-a': 1 }] }, { parameters: [{ 'x-a': 2 }] }, false, false],
    ['the same extension', { 'x-a': 1, summary: 'a' }, { 'x-a': 1, summary: 'b' }, true, true],
  ]
  expect(cases.map(([name, before, after]) => [name, ...answers(before, after)])).toEqual(
    cases.map(([name, , , documentation, extensions]) => [name, documentation, extensions]),
  )
})
