/** Longer than 400 lines: the shapes of one group of operations, in the order of the documentation. */
import { Type, type Static } from '@sinclair/typebox'
import { changeSeverities } from '../diff/change.ts'
import { anyObject, bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { ChangeShape } from './shapes.ts'

export const primitiveScopes = ['standard', 'core', 'tenant', 'custom'] as const
/** `public`: the address of the type answers without credentials. */
export const primitiveVisibilities = ['private', 'public'] as const
export type PrimitiveScope = (typeof primitiveScopes)[number]

const text = (description: string) => Type.String({ description })
const RefEdge = titled(
  'PrimitiveRef',
  Type.Object({
    pointer: text('The place of the $ref in the schema, a JSON Pointer.'),
    target: text('The reference as it is written.'),
    resolved: Type.Boolean(),
    primitive_id: orNull(text('The type that is meant.')),
    revision: orNull(Type.Integer({ description: 'The revision that the reference names.' })),
  }),
)

/** A registered type. */
export const PrimitiveSchema = titled(
  'PrimitiveSchema',
  Type.Object({
    id: Type.String(),
    namespace: Type.String(),
    name: Type.String(),
    ref: text('The reference for a $ref: svc:<namespace>/<name>; add @<revision> to pin it.'),
    scope: oneOf(primitiveScopes),
    visibility: oneOf(primitiveVisibilities),
    category: orNull(Type.String()),
    description: Type.String(),
    tags: Type.Array(Type.String()),
    schema_id: orNull(text('The $id of the schema.')),
    draft: text('The draft of JSON Schema: "2020-12", "draft-07" …'),
    schema: Type.Unknown({ description: 'An object or a boolean.' }),
    refs: Type.Array(RefEdge, { description: 'References to other types, and those that find nothing.' }),
    revision: Type.Integer(),
    digest: text('SHA-256 of the canonical JSON of the schema.'),
    deprecated: orNull(Type.Object({ message: Type.String(), replacement: orNull(Type.String()) })),
    import_id: orNull(Type.String()),
    created_by: orNull(Type.String()),
    created_at: orNull(dateTime()),
    updated_at: orNull(dateTime()),
  }),
)
export type PrimitiveRecord = Static<typeof PrimitiveSchema>

const Counts = Type.Object({
  standard: Type.Integer(),
  core: Type.Integer(),
  tenant: Type.Integer(),
  custom: Type.Integer(),
})

export const PrimitiveSearchPage = titled(
  'PrimitiveSearchPage',
  Type.Object({
    primitives: Type.Array(PrimitiveSchema),
    counts: Type.Intersect([Counts], {
      description: 'How many types of each scope match, whatever scope was asked for.',
    }),
    next_cursor: orNull(text('Send it as cursor for the next page; null on the last one.')),
    limit: Type.Integer(),
  }),
)

const details = {
  description: Type.Optional(orNull(Type.String({ maxLength: 10_000 }))),
  visibility: Type.Optional(oneOf(primitiveVisibilities, 'public: its address answers without credentials.')),
  category: Type.Optional(orNull(Type.String({ maxLength: 100 }))),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
}
const schemaValue = Type.Union([anyObject, Type.Boolean()])
const namespace = Type.String({ minLength: 1, maxLength: 300, description: 'Segments with slashes between them.' })

export const PrimitiveCreateRequest = titled(
  'PrimitiveCreateRequest',
  bodyOf({
    namespace,
    name: Type.String({ minLength: 1 }),
    schema: schemaValue,
    ...details,
    schema_id: Type.Optional(orNull(Type.String({ minLength: 1, description: 'The $id, where the schema has none.' }))),
    replace: Type.Optional(Type.Boolean({ description: 'Add a revision where the type exists.' })),
  }),
)

export const PrimitivePatch = titled('PrimitivePatch', bodyOf({ schema: Type.Optional(schemaValue), ...details }))

export const resolutionActions = ['keep', 'overwrite', 'rename'] as const

const sourceKind = Type.Optional(Type.String({ description: 'json-schema (default), openapi or type-def-bundle.' }))

export const PrimitiveImportRequest = titled(
  'PrimitiveImportRequest',
  bodyOf({
    source_kind: sourceKind,
    document: Type.Optional(
      Type.Union([anyObject, Type.Array(Type.Unknown()), Type.String()], {
        description: 'The document, or its text as JSON or YAML.',
      }),
    ),
    content: Type.Optional(Type.String({ description: 'The text of the document; the same as document.' })),
    import_id: Type.Optional(orNull(Type.String({ description: 'A staged source instead of a document.' }))),
    namespace: Type.Optional(orNull(namespace)),
    name: Type.Optional(orNull(Type.String({ description: 'The name of a document that is one type itself.' }))),
    include_root: Type.Optional(Type.Boolean({ description: 'Import the document itself beside its definitions.' })),
    visibility: details.visibility,
    category: details.category,
    description: details.description,
    tags: details.tags,
    select: Type.Optional(
      Type.Array(Type.String(), { description: 'The keys of the types to import; all when omitted.' }),
    ),
    resolutions: Type.Optional(
      Type.Record(
        Type.String(),
        bodyOf({ action: oneOf(resolutionActions), name: Type.Optional(orNull(Type.String())) }),
      ),
    ),
    on_conflict: Type.Optional(oneOf(['keep', 'overwrite'], 'For conflicts without a resolution; keep when omitted.')),
  }),
)
/** What a review takes: the body of an import, whose resolutions it ignores. */
export const PrimitiveReviewRequest = titled(
  'PrimitiveImportReviewRequest',
  bodyOf({
    ...PrimitiveImportRequest.properties,
    resolutions: Type.Optional(Type.Unknown({ description: 'Ignored: a review lists the choices.' })),
  }),
)
export type PrimitiveReviewBody = Static<typeof PrimitiveReviewRequest>
export type PrimitiveImportBody = Static<typeof PrimitiveImportRequest>

export const PrimitiveStageRequest = titled(
  'PrimitiveImportStageRequest',
  bodyOf({
    source_kind: sourceKind,
    method: Type.String({ description: 'paste, file, url or git.' }),
    content: Type.Optional(orNull(Type.String({ description: 'The text, with paste and file.' }))),
    filename: Type.Optional(orNull(Type.String({ description: 'The name of the file, with file.' }))),
    url: Type.Optional(orNull(Type.String())),
    repo_url: Type.Optional(orNull(Type.String({ description: 'With git; not needed with repository_id.' }))),
    repository_id: Type.Optional(
      orNull(
        Type.String({ minLength: 1, description: 'With git: a registered repository, read with its linked account.' }),
      ),
    ),
    linked_account_id: Type.Optional(
      orNull(Type.String({ minLength: 1, description: 'With git: the linked account that reads the repository.' })),
    ),
    ref: Type.Optional(orNull(Type.String({ description: 'Branch, tag or commit; the default branch when omitted.' }))),
    path: Type.Optional(orNull(Type.String({ description: 'The file in the repository.' }))),
    namespace: Type.Optional(orNull(namespace)),
  }),
)
export type PrimitiveStageBody = Static<typeof PrimitiveStageRequest>

const Problem = Type.Object({ code: Type.String(), message: Type.String(), pointer: Type.String() })

export const PrimitiveStageResult = titled(
  'PrimitiveImportStageResult',
  Type.Object({
    import_id: Type.String(),
    status: oneOf(['staged']),
    source_kind: Type.String(),
    candidates: Type.Array(
      Type.Object({
        key: Type.String(),
        name: Type.String(),
        namespace: Type.String(),
        source_kind: Type.String(),
        pointer: Type.String(),
        schema_id: orNull(Type.String()),
        size_bytes: Type.Integer(),
        refs: Type.Object({ resolved: Type.Integer(), unresolved: Type.Integer() }),
        problems: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
      }),
    ),
    problems: Type.Array(Problem),
    expires_at: dateTime(),
  }),
)

const ReviewedType = titled(
  'PrimitiveReviewedType',
  Type.Object({
    key: Type.String(),
    name: Type.String(),
    namespace: Type.String(),
    classification: oneOf(['New', 'Identical', 'Conflict']),
    existing: orNull(Type.Object({ id: Type.String(), revision: Type.Integer() })),
    validation: Type.Object({
      valid: Type.Boolean(),
      draft: Type.String(),
      errors: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
    }),
    unresolved: Type.Array(
      Type.Object({ pointer: Type.String(), target: Type.String(), candidates: Type.Array(Type.String()) }),
    ),
    change: orNull(
      Type.Object({
        severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'])),
        verdict: oneOf(['safe', 'breaking', 'unknown']),
        counts: Type.Record(Type.String(), Type.Integer()),
        witness: Type.Unknown({ description: 'A value that only one of the two accepts; null where there is none.' }),
      }),
    ),
    schema: Type.Unknown({ description: 'The schema of the source for a conflict, else null.' }),
    resolutions: Type.Array(oneOf(resolutionActions), { description: 'The choices for a conflict.' }),
    recommended: orNull(oneOf(resolutionActions)),
  }),
)
export type ReviewedTypeRecord = Static<typeof ReviewedType>

export const PrimitiveReview = titled(
  'PrimitiveImportReview',
  Type.Object({
    status: oneOf(['review']),
    source_kind: Type.String(),
    summary: Type.Object({
      total: Type.Integer(),
      new: Type.Integer(),
      identical: Type.Integer(),
      conflict: Type.Integer(),
      invalid: Type.Integer(),
      unresolved_refs: Type.Integer(),
    }),
    types: Type.Array(ReviewedType),
    problems: Type.Array(Problem),
  }),
)

const ImportCounts = Type.Object({
  total: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  kept: Type.Integer(),
  identical: Type.Integer(),
  invalid: Type.Integer(),
  unresolved_refs: Type.Integer(),
})

const ImportedType = Type.Object({
  key: Type.String(),
  outcome: oneOf(['created', 'updated', 'kept', 'identical', 'invalid']),
  id: orNull(Type.String()),
  namespace: Type.String(),
  name: Type.String(),
  ref: Type.String(),
  revision: orNull(Type.Integer()),
})
export type ImportedTypeRecord = Static<typeof ImportedType>

export const PrimitiveImportResult = titled(
  'PrimitiveImportResult',
  Type.Object({
    import_id: Type.String({ description: 'The provenance row of this import.' }),
    status: oneOf(['imported']),
    summary: ImportCounts,
    primitives: Type.Array(ImportedType),
    problems: Type.Array(Problem),
  }),
)

export const PrimitiveImportRecord = titled(
  'PrimitiveImportRecord',
  Type.Object({
    id: Type.String(),
    source_kind: Type.String(),
    method: oneOf(['paste', 'file', 'url', 'git']),
    locator: orNull(Type.String()),
    status: oneOf(['staged', 'imported', 'expired']),
    counts: ImportCounts,
    digest: Type.String(),
    report: Type.Optional(
      Type.Unknown({ description: 'The documents that were found and their results; only for a single import.' }),
    ),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    expires_at: orNull(dateTime()),
  }),
)

export const UnresolvedRefs = titled(
  'UnresolvedRefsResponse',
  Type.Object({
    total_edges: Type.Integer(),
    affected_primitives: Type.Integer(),
    primitives: Type.Array(
      Type.Object({
        id: Type.String(),
        namespace: Type.String(),
        name: Type.String(),
        ref: Type.String(),
        unresolved: Type.Array(
          Type.Object({ pointer: Type.String(), target: Type.String(), suggestions: Type.Array(Type.String()) }),
        ),
      }),
    ),
  }),
)

export const RegistryHealth = titled(
  'RegistryHealthResponse',
  Type.Object({
    status: oneOf(['healthy', 'unhealthy']),
    database: oneOf(['connected', 'disconnected']),
    table_exists: Type.Boolean(),
    error: Type.Optional(orNull(Type.String())),
  }),
)

export const PrimitiveRevision = titled(
  'PrimitiveRevision',
  Type.Object({
    revision: Type.Integer(),
    description: Type.String(),
    schema_id: orNull(Type.String()),
    draft: Type.String(),
    digest: Type.String(),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
  }),
)

const ComparedSide = Type.Object({
  revision: orNull(Type.Integer({ description: 'Null for a schema that is not registered.' })),
  schema: Type.Unknown(),
})

/** Two revisions of a type, or a revision and a schema that may become the next one. */
export const PrimitiveComparison = titled(
  'PrimitiveComparison',
  Type.Object({
    base: ComparedSide,
    head: ComparedSide,
    severity: orNull(oneOf(changeSeverities)),
    verdict: oneOf(
      ['safe', 'breaking', 'unknown'],
      'Safe is what is safe for those who write and those who read values.',
    ),
    counts: Type.Record(Type.String(), Type.Integer()),
    witness: Type.Unknown({ description: 'A value that only one of the two accepts; null where there is none.' }),
    changes: Type.Array(ChangeShape, { description: '200 at most.' }),
    total: Type.Integer(),
  }),
)
export type ComparisonRecord = Static<typeof PrimitiveComparison>

export const PrimitiveComparisonRequest = titled(
  'PrimitiveComparisonRequest',
  bodyOf({
    base: Type.Optional(Type.Integer({ minimum: 1, description: 'A revision; the newest when omitted.' })),
    head: Type.Optional(Type.Integer({ minimum: 1, description: 'A revision; the newest when omitted.' })),
    schema: Type.Optional(Type.Union([schemaValue], { description: 'A schema to compare with instead of `head`.' })),
  }),
)

const Facets = Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }))

export const PrimitiveFacets = titled(
  'PrimitiveFacets',
  Type.Object({
    namespaces: Type.Intersect([Facets], { description: 'By name; the 500 with the most types.' }),
    categories: Type.Intersect([Facets], { description: 'By name; the 500 with the most types.' }),
  }),
)

export const PrimitiveUsage = titled(
  'PrimitiveUsage',
  Type.Object({
    primitives: Type.Array(
      Type.Object({
        id: Type.String(),
        ref: Type.String(),
        depth: Type.Integer({ description: '1: it refers to the type itself.' }),
        pointers: Type.Array(Type.String()),
        uses: Type.Array(Type.String(), { description: 'The ids of the types one step nearer that it refers to.' }),
      }),
    ),
    versions: Type.Array(Type.Object({ project: Type.String(), version: Type.String(), revision: Type.Integer() }), {
      description: 'Published versions with the revision that they keep.',
    }),
    count: Type.Integer(),
    truncated: Type.Boolean(),
  }),
)

export const PrimitiveReference = Type.Object({
  ref: Type.String({ minLength: 1, description: 'svc:…, the address of a type, or an $id.' }),
  version_id: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Id of a published version: a reference of its document means the revision that publishing kept.',
    }),
  ),
})

export const ResolvedPrimitive = titled(
  'ResolvedPrimitive',
  Type.Object({
    primitive: PrimitiveSchema,
    revision: Type.Integer(),
    schema: Type.Unknown({ description: 'The schema of that revision.' }),
    fragment: Type.String(),
  }),
)
