/** One line of the comparison of two texts: kept, taken away or added. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Beyond so many pairs of lines the changed middle is shown as a whole: a table of them would not fit. */
const most = 4_000_000

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

const mark = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }))

/** The changed middle by the longest common subsequence of its lines. */
const middle = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  if (before.length * after.length > most) return [...mark('gone', before), ...mark('new', after)]
  const width = after.length + 1
  // lengths[i * width + j]: of the longest common subsequence of before[i…] and after[j…].
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
  const out: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      out.push({ kind: 'same', text: before[i] ?? '' })
      i++
      j++
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
      out.push({ kind: 'gone', text: before[i] ?? '' })
      i++
    } else {
      out.push({ kind: 'new', text: after[j] ?? '' })
      j++
    }
  }
  return [...out, ...mark('gone', before.slice(i)), ...mark('new', after.slice(j))]
}

/** Compares two texts line by line: the lines of both in reading order, with as few changes as there are. */
export const compareLines = (before: string, after: string): DiffLine[] => {
  const [a, b] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [
    ...mark('same', a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...mark('same', a.slice(a.length - end)),
  ]
}
