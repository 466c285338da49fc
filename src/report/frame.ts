/** The lines around a place of a text, with a caret below it: what compilers show beside a message. */
import type { Range } from '../document/position.ts'

export interface FrameOptions {
  /** Whether ANSI colours are wanted. */
  readonly colour: boolean
  /** Lines shown before the place; 2 when omitted. */
  readonly before?: number
  /** Longest line of text shown, 100 when omitted; of longer ones the part around the place. */
  readonly width?: number
}

const ellipsis = '…'

// Of the lines from `first` to `last`; a text of megabytes is not split as a whole.
function linesOf(text: string, first: number, last: number): string[] {
  const lines: string[] = []
  let start = 0
  for (let line = 0; line <= last; line++) {
    const end = text.indexOf('\n', start)
    if (line >= first) lines.push(text.slice(start, end === -1 ? undefined : end).replace(/\r$/, ''))
    if (end === -1) break
    start = end + 1
  }
  return lines
}

// One character for one: places keep their columns, and nothing in a document steers the terminal.
const printable = (text: string): string => text.replaceAll('\t', ' ').replaceAll(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')

interface Window {
  readonly from: number
  readonly width: number
}

const cut = (line: string, { from, width }: Window): string => {
  const begin = from > 0 && line.length > 0 ? ellipsis : ''
  const end = line.length > from + width ? ellipsis : ''
  return begin + printable(line.slice(from, from + width)) + end
}

/**
 * The frame of `range` in `text`, a line each, ending in a newline; "" where the text has no such line.
 *
 *       4 | info:
 *     > 5 |   title: 7
 *         |          ^
 */
export function codeFrame(text: string, range: Range, options: FrameOptions): string {
  const { before = 2, width = 100, colour } = options
  const { line, character } = range.start
  const first = Math.max(0, line - before)
  const lines = linesOf(text, first, line)
  const marked = lines[line - first]
  if (marked === undefined) return ''
  const at = Math.min(character, marked.length)
  const end = range.end.line === line ? Math.min(range.end.character, marked.length) : marked.length
  const from = at > width - 10 ? at - Math.floor(width / 3) : 0
  const view = { from, width }
  const gutter = String(line + 1).length
  const dim = (part: string): string => (colour ? `\u001b[2m${part}\u001b[22m` : part)
  const red = (part: string): string => (colour ? `\u001b[31m${part}\u001b[39m` : part)
  const shown = lines.map((content, index) => {
    const number = String(first + index + 1).padStart(gutter)
    const mark = index === line - first ? red('>') : ' '
    return `${mark} ${dim(`${number} |`)} ${cut(content, view)}`.trimEnd()
  })
  const carets = '^'.repeat(Math.max(1, Math.min(end, from + width) - at))
  const indent = ' '.repeat(at - from + (from > 0 ? ellipsis.length : 0))
  return `${shown.join('\n')}\n  ${dim(`${' '.repeat(gutter)} |`)} ${indent}${red(carets)}\n`
}
