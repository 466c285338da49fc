import { eq, ne, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { ofOwners } from '../../db/owners.ts'
import { memberships, users } from '../../db/tables.gen.ts'
import type { MemberRecord } from '../../src/api/members.ts'
import { SvcError } from '../../src/errors.ts'

/** What a member record is read from: users joined with memberships, where `isMember`. */
export const memberColumns = {
  user_id: users.id,
  email: users.email,
  name: users.name,
  role: memberships.role,
  status: sql<MemberRecord['status']>`${memberships.status}`,
  created_at: memberships.createdAt,
  managed: memberships.managed,
}

/** Pending ones are left out: until it is accepted, an invitation tells no one whose account the address has. */
export const isMember = ne(memberships.status, 'pending')

/**
 * One member of a tenant, active or suspended.
 * @throws SvcError `member-not-found`
 */
export async function findMember(reader: Reader, tenantId: string, userId: string): Promise<MemberRecord> {
  const [row] = await reader
    .select(memberColumns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(inTenant(memberships, tenantId, isMember, eq(memberships.userId, userId)))
  if (row === undefined) throw new SvcError('member-not-found', { member: userId })
  return row
}

/** Whether an organization has an active Owner besides a person: the last one must stay. */
export async function hasOtherOwner(reader: Reader, tenantId: string, userId: string): Promise<boolean> {
  const others = inTenant(
    memberships,
    tenantId,
    ofOwners,
    eq(memberships.status, 'active'),
    ne(memberships.userId, userId),
  )
  return (await reader.$count(memberships, others)) > 0
}
