import { Type, type Static } from '@sinclair/typebox'
import { tierIds } from '../gateway-policy/door.ts'
import { endpoint } from './endpoint.ts'
import { approvalErrors } from './gateway-shapes.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { pageQueryOptional, slugShape } from './shapes.ts'

export const environmentKinds = ['production', 'staging', 'development', 'other'] as const

/** What gateways may record of a value that a rule matched. */
export const evidenceKinds = ['digest', 'shape'] as const

/** The organization is that of the credentials; a person who belongs to several names one of them. */
export const tenantSlugQuery = {
  tenantSlug: Type.Optional(
    orNull(
      Type.String({
        description: 'Ignored for keys. A person who belongs to several organizations names the one that is meant.',
      }),
    ),
  ),
}

export const Environment = titled(
  'Environment',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    kind: oneOf(environmentKinds),
    project_ids: Type.Array(Type.String(), { description: 'The projects whose APIs are behind the gateway.' }),
    hostnames: Type.Array(Type.String()),
    base_paths: Type.Array(Type.String(), { description: 'What the paths of the APIs begin with.' }),
    evidence: oneOf(evidenceKinds, 'What gateways record of a value that a rule matched.'),
    tier: oneOf(tierIds),
    policy_version: Type.Integer(),
    approvals: Type.Object({
      required: Type.Boolean({ description: 'Whether risky changes need another person.' }),
      approvers_min: Type.Integer({ description: 'How many other people approve a risky change.' }),
    }),
    enforcers: Type.Object(
      { total: Type.Integer(), current: Type.Integer(), behind: Type.Integer(), silent: Type.Integer() },
      { description: 'The gateways that follow the policy, and how many of them report its newest version.' },
    ),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)
export type Environment = Static<typeof Environment>

const approvals = Type.Object(
  {
    required: Type.Boolean(),
    approvers_min: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, default: 1 })),
  },
  {
    additionalProperties: false,
    description:
      'Where it is left out, approvals are required as soon as the organization has two people who can approve. Switching them off, or lowering their number, is a risky change itself.',
  },
)
const details = {
  slug: Type.Optional({ ...slugShape, description: 'Made from the name where it is left out.' }),
  kind: Type.Optional(oneOf(environmentKinds)),
  project_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 200, description: 'Ids or slugs of projects.' }),
  ),
  hostnames: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 253,
        pattern: '^(?:\\*\\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?$',
        examples: ['api.example.com'],
      }),
      { maxItems: 100, description: 'As "api.example.com" or "*.example.com".' },
    ),
  ),
  base_paths: Type.Optional(
    Type.Array(Type.String({ maxLength: 500, pattern: '^/[^?#\\s]*$', examples: ['/v1'] }), { maxItems: 100 }),
  ),
  evidence: Type.Optional(
    oneOf(
      evidenceKinds,
      'digest: its length and a digest with a key. shape: also its shape, as "A\'Aa 0" for "O\'Neil 42", which is enough to tell a false alarm.',
    ),
  ),
  approvals: Type.Optional(approvals),
}
const name = Type.String({ minLength: 1, maxLength: 200 })

const base = '/v1/slate/environments'
const callers = ['user', 'api-key'] as const
export const viewSecurity = { credentials: callers, permission: 'security:view', tenancy: 'credential' } as const
export const editSecurity = { credentials: callers, permission: 'security:edit', tenancy: 'credential' } as const
export const environmentParams = {
  environment_id: Type.String({ minLength: 1, description: 'Id or slug of an environment.' }),
}
const params = Type.Object(environmentParams)
const query = Type.Object(tenantSlugQuery)

/** Environments of gateways: what a security policy is for. */
export const environmentsApi = {
  list: endpoint({
    id: 'environments.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List environments by name',
    access: viewSecurity,
    query: Type.Object({ ...tenantSlugQuery, ...pageQueryOptional }),
    response: titled(
      'EnvironmentListResponse',
      Type.Object({
        environments: Type.Array(Environment),
        count: Type.Integer(),
        total: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
    ),
    errors: ['tenant-unnamed'],
  }),
  create: endpoint({
    id: 'environments.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Create an environment with a security policy of its own',
    access: editSecurity,
    query,
    body: titled('EnvironmentCreate', bodyOf({ name, ...details, tier: Type.Optional(oneOf(tierIds)) })),
    status: 201,
    response: Environment,
    errors: [
      'tenant-unnamed',
      'environment-slug-taken',
      'project-not-found',
      'approvals-need-people',
      'security-limit-reached',
    ],
  }),
  get: endpoint({
    id: 'environments.get',
    origin: 'own',
    method: 'GET',
    path: `${base}/{environment_id}`,
    summary: 'Show an environment',
    access: viewSecurity,
    params,
    query,
    response: Environment,
    errors: ['tenant-unnamed', 'environment-not-found'],
  }),
  update: endpoint({
    id: 'environments.update',
    origin: 'own',
    method: 'PATCH',
    path: `${base}/{environment_id}`,
    summary: 'Change an environment',
    description:
      'Fields that are left out keep their value. To switch approvals off or lower their number needs the approval of another person.',
    access: editSecurity,
    params,
    query,
    body: titled(
      'EnvironmentUpdate',
      bodyOf({
        name: Type.Optional(name),
        ...details,
        approvalId: Type.Optional(Type.String({ description: 'The approval of this change.' })),
      }),
    ),
    response: Environment,
    errors: [
      'tenant-unnamed',
      'environment-not-found',
      'environment-slug-taken',
      'project-not-found',
      'approvals-need-people',
      ...approvalErrors,
    ],
  }),
  remove: endpoint({
    id: 'environments.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{environment_id}`,
    summary: 'Delete an environment with its policy and events; the audit trail is kept',
    access: editSecurity,
    params,
    query,
    response: Type.Null(),
    status: 204,
    errors: ['tenant-unnamed', 'environment-not-found', 'environment-in-use'],
  }),
} as const
