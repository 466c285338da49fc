import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { unifiedDiff } from '../../../src/report/unified-diff.ts'

const lines = (...all: (string | number)[]): string => all.join('\n')

test('changes are in hunks with three lines around them', () => {
  const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, '')
  expect(unifiedDiff(before, before, 'a')).toBe('')
  expect(unifiedDiff(before, before.replace('2\n', '2\nnew\n').replace('\n14', ''), 'a.yaml')).toBe(
    lines('--- a.yaml', '+++ a.yaml', '@@ -1,5 +1,6 @@', ' 1', ' 2', '+new', ' 3', ' 4', ' 5') +
      lines('\n@@ -11,5 +12,4 @@', ' 11', ' 12', ' 13', '-14', ' 15', ''),
  )
})

test('a last line without a line feed is distinguished from one with it', () => {
  expect(unifiedDiff('a\nb', 'a\nb\n', 'f')).toBe(
    lines('--- f', '+++ f', '@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b', ''),
  )
})

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** What `patch` makes of a text. */
function patch(before: string, diff: string): string {
  const out: string[] = []
  const old = linesOf(before)
  let at = 0
  const written = diff.split('\n').slice(2, -1)
  for (const [index, line] of written.entries()) {
    if (line.startsWith('\\')) continue
    const hunk = /^@@ -(\d+),\d+ \+\d+,\d+ @@$/.exec(line)
    if (hunk !== null) {
      while (at < Number(hunk[1]) - 1) out.push(old[at++] ?? '')
      continue
    }
    const text = line.slice(1) + (written[index + 1]?.startsWith('\\') === true ? '' : '\n')
    if (!line.startsWith('+')) expect(old[at++]).toBe(text)
    if (!line.startsWith('-')) out.push(text)
  }
  return [...out, ...old.slice(at)].join('')
}

test('applied to the first text it gives the second', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '@@', '-x', ''), { maxLength: 30 }).map((it) => it.join('\n'))
  fc.assert(
    fc.property(text, text, (a, b) => {
      const diff = unifiedDiff(a, b, 'f')
      expect(a === b ? a : patch(a, diff)).toBe(b)
    }),
    { numRuns: 1000 },
  )
})
