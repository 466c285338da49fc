import { expect, test } from 'bun:test'
import { writeChanged } from '../../../src/convert/text.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const read = (text: string, source = 'a.yaml') => parseDocument(text, { source })

test('keeps comments, order and layout around what changed', () => {
  const document = read(`# top
b: {  $ref: 'x.yaml' }   # the reference
a:
  - 1
  # between
  - $ref: x.yaml#/y
`)
  const wanted = { b: { $ref: '#/defs/x' }, a: [1, { $ref: '#/defs/Z' }], defs: { x: {}, Z: { type: 'string' } } }
  expect(writeChanged(document, wanted, 'yaml')).toEqual({
    text: `# top
b: {  $ref: '#/defs/x' }   # the reference
a:
  - 1
  # between
  - $ref: "#/defs/Z"
defs:
  x: {}
  Z:
    type: string
`,
    keepsLayout: true,
  })
})

test('keeps the layout of JSON', () => {
  const document = read('{ "a": {"$ref": "x.json"},\n  "c": 1.0 }\n', 'a.json')
  expect(writeChanged(document, { a: { $ref: '#/d/x' }, c: 1, d: { x: true } }, 'json').text).toBe(
    '{ "a": {"$ref": "#/d/x"},\n  "c": 1.0, "d": {"x":true} }\n',
  )
})

test('replaces a reference by what has nothing of it', () => {
  const document = read('paths:\n  # pets\n  /pets:\n    $ref: pets.yaml\n')
  expect(writeChanged(document, { paths: { '/pets': { get: { tags: ['a'] } } } }, 'yaml').text).toBe(
    'paths:\n  # pets\n  /pets:\n    get:\n      tags:\n        - a\n',
  )
})

test('an unchanged value is the text itself, and another syntax is written from the value', () => {
  const document = read('a:   1 # one\n')
  expect(writeChanged(document, document.value, 'yaml')).toEqual({ text: 'a:   1 # one\n', keepsLayout: true })
  expect(writeChanged(document, document.value, 'json')).toEqual({ text: '{\n  "a": 1\n}\n', keepsLayout: false })
})

test('what the text gives no safe place for is written from the value, and only that', () => {
  const document = read('a: &x { b: 1 }\nc: *x\n')
  expect(writeChanged(document, { a: { b: 1 }, c: { b: 2 } }, 'yaml')).toEqual({
    text: 'a: &x { b: 1 }\nc:\n  b: 2\n',
    keepsLayout: true,
  })
  expect(writeChanged(document, { d: { b: 2 } }, 'yaml')).toEqual({ text: 'd:\n  b: 2\n', keepsLayout: false })
})

test('numbers that no double holds keep their digits in both syntaxes', () => {
  const document = read('{"a": 12345678901234567890, "b": ["x"]}', 'a.json')
  expect(writeChanged(document, document.value, 'yaml', document.exactValue()).text).toBe(
    'a: 12345678901234567890\nb:\n  - x\n',
  )
  const changed = { ...(document.exactValue() as { a: Json }), c: 1 }
  expect(writeChanged(document, { ...(document.value as { a: Json }), c: 1 }, 'json', changed).text).toBe(
    '{\n  "a": 12345678901234567890,\n  "b": [\n    "x"\n  ],\n  "c": 1\n}\n',
  )
})
