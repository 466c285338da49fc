import { Type, type Static } from '@sinclair/typebox'
import { RangeShape, titled } from './shapes.ts'

/** A line of a document, or the part of a long one around a place. */
export const ExcerptLine = Type.Object({
  text: Type.String({ description: 'At most 2,000 characters.' }),
  from: Type.Integer({ description: 'Where `text` begins in the line, from 0.' }),
  length: Type.Integer({ description: 'How many characters the line has.' }),
})
export type ExcerptLine = Static<typeof ExcerptLine>

/** Some lines of a document that follow each other. */
export const Excerpt = titled(
  'Excerpt',
  Type.Object({
    first: Type.Integer({ description: 'The first of the lines, counted from 0.' }),
    lines: Type.Array(ExcerptLine),
  }),
)
export type Excerpt = Static<typeof Excerpt>

/** Which lines of a document are shown: `count` lines from `from`, and of long lines the part around `character`. */
export interface ExcerptSpan {
  readonly from: number
  readonly count: number
  readonly character: number
}

// Of a place of many lines the first ones are shown.
const mostLines = 3

/** The lines that show a place: the one before it, its own (the first ones of a long place), and the one after it. */
export function spanAround({ start, end }: Static<typeof RangeShape>): ExcerptSpan {
  // A place that ends at the beginning of a line ends with the line before.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  const shownLast = Math.min(last, start.line + mostLines - 1)
  const from = Math.max(0, start.line - 1)
  return { from, count: (shownLast === last ? last + 1 : shownLast) - from + 1, character: start.character }
}
