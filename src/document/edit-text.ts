/** Edits of a text by lines and characters, as an editor knows them: whatever ends the lines, the positions are the same. */
import { SvcError } from '../errors.ts'
import type { ChangedLines } from './changed-lines.ts'
import { Lines } from './lines.ts'
import type { Position } from './position.ts'

/** What takes the place of what is between two positions of a text. Its lines end with "\n". */
export interface TextEdit {
  readonly start: Position
  readonly end: Position
  readonly text: string
}

const isBehind = (a: Position, b: Position): boolean =>
  a.line > b.line || (a.line === b.line && a.character > b.character)

/** The offset of a position, the end of its line where that is shorter. @throws SvcError `usage` for a line that is not there */
function offsetOf(text: string, lines: Lines, { line, character }: Position): number {
  if (line >= lines.count)
    throw new SvcError('usage', { reason: `Line ${line + 1} is given, but the text has ${lines.count} lines.` })
  const bom = line === 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0
  const next = line + 1 < lines.count ? lines.start(line + 1, text.length) - 1 : text.length
  const begin = lines.start(line, text.length) + bom
  const end = next > begin && next < text.length && text[next - 1] === '\r' ? next - 1 : next
  return Math.min(begin + character, end)
}

/**
 * The offset of a position of a text; of a longer line than there is, its end.
 * @throws SvcError `usage` for a line that the text does not have
 */
export const offsetIn = (text: string, position: Position): number => offsetOf(text, new Lines(text), position)

/**
 * A text after edits, whose positions are those of the text before any of them.
 * @throws SvcError `usage` where edits overlap, are not in order, or are outside of the text
 */
export function editText(text: string, edits: readonly TextEdit[]): string {
  if (edits.length === 0) return text
  const lines = new Lines(text)
  const isWindows = /^[^\n]*\r\n/.test(text)
  const pieces: string[] = []
  let done = 0
  let before: Position = { line: 0, character: 0 }
  for (const [at, { start, end, text: put }] of edits.entries()) {
    if (isBehind(before, start) || isBehind(start, end))
      throw new SvcError('usage', {
        reason: `Edit ${at + 1} is not behind the one before it: give edits in the order of the text.`,
      })
    const [from, to] = [offsetOf(text, lines, start), offsetOf(text, lines, end)]
    pieces.push(text.slice(done, from), isWindows ? put.replaceAll('\n', '\r\n') : put)
    done = to
    before = end
  }
  return [...pieces, text.slice(done)].join('')
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** The edits that make one text of another, by whole lines: what `changedLines` found between them. */
export function editsBetween(before: string, after: string, changes: readonly ChangedLines[]): TextEdit[] {
  const [old, now] = [before.split('\n').map(withoutReturn), after.split('\n').map(withoutReturn)]
  let shift = 0
  return changes.map(({ line, added, removed }) => {
    const first = line - shift
    shift += added - removed
    const put = now.slice(line, line + added)
    const end = first + removed
    // Lines that end the text have no line break behind them: they go with the one before them.
    if (end >= old.length && first > 0)
      return {
        start: { line: first - 1, character: old[first - 1]?.length ?? 0 },
        end: { line: old.length - 1, character: old.at(-1)?.length ?? 0 },
        text: put.map((it) => `\n${it}`).join(''),
      }
    if (end >= old.length)
      return {
        start: { line: 0, character: 0 },
        end: { line: old.length - 1, character: old.at(-1)?.length ?? 0 },
        text: put.join('\n'),
      }
    return {
      start: { line: first, character: 0 },
      end: { line: end, character: 0 },
      text: put.map((it) => `${it}\n`).join(''),
    }
  })
}
