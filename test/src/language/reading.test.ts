import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
import { excerptOf } from '../../../src/language/excerpt.ts'
import { placeAt } from '../../../src/language/place.ts'
import { symbolsOf, type DocumentSymbol } from '../../../src/language/symbols.ts'

const text = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { operationId: list, responses: {} }
    post:
      summary: Create
components:
  parameters:
    limit: { name: limit, in: query }
  schemas:
    Pet:
      type: object
      properties:
        2: { type: string }
        name: { $ref: '#/components/schemas/Name' }
    Name:
      type: string
`
const document = parseDocument(text, { source: 'api.yaml' })

const drawn = (all: readonly DocumentSymbol[], depth = 0): string[] =>
  all.flatMap(({ name, detail, kind, children }) => [
    `${'  '.repeat(depth)}${name} [${kind}] ${detail}`.trimEnd(),
    ...drawn(children, depth + 1),
  ])

test('the outline of an API description has its operations and components, in the order of the text', () => {
  expect(drawn(symbolsOf(document))).toEqual([
    'info [group] Pets',
    'paths [group]',
    '  /pets [path]',
    '    GET /pets [operation] list',
    '    POST /pets [operation] Create',
    'components [group]',
    '  parameters [group]',
    '    limit [component]',
    '  schemas [group]',
    '    Pet [schema] object',
    '      2 [property] string',
    '      name [property] #/components/schemas/Name',
    '    Name [schema] string',
  ])
})

test('the outline of workflows, tools, rules and schemas', () => {
  const outline = (source: string): string[] => drawn(symbolsOf(parseDocument(source, { source: 'x.yaml' })))
  expect(
    outline('arazzo: 1.0.0\nworkflows: [{ workflowId: buy, steps: [{ stepId: pay, operationId: charge }, {}] }]'),
  ).toEqual(['workflows [group]', '  buy [group]', '    pay [step] charge', '    (no name) [step]'])
  expect(outline('tools: [{ name: search, title: Search }]')).toEqual(['tools [group]', '  search [tool] Search'])
  expect(outline('rules: { a: warn, b: { severity: error } }')).toEqual([
    'rules [group]',
    '  a [rule] warn',
    '  b [rule] error',
  ])
  expect(outline('$schema: x\nproperties: { a: { type: string } }')).toEqual([
    'properties [group]',
    '  a [schema] string',
  ])
  expect(outline('[')).toEqual([])
})

test('a place is the innermost node around an offset', () => {
  const at = (needle: string, shift = 0) => placeAt(document, text.indexOf(needle) + shift)
  expect(at('operationId')).toEqual({ path: ['paths', '/pets', 'get', 'operationId'], isKey: true })
  expect(at('list', 2)).toEqual({ path: ['paths', '/pets', 'get', 'operationId'], isKey: false })
  expect(at('/pets:')).toEqual({ path: ['paths', '/pets'], isKey: true })
  expect(at("'#/comp", 3)).toEqual({
    path: ['components', 'schemas', 'Pet', 'properties', 'name', '$ref'],
    isKey: false,
  })
  expect(placeAt(document, text.length)).toEqual({ path: [], isKey: false })
  expect(placeAt(parseDocument('', { source: 'x.yaml' }), 0)).toEqual({ path: [], isKey: false })
  const json = parseDocument('{"a": [1, {"b": "c"}]}', { source: 'x.json' })
  expect(placeAt(json, 17)).toEqual({ path: ['a', 1, 'b'], isKey: false })
})

test('every key and scalar of a text is found at its own place', () => {
  const visit = (path: readonly (string | number)[]): number => {
    const value = getPath(document.value, path)
    const key = path.length === 0 ? null : document.span(path, { key: true })
    if (key !== null) expect(placeAt(document, key.start)).toEqual({ path: [...path], isKey: true })
    if (typeof value === 'object' && value !== null)
      return Object.keys(value).reduce((sum, step) => sum + visit([...path, step]), 1)
    const span = document.span(path)
    if (span !== null && span.start < span.end) expect(placeAt(document, span.start).path).toEqual([...path])
    return 1
  }
  expect(visit([])).toBe(27)
})

test('an excerpt follows references, ends with circles and is cut to a size', () => {
  const place = (pointer: string[]) => ({ document, path: pointer, value: getPath(document.value, pointer) ?? null })
  expect(excerptOf(place(['components', 'schemas', 'Pet']), {})).toBe(
    `type: object\nproperties:\n  "2":\n    type: string\n  name:\n    type: string`,
  )
  const circle = parseDocument('$defs:\n  a: { items: { $ref: "#/$defs/a" }, long: "' + 'x'.repeat(500) + '" }\n', {
    source: 'c.yaml',
  })
  const a = { document: circle, path: ['$defs', 'a'], value: getPath(circle.value, ['$defs', 'a']) ?? null }
  expect(excerptOf(a, {})).toBe(
    [
      'items:',
      '  items:',
      '    items:',
      '      $ref: "#/$defs/a"',
      `    long: "${'x'.repeat(400)}…"`,
      `  long: "${'x'.repeat(400)}…"`,
      `long: "${'x'.repeat(400)}…"`,
    ].join('\n'),
  )
  const wide = parseDocument(JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]))), {
    source: 'w.json',
  })
  const lines = excerptOf({ document: wide, path: [], value: wide.value }, {}).split('\n')
  expect([lines.length, lines[39], lines[40]]).toEqual([41, 'k39: 39', '…'])
})
