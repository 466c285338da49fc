import { Type, type Static } from '@sinclair/typebox'
import { ChangeCount, ChangeSide } from './change-shapes.ts'
import { anyObject, bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { ChangeShape } from './shapes.ts'
import { VersionRecord, versionStatuses } from './versions.ts'

const severity = orNull(oneOf(['breaking', 'non-breaking', 'docs-only']))
const verdict = oneOf(['safe', 'breaking', 'unknown'])
const schemaValue = Type.Union([anyObject, Type.Boolean()])

export const PrimitiveImpactRequest = titled('PrimitiveImpactRequest', bodyOf({ schema: schemaValue }))

/** What a new schema of a type means for one version that uses it. */
const ImpactedVersion = titled(
  'PrimitiveImpactedVersion',
  Type.Object({
    project_id: Type.String(),
    project: Type.String({ description: 'Slug of the project.' }),
    version_id: Type.String(),
    version: Type.String({ description: 'Label of the version.' }),
    status: oneOf(versionStatuses),
    revision: Type.Integer({ description: 'The revision of the type that it uses now.' }),
    direct: Type.Boolean({ description: 'false: it uses the type through other types only.' }),
    directions: Type.Array(oneOf(['request', 'response']), {
      description: 'request: it receives values of the type; response: it sends them. Only those that change.',
    }),
    severity,
    verdict,
    counts: ChangeCount,
    changes: Type.Array(ChangeShape, { description: '20 at most, the worst first.' }),
    witness: Type.Unknown({
      description: 'The first counterexample of a change that breaks; null where there is none.',
    }),
    operations: Type.Array(Type.String(), { description: 'Operations that change, 50 at most: "GET /pets".' }),
    consumers: Type.Array(Type.String(), { description: 'Handles of the registered consumers that it breaks.' }),
  }),
)
export type ImpactedVersion = Static<typeof ImpactedVersion>

const ImpactedPrimitive = titled(
  'PrimitiveImpactedType',
  Type.Object({
    id: Type.String(),
    ref: Type.String(),
    depth: Type.Integer({ description: '1: it refers to the type itself.' }),
    severity,
    verdict,
    witness: Type.Unknown(),
  }),
)

const Reach = Type.Object({ primitives: Type.Integer(), versions: Type.Integer() })

/** What a new schema of a type would break. */
export const PrimitiveImpact = titled(
  'PrimitiveImpact',
  Type.Object({
    primitive: Type.String({ description: 'The reference of the type.' }),
    revision: Type.Integer({ description: 'The revision that the new schema would replace.' }),
    verdict: oneOf(
      ['safe', 'breaking', 'unknown'],
      'The worst of all versions; of the type alone where no version uses it.',
    ),
    change: orNull(
      Type.Object(
        { severity, verdict, counts: Type.Record(Type.String(), Type.Integer()), witness: Type.Unknown() },
        { description: 'What changes in the type itself, for those who write and read its values; null: nothing.' },
      ),
    ),
    direct: Reach,
    transitive: Reach,
    counts: Type.Object({
      versions: Type.Integer(),
      breaking: Type.Integer(),
      unknown: Type.Integer(),
      safe: Type.Integer(),
    }),
    versions: Type.Array(ImpactedVersion, { description: 'The worst first, 1,000 at most.' }),
    primitives: Type.Array(ImpactedPrimitive, { description: 'Types that change with it, nearest first.' }),
    not_considered: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
  }),
)
export type PrimitiveImpact = Static<typeof PrimitiveImpact>

/** An impact that is calculated by a job, and how far it is. */
export const PrimitiveImpactJob = titled(
  'PrimitiveImpactJob',
  Type.Object({
    job_id: Type.String(),
    status: oneOf(['queued', 'running', 'completed', 'completed_with_warnings', 'blocked', 'failed', 'cancelled']),
    progress: Type.Object({ done: Type.Integer({ description: 'Versions compared so far.' }), total: Type.Integer() }),
    impact: orNull(PrimitiveImpact),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: dateTime(),
    finished_at: orNull(dateTime()),
  }),
)
export type PrimitiveImpactJob = Static<typeof PrimitiveImpactJob>

export const suggestionRelations = ['equal', 'narrower', 'wider'] as const

export const PrimitiveSuggestionsRequest = titled(
  'PrimitiveSuggestionsRequest',
  bodyOf({
    project: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
    version: Type.String({ minLength: 1, description: 'Id, label or slug of a version.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
)

const JsonPatch = Type.Array(
  Type.Object({ op: oneOf(['add', 'remove', 'replace']), path: Type.String(), value: Type.Optional(Type.Unknown()) }),
  { description: 'JSON Patch of the document of the version.' },
)

/** A schema of a version that a registered type could replace. */
export const PrimitiveSuggestion = titled(
  'PrimitiveSuggestion',
  Type.Object({
    pointer: Type.String({ description: 'The schema, as a JSON Pointer into the document of the version.' }),
    primitive: Type.Object({
      id: Type.String(),
      ref: Type.String(),
      revision: Type.Integer(),
      scope: Type.String(),
      description: Type.String(),
    }),
    relation: oneOf(
      suggestionRelations,
      'equal: the same values; narrower: all values of the schema are values of the type; wider: the other way round.',
    ),
    patch: JsonPatch,
    diff: Type.String({ description: 'The changed lines of the document, as diff shows them.' }),
    changes_values: Type.Boolean({ description: 'Whether the schema allows other values after the patch.' }),
  }),
)
export type PrimitiveSuggestion = Static<typeof PrimitiveSuggestion>

export const PrimitiveSuggestions = titled(
  'PrimitiveSuggestions',
  Type.Object({
    project: Type.String(),
    version: Type.String(),
    digest: Type.String({ description: 'SHA-256 of the document that the patches are for.' }),
    suggestions: Type.Array(PrimitiveSuggestion),
    count: Type.Integer(),
    considered: Type.Object({ schemas: Type.Integer(), types: Type.Integer() }),
    truncated: Type.Boolean(),
  }),
)

export const RepinRequest = titled(
  'RepinRequest',
  bodyOf({
    primitives: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        maxItems: 200,
        description: 'References of the types to move, without a revision; all when omitted.',
      }),
    ),
    to: Type.Optional(
      Type.Union([Type.Literal('latest'), Type.Integer({ minimum: 1 })], {
        description: 'latest (default), or a revision where one type is named.',
      }),
    ),
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Label of the draft; the next patch version when omitted.',
      }),
    ),
  }),
)

export const Repin = titled(
  'Repin',
  Type.Object({
    version: VersionRecord,
    moved: Type.Array(
      Type.Object({
        ref: Type.String(),
        from: orNull(Type.Integer()),
        to: Type.Integer(),
        direct: Type.Boolean({ description: 'false: it is used through other types.' }),
      }),
    ),
    comparison: Type.Object({
      base: ChangeSide,
      head: ChangeSide,
      max_severity: severity,
      counts: ChangeCount,
      changes: Type.Array(ChangeShape, { description: '100 at most, the worst first.' }),
      total: Type.Integer(),
    }),
  }),
)
