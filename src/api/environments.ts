import { Type, type Static } from '@sinclair/typebox'
import { tierIds } from '../gateway-policy/door.ts'
import { endpoint } from './endpoint.ts'
import { approvalErrors, approvalQuery } from './gateway-shapes.ts'
import { bodyOf, dateTime, oneOf, titled } from '../kernel/shapes.ts'
import { pageQueryOptional, slugShape } from './shapes.ts'
import {
  editSecurity,
  environmentErrors,
  environmentsPath,
  inEnvironment,
  tenantSlugQuery,
  viewSecurity,
} from './kit.ts'

export const environmentKinds = ['production', 'staging', 'development', 'other'] as const

/** What gateways may record of a value that a rule matched. */
export const evidenceKinds = ['digest', 'shape'] as const

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

/** Environments of gateways: what a security policy is for. */
export const environmentsApi = {
  list: endpoint({
    id: 'environments.list',
    origin: 'own',
    method: 'GET',
    path: environmentsPath,
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
    path: environmentsPath,
    summary: 'Create an environment with a security policy of its own',
    access: editSecurity,
    query: inEnvironment.query,
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
    path: `${environmentsPath}/{environment_id}`,
    summary: 'Show an environment',
    access: viewSecurity,
    ...inEnvironment,
    response: Environment,
    errors: environmentErrors,
  }),
  update: endpoint({
    id: 'environments.update',
    origin: 'own',
    method: 'PATCH',
    path: `${environmentsPath}/{environment_id}`,
    summary: 'Change an environment',
    description:
      'Fields that are left out keep their value. To switch approvals off or lower their number needs the approval of another person.',
    access: editSecurity,
    ...inEnvironment,
    body: titled(
      'EnvironmentUpdate',
      bodyOf({
        name: Type.Optional(name),
        ...details,
        ...approvalQuery,
      }),
    ),
    response: Environment,
    errors: [
      ...environmentErrors,
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
    path: `${environmentsPath}/{environment_id}`,
    summary: 'Delete an environment with its policy and events; the audit trail is kept',
    description: 'Where approvals are required, this is a risky change.',
    access: editSecurity,
    params: inEnvironment.params,
    query: Type.Object({ ...tenantSlugQuery, ...approvalQuery }),
    response: Type.Null(),
    status: 204,
    errors: [...environmentErrors, 'environment-in-use', ...approvalErrors],
  }),
} as const
