/** Where news of a person or an organization can go, as rows, and how the last attempt to send there ended. */
import { and, asc, count, eq, isNull, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notificationSends, notificationTargets } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { usualSchedule } from './digest-time.ts'
import { newLinkKey } from './links.ts'
import { usualBell } from './rules.ts'

export type TargetRow = typeof notificationTargets.$inferSelect
export type OwnKind = 'bell' | 'email'

/** Who asks for targets. */
export interface Owner {
  readonly tenantId: string
  readonly userId: string
}

/** The bell or the e-mail of somebody who changed nothing. */
export const usualTarget = ({ tenantId, userId }: Owner, kind: OwnKind, now: string): TargetRow => ({
  id: newId(),
  tenantId,
  userId,
  kind,
  rules: kind === 'bell' ? usualBell : [],
  schedule: kind === 'email' ? usualSchedule : null,
  address: null,
  linkKey: kind === 'email' ? newLinkKey() : null,
  name: null,
  service: null,
  secretId: null,
  host: null,
  active: true,
  stopped: null,
  failures: 0,
  lastAt: null,
  lastError: null,
  createdAt: now,
  updatedAt: now,
})

/** Whether the address of a person is known to be theirs: an issuer or the operator confirmed it, or they did for this target. */
export const isConfirmed = (
  { address }: Pick<TargetRow, 'address'>,
  { email, emailVerifiedAt }: { readonly email: string; readonly emailVerifiedAt: string | null },
): boolean => emailVerifiedAt !== null || address?.toLowerCase() === email.toLowerCase()

/** The targets that a person sees: their own, and the chats of the organization. */
export const rowsFor = (read: Reader, { tenantId, userId }: Owner): Promise<TargetRow[]> =>
  read
    .select()
    .from(notificationTargets)
    .where(
      inTenant(
        notificationTargets,
        tenantId,
        or(
          eq(notificationTargets.userId, userId),
          and(isNull(notificationTargets.userId), eq(notificationTargets.kind, 'chat')),
        ),
      ),
    )
    .orderBy(asc(notificationTargets.createdAt), asc(notificationTargets.id))

/**
 * A target that a person sees, by "bell", "email" or the id of a chat.
 * @throws SvcError `notification-target-not-found`
 */
export async function findTarget(read: Reader, owner: Owner, ref: string, now: string): Promise<TargetRow> {
  const rows = await rowsFor(read, owner)
  const found = rows.find(({ id, kind }) => (kind === 'chat' ? id === ref : kind === ref))
  if (found !== undefined) return found
  if (ref === 'bell' || ref === 'email') return usualTarget(owner, ref, now)
  throw new SvcError('notification-target-not-found', { target: ref.slice(0, 100) })
}

/** Writes what changed of a target; the bell and e-mail get their row with the first change. */
export async function saveTarget(tx: Transaction, row: TargetRow, change: Partial<TargetRow>): Promise<TargetRow> {
  const next = { ...row, ...change }
  await tx.insert(notificationTargets).values(next).onConflictDoUpdate({ target: notificationTargets.id, set: change })
  return next
}

/** Keeps others from changing the targets of one owner until the transaction ends. */
export const lockTargets = (tx: Transaction, tenantId: string, userId: string | null): Promise<void> =>
  tx.lock(`notification-targets:${tenantId}:${userId ?? ''}`)

/** How many news wait for each of the targets. */
export async function waitingOf(read: Reader, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await read
    .select({ id: notificationSends.targetId, n: count() })
    .from(notificationSends)
    .where(inTenant(notificationSends, tenantId))
    .groupBy(notificationSends.targetId)
  return new Map(rows.map(({ id, n }) => [id, n]))
}
