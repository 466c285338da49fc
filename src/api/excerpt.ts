import { Type, type Static } from '@sinclair/typebox'
import { titled } from '../kernel/shapes.ts'

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
