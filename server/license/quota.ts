import { isoOf } from '../../db/clock.ts'
import { and, eq, gt, isNull, ne, sum } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import {
  apiKeys,
  contents,
  importUploads,
  invitations,
  licenses,
  mcpKeys,
  memberships,
  projects,
} from '../../db/tables.gen.ts'
import { inTenant } from '../../db/conditions.ts'
import type { QuotaName } from '../../src/api/tenants.ts'
import { SvcError } from '../../src/errors.ts'
import { ofOwners } from '../../db/owners.ts'
import { type Plan, planOf, type Plans } from './plans.ts'

/** The plan that is attached to a tenant, or the free one, as far as limits go. */
export async function limitsOf(reader: Reader, plans: Plans, tenantId: string): Promise<Plan> {
  const [row] = await reader.select({ plan: licenses.plan }).from(licenses).where(inTenant(licenses, tenantId))
  return planOf(plans, row?.plan ?? null)
}

/** @throws SvcError `quota-exceeded` when one more would be over the limit */
export function assertRoom(quota: QuotaName | 'seats', used: number, max: number | null): void {
  if (max !== null && used >= max) throw new SvcError('quota-exceeded', { quota, used, max })
}

/**
 * @throws SvcError `quota-exceeded` when a tenant has as many projects as its plan allows; no one else adds one
 *   meanwhile
 */
export async function assertProjectRoom(tx: Transaction, plans: Plans, tenantId: string): Promise<void> {
  const { quotas } = await limitsOf(tx, plans, tenantId)
  if (quotas.projects === null) return
  await tx.lock(`projects:${tenantId}`)
  await assertPlannedProject(tx, plans, tenantId, 0)
}

/**
 * The same for what is planned and not stored.
 * @param planned how many projects would have been created before
 * @throws SvcError `quota-exceeded`
 */
export async function assertPlannedProject(
  read: Reader,
  plans: Plans,
  tenantId: string,
  planned: number,
): Promise<void> {
  const { quotas } = await limitsOf(read, plans, tenantId)
  const used = await read.$count(projects, inTenant(projects, tenantId))
  assertRoom('projects', used + planned, quotas.projects)
}

/** The bytes that a tenant keeps: its documents, each once, and what waits to be imported. */
export async function bytesOf(reader: Reader, tenantId: string): Promise<number> {
  const [stored] = await reader
    .select({ bytes: sum(contents.sizeBytes) })
    .from(contents)
    .where(inTenant(contents, tenantId))
  const [waiting] = await reader
    .select({ bytes: sum(importUploads.sizeBytes) })
    .from(importUploads)
    .where(inTenant(importUploads, tenantId))
  return Number(stored?.bytes ?? 0) + Number(waiting?.bytes ?? 0)
}

/** @throws SvcError `quota-exceeded` when so many bytes more would be over what the tenant's plan stores */
export async function assertStorageRoom(tx: Transaction, plans: Plans, tenantId: string, more: number): Promise<void> {
  const { quotas } = await limitsOf(tx, plans, tenantId)
  if (quotas.storage_bytes === null) return
  const used = await bytesOf(tx, tenantId)
  if (used + more > quotas.storage_bytes)
    throw new SvcError('quota-exceeded', { quota: 'storage_bytes', used, max: quotas.storage_bytes })
}

/** How many API keys or MCP keys a tenant has. */
export async function countKeys(
  reader: Reader,
  table: typeof apiKeys | typeof mcpKeys,
  tenantId: string,
): Promise<number> {
  return reader.$count(table, inTenant(table, tenantId))
}

/** Seats: taken by active and suspended members; guaranteed to pending ones and to open invitations. */
export async function countSeats(
  reader: Reader,
  tenantId: string,
  now: number,
): Promise<{ readonly used: number; readonly pending: number }> {
  const used = await reader.$count(memberships, inTenant(memberships, tenantId, ne(memberships.status, 'pending')))
  const pending = await reader.$count(invitations, and(inTenant(invitations, tenantId), openInvitation(now)))
  return { used, pending }
}

/** An invitation that can still be accepted. */
export const openInvitation = (now: number) =>
  and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt), gt(invitations.expiresAt, isoOf(now)))

/** The plans that a person's tenants have, of those they own; an open invitation to own one does not count. */
export async function ownedPlans(reader: Reader, plans: Plans, userId: string): Promise<Plan[]> {
  const rows = await reader
    .select({ plan: licenses.plan })
    .from(memberships)
    .leftJoin(licenses, eq(licenses.tenantId, memberships.tenantId))
    .where(and(eq(memberships.userId, userId), ofOwners, ne(memberships.status, 'pending')))
  return rows.map(({ plan }) => planOf(plans, plan))
}
