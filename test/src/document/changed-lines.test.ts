import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changedLines } from '../../../src/document/changed-lines.ts'

const told = (before: readonly string[], after: readonly string[]): string[] =>
  changedLines(before.join('\n'), after.join('\n')).map(({ line, added, removed }) => `${line} +${added} -${removed}`)

test('lines that were replaced, added and removed are found where they are', () => {
  expect(told(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual([])
  expect(told(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd', 'e'])).toEqual(['1 +1 -1', '4 +1 -0'])
  expect(told(['a', 'b', 'c'], ['a', 'c'])).toEqual(['1 +0 -1'])
  expect(told(['a', 'b', 'c'], ['b', 'c', 'a'])).toEqual(['0 +0 -1', '2 +1 -0'])
  expect(told([''], ['a', 'b'])).toEqual(['0 +2 -1'])
})

test('the lines that it does not name are those of the earlier text, in their order', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '  d', '}', '1', '2', '3', '4', '5'), { maxLength: 30 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, now] = [before.join('\n').split('\n'), after.join('\n').split('\n')]
      let [x, y] = [0, 0]
      for (const { line, added, removed } of changedLines(before.join('\n'), after.join('\n'))) {
        expect(now.slice(y, line)).toEqual(old.slice(x, x + line - y))
        expect(added + removed).toBeGreaterThan(0)
        ;[x, y] = [x + line - y + removed, line + added]
      }
      expect(now.slice(y)).toEqual(old.slice(x))
    }),
    { numRuns: 500 },
  )
})

test('a text of which every line is another one costs no more than one of which few are', () => {
  const before = Array.from({ length: 100_000 }, (_, at) => `old ${at % 7}`)
  const after = Array.from({ length: 100_000 }, (_, at) => `new ${at % 5}`)
  expect(told(before, after)).toEqual(['0 +100000 -100000'])
})
