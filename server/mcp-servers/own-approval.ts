import { eq, isNotNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { mcpManifests, mcpObservations } from '../../db/tables.gen.ts'
import { rolePermissions } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { administratorsOf, type Grant, peopleBehind, personOf, viewersOf } from '../auth/door.ts'
import type { EndpointRow } from './record.ts'

/** Who brought what is to be approved: who registered a server that was never approved, declared it, or uploaded this observation. */
async function actorsOf(tx: Transaction, row: EndpointRow, fingerprint: string): Promise<(string | null)[]> {
  const { tenantId, id, manifestId } = row
  const declared =
    manifestId === null
      ? []
      : await tx
          .select({ actor: mcpManifests.declaredBy })
          .from(mcpManifests)
          .where(inTenant(mcpManifests, tenantId, eq(mcpManifests.id, manifestId)))
  const observed = await tx
    .selectDistinct({ actor: mcpObservations.actor })
    .from(mcpObservations)
    .where(
      inTenant(
        mcpObservations,
        tenantId,
        eq(mcpObservations.endpointId, id),
        eq(mcpObservations.wire, fingerprint),
        isNotNull(mcpObservations.actor),
      ),
    )
  const registered = row.approvedFingerprint === null ? row.createdBy : null
  return [registered, ...declared.map(({ actor }) => actor), ...observed.map(({ actor }) => actor)]
}

/**
 * No one approves what they brought, where another member could approve it. An organization with one administrator has no other.
 * @throws SvcError `approval-self`
 */
export async function assertNotOwn(
  tx: Transaction,
  grant: Grant,
  row: EndpointRow,
  fingerprint: string,
): Promise<void> {
  const person = personOf(grant)
  const behind = await peopleBehind(tx, row.tenantId, await actorsOf(tx, row, fingerprint))
  if (!behind.has(person)) return
  const others = (await administratorsOf(tx, row.tenantId)).filter((id) => !behind.has(id))
  const active = await viewersOf(tx, row.tenantId, others)
  if ([...active.values()].some(({ role }) => rolePermissions[role].has('mcp:govern')))
    throw new SvcError('approval-self')
}
