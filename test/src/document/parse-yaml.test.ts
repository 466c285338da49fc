import { expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { parseYamlText } from '../../../src/document/parse-yaml.ts'
import { scanYaml } from '../../../src/document/scan-yaml.ts'

const limits = { maxDepth: 100, maxExpandedNodes: 1_000_000, maxExpansion: 100 }
const small = { text: 0, nodes: 2, piece: 10 }

/** The value of a text that is divided wherever that is possible, and how many texts were parsed for it. */
const divided = (text: string): { readonly value: Json; readonly parses: number } => {
  const parse = spyOn(Bun.YAML, 'parse')
  try {
    const { outline, aliased } = scanYaml(text, 0, limits)
    const value = parseYamlText(text, aliased ? null : outline, small)
    return { value, parses: parse.mock.calls.length }
  } finally {
    parse.mockRestore()
  }
}

const scalar = fc.constantFrom(
  '1',
  'a b',
  '"x, ]} # y"',
  "'it''s'",
  'null',
  '-0.5',
  '"\\u00e9"',
  'a:b',
  '~',
  '{}',
  '[]',
  '',
)
const gap = fc.constantFrom(' ', '\n  ', ' # note ] }\n  ', '\t')
const key = fc.constantFrom('a', '"b c"', "'d'", '__proto__', '1')
const { flow } = fc.letrec((tie) => ({
  flow: fc.oneof({ depthSize: 'small' }, scalar, tie('map'), tie('list')),
  map: fc
    .array(fc.tuple(key, gap, tie('flow')), { maxLength: 3 })
    .map((all) => `{${all.map(([k, g, v]) => `${k}:${g}${String(v)}`).join(', ')}}`),
  list: fc
    .array(fc.tuple(tie('flow'), gap), { maxLength: 4 })
    .map((all) => `[${all.map(([v, g]) => `${g}${String(v)}`).join(',')}]`),
}))

test('lists that are parsed in pieces have the value of the whole text', () => {
  const lists = fc.array(
    fc.tuple(
      gap,
      fc.oneof(
        flow,
        flow.map((it) => `{a: ${String(it)}}`),
      ),
      gap,
    ),
    { minLength: 2, maxLength: 8 },
  )
  fc.assert(
    fc.property(lists, fc.constantFrom('', '? ', 'x: ', 'x:\n  y: ', '- '), (items, before) => {
      const text = `${before}[${items.map(([a, it, b]) => a + String(it) + b).join(',')}]\n`
      let whole: Json
      try {
        whole = Bun.YAML.parse(text) as Json
      } catch {
        return
      }
      expect(divided(text).value).toEqual(whole)
    }),
    { numRuns: 500 },
  )
})

test('each list is divided at its items', () => {
  const items = Array.from({ length: 30 }, (_, at) => `{a: ${at}}`).join(', ')
  const text = `x: [${items}]\ny: { z: [ [${items}], [1, 2, {b: c}] ] }\n`
  const { value, parses } = divided(text)
  expect(value).toEqual(Bun.YAML.parse(text) as Json)
  expect(parses).toBe(18)
})

test.each([
  ['an alias', 'x: &x [{a: 1}, {a: 2}, {a: 3}]\ny: *x\n'],
  ['a tag of an item', 'x: [!!map {a: 1}, !!map {a: 2}, {a: 3}]\n'],
  ['items of several kinds', 'x: [{a: 1}, b, {a: 3}, {a: 4}]\n'],
  ['pairs', 'x: [{a: 1}: b, c: {d: 1}, {a: 3}]\n'],
  ['a repeated key', 'x: [{a: 1}, {a: 2}, {a: 3}]\nx: [{a: 4}, {a: 5}, {a: 6}]\n'],
  ['text that looks like a placeholder', 'x: [{a: 1}, {a: 2}, {a: 3}]\ny: svc-long-list-0\n'],
  ['a comment with brackets', 'x: [ # [{\n {a: 1}, # }]\n {a: 2}, {a: 3} # ]\n ]\n'],
])('%s does not change the value', (_, text) => {
  expect(divided(text).value).toEqual(Bun.YAML.parse(text) as Json)
})

test('an error is that of the whole text', () => {
  const text = 'x: [{a: 1}, {a: 2}, {a: 3}]\ny: "\n'
  expect(() => divided(text)).toThrow('YAML Parse error')
})
