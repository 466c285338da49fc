/** Longer than 400 lines: the declarations of one group of operations, in the order of the documentation. */
import { JoinedDocument, Provenance } from './version-shapes.ts'
import { baselineModes } from './baseline-modes.ts'
import { Type, type Static } from '@sinclair/typebox'
import { ChangeCount, ChangeSide, DocumentExcerpt, DocumentLines } from './change-shapes.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import {
  ChangeShape,
  pageOf,
  pageQueryOptional,
  projectParams,
  slugShape,
  stablePageShape,
  stableQuery,
  versionParams,
} from './shapes.ts'

export const versionStatuses = ['draft', 'published', 'deprecated', 'retired'] as const
export const visibilities = ['public', 'private'] as const

export const VersionRecord = titled(
  'VersionRecord',
  Type.Object({
    id: Type.String(),
    project_id: Type.String(),
    project_slug: Type.String(),
    label: Type.String(),
    slug: Type.String(),
    status: oneOf(versionStatuses),
    visibility: oneOf(visibilities),
    title: Type.String(),
    format: Type.Object({ kind: Type.String(), version: Type.String() }),
    digest: Type.String({ description: 'SHA-256 of the stored content.' }),
    size_bytes: Type.Integer(),
    grade: orNull(Type.String()),
    score: orNull(Type.Number()),
    operations_count: Type.Integer(),
    classes_count: Type.Integer(),
    provenance: Provenance,
    joined: Type.Array(JoinedDocument, { description: 'Documents that were attached to it by separate imports.' }),
    created_by: orNull(Type.String({ description: '"user:" or "api-key:" and the id of the creator.' })),
    created_at: dateTime(),
    updated_at: dateTime(),
    published_at: orNull(dateTime()),
    deprecated_at: orNull(dateTime()),
    sunset_at: orNull(dateTime()),
    replacement: orNull(Type.String()),
    urls: Type.Object({ document: Type.String(), page: Type.String() }),
  }),
)
export type VersionRecord = Static<typeof VersionRecord>

export const Gate = titled(
  'PublishGate',
  Type.Object({
    id: Type.String(),
    status: oneOf(['pass', 'warn', 'fail', 'skipped', 'unknown']),
    message: Type.String(),
    evidence_url: orNull(Type.String()),
  }),
)
export type Gate = Static<typeof Gate>

/** A document as a request carries it: 64 MB, its own bytes or a form with a file. */
const documentTypes = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  'application/octet-stream',
  'multipart/form-data',
] as const
const documentLimit = 64 * 1024 * 1024
const label = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Label of a version, usually a semantic version.',
})

export const Operation = titled(
  'Operation',
  Type.Object({
    ref: Type.String({ description: 'Method and path template, as "GET /pets/{id}".' }),
    method: Type.String(),
    path: Type.String(),
    operation_id: orNull(Type.String()),
    summary: Type.String(),
    tags: Type.Array(Type.String()),
    deprecated: Type.Boolean(),
  }),
)

const callers = ['user', 'api-key'] as const
const base = '/v1/tenants/{tenant_slug}/projects/{project_ref}/versions'
const one = `${base}/{version_ref}`
const view = { credentials: callers, permission: 'versions:view' } as const
const edit = { credentials: callers, permission: 'versions:edit' } as const
const missing = ['project-not-found', 'version-not-found'] as const

/** Versions: labelled revisions of a project's specification. */
export const versionsApi = {
  list: endpoint({
    id: 'versions.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the versions of a project, newest first',
    access: view,
    params: Type.Object(projectParams),
    query: Type.Object({ ...stableQuery, status: Type.Optional(oneOf(versionStatuses)) }),
    response: stablePageShape(VersionRecord),
    errors: ['project-not-found', 'cursor-invalid'],
  }),
  get: endpoint({
    id: 'versions.get',
    origin: 'own',
    method: 'GET',
    path: one,
    summary: 'Get a version by id, label or slug; "latest" is the greatest published semantic version',
    access: view,
    params: Type.Object(versionParams),
    response: VersionRecord,
    errors: missing,
  }),
  create: endpoint({
    id: 'versions.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Create a draft from a document, from another version, or empty',
    description:
      'Send the fields as JSON, with the text of the document in `content`; or send the document itself as YAML or as a ' +
      'form with a file, its label in the query or else taken from the document.',
    access: edit,
    params: Type.Object(projectParams),
    query: Type.Object({ label: Type.Optional(label), slug: Type.Optional(slugShape) }),
    body: bodyOf({
      label: Type.Optional(label),
      slug: Type.Optional(slugShape),
      visibility: Type.Optional(oneOf(visibilities)),
      content: Type.Optional(Type.String({ description: 'The text of the document, JSON or YAML.' })),
      from: Type.Optional(Type.String({ minLength: 1, description: 'Version whose document it starts with.' })),
    }),
    accepts: documentTypes,
    bodyLimit: documentLimit,
    response: VersionRecord,
    status: 201,
    errors: [
      'analysis-stopped',
      'project-not-found',
      'version-not-found',
      'version-exists',
      'version-label-invalid',
      'document-invalid',
      'format-unknown',
      'quota-exceeded',
      'usage',
    ],
  }),
  update: endpoint({
    id: 'versions.update',
    origin: 'own',
    method: 'PATCH',
    path: one,
    summary: 'Change the visibility of a version, or the label and slug of a draft',
    access: edit,
    params: Type.Object(versionParams),
    body: bodyOf({
      label: Type.Optional(label),
      slug: Type.Optional(slugShape),
      visibility: Type.Optional(
        oneOf(visibilities, 'Of a version that is not a draft this needs versions:publish, and holds at once.'),
      ),
    }),
    response: VersionRecord,
    errors: [
      ...missing,
      'version-published',
      'version-exists',
      'version-label-invalid',
      'permission-denied',
      'document-changed',
    ],
  }),
  remove: endpoint({
    id: 'versions.remove',
    origin: 'own',
    method: 'DELETE',
    path: one,
    summary: 'Delete a draft',
    access: edit,
    params: Type.Object(versionParams),
    response: Type.Null(),
    status: 204,
    errors: [...missing, 'version-published'],
  }),
  document: endpoint({
    id: 'versions.document',
    origin: 'own',
    method: 'GET',
    path: `${one}/document`,
    summary: 'Get the document of a version as it was imported',
    access: view,
    params: Type.Object(versionParams),
    response: Type.Unsafe<Uint8Array>({}),
    produces: ['application/json', 'application/yaml'],
    answerHeaders: ['etag'],
    verbatim: true,
    errors: missing,
  }),
  putDocument: endpoint({
    id: 'versions.put-document',
    origin: 'own',
    method: 'PUT',
    path: `${one}/document`,
    summary: 'Replace the document of a draft; send its ETag in If-Match',
    access: edit,
    params: Type.Object(versionParams),
    headers: Type.Object({
      'if-match': Type.Optional(Type.String({ description: 'The ETag of the document that is replaced.' })),
    }),
    body: Type.Unknown({ description: 'The document itself, JSON or YAML; or a form with a file.' }),
    accepts: ['application/json', ...documentTypes],
    bodyLimit: documentLimit,
    response: VersionRecord,
    answerHeaders: ['etag'],
    errors: [
      'analysis-stopped',
      ...missing,
      'version-published',
      'precondition-required',
      'document-changed',
      'document-invalid',
      'format-unknown',
      'quota-exceeded',
    ],
  }),
  changes: endpoint({
    id: 'versions.changes',
    origin: 'own',
    method: 'GET',
    path: `${one}/changes`,
    summary: 'List the changes of a version against its predecessor or a named version',
    access: view,
    params: Type.Object(versionParams),
    query: Type.Object({
      ...pageQueryOptional,
      base: Type.Optional(
        Type.String({ minLength: 1, description: 'Id, label or slug of the version to compare with.' }),
      ),
    }),
    response: Type.Object({
      base: orNull(ChangeSide),
      head: ChangeSide,
      max_severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'])),
      counts: ChangeCount,
      published: orNull(
        Type.Object(
          {
            baseline_mode: oneOf(baselineModes),
            baseline_version_id: orNull(Type.String()),
            max_severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'])),
            counts: ChangeCount,
            forced: Type.Boolean(),
            published_at: dateTime(),
          },
          { description: 'Record of changes written when it was published.' },
        ),
      ),
      items: Type.Array(ChangeShape),
      total: Type.Integer(),
      limit: Type.Integer(),
      offset: Type.Integer(),
    }),
    errors: [...missing, 'analysis-stopped'],
  }),
  lines: endpoint({
    id: 'versions.lines',
    origin: 'own',
    method: 'GET',
    path: `${one}/lines`,
    summary: 'Get lines of the document of a version with their pointers and changes',
    access: view,
    params: Type.Object(versionParams),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 200 })),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0, description: 'The first line, counted from 0.' }),
      ),
    }),
    response: DocumentLines,
    errors: [...missing, 'analysis-stopped'],
  }),
  excerpt: endpoint({
    id: 'versions.excerpt',
    origin: 'own',
    method: 'GET',
    path: `${one}/excerpt`,
    summary: 'Get lines of the document of a version, fast for a document of any size',
    access: view,
    params: Type.Object(versionParams),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0, description: 'The first line, counted from 0.' }),
      ),
      character: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 100_000_000,
          default: 0,
          description: 'For a line of more than 2,000 characters, the answer has the part around this character.',
        }),
      ),
    }),
    response: DocumentExcerpt,
    errors: [...missing, 'analysis-stopped'],
  }),
  operations: endpoint({
    id: 'versions.operations',
    origin: 'own',
    method: 'GET',
    path: `${one}/operations`,
    summary: 'List the operations of a version in document order',
    access: view,
    params: Type.Object(versionParams),
    query: Type.Object({
      ...pageQueryOptional,
      q: Type.Optional(Type.String({ description: 'Part of a path, summary or operationId, in any case.' })),
      tag: Type.Optional(Type.String({ description: 'Only operations with this tag; "" is those without a tag.' })),
    }),
    response: pageOf(Operation),
    errors: missing,
  }),
  readiness: endpoint({
    id: 'versions.publish-readiness',
    origin: 'own',
    method: 'GET',
    path: `${one}/publish-readiness`,
    summary: 'Evaluate every publish gate without publishing',
    access: view,
    params: Type.Object(versionParams),
    response: Type.Object({ ready: Type.Boolean(), gates: Type.Array(Gate) }),
    errors: [...missing, 'analysis-stopped'],
  }),
  publish: endpoint({
    id: 'versions.publish',
    origin: 'own',
    method: 'POST',
    path: `${one}/publish`,
    summary: 'Evaluate all gates and publish a draft; its content cannot change afterwards',
    access: { credentials: callers, permission: 'versions:publish' },
    params: Type.Object(versionParams),
    body: bodyOf({
      visibility: Type.Optional(oneOf(visibilities)),
      force: Type.Optional(Type.Boolean({ description: 'Needs versions:publish_force; never skips document-valid.' })),
      force_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
      expected_digest: Type.Optional(Type.String()),
      changeReportBaselineMode: Type.Optional(
        oneOf(baselineModes, 'Which version the change record compares with; "auto" when omitted.'),
      ),
      changeReportBaselineRevisionId: Type.Optional(orNull(Type.String())),
    }),
    bodyOptional: true,
    response: Type.Object({ version: VersionRecord, gates: Type.Array(Gate) }),
    errors: [
      'analysis-stopped',
      ...missing,
      'publish-gates-failed',
      'version-transition',
      'document-changed',
      'force-needs-reason',
      'permission-denied',
      'baseline-invalid',
    ],
  }),
  deprecate: endpoint({
    id: 'versions.deprecate',
    origin: 'own',
    method: 'POST',
    path: `${one}/deprecate`,
    summary: 'Mark a published version as deprecated',
    access: { credentials: callers, permission: 'versions:publish' },
    params: Type.Object(versionParams),
    body: bodyOf({
      sunset_at: Type.Optional(orNull(dateTime('When it stops being served.'))),
      replacement: Type.Optional(orNull(Type.String({ description: 'Label of the version to move to.' }))),
    }),
    bodyOptional: true,
    response: VersionRecord,
    errors: [...missing, 'version-transition', 'replacement-invalid'],
  }),
  undeprecate: endpoint({
    id: 'versions.undeprecate',
    origin: 'own',
    method: 'DELETE',
    path: `${one}/deprecate`,
    summary: 'Undo the deprecation of a version; its sunset date and replacement are removed',
    access: { credentials: callers, permission: 'versions:publish' },
    params: Type.Object(versionParams),
    response: VersionRecord,
    errors: [...missing, 'version-transition'],
  }),
  retire: endpoint({
    id: 'versions.retire',
    origin: 'own',
    method: 'POST',
    path: `${one}/retire`,
    summary: 'Retire a published or deprecated version',
    access: { credentials: callers, permission: 'versions:publish' },
    params: Type.Object(versionParams),
    response: VersionRecord,
    errors: [...missing, 'version-transition'],
  }),
} as const
