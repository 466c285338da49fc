/** The directory of an organization as a source of rules: its users have claims, and its groups are one of them. */
import { and, asc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { inTenant, isThere } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isoOf } from '../../db/clock.ts'
import { memberships, roleMatches, scimGroups, scimMembers, scimUsers, users } from '../../db/tables.gen.ts'
import { scimSource } from '../../src/api/role-rules.ts'
import { inParts, recordAudit } from '../auth/door.ts'
import { hasOtherOwner, isMember } from '../members/door.ts'
import { ofAddress } from '../users/door.ts'
import { applyRulesIn, type RuleDeps } from './apply.ts'
import type { Claims } from './evaluate.ts'
import { findMembership } from './settle.ts'

type DirectoryUser = typeof scimUsers.$inferSelect

/** Whose account a user of the directory is; null where nobody has proven the address, or the account has another one. */
async function accountOf(tx: Transaction, user: DirectoryUser): Promise<string | null> {
  if (user.userId !== null || user.email === null) return user.userId
  // Only who is a member already: the answer must not show who has an account elsewhere.
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(inTenant(memberships, user.tenantId, isMember, ofAddress(user.email), isNotNull(users.emailVerifiedAt)))
  return found === undefined ? null : link(tx, user, found.id)
}

async function link(tx: Transaction, user: DirectoryUser, userId: string): Promise<string | null> {
  const [other] = await tx
    .select({ id: scimUsers.id })
    .from(scimUsers)
    .where(inTenant(scimUsers, user.tenantId, eq(scimUsers.userId, userId)))
  if (other !== undefined) return null
  await tx
    .update(scimUsers)
    .set({ userId })
    .where(inTenant(scimUsers, user.tenantId, eq(scimUsers.id, user.id)))
  return userId
}

/** What rules see of a user of a directory. */
async function claimsOf(tx: Transaction, user: DirectoryUser): Promise<Claims> {
  const groups = await tx
    .select({ name: scimGroups.displayName })
    .from(scimMembers)
    .innerJoin(scimGroups, eq(scimGroups.id, scimMembers.groupId))
    .where(inTenant(scimMembers, user.tenantId, eq(scimMembers.userId, user.id)))
  return { ...user.attributes, groups: groups.map((it) => it.name) }
}

/**
 * Takes a membership from a person whom the directory says has left, whoever gave it; the last Owner stays.
 * @param tx holds the lock of the members of the organization
 */
async function end(tx: Transaction, user: DirectoryUser, userId: string, now: number): Promise<void> {
  const { tenantId } = user
  await tx
    .delete(roleMatches)
    .where(inTenant(roleMatches, tenantId, eq(roleMatches.userId, userId), eq(roleMatches.issuer, scimSource)))
  const before = await findMembership(tx, tenantId, userId)
  if (before === null) return
  const isLast = before.role === 'owner' && before.status === 'active' && !(await hasOtherOwner(tx, tenantId, userId))
  if (!isLast) await tx.delete(memberships).where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
  await recordAudit(tx, {
    tenantId,
    actor: null,
    action: isLast ? 'member.kept-as-last-owner' : 'member.removed-by-directory',
    targetId: userId,
    detail: { email: user.email, role: before.role },
    at: isoOf(now),
  })
}

async function settle(tx: Transaction, deps: RuleDeps, user: DirectoryUser, now: number): Promise<void> {
  const userId = await accountOf(tx, user)
  if (userId === null) return
  if (!user.active) {
    await end(tx, user, userId, now)
    return
  }
  const [person] = await tx.select({ id: users.id, email: users.email }).from(users).where(eq(users.id, userId))
  if (person === undefined) return
  const application = { person, issuer: scimSource, claims: await claimsOf(tx, user), now }
  await applyRulesIn(tx, deps, application, user.tenantId)
}

/**
 * Applies the rules of the directory to some of its users, or to all.
 * @param tx holds the lock of the members of the organization
 */
export async function settleDirectory(
  tx: Transaction,
  deps: RuleDeps,
  tenantId: string,
  only: ReadonlySet<string> | null,
): Promise<void> {
  const parts = only === null ? [null] : inParts([...only].sort())
  for (const part of parts) {
    const those = part === null ? undefined : inArray(scimUsers.id, part)
    const rows = await tx
      .select()
      .from(scimUsers)
      .where(inTenant(scimUsers, tenantId, those))
      .orderBy(asc(scimUsers.id))
    for (const row of rows) await settle(tx, deps, row, deps.clock.now())
  }
}

/** Ends what a user of the directory had, who is being deleted. @param tx holds the lock of the members */
export const leaveDirectory = (tx: Transaction, deps: RuleDeps, user: DirectoryUser): Promise<void> =>
  settle(tx, deps, { ...user, active: false }, deps.clock.now())

const isWaiting = (email: string) => and(eq(scimUsers.email, email.toLowerCase()), isNull(scimUsers.userId))
const isActive = and(eq(scimUsers.active, true), isThere(scimUsers.tenantId))

/** Whether a directory has a user of this address for whom no account was found yet. */
export const isInDirectory = async (reader: Reader, email: string): Promise<boolean> =>
  (
    await reader
      .select({ id: scimUsers.id })
      .from(scimUsers)
      .where(and(isWaiting(email), isActive))
      .limit(1)
  ).length > 0

/**
 * Finds the users of directories who a person is that signed in, by the address that the person has proven, and applies the
 * rules of those directories.
 */
export async function joinDirectories(deps: RuleDeps, person: typeof users.$inferSelect): Promise<void> {
  if (person.emailVerifiedAt === null) return
  const found = await deps.db.read
    .select()
    .from(scimUsers)
    .where(and(or(isWaiting(person.email), eq(scimUsers.userId, person.id)), isActive))
    .orderBy(asc(scimUsers.tenantId), asc(scimUsers.id))
  for (const user of found)
    await deps.db.inTransaction(async (tx) => {
      await tx.lock(`members:${user.tenantId}`)
      const [still] = await tx
        .select()
        .from(scimUsers)
        .where(inTenant(scimUsers, user.tenantId, eq(scimUsers.id, user.id), eq(scimUsers.active, true)))
      if (still === undefined || (still.userId !== null && still.userId !== person.id)) return
      if (still.userId === null && (await link(tx, still, person.id)) === null) return
      await settle(tx, deps, { ...still, userId: person.id }, deps.clock.now())
    })
}
