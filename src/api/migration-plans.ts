import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { may, tenantParams, versionErrors, listed } from './kit.ts'

const Rules = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
  description: 'Rules by "migration-edge-prop-<source_property>": what becomes of that property.',
})

export const MigrationPlan = titled(
  'MigrationPlan',
  Type.Object({
    project_id: Type.String(),
    from_version_id: Type.String(),
    to_version_id: Type.String(),
    class_name: Type.String(),
    rules: Rules,
    updated_by: orNull(Type.String()),
    updated_at: orNull(dateTime()),
  }),
)
export type MigrationPlan = Static<typeof MigrationPlan>

export const MigrationProposal = titled(
  'MigrationProposal',
  Type.Object({
    key: Type.String(),
    rule: Type.Object({
      kind: oneOf(['rename', 'type-change', 'split', 'merge', 'drop']),
      source_property: Type.String(),
      target_properties: Type.Array(Type.String()),
      source_type: Type.String(),
      target_type: orNull(Type.String()),
    }),
    reason: Type.String(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    accepted: Type.Boolean({ description: 'Whether the plan already has a rule for the property.' }),
  }),
)
export type MigrationProposal = Static<typeof MigrationProposal>

const name = Type.String({ minLength: 1, maxLength: 500 })
const pair = {
  projectId: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
  fromVersionId: Type.String({ minLength: 1, description: 'Id, label or slug of the older version.' }),
  toVersionId: Type.String({ minLength: 1, description: 'Id, label or slug of the newer version.' }),
}
const base = '/v1/migration-plans/{tenant_slug}'

/** Migration plan rules. */
export const migrationPlansApi = {
  get: endpoint({
    id: 'migration-plans.get',
    origin: 'spec',
    method: 'GET',
    path: base,
    summary: 'Get the migration rules of a schema between two versions',
    access: listed(may('versions:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...pair, className: name }),
    response: MigrationPlan,
    errors: versionErrors,
  }),
  put: endpoint({
    id: 'migration-plans.put',
    origin: 'spec',
    method: 'PUT',
    path: base,
    summary: 'Set the migration rules of a schema between two versions; an empty set deletes the plan',
    access: may('versions:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      project_id: Type.String({ minLength: 1 }),
      from_version_id: Type.String({ minLength: 1 }),
      to_version_id: Type.String({ minLength: 1 }),
      class_name: name,
      rules: Rules,
    }),
    bodyLimit: 8 * 1024 * 1024,
    response: MigrationPlan,
    errors: [...versionErrors, 'class-not-found', 'migration-rule-invalid', 'analysis-stopped'],
  }),
  counts: endpoint({
    id: 'migration-plans.counts',
    origin: 'spec',
    method: 'GET',
    path: `${base}/counts`,
    summary: 'Count the migration rules of each schema between two versions',
    access: listed(may('versions:view')),
    params: Type.Object(tenantParams),
    query: Type.Object(pair),
    response: Type.Object({ counts: Type.Record(Type.String(), Type.Integer()) }),
    errors: versionErrors,
  }),
  proposals: endpoint({
    id: 'migration-plans.proposals',
    origin: 'own',
    method: 'GET',
    path: `${base}/proposals`,
    summary: 'Propose migration rules from the differences of two versions',
    access: listed(may('versions:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...pair, className: Type.Optional(name) }),
    response: Type.Object({ proposals: Type.Record(Type.String(), Type.Array(MigrationProposal)) }),
    errors: [...versionErrors, 'analysis-stopped'],
  }),
} as const
