/** Sends what waits for one target as one message, and writes what came of it. */
import { and, asc, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, isTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notifications, notificationSends, notificationTargets, projects, tenants, users } from '../../db/tables.gen.ts'
import { inParts, viewersOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Batch, SendRow } from './batch.ts'
import { gatherMs, nextDigest, usualSchedule } from './digest-time.ts'
import { sendChat, sendMail, type SendOutcome } from './send.ts'
import { isConfirmed, type TargetRow } from './target-rows.ts'
import { mutedOf } from './watches.ts'

/** What one message is made from at most; the rest is the next one. */
const maxTaken = 1000

const minute = 60_000
/** The pause before each further attempt: ten in two days, after which the message is given up. */
export const pauses: readonly number[] = [1, 5, 15, 30, 60, 120, 240, 480, 720, 1440].map((minutes) => minutes * minute)

const ofTarget = ({ id }: TargetRow) => eq(notificationSends.targetId, id)

/** The rows of the next message, which get its name: an attempt after a crash sends the same message again. */
async function takeRows(tx: Transaction, target: TargetRow): Promise<{ id: string; rows: SendRow[] }> {
  const begun = await tx
    .select()
    .from(notificationSends)
    .where(inTenant(notificationSends, target.tenantId, ofTarget(target), isNotNull(notificationSends.batchId)))
    .orderBy(desc(notificationSends.createdAt), desc(notificationSends.id))
  const [first] = begun
  if (first?.batchId) return { id: first.batchId, rows: begun }
  const waiting = await tx
    .select()
    .from(notificationSends)
    .where(inTenant(notificationSends, target.tenantId, ofTarget(target), isNull(notificationSends.batchId)))
    .orderBy(asc(notificationSends.createdAt), asc(notificationSends.id))
    .limit(maxTaken)
  return { id: newId(), rows: waiting.toReversed() }
}

async function readInBell(tx: Transaction, tenantId: string, userId: string, eventIds: readonly string[]) {
  const read = new Set<string>()
  for (const part of inParts(eventIds)) {
    const mine = and(eq(notifications.userId, userId), inArray(notifications.eventId, part))
    const rows = await tx
      .select({ id: notifications.eventId })
      .from(notifications)
      .where(inTenant(notifications, tenantId, and(mine, isNotNull(notifications.readAt))))
    for (const { id } of rows) read.add(id)
  }
  return read
}

/** The names of projects that are there: one that is being deleted has none. */
async function namesOf(
  tx: Transaction,
  tenantId: string,
  rows: readonly SendRow[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const ids = [...new Set(rows.flatMap(({ projectId }) => projectId ?? []))]
  for (const part of inParts(ids)) {
    const found = await tx
      .select({ id: projects.id, name: projects.name })
      .from(projects)
      .where(inTenant(projects, tenantId, inArray(projects.id, part)))
    for (const { id, name } of found) names.set(id, name)
  }
  return names
}

/** The person of a target, where they may still view the organization, and for e-mail where the address is known to be theirs. */
async function recipientOf(tx: Transaction, { tenantId, userId, kind, address }: TargetRow): Promise<Batch['person']> {
  if (userId === null || !(await viewersOf(tx, tenantId, [userId])).has(userId)) return null
  const [row] = await tx
    .select({ name: users.name, email: users.email, verifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (row === undefined) return null
  const { verifiedAt, ...person } = row
  return kind === 'chat' || isConfirmed({ address }, { ...person, emailVerifiedAt: verifiedAt }) ? person : null
}

/** What of the rows may still be sent: nothing of projects that were deleted or muted since, nothing that was read in the bell. */
async function stillWanted(
  tx: Transaction,
  { tenantId, userId }: TargetRow,
  rows: readonly SendRow[],
  names: ReadonlyMap<string, string>,
): Promise<readonly SendRow[]> {
  const there = rows.filter(({ projectId }) => projectId === null || names.has(projectId))
  if (userId === null) return there
  const muted = await mutedOf(tx, tenantId, userId, [...names.keys()])
  const eventIds = there.map(({ eventId }) => eventId)
  const read = await readInBell(tx, tenantId, userId, eventIds)
  return there.filter(
    ({ projectId, isAddressed, eventId }) =>
      !read.has(eventId) && (isAddressed || projectId === null || !muted.has(projectId)),
  )
}

async function removeRows(tx: Transaction, { tenantId }: TargetRow, rows: readonly SendRow[]): Promise<void> {
  for (const part of inParts(rows.map(({ id }) => id)))
    await tx.delete(notificationSends).where(inTenant(notificationSends, tenantId, inArray(notificationSends.id, part)))
}

/** Makes the next message of a target; null where there is none. What is not to be sent any more leaves. */
async function takeBatch(
  tx: Transaction,
  target: TargetRow,
  organization: Batch['organization'],
): Promise<Batch | null> {
  const { tenantId, userId } = target
  const { id, rows: taken } = await takeRows(tx, target)
  const projectNames = await namesOf(tx, tenantId, taken)
  const person = await recipientOf(tx, target)
  const isReachable = target.active && (userId === null || person !== null)
  const rows = isReachable ? await stillWanted(tx, target, taken, projectNames) : []
  const kept = new Set(rows.map((row) => row.id))
  const unwanted = taken.filter((row) => !kept.has(row.id))
  await removeRows(tx, target, unwanted)
  for (const part of inParts([...kept]))
    await tx
      .update(notificationSends)
      .set({ batchId: id })
      .where(inTenant(notificationSends, tenantId, inArray(notificationSends.id, part)))
  return rows.length === 0 ? null : { id, target, organization, person, rows, projectNames }
}

/** When the rest that waits is due; null where nothing waits. */
async function restDue(tx: Transaction, target: TargetRow, now: number): Promise<number | null> {
  const [rest] = await tx
    .select({ id: notificationSends.id })
    .from(notificationSends)
    .where(inTenant(notificationSends, target.tenantId, ofTarget(target)))
    .limit(1)
  if (rest === undefined) return null
  return target.kind === 'email' ? nextDigest(target.schedule ?? usualSchedule, now) : now + gatherMs
}

/** Writes what came of an attempt. @returns when the next one is due; null: nothing waits */
async function record(deps: Deps, { target, rows }: Batch, outcome: SendOutcome): Promise<number | null> {
  const { id, tenantId, failures } = target
  const now = deps.clock.now()
  const pause = pauses[failures]
  const isGivenUp = outcome.kind === 'failed' && pause === undefined
  return deps.db.inTransaction(async (tx) => {
    const set: Partial<TargetRow> = { lastAt: isoOf(now), lastError: outcome.kind === 'sent' ? null : outcome.reason }
    if (outcome.kind === 'failed' && !isGivenUp) set.failures = failures + 1
    else set.failures = 0
    if (outcome.kind === 'stop') Object.assign(set, { active: false, stopped: outcome.reason })
    await tx
      .update(notificationTargets)
      .set(set)
      .where(inTenant(notificationTargets, tenantId, eq(notificationTargets.id, id)))
    if (outcome.kind === 'failed' && pause !== undefined) return now + Math.max(pause, outcome.retryAfterMs)
    if (outcome.kind === 'stop')
      await tx.delete(notificationSends).where(inTenant(notificationSends, tenantId, ofTarget(target)))
    else await removeRows(tx, target, rows)
    return restDue(tx, target, now)
  })
}

/**
 * Sends what waits for a target. What a crash cuts off is sent again under the same name.
 * @returns when it is due again, in milliseconds since the epoch; null: nothing waits
 */
export async function deliver(deps: Deps, targetId: string, signal: AbortSignal): Promise<number | null> {
  const [found] = await deps.db.read
    .select({ target: notificationTargets, slug: tenants.slug, name: tenants.name })
    .from(notificationTargets)
    .innerJoin(tenants, isTenant(notificationTargets.tenantId))
    .where(eq(notificationTargets.id, targetId))
  if (found === undefined) return null
  const { target, ...organization } = found
  const batch = await deps.db.inTransaction((tx) => takeBatch(tx, target, organization))
  if (batch === null) return deps.db.inTransaction((tx) => restDue(tx, target, deps.clock.now()))
  const outcome = target.kind === 'email' ? await sendMail(deps, batch, signal) : await sendChat(deps, batch, signal)
  // What the end of the process cut off did not fail.
  if (outcome.kind !== 'sent') signal.throwIfAborted()
  return record(deps, batch, outcome)
}
