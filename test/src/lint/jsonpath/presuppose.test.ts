import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../../src/kernel/json.ts'
import { compileExpression } from '../../../../src/lint/jsonpath/evaluate.ts'
import { parseExpression } from '../../../../src/lint/jsonpath/expression.ts'
import { presupposed } from '../../../../src/lint/jsonpath/presuppose.ts'

const known = (text: string) => {
  const { members, properties } = presupposed(parseExpression(text))
  return [members && [...members], properties && [...properties]]
}

test.each([
  ['@ && @.enum && @.type', ['enum'], null],
  ['@.a || @.b', ['a', 'b'], null],
  ['@.a || true', null, null],
  ["@property === '$ref'", null, ['$ref']],
  ["@property !== 'properties' && (@.example !== void 0 || @.default !== void 0)", ['example', 'default'], null],
  ["@.enum.constructor.name === 'Array'", ['enum'], null],
  ["@.constructor.name === 'Array'", null, null],
  ['@.a !== null', null, null],
  ['@.a != null', ['a'], null],
  ['@.length', null, null],
  ['@.items.length', ['items'], null],
  ['!@.a', null, null],
  ["@.in == 'body' && @property == 'x'", ['in'], ['x']],
] as const)('%s presupposes members %p and keys %p', (text, members, properties) => {
  expect(known(text)).toEqual([members && [...members], properties && [...properties]])
})

const names = ['a', 'b', 'length', '0', 'constructor', 'name']
const operand = fc.oneof(
  fc.constantFrom('@', '@property', 'null', 'void 0', 'true', 'false', '0', '1', "''", "'a'", "'b'", '@parent'),
  fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((it) => `@['${it.join("']['")}']`),
)
const comparison = fc
  .tuple(operand, fc.constantFrom('===', '!==', '==', '!=', '<', '>', 'in'), operand)
  .map((it) => it.join(' '))
const { text } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    operand,
    comparison,
    fc.tuple(tie('text'), fc.constantFrom('&&', '||'), tie('text')).map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie('text').map((it) => `!(${it})`),
  ),
}))
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, '', 'a', 'b'),
    fc.dictionary(fc.constantFrom('a', 'b', 'length', '0', 'name'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ) as fc.Arbitrary<Json>,
}))

test('a filter holds nowhere but where what it presupposes holds', () => {
  fc.assert(
    fc.property(text, value, fc.constantFrom('a', 'b', '0'), (source, entry, property) => {
      const expression = parseExpression(source)
      const scope = {
        value: entry,
        property,
        container: {},
        parent: {},
        parentProperty: null,
        root: {},
        path: () => '$',
      }
      if (!compileExpression(expression)(scope)) return
      const { members, properties } = presupposed(expression)
      if (members !== null) {
        expect(typeof entry === 'object' && entry !== null && !Array.isArray(entry)).toBe(true)
        expect([...members].some((name) => Object.hasOwn(entry as object, name))).toBe(true)
      }
      if (properties !== null) expect(properties.has(property)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})
