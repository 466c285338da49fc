import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { titled, oneOf, orNull } from '../kernel/shapes.ts'
import { pageCounts, stableCounts } from './kit.ts'

/** Paging by offset: 50 items by default, 200 at most. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
}
export const pageQueryOptional = {
  limit: Type.Optional(pageQuery.limit),
  offset: Type.Optional(pageQuery.offset),
}

/** The cursor of the page before, in lists that can be read by cursors. */
export const cursorQuery = Type.Optional(
  Type.String({
    maxLength: 500,
    description:
      'next_cursor of the page before, instead of offset: rows that were added since the first page are left out, so that none is shown twice.',
  }),
)

/** Paging of lists that grow while they are read: by offset, or by the cursor of the page before, which leaves out what was added since. */
export const stableQuery = {
  ...pageQueryOptional,
  cursor: cursorQuery,
}
/** A slug that a caller chooses: lower-case words of letters and digits, joined by single hyphens or dots. */
export const slugShape = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]+(?:[.-][a-z0-9]+)*$' })

/** One page of a list. */
export const pageOf = <T extends TSchema>(item: T) => Type.Object({ items: Type.Array(item), ...pageCounts })

/** One page of a list that can be read by cursors. */
export const stablePageShape = <T extends TSchema>(item: T) => Type.Object({ items: Type.Array(item), ...stableCounts })

/** A place in a text, zero-based, UTF-16. */
export const PositionShape = titled('Position', Type.Object({ line: Type.Integer(), character: Type.Integer() }))
export const RangeShape = titled('Range', Type.Object({ start: PositionShape, end: PositionShape }))

/** One finding of the linter (src/lint/finding.ts). */
export const FindingShape = titled(
  'Finding',
  Type.Object({
    code: Type.String(),
    severity: oneOf(['error', 'warning', 'info', 'hint']),
    message: Type.String(),
    path: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    pointer: Type.String(),
    source: Type.String(),
    range: RangeShape,
    fingerprint: Type.String(),
    documentationUrl: orNull(Type.String()),
    fix: orNull(
      Type.Object({
        description: Type.String(),
        edits: Type.Array(
          Type.Object(
            { start: Type.Integer(), end: Type.Integer(), text: Type.String() },
            { description: 'Offsets into the text of the document, in UTF-16 units.' },
          ),
        ),
      }),
    ),
  }),
)

/** A lint grade with what each rule cost. */
export const GradeShape = titled(
  'LintGrade',
  Type.Object({
    grade: orNull(oneOf(['A', 'B', 'C', 'D', 'F'])),
    score: orNull(Type.Number()),
    cap: orNull(oneOf(['invalid-document', 'has-errors'])),
    counts: Type.Object({
      error: Type.Integer(),
      warning: Type.Integer(),
      info: Type.Integer(),
      hint: Type.Integer(),
    }),
    deductions: Type.Array(
      Type.Object({
        code: Type.String(),
        severity: oneOf(['error', 'warning', 'info', 'hint']),
        hits: Type.Integer({ description: 'The nodes with a finding of the rule: what the points are made of.' }),
        targets: Type.Integer({ description: 'The nodes that the rule checked.' }),
        findings: Type.Optional(
          Type.Integer({ description: 'The findings of the rule: one node may have many. Absent in older reports.' }),
        ),
        points: Type.Number(),
      }),
    ),
  }),
)

const ChangeSideShape = orNull(
  Type.Object({ pointer: Type.String(), source: Type.Optional(Type.String()), range: orNull(RangeShape) }),
)
/** One change between two documents (src/diff/change.ts). */
export const ChangeShape = titled(
  'Change',
  Type.Object({
    id: Type.String(),
    severity: oneOf(['breaking', 'non-breaking', 'docs-only']),
    classification: oneOf(['safe', 'breaking', 'unknown']),
    method: orNull(Type.String()),
    path: orNull(Type.String()),
    direction: orNull(oneOf(['request', 'response'])),
    base: ChangeSideShape,
    head: ChangeSideShape,
    before: Type.Unknown(),
    after: Type.Unknown(),
    message: Type.String(),
    witness: Type.Unknown(),
    operations: Type.Array(Type.String(), {
      description:
        'The operations that it reaches, as "GET /pets". Where they are more than a hundred and an earlier change names them, the first hundred.',
    }),
    consumers: Type.Array(Type.String()),
    fingerprint: Type.String(),
    policy: Type.Optional(Type.String()),
    reach: Type.Optional(
      Type.Integer({ description: 'How many operations it reaches, where `operations` does not name all.' }),
    ),
    sameOperationsAs: Type.Optional(
      Type.String({
        description: 'Fingerprint of an earlier change that reaches the same operations and names all of them.',
      }),
    ),
  }),
)

export type StaticOf<T extends TSchema> = Static<T>
