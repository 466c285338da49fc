import { and, asc, count, eq, ne, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { memberships, users } from '../../db/tables.gen.ts'
import { type MemberRecord, membersApi } from '../../src/api/members.ts'
import type { Role } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/audit.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { Grant } from '../auth/grant.ts'
import type { Identity } from '../auth/identity.ts'
import { grantedTenant, personOf } from '../auth/person.ts'
import { routesOf, type Route } from '../mount.ts'
import { findMember, memberColumns } from './find.ts'
import { ofOwners } from './owner.ts'
import { invite, listInvitations, withdraw } from './invitations.ts'

/** Raises `last-owner` when nobody else is an active Owner. */
async function assertAnotherOwner(tx: Transaction, tenantId: string, userId: string): Promise<void> {
  const [row] = await tx
    .select({ n: count() })
    .from(memberships)
    .where(inTenant(memberships, tenantId, ofOwners, eq(memberships.status, 'active'), ne(memberships.userId, userId)))
  if ((row?.n ?? 0) === 0) throw new SvcError('last-owner')
}

/** An Admin manages everybody but Owners, and makes nobody one. */
function assertMayTouch(grant: Grant, member: MemberRecord, nextRole: Role | undefined): void {
  if (grant.role !== 'owner' && (member.role === 'owner' || nextRole === 'owner')) throw new SvcError('owner-required')
}

interface Change {
  readonly role?: Role
  readonly status?: 'active' | 'suspended'
}

/** What of a change goes into the audit trail. */
function actionsOf(before: MemberRecord, change: Change): AuditAction[] {
  const actions: AuditAction[] = []
  if (change.role !== undefined && change.role !== before.role) actions.push('member.role-changed')
  if (change.status !== undefined && change.status !== before.status)
    actions.push(change.status === 'suspended' ? 'member.suspended' : 'member.reinstated')
  return actions
}

async function update(identity: Identity, grant: Grant, userId: string, change: Change): Promise<MemberRecord> {
  const { id: tenantId } = grantedTenant(grant)
  return identity.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const before = await findMember(tx, tenantId, userId)
    assertMayTouch(grant, before, change.role)
    if (before.status === 'pending' && change.status !== undefined)
      throw new SvcError('member-pending', { member: userId })
    const after = { ...before, ...change }
    const ruled = before.role === 'owner' && before.status === 'active'
    if (ruled && (after.role !== 'owner' || after.status !== 'active')) await assertAnotherOwner(tx, tenantId, userId)
    await tx
      .update(memberships)
      .set({ role: after.role, status: after.status })
      .where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
    for (const action of actionsOf(before, change)) {
      const detail = action === 'member.role-changed' ? { from: before.role, to: after.role } : { email: before.email }
      await recordAudit(tx, { tenantId, actor: grant.principal, action, targetId: userId, detail, now: identity.now() })
    }
    return after
  })
}

async function remove(identity: Identity, grant: Grant, userId: string): Promise<void> {
  const { id: tenantId } = grantedTenant(grant)
  const leaves = personOf(grant) === userId
  if (!leaves && !grant.permissions.has('members:edit'))
    throw new SvcError('permission-denied', { permission: 'members:edit' })
  await identity.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const member = await findMember(tx, tenantId, userId)
    if (!leaves) assertMayTouch(grant, member, undefined)
    if (member.role === 'owner' && member.status === 'active') await assertAnotherOwner(tx, tenantId, userId)
    await tx.delete(memberships).where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: leaves ? 'member.left' : 'member.removed',
      targetId: userId,
      detail: { email: member.email, role: member.role },
      now: identity.now(),
    })
  })
}

/** The routes of members and invitations (specification 2.1, 3.2). */
export const memberRoutes = (identity: Identity): Route[] =>
  routesOf(membersApi, {
    list: async ({ query }, { grant }) => {
      const { id: tenantId } = grantedTenant(grant)
      const { limit = 50, offset = 0, q } = query ?? {}
      const matches = q === undefined ? undefined : or(contains(users.name, q), contains(users.email, q))
      const where = and(inTenant(memberships, tenantId), matches)
      const join = eq(users.id, memberships.userId)
      const items = await identity.db.read
        .select(memberColumns)
        .from(memberships)
        .innerJoin(users, join)
        .where(where)
        .orderBy(asc(memberships.createdAt), asc(users.id))
        .limit(limit)
        .offset(offset)
      const [total] = await identity.db.read
        .select({ n: count() })
        .from(memberships)
        .innerJoin(users, join)
        .where(where)
      return { items, total: total?.n ?? 0, limit, offset }
    },
    update: ({ params, body }, { grant }) => update(identity, grant, params.user_id, body),
    remove: async ({ params }, { grant }) => {
      await remove(identity, grant, params.user_id)
      return null
    },
    invitations: ({ query }, { grant }) =>
      listInvitations(identity, grantedTenant(grant).id, { limit: query?.limit ?? 50, offset: query?.offset ?? 0 }),
    invite: ({ body }, { grant }) => invite(identity, grant, body),
    withdraw: async ({ params }, { grant }) => {
      await withdraw(identity, grant, params.invitation_id)
      return null
    },
  })
