import { inArray, isNotNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { mcpManifests, mcpObservations } from '../../db/tables.gen.ts'
import { rolePermissions } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { administratorsOf, type Grant, inParts, peopleBehind, personOf, viewersOf } from '../auth/door.ts'
import type { EndpointRow } from './record.ts'

type Brought = Pick<
  EndpointRow,
  'id' | 'tenantId' | 'manifestId' | 'approvedFingerprint' | 'createdBy' | 'observedFingerprint'
>

/**
 * Who brought what is to be approved, by server: who registered one that was never approved, declared it, or uploaded the observation of
 * its fingerprint.
 * @param rows of one organization
 */
export async function broughtBy(read: Reader, rows: readonly Brought[]): Promise<ReadonlyMap<string, Set<string>>> {
  const actors = new Map(rows.map(({ id }) => [id, new Set<string>()]))
  const add = (id: string, actor: string | null): void => {
    if (actor !== null) actors.get(id)?.add(actor)
  }
  const [first] = rows
  if (first === undefined) return actors
  const { tenantId } = first
  for (const part of inParts(rows)) {
    const byManifest = new Map(part.flatMap(({ id, manifestId }) => (manifestId === null ? [] : [[manifestId, id]])))
    const seen = new Map(part.map(({ id, observedFingerprint }) => [id, observedFingerprint]))
    const declared = await read
      .select({ id: mcpManifests.id, actor: mcpManifests.declaredBy })
      .from(mcpManifests)
      .where(inTenant(mcpManifests, tenantId, inArray(mcpManifests.id, [...byManifest.keys()])))
    const observed = await read
      .selectDistinct({ id: mcpObservations.endpointId, actor: mcpObservations.actor, wire: mcpObservations.wire })
      .from(mcpObservations)
      .where(
        inTenant(
          mcpObservations,
          tenantId,
          inArray(mcpObservations.endpointId, [...seen.keys()]),
          isNotNull(mcpObservations.actor),
        ),
      )
    for (const { id, approvedFingerprint, createdBy } of part) if (approvedFingerprint === null) add(id, createdBy)
    for (const { id, actor } of declared) add(byManifest.get(id) ?? '', actor)
    for (const { id, actor, wire } of observed) if (wire === seen.get(id)) add(id, actor)
  }
  return actors
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
  const brought = await broughtBy(tx, [{ ...row, observedFingerprint: fingerprint }])
  const behind = await peopleBehind(tx, row.tenantId, brought.get(row.id) ?? [])
  if (!behind.has(person)) return
  const others = (await administratorsOf(tx, row.tenantId)).filter((id) => !behind.has(id))
  const active = await viewersOf(tx, row.tenantId, others)
  if ([...active.values()].some(({ role }) => rolePermissions[role].has('mcp:govern')))
    throw new SvcError('approval-self')
}
