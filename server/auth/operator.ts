import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { memberships, tenants } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { localTenantSlug } from './local-tenant.ts'
import { lacksSecondFactor, requiresSecondFactor } from './second-factor.ts'

/**
 * Admits the operator: an active owner of the organization "local", which every service has and which belongs to who
 * claimed the service.
 * @throws SvcError `operator-required`, `second-factor-setup-required`
 */
export async function assertOperator(reader: Reader, userId: string): Promise<void> {
  const owned = and(
    eq(tenants.slug, localTenantSlug),
    eq(memberships.userId, userId),
    eq(memberships.role, 'owner'),
    eq(memberships.status, 'active'),
  )
  const rows = await reader
    .select({ name: tenants.name, settings: tenants.settings })
    .from(tenants)
    .innerJoin(memberships, eq(memberships.tenantId, tenants.id))
    .where(owned)
  const [local] = rows
  if (local === undefined) throw new SvcError('operator-required')
  if (requiresSecondFactor(local.settings) && (await lacksSecondFactor(reader, userId)))
    throw new SvcError('second-factor-setup-required', { tenant: local.name })
}
