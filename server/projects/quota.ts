import { count, eq } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import type { GrantedTenant } from '../auth/grant.ts'

/** How many each plan allows; a plan that is not here has no cap. */
const caps: Readonly<Record<string, { readonly projects: number }>> = {
  free: { projects: 10 },
  team: { projects: 100 },
}

/** Raises `quota-exceeded` when one more project would exceed the tenant's plan. The local workspace has no plan and no cap. */
export async function assertQuota(read: Reader, tenant: GrantedTenant, quota: 'projects'): Promise<void> {
  const max = tenant.plan === null ? undefined : caps[tenant.plan]?.[quota]
  if (max === undefined) return
  const [row] = await read.select({ n: count() }).from(projects).where(eq(projects.tenantId, tenant.id))
  const used = row?.n ?? 0
  if (used >= max) throw new SvcError('quota-exceeded', { quota, used, max })
}

/** How many projects and versions a tenant has. */
export async function countCatalogue(read: Reader, tenantId: string): Promise<{ projects: number; versions: number }> {
  const [p] = await read.select({ n: count() }).from(projects).where(eq(projects.tenantId, tenantId))
  const [v] = await read.select({ n: count() }).from(versions).where(eq(versions.tenantId, tenantId))
  return { projects: p?.n ?? 0, versions: v?.n ?? 0 }
}
