import { and, asc, count, eq, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { memberships, users } from '../../db/tables.gen.ts'
import type { MemberRecord } from '../../src/api/members.ts'
import type { Role } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { type Grant, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import { findMember, hasOtherOwner, isMember, memberColumns } from './find.ts'

/** The members of the tenant whose name or address contains `q`, the oldest first. */
export async function listMembers(deps: Deps, grant: Grant, { q, ...page }: Page & { readonly q: string | null }) {
  const { read } = deps.db
  const matches = q === null ? undefined : or(contains(users.name, q), contains(users.email, q))
  const where = and(inTenant(memberships, tenantOf(grant).id, isMember), matches)
  const join = eq(users.id, memberships.userId)
  const items = await read
    .select(memberColumns)
    .from(memberships)
    .innerJoin(users, join)
    .where(where)
    .orderBy(asc(memberships.createdAt), asc(users.id))
    .limit(page.limit)
    .offset(page.offset)
  const [total] = await read.select({ n: count() }).from(memberships).innerJoin(users, join).where(where)
  return { items, total: total?.n ?? 0, ...page }
}

/** @throws SvcError `last-owner` where the member is the only active Owner */
async function assertAnotherOwner(tx: Transaction, tenantId: string, userId: string): Promise<void> {
  if (!(await hasOtherOwner(tx, tenantId, userId))) throw new SvcError('last-owner')
}

/** An Admin manages every member but Owners, and can make no one an Owner. @throws SvcError `owner-required` */
function assertMayTouch(grant: Grant, member: MemberRecord, nextRole: Role | undefined): void {
  if (grant.role !== 'owner' && (member.role === 'owner' || nextRole === 'owner')) throw new SvcError('owner-required')
}

interface Change {
  readonly role?: Role
  readonly status?: 'active' | 'suspended'
  readonly managed?: boolean
}

/** What of a change goes into the audit trail. */
function actionsOf(before: MemberRecord, change: Change): AuditAction[] {
  const actions: AuditAction[] = []
  if (change.role !== undefined && change.role !== before.role) actions.push('member.role-changed')
  if (change.status !== undefined && change.status !== before.status)
    actions.push(change.status === 'suspended' ? 'member.suspended' : 'member.reinstated')
  if (change.managed !== undefined && change.managed !== before.managed)
    actions.push(change.managed ? 'member.left-to-rules' : 'member.taken-from-rules')
  return actions
}

/**
 * Changes the role or the status of a member.
 * @throws SvcError `member-not-found`, `owner-required`, `last-owner`
 */
export async function updateMember(deps: Deps, grant: Grant, userId: string, change: Change): Promise<MemberRecord> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const before = await findMember(tx, tenantId, userId)
    assertMayTouch(grant, before, change.role)
    // What somebody decides by hand, no rule changes afterwards.
    const isByHand = change.role !== undefined && change.role !== before.role
    const after = { ...before, ...(isByHand ? { managed: false } : {}), ...change }
    const ruled = before.role === 'owner' && before.status === 'active'
    if (ruled && (after.role !== 'owner' || after.status !== 'active')) await assertAnotherOwner(tx, tenantId, userId)
    await tx
      .update(memberships)
      .set({ role: after.role, status: after.status, managed: after.managed })
      .where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
    for (const action of actionsOf(before, change)) {
      const detail = action === 'member.role-changed' ? { from: before.role, to: after.role } : { email: before.email }
      await recordAudit(tx, {
        tenantId,
        actor: grant.principal,
        action,
        targetId: userId,
        detail,
        at: deps.clock.iso(),
      })
    }
    return after
  })
}

/**
 * Removes a member, or lets the caller leave.
 * @throws SvcError `member-not-found`, `permission-denied`, `owner-required`, `last-owner`
 */
export async function removeMember(deps: Deps, grant: Grant, userId: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const leaves = personOf(grant) === userId
  if (!leaves && !grant.permissions.has('members:edit'))
    throw new SvcError('permission-denied', { permission: 'members:edit' })
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const member = await findMember(tx, tenantId, userId)
    assertMayTouch(grant, member, undefined)
    if (member.role === 'owner' && member.status === 'active') await assertAnotherOwner(tx, tenantId, userId)
    await tx.delete(memberships).where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: leaves ? 'member.left' : 'member.removed',
      targetId: userId,
      detail: { email: member.email, role: member.role },
      at: deps.clock.iso(),
    })
  })
}
