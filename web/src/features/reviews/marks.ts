import type { Thread } from '../../../../src/api/threads.ts'
import type { Change } from '../comparison/queries.ts'
import type { Finding } from '../lint/queries.ts'

/** What is shown below a line of the source. */
export interface Marks {
  /** The line, from 0. */
  readonly line: number
  readonly changes: readonly Change[]
  readonly findings: readonly Finding[]
  readonly threads: readonly Thread[]
  /** Whether a thread is being written here. */
  readonly writing: boolean
}

/** The line of a change in the newer document; null where it has none there. */
export const lineOfChange = ({ head }: Change): number | null => head?.range?.start.line ?? null
export const lineOfThread = ({ place }: Thread): number => place.range.start.line
export const lineOfFinding = ({ range }: Finding): number => range.start.line

/** What belongs to which line, in the order of the lines. Threads of the same line stay in their order. */
export const marksOf = (
  { changes, findings, threads }: Pick<Marks, 'changes' | 'findings' | 'threads'>,
  writingAt: number | null,
): readonly Marks[] => {
  const at = new Map<number, { changes: Change[]; findings: Finding[]; threads: Thread[] }>()
  const of = (line: number) => {
    const known = at.get(line) ?? { changes: [], findings: [], threads: [] }
    at.set(line, known)
    return known
  }
  for (const it of changes) {
    const line = lineOfChange(it)
    if (line !== null) of(line).changes.push(it)
  }
  for (const it of findings) of(lineOfFinding(it)).findings.push(it)
  for (const it of threads) of(lineOfThread(it)).threads.push(it)
  if (writingAt !== null) of(writingAt)
  return [...at]
    .map(([line, marks]) => ({ line, ...marks, writing: line === writingAt }))
    .toSorted((a, b) => a.line - b.line)
}

/** A row of the source: a line, or what is shown below one. */
export type MarkedLine = { readonly line: number } | { readonly marks: Marks }

/** How many of the marks are of lines before this one. */
const countBefore = (marks: readonly Marks[], line: number): number => {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.line ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}

/** The row of a line: marks of the lines before it have rows, too. */
export const rowOfLine = (marks: readonly Marks[], line: number): number => line + countBefore(marks, line)

/** What a row shows. Only rows on the screen are asked for: nothing is made for all the lines of a large document. */
export const rowAt = (marks: readonly Marks[], row: number): MarkedLine => {
  let low = 0
  let high = marks.length
  // The first marks whose row is not before this one; those with number k are in row `line + k + 1`.
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.line ?? 0) + middle + 1 < row) low = middle + 1
    else high = middle
  }
  const found = marks[low]
  return found !== undefined && found.line + low + 1 === row ? { marks: found } : { line: row - low }
}

/** The places that a comment on a place may mean: that one and all around it, the innermost first. */
export const placesAround = (pointer: string): readonly string[] => {
  const steps = pointer.split('/').slice(1)
  return Array.from({ length: steps.length + 1 }, (_, gone) =>
    steps
      .slice(0, steps.length - gone)
      .map((step) => `/${step}`)
      .join(''),
  )
}

/** A JSON Pointer in words: "paths › /pets › get". */
export const placeName = (pointer: string): string =>
  pointer === ''
    ? 'Whole document'
    : pointer
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join(' › ')
