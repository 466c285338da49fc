import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, pageOf, pageQueryOptional, projectParams, versionParams } from './shapes.ts'

export const versionStatuses = ['draft', 'published', 'deprecated', 'retired'] as const
export const visibilities = ['public', 'private'] as const

export const Provenance = Type.Object({
  source: Type.String({ description: 'Where the content came from: a file name, an address, "-".' }),
  digest: Type.String(),
  importer: Type.String(),
  imported_at: dateTime(),
  commit: orNull(Type.String()),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), pointer: Type.String() })),
})
export type Provenance = Static<typeof Provenance>

export const VersionRecord = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  project_slug: Type.String(),
  label: Type.String(),
  slug: Type.String(),
  status: oneOf(versionStatuses),
  visibility: oneOf(visibilities),
  title: Type.String(),
  format: Type.Object({ kind: Type.String(), version: Type.String() }),
  digest: Type.String({ description: 'sha256 of the stored content.' }),
  size_bytes: Type.Integer(),
  grade: orNull(Type.String()),
  score: orNull(Type.Number()),
  operations_count: Type.Integer(),
  classes_count: Type.Integer(),
  provenance: Provenance,
  created_at: dateTime(),
  updated_at: dateTime(),
  published_at: orNull(dateTime()),
  deprecated_at: orNull(dateTime()),
  sunset_at: orNull(dateTime()),
  replacement: orNull(Type.String()),
  urls: Type.Object({ document: Type.String(), page: Type.String() }),
})
export type VersionRecord = Static<typeof VersionRecord>

export const Gate = Type.Object({
  id: Type.String(),
  status: oneOf(['pass', 'warn', 'fail', 'skipped', 'unknown']),
  message: Type.String(),
  evidence_url: orNull(Type.String()),
})
export type Gate = Static<typeof Gate>

export const Operation = Type.Object({
  ref: Type.String({ description: 'Method and path template, as "GET /pets/{id}".' }),
  method: Type.String(),
  path: Type.String(),
  operation_id: orNull(Type.String()),
  summary: Type.String(),
  tags: Type.Array(Type.String()),
  deprecated: Type.Boolean(),
})

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
    method: 'GET',
    path: base,
    summary: 'List the versions of a project, newest first',
    access: view,
    params: Type.Object(projectParams),
    query: Type.Object({ ...pageQueryOptional, status: Type.Optional(oneOf(versionStatuses)) }),
    response: pageOf(VersionRecord),
    errors: ['project-not-found'],
  }),
  get: endpoint({
    id: 'versions.get',
    method: 'GET',
    path: one,
    summary: 'Get a version by id, label or slug; "latest" is the greatest published semantic version',
    access: view,
    params: Type.Object(versionParams),
    response: VersionRecord,
    errors: missing,
  }),
  remove: endpoint({
    id: 'versions.remove',
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
    method: 'GET',
    path: `${one}/document`,
    summary: "The author's own bytes, with a strong ETag",
    access: view,
    params: Type.Object(versionParams),
    response: Type.Unknown(),
    produces: ['application/json', 'application/yaml'],
    errors: missing,
  }),
  operations: endpoint({
    id: 'versions.operations',
    method: 'GET',
    path: `${one}/operations`,
    summary: 'List the operations of a version in the order of the document',
    access: view,
    params: Type.Object(versionParams),
    query: Type.Object({
      ...pageQueryOptional,
      q: Type.Optional(Type.String({ description: 'Part of a path, summary or operationId, in any case.' })),
    }),
    response: pageOf(Operation),
    errors: missing,
  }),
  readiness: endpoint({
    id: 'versions.publish-readiness',
    method: 'GET',
    path: `${one}/publish-readiness`,
    summary: 'Evaluate every publish gate without publishing',
    access: view,
    params: Type.Object(versionParams),
    response: Type.Object({ ready: Type.Boolean(), gates: Type.Array(Gate) }),
    errors: missing,
  }),
  publish: endpoint({
    id: 'versions.publish',
    method: 'POST',
    path: `${one}/publish`,
    summary: 'Publish a draft after all gates; its content never changes afterwards',
    access: { credentials: callers, permission: 'versions:publish' },
    params: Type.Object(versionParams),
    body: bodyOf({
      visibility: Type.Optional(oneOf(visibilities)),
      force: Type.Optional(Type.Boolean({ description: 'Needs versions:publish_force; never skips document-valid.' })),
      force_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
      expected_digest: Type.Optional(Type.String()),
    }),
    bodyOptional: true,
    response: Type.Object({ version: VersionRecord, gates: Type.Array(Gate) }),
    errors: [
      ...missing,
      'publish-gates-failed',
      'version-transition',
      'document-changed',
      'force-needs-reason',
      'permission-denied',
    ],
  }),
  deprecate: endpoint({
    id: 'versions.deprecate',
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
    errors: [...missing, 'version-transition'],
  }),
  retire: endpoint({
    id: 'versions.retire',
    method: 'POST',
    path: `${one}/retire`,
    summary: 'Retire a published or deprecated version',
    access: { credentials: callers, permission: 'versions:publish' },
    params: Type.Object(versionParams),
    response: VersionRecord,
    errors: [...missing, 'version-transition'],
  }),
} as const
