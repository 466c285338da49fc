/** What a difference of lines is drawn from: rows of two sides, with what differs within a pair of lines marked. */
import { diffWordsWithSpace } from 'diff'

/** A part of a line; a marked one is not in the other line of the pair. */
export interface DiffPart {
  readonly text: string
  readonly isMarked: boolean
}

/** A line of one side. */
export interface DiffLine {
  readonly text: string
  /** Counted from 1; null where it is not known. */
  readonly number: number | null
  /** Where the text begins on a longer line, and how long that is. */
  readonly from?: number
  readonly length?: number
}

export interface DiffCell extends DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly parts: readonly DiffPart[]
}

/** Lines beside each other; null where a side has nothing there. */
export interface DiffRow {
  readonly key: string
  readonly old: DiffCell | null
  readonly now: DiffCell | null
}

/** Longer lines are compared from both ends only. */
const longestCompared = 600
/** Blocks with more pairs than this are paired in their order. */
const mostPairs = 2500
/** Lines that share less than this of the longer one are not two states of one line. */
const leastAlike = 0.4

/** How many characters two texts share at their beginning, and how many of the rest at their end. */
const sharedEnds = (a: string, b: string): readonly [start: number, end: number] => {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [start, end]
}

const alikeness = (one: string, other: string): number => {
  const [a, b] = [one.trim(), other.trim()]
  const longest = Math.max(a.length, b.length)
  if (longest === 0) return 1
  const [start, end] = sharedEnds(a, b)
  return (start + end) / longest
}

const plain = (text: string): readonly DiffPart[] => (text === '' ? [] : [{ text, isMarked: false }])

const around = (text: string, [start, end]: readonly [number, number]): readonly DiffPart[] => [
  ...plain(text.slice(0, start)),
  ...(start < text.length - end ? [{ text: text.slice(start, text.length - end), isMarked: true }] : []),
  ...plain(text.slice(text.length - end)),
]

/** Marks that only blanks are between are one. */
const joined = (parts: readonly DiffPart[]): readonly DiffPart[] => {
  const out: DiffPart[] = []
  parts.forEach((part, at) => {
    const isBlank = part.text.trim() === '' && parts[at - 1]?.isMarked === true && parts[at + 1]?.isMarked === true
    const [last, isMarked] = [out.at(-1), part.isMarked || isBlank]
    if (last?.isMarked === isMarked) out[out.length - 1] = { text: last.text + part.text, isMarked }
    else out.push({ text: part.text, isMarked })
  })
  return out
}

/** Both lines of a pair in parts, with what the other one does not have marked. */
export const markPair = (old: string, now: string): readonly [readonly DiffPart[], readonly DiffPart[]] => {
  if (alikeness(old, now) < leastAlike) return [plain(old), plain(now)]
  if (old.length > longestCompared || now.length > longestCompared) {
    const ends = sharedEnds(old, now)
    return [around(old, ends), around(now, ends)]
  }
  const words = diffWordsWithSpace(old, now)
  const side = (isNow: boolean): DiffPart[] =>
    words.flatMap(({ value, added, removed }) =>
      (isNow ? removed : added) ? [] : [{ text: value, isMarked: isNow ? added : removed }],
    )
  return [joined(side(false)), joined(side(true))]
}

/** Which removed line became which added one, in their order: as much alike as the pairs can be together. */
const pairsOf = (old: readonly DiffLine[], now: readonly DiffLine[]): readonly (readonly [number, number])[] => {
  if (old.length * now.length > mostPairs) return []
  const width = now.length + 1
  const best = new Float64Array((old.length + 1) * width)
  const worth = (a: number, b: number): number => {
    const found = alikeness(old[a]?.text ?? '', now[b]?.text ?? '')
    return found < leastAlike ? 0 : found
  }
  const at = (a: number, b: number): number => best[a * width + b] ?? 0
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--) {
      const paired = worth(a, b)
      const apart = Math.max(at(a + 1, b), at(a, b + 1))
      best[a * width + b] = paired === 0 ? apart : Math.max(paired + at(a + 1, b + 1), apart)
    }
  const pairs: (readonly [number, number])[] = []
  let [a, b] = [0, 0]
  while (a < old.length && b < now.length) {
    if (at(a, b) === at(a + 1, b)) a++
    else if (at(a, b) === at(a, b + 1)) b++
    else pairs.push([a++, b++])
  }
  return pairs
}

const cell = (line: DiffLine, kind: DiffCell['kind'], parts = plain(line.text)): DiffCell => ({ ...line, kind, parts })

const keyOf = (old: DiffLine | null, now: DiffLine | null, index: number): string =>
  `${old?.number ?? ''}:${now?.number ?? ''}:${index}`

/** A line that both sides have. */
export const sameRow = (old: DiffLine, now: DiffLine): DiffRow => ({
  key: keyOf(old, now, 0),
  old: cell(old, 'same'),
  now: cell(now, 'same'),
})

/** Lines that took the place of others, beside each other where one became the other. */
export const changedRows = (old: readonly DiffLine[], now: readonly DiffLine[]): readonly DiffRow[] => {
  const rows: DiffRow[] = []
  const add = (one: DiffLine | null, other: DiffLine | null): void => {
    const [a, b] = one !== null && other !== null ? markPair(one.text, other.text) : [undefined, undefined]
    rows.push({
      key: keyOf(one, other, rows.length),
      old: one === null ? null : cell(one, 'gone', a),
      now: other === null ? null : cell(other, 'new', b),
    })
  }
  let [a, b] = [0, 0]
  const apart = (toOld: number, toNow: number): void => {
    while (a < toOld || b < toNow) add(a < toOld ? (old[a++] ?? null) : null, b < toNow ? (now[b++] ?? null) : null)
  }
  for (const [one, other] of pairsOf(old, now)) {
    apart(one, other)
    add(old[a++] ?? null, now[b++] ?? null)
  }
  apart(old.length, now.length)
  return rows
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)/

/** The rows of a hunk of a unified diff. */
export const rowsOfHunk = (diff: string): readonly DiffRow[] => {
  const rows: DiffRow[] = []
  let [gone, fresh]: [DiffLine[], DiffLine[]] = [[], []]
  let [old, now] = [1, 1]
  const end = (): void => {
    rows.push(...changedRows(gone, fresh))
    ;[gone, fresh] = [[], []]
  }
  for (const line of diff.split('\n')) {
    const head = hunkHead.exec(line)
    const text = line.slice(1)
    if (head !== null) [old, now] = [Number(head[1]), Number(head[2])]
    else if (line.startsWith('-')) gone.push({ text, number: old++ })
    else if (line.startsWith('+')) fresh.push({ text, number: now++ })
    else {
      end()
      if (line !== '') rows.push(sameRow({ text, number: old++ }, { text, number: now++ }))
    }
  }
  end()
  return rows
}

/** Rows below each other: of what changed, the removed lines are before the added ones. */
export const inOneColumn = (rows: readonly DiffRow[]): readonly DiffRow[] => {
  const out: DiffRow[] = []
  let added: DiffRow[] = []
  const end = (): void => {
    out.push(...added)
    added = []
  }
  for (const row of rows) {
    if (row.now?.kind === 'same') {
      end()
      out.push(row)
      continue
    }
    if (row.old !== null) out.push({ key: `${row.key} old`, old: row.old, now: null })
    if (row.now !== null) added.push({ key: `${row.key} now`, old: null, now: row.now })
  }
  end()
  return out
}
