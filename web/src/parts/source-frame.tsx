import { useMemo } from 'react'
import type { Excerpt } from '../../../src/api/excerpt.ts'
import type { FindingShape, StaticOf } from '../../../src/api/shapes.ts'
import { TextLines } from './text-lines.ts'
import { count } from './text.ts'
import { VirtualList } from './virtual-list.tsx'

type Range = StaticOf<typeof FindingShape>['range']

/** The lines of a text, found once. */
export const useLines = (text: string | null): TextLines | null =>
  useMemo(() => (text === null ? null : new TextLines(text)), [text])

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

/** What a frame shows of the lines around a place, without the indentation that all of them share. */
export const frameLines = ({ first, lines }: Excerpt, { start, end }: Range): readonly FrameLine[] => {
  if (start.line >= first + lines.length) return []
  // A node that ends at the beginning of a line ends with the line before.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  const rows = lines.map((it, index) => ({ ...it, line: first + index }))
  const filled = rows.filter(({ text, from }) => from === 0 && text.trim() !== '')
  const shared = Math.min(...filled.map(({ text }) => indentOf(text)))
  return rows.map(({ text, from, length, line }) => {
    const inside = line >= start.line && line <= last
    const placed = (character: number): number => Math.max(0, Math.min(character - from, text.length))
    const firstWord = from > 0 ? 0 : indentOf(text)
    const begin = line === start.line ? placed(start.character) : firstWord
    const finish = line === end.line ? placed(end.character) : text.length
    const [a, b] = inside ? [begin, Math.max(begin, finish)] : [text.length, text.length]
    const isLong = length > widest
    const cut = isLong ? Math.max(0, (inside ? begin : 0) - 40) : Math.min(shared, text.length)
    const most = cut + widest
    const after = text.slice(b, Math.max(b, most))
    return {
      number: line + 1,
      before: `${isLong && from + cut > 0 ? '…' : ''}${text.slice(cut, a)}`.slice(0, widest),
      marked: text.slice(a, Math.min(b, Math.max(a, most))),
      after: from + text.length < length || text.length > most ? `${after}…` : after,
    }
  })
}

const washes = { warn: 'bg-warn-wash', ok: 'bg-ok-wash', danger: 'bg-danger-wash' } as const

/** The lines around a place with their numbers, the smallest node in them marked. */
export const SourceFrame = ({
  excerpt,
  range,
  tone = 'warn',
}: {
  excerpt: Excerpt
  range: Range
  /** What the mark means: something to look at, added, or removed. */
  tone?: 'warn' | 'ok' | 'danger'
}) => {
  // A node of many lines is a block of colour: underlining all of it would hide what it says.
  const underline =
    tone === 'warn' && range.start.line === range.end.line
      ? 'underline decoration-danger decoration-2 underline-offset-4'
      : ''
  const lines = frameLines(excerpt, range)
  // As wide as the longest number: those of large documents have six digits.
  const width = `${Math.max(5, String(lines.at(-1)?.number ?? 0).length)}ch`
  return (
    <div className="overflow-hidden rounded-md bg-raised py-1 font-mono text-xs leading-5">
      {lines.map((line) => (
        <div key={line.number} className="flex gap-3 px-2">
          <span style={{ width }} className="shrink-0 text-right text-soft tabular-nums select-none">
            {line.number}
          </span>
          <code className="min-w-0 break-all whitespace-pre-wrap">
            {line.before}
            {line.marked === '' ? null : (
              <mark className={`rounded-sm text-ink ${washes[tone]} ${underline}`}>{line.marked}</mark>
            )}
            {line.after}
          </code>
        </div>
      ))}
    </div>
  )
}

/** A line longer than this is cut on the screen, never in the copy: minified documents are one line of megabytes. */
const longest = 2000

const Line = ({ text, number, marked }: { text: string; number: number; marked: boolean }) => (
  <div className={`flex gap-4 px-3 font-mono text-xs leading-[22px] ${marked ? 'bg-warn-wash' : ''}`}>
    <span className="w-10 shrink-0 text-right text-soft tabular-nums select-none">{number}</span>
    <span className="min-w-0 break-all whitespace-pre-wrap">
      {text.length > longest
        ? `${text.slice(0, longest)} … ${count(text.length - longest, 'character', 'characters')} more`
        : text}
    </span>
  </div>
)

/** A text line by line; `line` (from 1) is scrolled to and marked. */
export const Lines = ({ label, text, line }: { label: string; text: string; line: number | null }) => {
  const lines = useMemo(() => text.split('\n'), [text])
  return (
    <VirtualList
      label={label}
      total={lines.length}
      estimate={22}
      ruled={false}
      {...(line === null ? {} : { focusIndex: Math.min(line, lines.length) - 1 })}
    >
      {(index) => <Line text={lines[index] ?? ''} number={index + 1} marked={index + 1 === line} />}
    </VirtualList>
  )
}
