import { and, asc, eq, inArray, isNotNull, isNull, max, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { mcpEndpoints, mcpObservations } from '../../db/tables.gen.ts'
import { rolePermissions } from '../../src/api/permissions.ts'
import { administratorsOf, inParts, namesBehind, viewersOf } from '../auth/door.ts'
import { broughtBy } from './own-approval.ts'

/** A server whose surface waits for an approval. */
export interface EndpointToApprove {
  readonly id: string
  readonly name: string
  /** Whether another surface was approved before. */
  readonly isDrift: boolean
  /** When it was first seen to offer what it offers now. */
  readonly since: string
}

async function waiting(read: Reader, tenantId: string) {
  const { observedFingerprint, approvedFingerprint, state } = mcpEndpoints
  return read
    .select({
      id: mcpEndpoints.id,
      tenantId: mcpEndpoints.tenantId,
      name: mcpEndpoints.name,
      title: mcpEndpoints.title,
      manifestId: mcpEndpoints.manifestId,
      createdBy: mcpEndpoints.createdBy,
      createdAt: mcpEndpoints.createdAt,
      approvedFingerprint,
      observedFingerprint,
    })
    .from(mcpEndpoints)
    .where(
      inTenant(
        mcpEndpoints,
        tenantId,
        or(eq(state, 'drifted'), and(isNotNull(observedFingerprint), isNull(approvedFingerprint))),
      ),
    )
    .orderBy(asc(mcpEndpoints.createdAt), asc(mcpEndpoints.id))
}

/** All names under which each member acts who may approve servers now. */
async function approversOf(read: Reader, tenantId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const active = await viewersOf(read, tenantId, await administratorsOf(read, tenantId))
  const names = new Map<string, ReadonlySet<string>>()
  for (const [id, { role }] of active)
    if (rolePermissions[role].has('mcp:govern')) names.set(id, new Set(await namesBehind(read, tenantId, `user:${id}`)))
  return names
}

/** When a server last began to offer something else. */
async function changedAt(read: Reader, tenantId: string, ids: readonly string[]) {
  const found = new Map<string, string>()
  for (const part of inParts(ids)) {
    const rows = await read
      .select({ id: mcpObservations.endpointId, at: max(mcpObservations.at) })
      .from(mcpObservations)
      .where(
        inTenant(
          mcpObservations,
          tenantId,
          inArray(mcpObservations.endpointId, part),
          eq(mcpObservations.changed, true),
        ),
      )
      .groupBy(mcpObservations.endpointId)
    for (const { id, at } of rows) if (at !== null) found.set(id, at)
  }
  return found
}

/**
 * The servers that a person is to approve: what they offer is not what was approved, or nothing was. What they brought themselves is left
 * to others, where there are others.
 */
export async function endpointsToApprove(
  read: Reader,
  tenantId: string,
  person: string,
): Promise<readonly EndpointToApprove[]> {
  const rows = await waiting(read, tenantId)
  if (rows.length === 0) return []
  const approvers = await approversOf(read, tenantId)
  const brought = await broughtBy(read, rows)
  const isBehind = (id: string, names: ReadonlySet<string> | undefined): boolean =>
    names !== undefined && [...(brought.get(id) ?? [])].some((actor) => names.has(actor))
  const mine = rows.filter(
    ({ id }) =>
      !isBehind(id, approvers.get(person)) ||
      [...approvers].every(([other, names]) => other === person || isBehind(id, names)),
  )
  const changed = await changedAt(
    read,
    tenantId,
    mine.map(({ id }) => id),
  )
  return mine.map((row) => ({
    id: row.id,
    name: row.title ?? row.name,
    isDrift: row.approvedFingerprint !== null,
    since: changed.get(row.id) ?? row.createdAt,
  }))
}
