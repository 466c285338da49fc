/**
 * Pending memberships: an open invitation, seen from the account whose address was proven to be the invited one. Other
 * accounts of that address have none, since their creators perhaps do not own it.
 */
import { and, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { invitations, memberships } from '../../db/tables.gen.ts'
import { openInvitation } from '../license/door.ts'
import { findVerifiedUser, type UserRow } from './find.ts'

/** Held while an address is invited or proven, so that neither misses what the other writes. */
export const lockAddress = (tx: Transaction, email: string): Promise<void> => tx.lock(`address:${email.toLowerCase()}`)

/** Gives the account of a proven address a pending membership for each open invitation. */
export async function grantInvitations(tx: Transaction, user: UserRow, now: number): Promise<void> {
  const open = await tx
    .select({ tenantId: invitations.tenantId, role: invitations.role })
    .from(invitations)
    .where(and(eq(invitations.email, user.email.toLowerCase()), openInvitation(now)))
  for (const { tenantId, role } of open)
    await tx
      .insert(memberships)
      .values({ tenantId, userId: user.id, role, status: 'pending', createdAt: isoOf(now) })
      .onConflictDoNothing()
}

/** Removes the pending membership that an invitation of the address made. */
export async function dropPending(tx: Transaction, tenantId: string, email: string): Promise<void> {
  const user = await findVerifiedUser(tx, email)
  if (user === null) return
  await tx
    .delete(memberships)
    .where(inTenant(memberships, tenantId, eq(memberships.userId, user.id), eq(memberships.status, 'pending')))
}

/** Uses up the open invitation of an address; false where there is none. */
export async function settleInvitation(
  tx: Transaction,
  tenantId: string,
  email: string,
  now: number,
): Promise<boolean> {
  const settled = await tx
    .update(invitations)
    .set({ acceptedAt: isoOf(now) })
    .where(inTenant(invitations, tenantId, eq(invitations.email, email.toLowerCase()), openInvitation(now)))
    .returning({ id: invitations.id })
  return settled.length > 0
}
