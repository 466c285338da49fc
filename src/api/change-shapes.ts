import { Type } from '@sinclair/typebox'
import { ExcerptLine } from './excerpt.ts'
import { orNull, titled } from '../kernel/shapes.ts'

/** How many changes there are of each severity. */
export const ChangeCount = titled(
  'ChangeCount',
  Type.Object({
    breaking: Type.Integer(),
    non_breaking: Type.Integer(),
    docs_only: Type.Integer(),
    unknown: Type.Integer(),
  }),
)

/** A version as one side of a comparison. */
export const ChangeSide = titled(
  'ChangeSide',
  Type.Object({ version_id: Type.String(), label: Type.String(), digest: Type.String() }),
)

/** Some lines of the document of a version, as they are. */
export const DocumentExcerpt = titled(
  'DocumentExcerpt',
  Type.Object({
    total: Type.Integer({ description: 'How many lines the document has.' }),
    lines: Type.Array(ExcerptLine),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)

/** Some lines of the document of a version. */
export const DocumentLines = titled(
  'DocumentLines',
  Type.Object({
    base: orNull(ChangeSide),
    head: ChangeSide,
    total: Type.Integer({ description: 'How many lines the document has.' }),
    changed: Type.Object(
      { lines: Type.Integer(), places: Type.Integer() },
      { description: 'How many lines of the document are not those of `base`, and in how many places they are.' },
    ),
    lines: Type.Array(
      Type.Object({
        text: Type.String({ description: 'The first 2,000 characters.' }),
        length: Type.Integer({ description: 'How many characters the line has.' }),
        pointer: Type.String({
          description: 'JSON Pointer of the outermost place that begins on the line, else of the one around it.',
        }),
        changed: Type.Boolean({ description: 'Whether `base` does not have it.' }),
        removed: Type.Integer({ description: 'How many lines of `base` were before it and are gone.' }),
      }),
    ),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)
