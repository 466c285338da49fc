import { useMemo } from 'react'
import type { FindingShape, StaticOf } from '../../../src/api/shapes.ts'

type Range = StaticOf<typeof FindingShape>['range']

/** The lines of a text, split once. */
export const useLines = (text: string | null): readonly string[] | null =>
  useMemo(() => (text === null ? null : text.split('\n')), [text])

const mostLines = 3
/** Of longer lines the part around the place is shown: minified documents are one line of megabytes. */
const widest = 160

/** One line of a frame, as the parts before, in and after the marked node. */
export interface FrameLine {
  readonly number: number
  readonly before: string
  readonly marked: string
  readonly after: string
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/**
 * What a frame shows of a place: the line before it, the lines of the node (the first ones of a long node), and the line
 * after it, without the indentation that all of them share.
 */
export const frameLines = (lines: readonly string[], { start, end }: Range): readonly FrameLine[] => {
  if (start.line >= lines.length) return []
  // A node that ends at the beginning of a line ends with the line before.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  const shownLast = Math.min(last, start.line + mostLines - 1)
  const from = Math.max(0, start.line - 1)
  const to = Math.min(lines.length - 1, shownLast === last ? last + 1 : shownLast)
  const rows = lines.slice(from, to + 1).map((text, index) => ({ text: text.replace(/\r$/, ''), line: from + index }))
  const filled = rows.filter(({ text }) => text.trim() !== '')
  const shared = Math.min(...filled.map(({ text }) => indentOf(text)))
  return rows.map(({ text, line }) => {
    const inside = line >= start.line && line <= last
    const begin = line === start.line ? Math.min(start.character, text.length) : indentOf(text)
    const finish = line === end.line ? Math.min(end.character, text.length) : text.length
    const [a, b] = inside ? [begin, Math.max(begin, finish)] : [text.length, text.length]
    const cut = text.length > widest ? Math.max(0, (inside ? begin : 0) - 40) : Math.min(shared, text.length)
    const most = cut + widest
    const after = text.slice(b, Math.max(b, most))
    return {
      number: line + 1,
      before: `${text.length > widest && cut > 0 ? '…' : ''}${text.slice(cut, a)}`.slice(0, widest),
      marked: text.slice(a, Math.min(b, Math.max(a, most))),
      after: text.length > most ? `${after}…` : after,
    }
  })
}

/** The lines around a place with their numbers, the smallest node in them marked. */
export const SourceFrame = ({ lines, range }: { lines: readonly string[]; range: Range }) => {
  // A node of many lines is a block of colour: underlining all of it would hide what it says.
  const underline =
    range.start.line === range.end.line ? 'underline decoration-danger decoration-2 underline-offset-4' : ''
  return (
    <div className="overflow-hidden rounded-md bg-raised py-1 font-mono text-xs leading-5">
      {frameLines(lines, range).map((it) => (
        <div key={it.number} className="flex gap-3 px-2">
          <span className="w-9 shrink-0 text-right text-soft tabular-nums select-none">{it.number}</span>
          <code className="min-w-0 break-all whitespace-pre-wrap">
            {it.before}
            {it.marked === '' ? null : (
              <mark className={`rounded-sm bg-warn-wash text-ink ${underline}`}>{it.marked}</mark>
            )}
            {it.after}
          </code>
        </div>
      ))}
    </div>
  )
}
