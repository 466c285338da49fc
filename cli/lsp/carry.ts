/** Where places of a text are after an edit. */
import type { Position, Range } from '../../src/document/position.ts'
import type { Finding } from '../../src/lint/finding.ts'

/** An edit as positions: what was between `start` and `end` is now `lines` line breaks and `last` characters behind the last of them. */
export interface Shift {
  readonly start: Position
  readonly end: Position
  readonly lines: number
  readonly last: number
}

const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character)
const isSame = (a: Position, b: Position): boolean => a.line === b.line && a.character === b.character

/** The shift of a replacement of `start` to `end` by `text`. */
export function shiftOf(start: Position, end: Position, text: string): Shift {
  let lines = 0
  let from = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines++
    from = at + 1
  }
  return { start, end, lines, last: text.length - from }
}

function moved(at: Position, { start, end, lines, last }: Shift): Position {
  const line = start.line + lines + at.line - end.line
  if (at.line > end.line) return { line, character: at.character }
  const behind = at.character - end.character
  return { line, character: lines === 0 ? start.character + last + behind : last + behind }
}

/** A range after an edit: null where one of its ends was replaced, so that what it said is not known any more. */
export function carryRange({ start, end }: Range, shift: Shift): Range | null {
  const isInside = (at: Position): boolean => isBefore(shift.start, at) && isBefore(at, shift.end)
  if (isInside(start) || isInside(end)) return null
  // What is replaced as a whole is gone; an empty range at an insertion stays before it.
  if (!isSame(shift.start, shift.end) && !isBefore(start, shift.start) && !isBefore(shift.end, end)) return null
  const isAtInsertion = isSame(start, end) && isSame(start, shift.start)
  return {
    start: isBefore(start, shift.end) || isAtInsertion ? start : moved(start, shift),
    end: isBefore(shift.start, end) ? moved(end, shift) : end,
  }
}

/** Findings of a text after an edit, without those whose place was replaced. */
export function carryFindings(findings: readonly Finding[], shift: Shift): Finding[] {
  return findings.flatMap((finding) => {
    // What ends before the edit is most of them in the first half of a text.
    if (isBefore(finding.range.end, shift.start)) return [finding]
    const range = carryRange(finding.range, shift)
    return range === null ? [] : [{ ...finding, range }]
  })
}
