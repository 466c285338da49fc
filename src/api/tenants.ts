import { Type, type Static } from '@sinclair/typebox'
import { auditMeans } from './audit-means.ts'
import { endpoint } from './endpoint.ts'
import { roles } from './permissions.ts'
import { MemberRecord } from './members.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { cursorQuery, pageOf, pageQueryOptional, stablePageShape } from './shapes.ts'
import { may, person, tenantParams, tenantPath, listed } from './kit.ts'

/** The plan that is attached to a tenant. */
export const PlanRecord = titled(
  'PlanRecord',
  Type.Object({
    slug: Type.String(),
    name: Type.String(),
    status: oneOf(['active', 'cancelled']),
    attached_at: dateTime(),
    renews_at: orNull(dateTime()),
  }),
)
export type PlanRecord = Static<typeof PlanRecord>

/** One membership of the caller. A key has one: its tenant, with the role `member`. */
export const MembershipRecord = titled(
  'MembershipRecord',
  Type.Object({
    tenant_id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    role: oneOf([...roles, 'member']),
    status: oneOf(['pending', 'active', 'suspended']),
    plan: orNull(PlanRecord),
  }),
)
export type MembershipRecord = Static<typeof MembershipRecord>

export const TenantInfo = titled(
  'TenantInfoResponse',
  Type.Object({
    slug: Type.String(),
    name: Type.String(),
    plan: orNull(Type.String()),
    created_at: orNull(dateTime()),
    members_count: Type.Integer(),
    projects_count: Type.Integer(),
    versions_count: Type.Integer(),
    published_versions_count: Type.Integer(),
    storage_used_bytes: orNull(Type.Integer()),
    storage_quota_bytes: orNull(Type.Integer()),
  }),
)
export type TenantInfo = Static<typeof TenantInfo>

export const quotaNames = [
  'projects',
  'versions',
  'storage_bytes',
  'repositories',
  'webhooks',
  'api_keys',
  'mcp_keys',
  'polls_per_hour',
] as const
export type QuotaName = (typeof quotaNames)[number]

const Quota = titled('Quota', Type.Object({ used: Type.Integer(), max: orNull(Type.Integer()) }))

export const TenantLicense = titled(
  'TenantLicenseResponse',
  Type.Object({
    plan: orNull(PlanRecord),
    seats: Type.Object({ used: Type.Integer(), pending: Type.Integer(), max: orNull(Type.Integer()) }),
    quotas: Type.Object({
      projects: Quota,
      versions: Quota,
      storage_bytes: Quota,
      repositories: Quota,
      webhooks: Quota,
      api_keys: Quota,
      mcp_keys: Quota,
      polls_per_hour: Quota,
    }),
    features: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), enabled: Type.Boolean() })),
  }),
)
export type TenantLicense = Static<typeof TenantLicense>

/** Whether an organization requires a second factor of its members. */
export const SecondFactorPolicy = titled(
  'SecondFactorPolicy',
  Type.Object({
    required: Type.Boolean(),
    members_without: Type.Integer({
      description: 'Active members with a password and no second factor. Where one is required they can only add one.',
    }),
  }),
)
export type SecondFactorPolicy = Static<typeof SecondFactorPolicy>

/** What the Editors of an organization may edit. */
export const EditingPolicy = titled(
  'EditingPolicy',
  Type.Object({
    editors_edit_own: Type.Boolean({
      description:
        'Whether Editors edit only the projects on which they, or a team of theirs, have the role Editor or Owner.',
    }),
  }),
)
export type EditingPolicy = Static<typeof EditingPolicy>

/** One entry of the audit trail. */
export const AuditRecord = titled(
  'AuditRecord',
  Type.Object({
    id: Type.String(),
    actor_kind: oneOf(['user', 'api-key', 'agent-key', 'mcp-key', 'gateway-key', 'system']),
    actor_id: orNull(Type.String()),
    actor_name: orNull(
      Type.String({ description: 'Name of the person or the key; null: it is gone, or the service.' }),
    ),
    means: orNull(
      oneOf(
        auditMeans,
        'web: the application; token: a program with an access token, as the command line; local: the command line on its own data; key: a key. Null: the service, or not recorded.',
      ),
    ),
    action: Type.String(),
    target_id: orNull(Type.String()),
    target_name: orNull(
      Type.String({
        description: 'The target of the action, if known: a person, a key, "project@version".',
      }),
    ),
    target_url: orNull(
      Type.String({
        description:
          'Its page in the application; of versions, projects, style guides, repositories, webhooks and environments that are still there.',
      }),
    ),
    detail: Type.Record(Type.String(), Type.Unknown()),
    created_at: dateTime(),
  }),
)
export type AuditRecord = Static<typeof AuditRecord>

/** Tenants as their members see them. */
export const tenantsApi = {
  me: endpoint({
    id: 'tenants.me',
    origin: 'spec',
    method: 'GET',
    path: '/v1/tenants/me',
    summary: 'List the organizations of the caller',
    description: 'With an access token: every membership of the user. With an API key: its organization, as `member`.',
    access: may(null),
    query: Type.Object(pageQueryOptional),
    response: titled('TenantsMeResponse', pageOf(MembershipRecord)),
    errors: [],
  }),
  get: endpoint({
    id: 'tenants.get',
    origin: 'spec',
    method: 'GET',
    path: tenantPath,
    summary: 'Get an organization and its usage',
    access: listed(may(null)),
    params: Type.Object(tenantParams),
    response: TenantInfo,
    errors: [],
  }),
  update: endpoint({
    id: 'tenants.update',
    origin: 'own',
    method: 'PATCH',
    path: tenantPath,
    summary: 'Change the display name of an organization',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({ name: Type.String() }),
    response: TenantInfo,
    errors: ['organization-name-invalid'],
  }),
  secondFactor: endpoint({
    id: 'tenants.second-factor',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/second-factor`,
    summary: 'Get whether an organization requires a second factor of its members',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    response: SecondFactorPolicy,
    errors: [],
  }),
  setSecondFactor: endpoint({
    id: 'tenants.second-factor.set',
    origin: 'own',
    method: 'PUT',
    path: `${tenantPath}/second-factor`,
    summary: 'Require a second factor of the members of an organization, or stop requiring it',
    description:
      'Members with a password and no second factor are refused with 403 `second-factor-setup-required` until they add one. People who sign in at an identity provider only, and keys, are not affected. Who requires it must have one.',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({ required: Type.Boolean() }),
    response: SecondFactorPolicy,
    errors: ['second-factor-own-missing'],
  }),
  editing: endpoint({
    id: 'tenants.editing',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/editing`,
    summary: 'Get whether the Editors of an organization edit only their own projects',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    response: EditingPolicy,
    errors: [],
  }),
  setEditing: endpoint({
    id: 'tenants.editing.set',
    origin: 'own',
    method: 'PUT',
    path: `${tenantPath}/editing`,
    summary: 'Let the Editors of an organization edit only their own projects, or all of them',
    description:
      'With `editors_edit_own`, Editors edit the projects on which they, or a team of theirs, have the role Editor or Owner. Elsewhere they have what a Viewer has; they still create projects and answer reviews. Owners, Admins and keys are not affected.',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({ editors_edit_own: Type.Boolean() }),
    response: EditingPolicy,
    errors: [],
  }),
  remove: endpoint({
    id: 'tenants.delete',
    origin: 'own',
    method: 'DELETE',
    path: tenantPath,
    summary: 'Delete an organization and all its data permanently',
    access: person('tenant:delete'),
    params: Type.Object(tenantParams),
    response: Type.Null(),
    status: 204,
    errors: ['tenant-protected'],
  }),
  transfer: endpoint({
    id: 'tenants.transfer',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/ownership-transfer`,
    summary: 'Transfer ownership to another member; the caller becomes Admin',
    access: person('tenant:transfer'),
    params: Type.Object(tenantParams),
    body: bodyOf({ user_id: Type.String({ minLength: 1 }) }),
    response: Type.Object({ owner: MemberRecord, previous: MemberRecord }),
    errors: ['member-not-found', 'transfer-invalid'],
  }),
  license: endpoint({
    id: 'tenants.license',
    origin: 'spec',
    method: 'GET',
    path: `${tenantPath}/license`,
    summary: 'Get the plan, seats, quotas and features of an organization',
    access: may('billing:view'),
    params: Type.Object(tenantParams),
    response: TenantLicense,
    errors: [],
  }),
  audit: endpoint({
    id: 'tenants.audit',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/audit-events`,
    summary: 'List the audit trail of an organization, newest first',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      offset: pageQueryOptional.offset,
      cursor: cursorQuery,
      action: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'Only this action, such as "member.suspended", or all of a kind: "member.*".',
        }),
      ),
      actor: Type.Optional(Type.String({ minLength: 1, description: 'Only events of this actor (id).' })),
      target: Type.Optional(
        Type.String({ minLength: 1, description: 'Only events about this: the id of a version, a person, a key …' }),
      ),
      since: Type.Optional(dateTime('Only events at or after this time.')),
      until: Type.Optional(dateTime('Only events before this time.')),
    }),
    response: stablePageShape(AuditRecord),
    errors: [],
  }),
} as const
