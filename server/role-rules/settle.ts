/** Makes a membership what the rules that fit a person say now. */
import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { memberships, roleMatches, users } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { Role } from '../../src/api/permissions.ts'
import { recordAudit } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { countSeats, limitsOf } from '../license/door.ts'
import { hasOtherOwner } from '../members/door.ts'
import { highestRole } from './evaluate.ts'

/** Whose membership, and why it may change. */
export interface Settlement {
  readonly tenantId: string
  /** The address is read where it is not known. */
  readonly person: { readonly id: string; readonly email: string | null }
  /** The rules behind the change, as people read them. */
  readonly why: readonly string[]
  readonly source: string
  readonly now: number
}

type Membership = Pick<typeof memberships.$inferSelect, 'role' | 'status' | 'managed'>

/** The membership of a person, also a pending one; null without any. */
export async function findMembership(tx: Transaction, tenantId: string, userId: string): Promise<Membership | null> {
  const [row] = await tx
    .select({ role: memberships.role, status: memberships.status, managed: memberships.managed })
    .from(memberships)
    .where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
  return row ?? null
}

async function hasSeat(tx: Transaction, deps: Pick<Deps, 'plans'>, { tenantId, now }: Settlement): Promise<boolean> {
  const { seats } = await limitsOf(tx, deps.plans, tenantId)
  return seats === null || (await countSeats(tx, tenantId, now)).used < seats
}

/** What happens to a membership, with what the audit trail says of it. */
type Step = { readonly action: AuditAction; readonly detail?: Readonly<Record<string, unknown>> }

async function add(tx: Transaction, deps: Pick<Deps, 'plans'>, settlement: Settlement, role: Role): Promise<Step> {
  if (!(await hasSeat(tx, deps, settlement)))
    return { action: 'member.not-added-by-rule', detail: { role, reason: 'the plan has no free seat' } }
  const { tenantId, person, now } = settlement
  const row = { tenantId, userId: person.id, role, status: 'active', createdAt: isoOf(now), managed: true } as const
  await tx.insert(memberships).values(row)
  return { action: 'member.added-by-rule', detail: { role } }
}

async function change(
  tx: Transaction,
  settlement: Settlement,
  before: Membership,
  role: Role | null,
): Promise<Step | null> {
  // A suspension is somebody's decision: without its row the next sign-in would end it.
  if (role === before.role || (role === null && before.status === 'suspended')) return null
  const { tenantId, person } = settlement
  const isLast =
    before.role === 'owner' && before.status === 'active' && !(await hasOtherOwner(tx, tenantId, person.id))
  if (isLast) return { action: 'member.kept-as-last-owner' }
  const own = inTenant(memberships, tenantId, eq(memberships.userId, person.id))
  if (role === null) {
    await tx.delete(memberships).where(own)
    return { action: 'member.removed-by-rule', detail: { role: before.role } }
  }
  await tx.update(memberships).set({ role }).where(own)
  return { action: 'member.role-changed-by-rule', detail: { from: before.role, to: role } }
}

/**
 * Makes the membership of a person what the rules that fit them give: the highest role; none where no rule fits any more. A
 * membership or an invitation that was given by hand stays as it is, and so does the last Owner.
 * @param tx holds the lock of the members of the organization
 */
export async function settleMembership(
  tx: Transaction,
  deps: Pick<Deps, 'plans'>,
  settlement: Settlement,
): Promise<void> {
  const { tenantId, person, why, source, now } = settlement
  const matches = await tx
    .select({ role: roleMatches.role })
    .from(roleMatches)
    .where(inTenant(roleMatches, tenantId, eq(roleMatches.userId, person.id)))
  const role = highestRole(matches.map((match) => match.role))
  const before = await findMembership(tx, tenantId, person.id)
  let step: Step | null = null
  if (before === null) step = role === null ? null : await add(tx, deps, settlement, role)
  else if (before.managed) step = await change(tx, settlement, before, role)
  if (step === null) return
  const email = person.email ?? (await addressOf(tx, person.id))
  const rules = why.length === 0 ? [`no rule of ${source} fits any more`] : why
  await recordAudit(tx, {
    tenantId,
    actor: null,
    action: step.action,
    targetId: person.id,
    detail: { email, ...step.detail, rule: rules.join('; ') },
    at: isoOf(now),
  })
}

async function addressOf(tx: Transaction, userId: string): Promise<string> {
  const [row] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return row?.email ?? ''
}
