/** The lines around a place of a text, with a caret below it: what compilers show beside a message. */
import type { Range } from '../document/position.ts'
import { visible } from './escape.ts'
import { terminalWidth } from '../host/native.ts'

export interface FrameOptions {
  /** Whether ANSI colours are wanted. */
  readonly colour: boolean
  /** Lines shown before the place; 2 when omitted. */
  readonly before?: number
  /** The width of the terminal, 110 when omitted: of longer lines the part around the place is shown. */
  readonly columns?: number
}

const ellipsis = '…'

type ReadLines = (first: number, last: number) => string[]

// A large text is not split at once: line starts are determined up to the last requested line.
function linesOf(text: string): ReadLines {
  const starts = [0]
  let done = false
  return (first, last) => {
    while (!done && starts.length <= last + 1) {
      const end = text.indexOf('\n', starts.at(-1))
      if (end === -1) done = true
      else starts.push(end + 1)
    }
    const lines: string[] = []
    for (let line = first; line <= last && line < starts.length; line++) {
      const next = starts[line + 1]
      lines.push(text.slice(starts[line], next === undefined ? undefined : next - 1).replace(/\r$/, ''))
    }
    return lines
  }
}

// One character for one: places keep their columns, and nothing in a document steers the terminal.
const printable = (text: string): string =>
  visible(text.replaceAll('\t', ' ')).replaceAll(/[\r\n\u2028\u2029]/g, '\uFFFD')

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
export const codeFrame = (text: string, range: Range, options: FrameOptions): string => framesOf(text)(range, options)

/** The same for many places of one text. */
export function framesOf(text: string): (range: Range, options: FrameOptions) => string {
  const lines = linesOf(text)
  return (range, options) => draw(lines, range, options)
}

// A value that begins on a later line is shown by its key, one behind spaces by its first character.
function underlined(marked: string, from: number, to: number): readonly [number, number] {
  const at = Math.min(from, marked.length)
  const rest = marked.slice(at)
  if (rest.trim() !== '') return [at + rest.search(/[^ ]/), Math.min(to, marked.length)]
  const key = marked.slice(0, at).trimEnd()
  if (key === '') return [at, at]
  return [key.length - key.trimStart().replace(/^(?:- +)+/, '').length, key.length]
}

function draw(read: ReadLines, range: Range, options: FrameOptions): string {
  const { before = 2, columns = 110, colour } = options
  const { line, character } = range.start
  const first = Math.max(0, line - before)
  const lines = read(first, line)
  const marked = lines[line - first]
  if (marked === undefined) return ''
  const [at, end] = underlined(marked, character, range.end.line === line ? range.end.character : marked.length)
  const gutter = String(line + 1).length
  const width = Math.max(20, columns - gutter - 7)
  const from = at > width - 10 ? at - Math.floor(width / 3) : 0
  const view = { from, width }
  const dim = (part: string): string => (colour ? `\u001b[2m${part}\u001b[22m` : part)
  const red = (part: string): string => (colour ? `\u001b[31m${part}\u001b[39m` : part)
  const shown = lines.map((content, index) => {
    const number = String(first + index + 1).padStart(gutter)
    const mark = index === line - first ? red('>') : ' '
    return `${mark} ${dim(`${number} |`)} ${cut(content, view)}`.trimEnd()
  })
  // Some characters take two columns, some none.
  const columnsOf = (first: number, last: number): number => terminalWidth(printable(marked.slice(first, last)))
  const carets = '^'.repeat(Math.max(1, columnsOf(at, Math.min(end, from + width))))
  const indent = ' '.repeat(columnsOf(from, at) + (from > 0 ? ellipsis.length : 0))
  return `${shown.join('\n')}\n  ${dim(`${' '.repeat(gutter)} |`)} ${indent}${red(carets)}\n`
}
