import { expect, test } from 'bun:test'
import { blank, mutationsOf } from '../../scripts/mutate/mutations.ts'

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
