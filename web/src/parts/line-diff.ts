import { diffLines } from 'diff'

/** One line of the comparison of two texts: kept, removed or added. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Beyond so many changed lines the search for the shortest comparison takes too long for a page. */
const mostEdits = 4000

const mark = (kind: DiffLine['kind'], text: string): DiffLine[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ kind, text: line }))

/**
 * Compares two texts line by line.
 * @returns The lines of both in reading order with as few changes as there are; the whole of both where the two have
 * more than 4,000 different lines.
 */
export const compareLines = (before: string, after: string): DiffLine[] => {
  // The last line counts the same with and without a line break.
  const [a, b] = [before, after].map((it) => (it === '' || it.endsWith('\n') ? it : `${it}\n`)) as [string, string]
  const parts = diffLines(a, b, { maxEditLength: mostEdits })
  if (parts === undefined) return [...mark('gone', a), ...mark('new', b)]
  return parts.flatMap(({ value, added, removed }) => mark(added ? 'new' : removed ? 'gone' : 'same', value))
}
