import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { Gate } from './versions.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { FindingShape, GradeShape, slugShape } from './shapes.ts'
import { idParam, may, tenantParams, tenantPath } from './kit.ts'

export const importStatuses = [
  'queued',
  'running',
  'completed',
  'completed_with_warnings',
  'blocked',
  'failed',
  'cancelled',
] as const
export const importPhases = [
  'fetching',
  'detecting',
  'parsing',
  'validating',
  'linting',
  'planning',
  'persisting',
  'publishing',
] as const

const pathShape = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description })

/** Where the documents come from. Everything but a single text is a tree of files, in which relative references are followed. */
export const ImportSource = titled(
  'ImportSource',
  Type.Union([
    bodyOf({
      kind: Type.Literal('inline'),
      name: Type.Optional(Type.String({ description: 'Name of the document in findings.' })),
      content: Type.String({ description: 'The text of the document, JSON or YAML.' }),
    }),
    bodyOf({
      kind: Type.Literal('url'),
      url: Type.String({ minLength: 1, description: 'http or https; a document or an archive.' }),
    }),
    bodyOf({
      kind: Type.Literal('archive'),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
      content_base64: Type.String({ minLength: 1, description: 'A zip, tar or tar.gz archive.' }),
    }),
    bodyOf({
      kind: Type.Literal('files'),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Name of the tree.' })),
      files: Type.Array(
        titled(
          'ImportSourceFile',
          bodyOf({ path: pathShape('Relative, with slashes: "schemas/pet.yaml".'), content: Type.String() }),
        ),
        { minItems: 1, maxItems: 10_000 },
      ),
    }),
    bodyOf({
      kind: Type.Literal('git'),
      url: Type.String({ minLength: 1, maxLength: 2000, description: 'https, http or ssh address of a repository.' }),
      ref: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Branch, tag or full commit id; HEAD when omitted.' }),
      ),
      path: Type.Optional(pathShape('The document, or the folder to search for documents.')),
      repository_id: Type.Optional(
        Type.String({ minLength: 1, description: 'A registered repository, whose linked account reads it.' }),
      ),
      linked_account_id: Type.Optional(Type.String({ minLength: 1, description: 'The linked account that reads it.' })),
    }),
  ]),
)
export type ImportSource = Static<typeof ImportSource>

/** An overlay that comes with a request. */
const SentOverlay = bodyOf({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Name of the overlay in findings.' })),
  content: Type.String({ maxLength: 4_000_000, description: 'The text of the overlay, JSON or YAML.' }),
})
export type SentOverlay = Static<typeof SentOverlay>

const RequestedOverlay = titled(
  'RequestedOverlay',
  Type.Union([SentOverlay, bodyOf({ path: pathShape('Path of the overlay in the archive, folder or repository.') })]),
)
export type RequestedOverlay = Static<typeof RequestedOverlay>

const options = {
  format: Type.Optional(Type.String({ description: 'Id of an import format; "auto" detects it.', default: 'auto' })),
  root: Type.Optional(
    pathShape('In a tree: the document, or the folder that reading is limited to. The whole tree when omitted.'),
  ),
  bulk: Type.Optional(
    Type.Boolean({ description: 'Import every document of a tree that no other document refers to, each separately.' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Plan without storing anything.' })),
  project_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  project_name_field: Type.Optional(
    Type.String({ minLength: 1, description: 'Dot path or JSON Pointer of the field that holds the project name.' }),
  ),
  version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  project_id: Type.Optional(Type.String({ minLength: 1 })),
  project_slug: Type.Optional(slugShape),
  version_slug: Type.Optional(slugShape),
  version_id: Type.Optional(
    Type.String({ minLength: 1, description: 'Attach to this version instead of creating one (Arazzo, JSON Schema).' }),
  ),
  as: Type.Optional(
    oneOf(
      ['property', 'properties', 'schema'],
      'What becomes of a JSON Schema: one class of its root, a class of each of its properties, or (schema, the default) classes of its root and of each definition.',
    ),
  ),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Name of the schema or property.' })),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  publish: Type.Optional(oneOf(['public', 'private'], 'Publish the version; a draft when omitted.')),
  force: Type.Optional(Type.Boolean({ description: 'With publish: skip the gates that may be skipped.' })),
  force_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  min_grade: Type.Optional(oneOf(['A', 'B', 'C', 'D', 'F'], 'Block the import when the grade is worse.')),
  fail_on: Type.Optional(
    oneOf(['error', 'warning', 'info'], 'Block the import on a finding at or above this severity.'),
  ),
}

/** The overlays of a request. */
export const RequestedOverlays = Type.Array(RequestedOverlay, {
  maxItems: 20,
  description:
    'Overlays for the document, in order; those that a svc.yaml of the source names for it are applied before them.',
})

/** What to import and how. */
export const ImportRequest = titled(
  'ImportRequest',
  bodyOf({
    source: ImportSource,
    ...options,
    overlays: Type.Optional(RequestedOverlays),
    overrides: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'With bulk, by path or proposed slug of a document: new, existing or existing:PROJECT_ID, each optionally with @VERSION.',
      }),
    ),
  }),
)
export type ImportRequest = Static<typeof ImportRequest>

/** The same options beside an archive that is sent as it is; an override is written KEY=SPEC. */
const uploadQuery = bodyOf({
  ...options,
  filename: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  overlay: Type.Optional(Type.Array(pathShape('Path of an overlay in the archive.'), { maxItems: 20 })),
  override: Type.Optional(Type.Array(Type.String())),
})

const PlannedAction = oneOf(['create', 'update', 'keep'])

/** The content of a draft that an import takes the place of. */
const ReplacedContent = titled(
  'ReplacedContent',
  Type.Object({
    digest: Type.String({ description: 'SHA-256 of the content.' }),
    source: Type.String({ description: 'Origin of the content.' }),
    operations: Type.Integer(),
    classes: Type.Integer(),
    updated_at: dateTime('When the draft was last changed.'),
  }),
)
export type ReplacedContent = Static<typeof ReplacedContent>

export const ImportPlan = titled(
  'ImportPlan',
  Type.Object({
    project: Type.Object({ action: PlannedAction, slug: Type.String(), name: Type.String() }),
    version: Type.Object({ action: PlannedAction, label: Type.String(), slug: Type.String() }),
    publish: orNull(oneOf(['public', 'private'])),
    operations: Type.Integer(),
    classes: Type.Integer(),
    replaces: Type.Optional(ReplacedContent),
    joined: Type.Optional(
      Type.Object({
        action: PlannedAction,
        kind: Type.String({ description: 'Kind of the attached document.' }),
        name: Type.String(),
        classes: Type.Array(Type.String(), { description: 'Schemas that it adds.' }),
      }),
    ),
  }),
)
export type ImportPlan = Static<typeof ImportPlan>

const ImportResult = titled(
  'ImportResult',
  Type.Object({
    project_id: Type.String(),
    version_id: Type.String(),
    project_slug: Type.String(),
    version_slug: Type.String(),
    unchanged: Type.Boolean({ description: 'The same content was stored already; nothing was created.' }),
    urls: Type.Object({ document: Type.String(), page: Type.String() }),
  }),
)

/** What became of one document. */
const outcome = {
  result: orNull(ImportResult),
  plan: orNull(ImportPlan),
  lint: orNull(GradeShape),
  gate: orNull(
    Type.Object({
      passed: Type.Boolean(),
      min_grade: orNull(Type.String()),
      fail_on: orNull(Type.String()),
      reasons: Type.Array(Type.String()),
    }),
  ),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), pointer: Type.String() })),
  findings: Type.Array(FindingShape),
  findings_total: Type.Integer({ description: 'Number of findings; the list holds at most 1,000.' }),
  error: orNull(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      hint: Type.String(),
      gates: Type.Optional(Type.Array(Gate, { description: 'When publishing was refused: every gate.' })),
    }),
  ),
}

/** One document of a bulk import. */
export const ImportItem = titled(
  'ImportItem',
  Type.Object({
    path: Type.String({ description: 'Path in the tree; a key of overrides.' }),
    slug: Type.String({ description: 'Proposed slug of its project; also a key of overrides.' }),
    format: Type.String(),
    status: oneOf(['completed', 'completed_with_warnings', 'blocked', 'failed']),
    ...outcome,
    compared: Type.Optional(
      orNull(
        Type.Object(
          {
            label: Type.String({ description: 'The version that its project has published.' }),
            breaking: Type.Integer(),
            changes: Type.Integer(),
          },
          {
            description:
              'Of a dry run of files of a repository: what changes for clients; null where the project has published nothing.',
          },
        ),
      ),
    ),
  }),
)
export type ImportItem = Static<typeof ImportItem>

/** A bulk import in numbers; of a dry run what it would do. */
export const ImportSummary = titled(
  'ImportSummary',
  Type.Object({
    documents: Type.Integer({ description: 'Number of independent documents.' }),
    created: Type.Integer({ description: 'Versions created.' }),
    updated: Type.Integer({ description: 'Drafts whose content changed.' }),
    unchanged: Type.Integer({ description: 'Versions that already had the same content.' }),
    blocked: Type.Integer(),
    failed: Type.Integer(),
  }),
)
export type ImportSummary = Static<typeof ImportSummary>

export const ImportJob = titled(
  'ImportJob',
  Type.Object({
    job_id: Type.String(),
    kind: Type.Literal('import'),
    format: Type.String(),
    source: Type.String(),
    dry_run: Type.Boolean(),
    status: oneOf(importStatuses),
    phase: orNull(oneOf(importPhases)),
    progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
    created_at: dateTime(),
    started_at: orNull(dateTime()),
    finished_at: orNull(dateTime()),
    ...outcome,
    items: Type.Array(ImportItem, { description: 'With bulk: one for each document, ordered by path.' }),
    summary: orNull(ImportSummary),
  }),
)
export type ImportJob = Static<typeof ImportJob>

/** Media types of an archive that is sent as the body; a form has it in its part "file", beside a part "request" with the JSON. */
const archiveTypes = [
  'application/zip',
  'application/gzip',
  'application/x-gzip',
  'application/x-tar',
  'application/octet-stream',
  'multipart/form-data',
] as const

/** Import jobs: accepted at once, done in the background, polled. */
export const importsApi = {
  create: endpoint({
    id: 'imports.create',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/imports`,
    summary: 'Start an import job',
    description:
      'The body is JSON, or an archive as it is with the options in the query, or a form with the archive in "file" and the JSON (without source) in "request".',
    // It may create a project; which one it writes shows when the document is read, and is asked then.
    access: { ...may('projects:create'), agentTool: 'import.create' },
    params: Type.Object(tenantParams),
    headers: Type.Object({
      'idempotency-key': Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'The same key within 24 hours gives the same job.' }),
      ),
    }),
    query: uploadQuery,
    body: ImportRequest,
    accepts: archiveTypes,
    bodyLimit: 64 * 1024 * 1024,
    response: ImportJob,
    status: 202,
    answerHeaders: ['location'],
    errors: [
      'idempotency-key-reused',
      'jobs-exceeded',
      'permission-denied',
      'force-needs-reason',
      'usage',
      'source-refused',
      'override-invalid',
      'repository-not-found',
      'linked-account-not-found',
    ],
  }),
  get: endpoint({
    id: 'imports.get',
    origin: 'spec',
    method: 'GET',
    path: '/v1/imports/{job_id}',
    summary: 'Get an import job',
    access: { ...may(null), agentTool: 'import.create' },
    params: Type.Object({ job_id: idParam }),
    query: Type.Object({
      wait: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 30,
          description: 'Seconds to wait for the end of the job before answering.',
        }),
      ),
    }),
    response: ImportJob,
    errors: ['job-not-found'],
  }),
  cancel: endpoint({
    id: 'imports.cancel',
    origin: 'own',
    method: 'DELETE',
    path: '/v1/imports/{job_id}',
    summary: 'Cancel an import job',
    access: { ...may(null), agentTool: 'import.create', writes: true },
    params: Type.Object({ job_id: idParam }),
    response: ImportJob,
    errors: ['job-not-found'],
  }),
} as const
