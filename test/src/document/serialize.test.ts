import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse as parseReference } from 'yaml'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import {
  canonicalize,
  digestValue,
  serializeJson,
  serializeReadably,
  serializeYaml,
} from '../../../src/document/serialize.ts'

test('YAML of every kind of node', () => {
  expect(
    serializeYaml({
      openapi: '3.1.0',
      version: '1.0',
      yes: 'no',
      text: 'two\nlines\n',
      kept: 'two\n\n\n',
      stripped: 'a\n  b',
      list: [1, [true, null], { a: 1, b: [] }, {}, 'x: y'],
      nested: { deeper: { deepest: 'a sentence with spaces' } },
      '/pets/{id}': '#not a comment',
      200: -1.5e30,
    }),
  ).toBe(`"200": -1.5e+30
openapi: 3.1.0
version: "1.0"
"yes": "no"
text: |
  two
  lines
kept: |+
  two


stripped: |-
  a
    b
list:
  - 1
  - - true
    - null
  - a: 1
    b: []
  - {}
  - "x: y"
nested:
  deeper:
    deepest: a sentence with spaces
/pets/{id}: "#not a comment"
`)
})

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\t',
        '#',
        ':',
        '- ',
        '08',
        '1e3',
        '~',
        '"',
        "'",
        '\r',
        '\u2028',
        '\u0085',
        '\ufeff',
        'null',
        '|',
        '<<',
        '=',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
)
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      texts.filter((key) => key !== '__proto__' && key !== '<<'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value

test('every value survives YAML, by two readers', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = serializeYaml(value)
      expect(parseReference(text, { maxAliasCount: 0 })).toEqual(value)
      expect(parseDocument(text, { source: 'a.yaml' }).value).toEqual(value)
    }),
    { numRuns: 1000 },
  )
})

test('JSON ends with a line break', () => {
  expect(serializeJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  expect(serializeJson({ a: [1] }, 0)).toBe('{"a":[1]}\n')
})

test('canonical JSON (the example of RFC 8785, 3.2.4) and its digest', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  }
  expect(canonicalize(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  expect(digestValue({ b: 1, a: 2 })).toBe(digestValue({ a: 2, b: 1 }))
  expect(digestValue({})).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
})

test('JSON is indented where it is of a size to be read', () => {
  expect(serializeReadably({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  const large = { a: 'x'.repeat(1_000_000) }
  expect(serializeReadably(large)).toBe(`${JSON.stringify(large)}\n`)
})
