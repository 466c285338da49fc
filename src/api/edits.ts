import { Type, type Static } from '@sinclair/typebox'
import { MergeConflict } from './bindings.ts'
import { ChangeCount, ChangeSide } from './change-shapes.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { GradeShape, PositionShape, RangeShape } from './shapes.ts'
import { WrittenOverlay } from './version-shapes.ts'
import { may, versionErrors, versionParams, versionPath } from './kit.ts'

const position = bodyOf({
  line: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
  character: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
})

export const TextEditShape = titled(
  'TextEdit',
  Type.Object(
    { start: PositionShape, end: PositionShape, text: Type.String() },
    { description: 'Text that replaces everything between two positions. Lines of the text end with "\\n".' },
  ),
)
export type TextEdit = Static<typeof TextEditShape>

/** A document that is being edited, without its text: the stored one by its digest, and what was changed in it. */
const edited = {
  digest: Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'Digest of the stored document that was edited, as its ETag says it.',
  }),
  edits: Type.Array(bodyOf({ start: position, end: position, text: Type.String() }), {
    maxItems: 10_000,
    description: 'Edits in the order of the text, with positions in the stored document. Empty: the stored document.',
  }),
}

export const EditFinding = titled(
  'EditFinding',
  Type.Object({
    code: Type.String(),
    severity: oneOf(['error', 'warning', 'info', 'hint']),
    message: Type.String(),
    pointer: Type.String(),
    range: RangeShape,
    fingerprint: Type.String(),
    documentationUrl: orNull(Type.String()),
    fix: orNull(
      Type.Object({
        description: Type.String(),
        visible: orNull(
          oneOf(['removals', 'non-breaking'], 'What clients can see of it; null where they see nothing.'),
        ),
      }),
    ),
  }),
)
export type EditFinding = Static<typeof EditFinding>

export const EditChange = titled(
  'EditChange',
  Type.Object({
    id: Type.String(),
    severity: oneOf(['breaking', 'non-breaking', 'docs-only']),
    classification: oneOf(['safe', 'breaking', 'unknown']),
    message: Type.String(),
    pointer: orNull(Type.String({ description: 'The place in the edited document; null where it was removed.' })),
    range: orNull(RangeShape),
    base_line: orNull(Type.Integer({ description: 'The line in the base, from 0.' })),
    fingerprint: Type.String(),
  }),
)
export type EditChange = Static<typeof EditChange>

const OutlineItem = titled(
  'OutlineItem',
  Type.Object({
    name: Type.String(),
    detail: Type.String(),
    kind: oneOf(['group', 'path', 'operation', 'schema', 'component', 'property', 'tool', 'step', 'rule']),
    depth: Type.Integer(),
    pointer: Type.String(),
    line: Type.Integer({ description: 'Where its key is, from 0.' }),
  }),
)
export type OutlineItem = Static<typeof OutlineItem>

const base = `${versionPath}/edits`
const missing = [...versionErrors, 'document-changed', 'usage', 'analysis-stopped'] as const
const ofText = {
  method: 'POST',
  params: Type.Object(versionParams),
  // A whole document in one edit, each sign of which may be written as an escape of several.
  bodyLimit: 32 * 1024 * 1024,
  bodyValues: 200_000,
  errors: missing,
} as const
const current = Type.String({
  description: 'Digest of the stored document now: another one than yours where someone else saved.',
})

/** Questions about a document that is being edited. Nothing is stored. */
export const editsApi = {
  check: endpoint({
    ...ofText,
    id: 'edits.check',
    origin: 'own',
    path: `${base}/check`,
    summary: 'Lint an edited document with the style guide of its project',
    access: may('versions:edit'),
    body: bodyOf(edited),
    response: Type.Object({
      current,
      guide: Type.String(),
      grade: GradeShape,
      findings: Type.Array(EditFinding, {
        description: 'In the order of the text; the worst 1,000 where there are more.',
      }),
      total: Type.Integer(),
    }),
  }),
  changes: endpoint({
    ...ofText,
    id: 'edits.changes',
    origin: 'own',
    path: `${base}/changes`,
    summary: 'Compare an edited document with the version it is based on',
    access: may('versions:edit'),
    body: bodyOf({
      ...edited,
      base: Type.Optional(Type.String({ minLength: 1, description: 'Id, label or slug of another version.' })),
    }),
    response: Type.Object({
      base: orNull(ChangeSide),
      counts: ChangeCount,
      changes: Type.Array(EditChange, { description: 'The worst 500.' }),
      total: Type.Integer(),
      consumers: orNull(
        Type.Object(
          {
            broken: Type.Array(Type.String(), { description: 'Names of the consumers that would break, at most 20.' }),
            broken_total: Type.Integer(),
            total: Type.Integer({ description: 'How many consumers declared what they use.' }),
          },
          { description: 'Null where there is nothing to compare with, or you cannot view contracts.' },
        ),
      ),
    }),
  }),
  outline: endpoint({
    ...ofText,
    id: 'edits.outline',
    origin: 'own',
    path: `${base}/outline`,
    summary: 'List the operations and schemas of a document with their lines, edited or as it is stored',
    access: may('versions:view'),
    body: bodyOf(edited),
    response: Type.Object({
      items: Type.Array(OutlineItem, { description: 'At most 10,000.' }),
      total: Type.Integer(),
    }),
  }),
  complete: endpoint({
    ...ofText,
    id: 'edits.complete',
    origin: 'own',
    path: `${base}/complete`,
    summary: 'List completions at a position of an edited document',
    access: may('versions:edit'),
    body: bodyOf({ ...edited, position }),
    response: Type.Object({
      start: PositionShape,
      end: PositionShape,
      proposals: Type.Array(
        Type.Object({
          label: Type.String(),
          kind: oneOf(['property', 'value', 'reference', 'rule']),
          detail: Type.String(),
          text: Type.String(),
        }),
        { description: 'At most 200; what is between `start` and `end` is replaced by the text of one.' },
      ),
    }),
  }),
  fix: endpoint({
    ...ofText,
    id: 'edits.fix',
    origin: 'own',
    path: `${base}/fix`,
    summary: 'Fix findings of an edited document, as "svc lint --fix" does',
    description:
      'A fix is made only where clients notice nothing; one that adds something or removes what is unused is made where `visible` names its kind and nothing breaks.',
    access: may('versions:edit'),
    body: bodyOf({
      ...edited,
      fingerprint: Type.Optional(Type.String({ minLength: 1, description: 'One finding; all when omitted.' })),
      visible: Type.Optional(Type.Array(oneOf(['removals', 'non-breaking']), { maxItems: 2 })),
    }),
    response: Type.Object({
      edits: Type.Array(TextEditShape, { description: 'Positions in the edited document.' }),
      fixed: Type.Integer({ description: 'How many findings they fix.' }),
    }),
  }),
  overlay: endpoint({
    ...ofText,
    id: 'edits.overlay',
    origin: 'own',
    path: `${base}/overlay`,
    summary: 'Write the overlay that turns the document of a version into an edited document',
    description: 'The edits of a fix or of a person, for a document that somebody else owns or that is generated.',
    access: may('versions:view'),
    body: bodyOf(edited),
    response: WrittenOverlay,
  }),
  merge: endpoint({
    ...ofText,
    id: 'edits.merge',
    origin: 'own',
    path: `${base}/merge`,
    summary: 'Merge an edited document with a newer saved version, by operations, parameters and schemas',
    access: may('versions:edit'),
    body: bodyOf({
      ...edited,
      theirs: Type.Optional(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 1000 })),
      mine: Type.Optional(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 1000 })),
      all: Type.Optional(
        oneOf(['mine', 'theirs'], 'Whose values it has at conflicts that are not named; yours when omitted.'),
      ),
    }),
    response: Type.Object({
      current,
      state: oneOf(
        ['fast-forward', 'clean', 'conflicts', 'unreadable'],
        'unreadable: your text or theirs cannot be read, so that only one of the two can be taken as a whole.',
      ),
      conflicts: Type.Array(MergeConflict, { description: 'At most 50.' }),
      conflicts_total: Type.Integer(),
      edits: Type.Array(TextEditShape, { description: 'From the stored document to the merged one.' }),
    }),
  }),
} as const
