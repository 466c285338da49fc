import { expect, test } from 'bun:test'
import { blank, mutate, mutationsOf } from '../../scripts/mutate/mutations.ts'

const changes = (source: string): string[] => mutationsOf(source).map((it) => `${it.line}: ${it.change}`)

test('comparisons, connectives, negations, literals and conditions are changed, one at a time', () => {
  expect(changes('const a = b === c && !d\nif (e(f) < 2) return true\n')).toEqual([
    '1: === → !==',
    '1: && → ||',
    '1: ! → ',
    '2: e(f) < 2 → true',
    '2: e(f) < 2 → false',
    '2: < → <=',
    '2: true → false',
  ])
})

test('conditions of queries, quantifiers and bounds are changed', () => {
  const source = 'const a = and(eq(t.id, 1), isNull(t.b))\nconst c = d.some((it) => Math.max(it, 1))\n'
  expect(changes(source)).toEqual([
    '1: and → or',
    '1: eq → ne',
    '1: isNull → isNotNull',
    '2: .some → .every',
    '2: Math.max → Math.min',
  ])
  expect(mutate('and(a, b)', mutationsOf('and(a, b)')[0]!)).toBe("require('drizzle-orm').or(a, b)")
})

test('a check that only raises is left out, over several lines too; one whose result is used is not', () => {
  const source = 'await spendAddress(\n  a,\n)\nassertGates(gates)\nconst b = checkUrl(c)\nassertOne(d).then(e)\n'
  expect(changes(source)).toEqual(['1: await spendAddress( a, ) → undefined', '4: assertGates(gates) → undefined'])
})

test('the same change in lines of the same text is distinguished by its number', () => {
  const source = 'if (a) throw b\nif (c || d || e) throw f\nif (a) throw b\n'
  expect(mutationsOf(source).map(({ change }) => change)).toEqual([
    'a → true',
    'a → false',
    'c || d || e → true',
    'c || d || e → false',
    '|| → &&',
    '|| → && #2',
    'a → true #2',
    'a → false #2',
  ])
})

test('an operator at the end of a line and a condition after a brace are changed too', () => {
  expect(changes('const a = b ||\n  c\nif (d) {\n} else if (e) {\n}\n')).toEqual([
    '1: || → &&',
    '3: d → true',
    '3: d → false',
    '4: e → true',
    '4: e → false',
  ])
})

test('types, imports, texts, comments and patterns are left alone', () => {
  const source = `import { a } from 'b && c'
  readonly anonymous: true
export type A = B extends true ? 1 : 2
const text = 'x === y' // z === 1
const pattern = /a === [/] b/.test(text)
/* true && false */
`
  expect(changes(source)).toEqual([])
})

test('what is blanked keeps its length and its lines', () => {
  const source = 'a(`x\n${y}`) / 2 // c\n"d\\"e" + /f\\/g/'
  expect(blank(source)).toHaveLength(source.length)
  expect(
    blank(source)
      .split('\n')
      .map((it) => it.trim()),
  ).toEqual(['a(', ') / 2', '+'])
})
