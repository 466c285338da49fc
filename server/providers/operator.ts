import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { memberships, tenants } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import {
  assertBrowser,
  type Grant,
  lacksSecondFactor,
  localTenantSlug,
  personOf,
  requiresSecondFactor,
} from '../auth/door.ts'

/**
 * Admits the operator in a browser: an active owner of the organization "local", which every service has and which
 * belongs to who claimed the service.
 * @throws SvcError `browser-session-required`, `operator-required`, `second-factor-setup-required`
 */
export async function assertOperator(reader: Reader, grant: Grant): Promise<void> {
  assertBrowser(grant)
  const owned = and(
    eq(tenants.slug, localTenantSlug),
    eq(memberships.userId, personOf(grant)),
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
  if (requiresSecondFactor(local.settings) && (await lacksSecondFactor(reader, personOf(grant))))
    throw new SvcError('second-factor-setup-required', { tenant: local.name })
}
