/** Apart from the shapes, so that a browser loads no schemas for it. */

interface Position {
  readonly line: number
  readonly character: number
}

interface Range {
  readonly start: Position
  readonly end: Position
}

/** Which lines of a document are shown: `count` lines from `from`, and of long lines the part around `character`. */
export interface ExcerptSpan {
  readonly from: number
  readonly count: number
  readonly character: number
}

// Of a place of many lines the first ones are shown.
const mostLines = 3

/** The lines that show a place: the one before it, its own (the first ones of a long place), and the one after it. */
export function spanAround({ start, end }: Range): ExcerptSpan {
  // A place that ends at the beginning of a line ends with the line before.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  const shownLast = Math.min(last, start.line + mostLines - 1)
  const from = Math.max(0, start.line - 1)
  return { from, count: (shownLast === last ? last + 1 : shownLast) - from + 1, character: start.character }
}
