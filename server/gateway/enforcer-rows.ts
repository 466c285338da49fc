/** Rows of gateways. */
import { asc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewayEnforcers } from '../../db/tables.gen.ts'
import type { EnvironmentRow } from '../gateway-policy/door.ts'

export type EnforcerRow = typeof gatewayEnforcers.$inferSelect

/** The gateways of an environment, oldest first: 20 at most. */
export const enforcersOf = (read: Reader, { id, tenantId }: Pick<EnvironmentRow, 'id' | 'tenantId'>) =>
  read
    .select()
    .from(gatewayEnforcers)
    .where(inTenant(gatewayEnforcers, tenantId, eq(gatewayEnforcers.environmentId, id)))
    .orderBy(asc(gatewayEnforcers.createdAt), asc(gatewayEnforcers.id))
