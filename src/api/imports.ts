import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, FindingShape, GradeShape, oneOf, orNull, slugShape, tenantParams } from './shapes.ts'

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

/** What to import and how. */
export const ImportRequest = bodyOf({
  format: Type.Optional(Type.String({ description: 'Id of an import format; "auto" detects it.', default: 'auto' })),
  source: Type.Union([
    bodyOf({
      kind: Type.Literal('inline'),
      name: Type.Optional(Type.String({ description: 'The name that findings show for it.' })),
      content: Type.String({ description: 'The text of the document, JSON or YAML.' }),
    }),
    bodyOf({ kind: Type.Literal('url'), url: Type.String({ minLength: 1 }) }),
  ]),
  dry_run: Type.Optional(Type.Boolean({ description: 'Plan without storing anything.' })),
  project_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  project_name_field: Type.Optional(
    Type.String({ minLength: 1, description: 'Dot path or JSON Pointer of the field that holds the project name.' }),
  ),
  version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  project_id: Type.Optional(Type.String({ minLength: 1 })),
  project_slug: Type.Optional(slugShape),
  version_slug: Type.Optional(slugShape),
  publish: Type.Optional(oneOf(['public', 'private'], 'Publish the version; omitted it stays a draft.')),
  force: Type.Optional(Type.Boolean({ description: 'With publish: skip the gates that may be skipped.' })),
  force_reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  min_grade: Type.Optional(oneOf(['A', 'B', 'C', 'D', 'F'], 'Block the import when the grade is worse.')),
  fail_on: Type.Optional(
    oneOf(['error', 'warning', 'info'], 'Block the import on a finding at or above this severity.'),
  ),
})
export type ImportRequest = Static<typeof ImportRequest>

const PlannedAction = oneOf(['create', 'update', 'keep'])
export const ImportPlan = Type.Object({
  project: Type.Object({ action: PlannedAction, slug: Type.String(), name: Type.String() }),
  version: Type.Object({ action: PlannedAction, label: Type.String(), slug: Type.String() }),
  publish: orNull(oneOf(['public', 'private'])),
  operations: Type.Integer(),
  classes: Type.Integer(),
})
export type ImportPlan = Static<typeof ImportPlan>

export const ImportJob = Type.Object({
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
  result: orNull(
    Type.Object({
      project_id: Type.String(),
      version_id: Type.String(),
      project_slug: Type.String(),
      version_slug: Type.String(),
      unchanged: Type.Boolean({ description: 'The same bytes were there already: nothing new was made.' }),
      urls: Type.Object({ document: Type.String(), page: Type.String() }),
    }),
  ),
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
  findings_total: Type.Integer({ description: 'How many findings there are; the list stops at 1,000.' }),
  error: orNull(Type.Object({ code: Type.String(), message: Type.String(), hint: Type.String() })),
})
export type ImportJob = Static<typeof ImportJob>

const callers = ['user', 'api-key'] as const

/** Import jobs: accepted at once, done in the background, polled. */
export const importsApi = {
  create: endpoint({
    id: 'imports.create',
    method: 'POST',
    path: '/v1/tenants/{tenant_slug}/imports',
    summary: 'Import a document; answers as soon as the job is stored',
    access: { credentials: callers, permission: 'versions:edit' },
    params: Type.Object(tenantParams),
    headers: Type.Object({
      'idempotency-key': Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'The same key within 24 hours gives the same job.' }),
      ),
    }),
    body: ImportRequest,
    bodyLimit: 64 * 1024 * 1024,
    response: ImportJob,
    status: 202,
    errors: ['idempotency-key-reused', 'permission-denied', 'force-needs-reason', 'usage'],
  }),
  get: endpoint({
    id: 'imports.get',
    method: 'GET',
    path: '/v1/imports/{job_id}',
    summary: 'The state of an import job',
    access: { credentials: callers, permission: null },
    params: Type.Object({ job_id: Type.String({ minLength: 1 }) }),
    query: Type.Object({
      wait: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 30,
          description: 'Answer when the job has ended, at the latest after so many seconds.',
        }),
      ),
    }),
    response: ImportJob,
    errors: ['import-job-not-found'],
  }),
  cancel: endpoint({
    id: 'imports.cancel',
    method: 'DELETE',
    path: '/v1/imports/{job_id}',
    summary: 'Cancel an import job that has not ended',
    access: { credentials: callers, permission: null },
    params: Type.Object({ job_id: Type.String({ minLength: 1 }) }),
    response: ImportJob,
    errors: ['import-job-not-found'],
  }),
} as const
