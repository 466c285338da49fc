import { isoOf } from '../../db/clock.ts'
import { eq, ne } from 'drizzle-orm'
import { inTenant, isTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { licenses, memberships, tenants } from '../../db/tables.gen.ts'
import type { MembershipRecord, PlanRecord, TenantInfo, TenantLicense } from '../../src/api/tenants.ts'
import { type Grant, type Principal, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import { countSeats, planOf, type Plans, pollsUsed, usageOf } from '../license/door.ts'
import { normalizeOrganizationName } from './names.ts'

/** What comes with every plan. */
const features = [
  { key: 'agent_keys', label: 'Agent keys' },
  { key: 'mcp_capabilities', label: 'Capabilities of MCP keys' },
  { key: 'audit_trail', label: 'Audit trail of identity changes' },
] as const

const planRecord = (plans: Plans, row: typeof licenses.$inferSelect | null): PlanRecord | null =>
  row === null
    ? null
    : {
        slug: row.plan,
        name: plans[row.plan]?.name ?? row.plan,
        status: row.status,
        attached_at: row.attachedAt,
        renews_at: row.renewsAt,
      }

/** The memberships of the caller: all of a person's, by slug; of a key its one tenant, as `member`. */
export async function listMemberships(
  deps: Deps,
  principal: Principal,
  page: Page,
): Promise<{ items: MembershipRecord[]; total: number; limit: number; offset: number }> {
  const { read } = deps.db
  if (principal.kind !== 'user') {
    const [row] = await read
      .select({ tenant: tenants, license: licenses })
      .from(tenants)
      .leftJoin(licenses, eq(licenses.tenantId, tenants.id))
      .where(eq(tenants.id, principal.tenantId))
    const all: MembershipRecord[] =
      row === undefined
        ? []
        : [
            {
              tenant_id: row.tenant.id,
              slug: row.tenant.slug,
              name: row.tenant.name,
              role: 'member',
              status: 'active',
              plan: planRecord(deps.plans, row.license),
            },
          ]
    return { items: all.slice(page.offset, page.offset + page.limit), total: all.length, ...page }
  }
  const own = eq(memberships.userId, principal.userId)
  const rows = await read
    .select({ tenant: tenants, license: licenses, role: memberships.role, status: memberships.status })
    .from(memberships)
    .innerJoin(tenants, isTenant(memberships.tenantId))
    .leftJoin(licenses, eq(licenses.tenantId, tenants.id))
    .where(own)
    .orderBy(tenants.slug)
    .limit(page.limit)
    .offset(page.offset)
  const total = await read.$count(memberships, own)
  const items = rows.map(({ tenant, license, role, status }) => ({
    tenant_id: tenant.id,
    slug: tenant.slug,
    name: tenant.name,
    role,
    status,
    plan: planRecord(deps.plans, license),
  }))
  return { items, total, ...page }
}

async function licenseOf(reader: Reader, tenantId: string): Promise<typeof licenses.$inferSelect | null> {
  const [row] = await reader.select().from(licenses).where(inTenant(licenses, tenantId))
  return row ?? null
}

/** A tenant and how much it holds. */
export async function describeTenant(deps: Deps, grant: Grant): Promise<TenantInfo> {
  const { read } = deps.db
  const { id } = tenantOf(grant)
  const [tenant] = await read.select().from(tenants).where(eq(tenants.id, id))
  const members = await read.$count(memberships, inTenant(memberships, id, ne(memberships.status, 'pending')))
  const license = await licenseOf(read, id)
  const usage = await usageOf(deps.db, id)
  return {
    slug: tenant?.slug ?? tenantOf(grant).slug,
    name: tenant?.name ?? tenantOf(grant).name,
    plan: license?.plan ?? null,
    created_at: tenant?.createdAt ?? null,
    members_count: members,
    projects_count: usage.projects,
    versions_count: usage.versions,
    published_versions_count: usage.publishedVersions,
    storage_used_bytes: usage.storageBytes,
    storage_quota_bytes: planOf(deps.plans, license?.plan ?? null).quotas.storage_bytes,
  }
}

/** Plan, seats, quotas and features: the numbers that the guards enforce. */
export async function describeLicense(deps: Deps, grant: Grant): Promise<TenantLicense> {
  const { read } = deps.db
  const { id } = tenantOf(grant)
  const license = await licenseOf(read, id)
  const { seats, quotas: max } = planOf(deps.plans, license?.plan ?? null)
  const usage = await usageOf(deps.db, id)
  const { used, pending } = await countSeats(read, id, deps.clock.now())
  return {
    plan: planRecord(deps.plans, license),
    seats: { used, pending, max: seats },
    quotas: {
      projects: { used: usage.projects, max: max.projects },
      versions: { used: usage.versions, max: max.versions },
      storage_bytes: { used: usage.storageBytes, max: max.storage_bytes },
      repositories: { used: usage.repositories, max: max.repositories },
      webhooks: { used: usage.webhooks, max: max.webhooks },
      api_keys: { used: usage.apiKeys, max: max.api_keys },
      mcp_keys: { used: usage.mcpKeys, max: max.mcp_keys },
      polls_per_hour: { used: await pollsUsed(read, id, deps.clock.now()), max: max.polls_per_hour },
    },
    features: features.map((feature) => ({ ...feature, enabled: true })),
  }
}

/**
 * Changes the display name.
 * @throws SvcError `organization-name-invalid`
 */
export async function renameTenant(deps: Deps, grant: Grant, given: string): Promise<TenantInfo> {
  const name = normalizeOrganizationName(given)
  const { id, name: before } = tenantOf(grant)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await tx
      .update(tenants)
      .set({ name, updatedAt: isoOf(now) })
      .where(eq(tenants.id, id))
    const { principal: actor } = grant
    const detail = { from: before, to: name }
    await recordAudit(tx, { tenantId: id, actor, action: 'tenant.renamed', targetId: id, detail, at: isoOf(now) })
  })
  return describeTenant(deps, grant)
}
