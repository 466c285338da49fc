import { eq, ne, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
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
