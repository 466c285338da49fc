import type { ChangedLines } from '../../../src/document/changed-lines.ts'
import { formatPointer } from '../../../src/kernel/pointer.ts'
import type { Desk } from '../desk.ts'

/** What is shown of a line: minified documents are one line of megabytes. */
const longest = 2000

/** A line of a document. */
export interface ShownLine {
  readonly text: string
  /** How many characters it has, more than `text` where it is cut. */
  readonly length: number
  /** The place that begins on it, else the one that it belongs to. */
  readonly pointer: string
  /** Whether the earlier document does not have it. */
  readonly changed: boolean
  /** How many lines of the earlier document were before it and are gone. */
  readonly removed: number
}

/** Some lines of a document, which differ from those of the one before it in the list, if there is one. */
export interface ShownLines {
  readonly total: number
  /** How many lines differ from the earlier document, and in how many places. */
  readonly changed: { readonly lines: number; readonly places: number }
  readonly lines: readonly ShownLine[]
}

function marksOf(changes: readonly ChangedLines[], first: number, last: number) {
  const changed = new Set<number>()
  const removed = new Map<number, number>()
  for (const { line, added, removed: gone } of changes) {
    if (line + added < first || line > last) continue
    for (let at = Math.max(first, line); at < Math.min(line + added, last + 1); at++) changed.add(at)
    if (gone > 0) removed.set(line, gone)
  }
  return { changed, removed }
}

/** Lines `from` (counted from 0) and the following of the last document, marked where an earlier one is given before it. */
export function run({ from, count }: { readonly from: number; readonly count: number }, desk: Desk): ShownLines {
  const { engine, materials } = desk
  const head = materials.at(-1)
  if (head === undefined) throw new Error('the task is about nothing')
  const [base] = materials
  const document = engine.document(head)
  const changes = base === undefined || base === head ? [] : engine.changedLines(base, head)
  const { changed, removed } = marksOf(changes, from, from + count - 1)
  return {
    total: document.countLines(),
    changed: { lines: changes.reduce((sum, it) => sum + it.added, 0), places: changes.length },
    lines: document.linesAt(from, from + count - 1).map(({ text, path }, at) => ({
      text: text.length > longest ? text.slice(0, longest) : text,
      length: text.length,
      pointer: formatPointer(path),
      changed: changed.has(from + at),
      removed: removed.get(from + at) ?? 0,
    })),
  }
}
