/**
 * Removes objects that nothing refers to. The last reference that goes queues them in its transaction; a day later they are looked at again, and
 * go unless a row refers to them or the newest verified backup may.
 */
import { and, asc, desc, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm'
import { isoOf } from '../clock.ts'
import type { Database, Reader } from '../database.ts'
import { objectBackups, objectRemovals } from '../tables.gen.ts'
import { yieldToEventLoop } from '../yield.ts'
import { isReferred, lockObject, removalOf } from './objects.ts'
import { paired, referredObjects } from './references.ts'
import type { ObjectName, Objects } from './store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Clocks of databases and of those who make backups differ, and transactions take their time. */
const marginMs = hourMs
const rowsAtOnce = 100
/** A removal that a crash may have cut off is done again for so long; whoever put the object before is refused for longer. */
const repeatedMs = dayMs / 2

/** What holds objects back. */
export interface Hold {
  /** The newest backup with objects that was verified; null: none was. */
  readonly verifiedMadeAt: string | null
  /** How many backups refer to objects. */
  readonly backups: number
}

/** What the backups of this database say of objects. */
export async function holdOf(read: Reader): Promise<Hold> {
  const backups = await read.$count(objectBackups)
  const [newest] = await read
    .select({ madeAt: objectBackups.madeAt })
    .from(objectBackups)
    .where(isNotNull(objectBackups.verifiedAt))
    .orderBy(desc(objectBackups.madeAt))
    .limit(1)
  return { backups, verifiedMadeAt: newest?.madeAt ?? null }
}

/** Before when an object must have lost its last reference to be removed now; null: none may. */
function dueBefore({ backups, verifiedMadeAt }: Hold, now: number): string | null {
  // Backups were made, and none of them is known to be good: the one that is may need anything.
  if (backups > 0 && verifiedMadeAt === null) return null
  const held = verifiedMadeAt === null ? now : Date.parse(verifiedMadeAt) - marginMs
  return isoOf(Math.min(now - dayMs, held))
}

/** What a collection did. */
export interface Collected {
  /** Objects without a row that were queued now. */
  readonly queued: number
  readonly removed: number
  /** Objects that are referred to again. */
  readonly kept: number
  /** Objects that wait: for their day, or for a verified backup. */
  readonly waiting: number
}

/** Marks an object as being removed, unless a row refers to it. */
const markRemoved = (db: Database, name: ObjectName, now: number): Promise<boolean> =>
  db.inTransaction(async (tx) => {
    await lockObject(tx, name)
    const [removal] = await tx
      .select({ removedAt: objectRemovals.removedAt })
      .from(objectRemovals)
      .where(removalOf(name))
    if (removal === undefined || removal.removedAt !== null) return false
    if (await isReferred(tx, name)) {
      await tx.delete(objectRemovals).where(removalOf(name))
      return false
    }
    await tx
      .update(objectRemovals)
      .set({ removedAt: isoOf(now) })
      .where(removalOf(name))
    return true
  })

const nameOfRow = ({ tenantId, kind, sha256 }: typeof objectRemovals.$inferSelect): ObjectName => ({
  tenantId,
  kind,
  sha256,
})

/** Ends removals: those that may have been cut off are done again, those of yesterday are forgotten. */
async function finishRemovals(db: Database, objects: Objects, now: number): Promise<void> {
  const open = await db.read
    .select()
    .from(objectRemovals)
    .where(and(isNotNull(objectRemovals.removedAt), gt(objectRemovals.removedAt, isoOf(now - repeatedMs))))
  for (const row of open) await objects.remove(nameOfRow(row))
  await db.inTransaction((tx) => tx.delete(objectRemovals).where(lt(objectRemovals.removedAt, isoOf(now - dayMs))))
}

/** Removes what was queued before an instant, the first queued first. */
async function removeQueued(
  db: Database,
  objects: Objects,
  { before, now, end }: { readonly before: string; readonly now: number; readonly end: number },
) {
  let [removed, kept, isMore] = [0, 0, true]
  while (isMore && performance.now() < end) {
    const due = await db.read
      .select()
      .from(objectRemovals)
      .where(and(isNull(objectRemovals.removedAt), lt(objectRemovals.queuedAt, before)))
      .orderBy(asc(objectRemovals.queuedAt))
      .limit(rowsAtOnce)
    for (const row of due) {
      const isMarked = await markRemoved(db, nameOfRow(row), now)
      if (isMarked) await objects.remove(nameOfRow(row))
      removed += Number(isMarked)
      kept += Number(!isMarked)
      await yieldToEventLoop()
    }
    isMore = due.length === rowsAtOnce
  }
  return { removed, kept }
}

/**
 * Removes queued objects whose day is over. Those who refer to them again at this moment are not in danger: an object that is being removed
 * cannot be claimed.
 * @param budgetMs how long it may take
 * @throws SvcError `storage-unavailable`
 */
export async function collectObjects(
  db: Database,
  now: number,
  budgetMs = 120_000,
): Promise<Omit<Collected, 'queued'>> {
  const { objects } = db
  const before = dueBefore(await holdOf(db.read), now)
  if (objects !== null) await finishRemovals(db, objects, now)
  const done =
    objects === null || before === null
      ? { removed: 0, kept: 0 }
      : await removeQueued(db, objects, { before, now, end: performance.now() + budgetMs })
  return { ...done, waiting: await db.read.$count(objectRemovals, isNull(objectRemovals.removedAt)) }
}

/**
 * Queues objects that no row refers to and that are older than a day: a crash left them before their transaction, or a backup was restored.
 * @param onProgress gets how many objects were looked at
 * @returns how many were queued
 * @throws SvcError `storage-unavailable`
 */
export async function queueOrphans(db: Database, now: number, onProgress: (seen: number) => void): Promise<number> {
  if (db.objects === null) return 0
  let [seen, queued] = [0, 0]
  for await (const { name, isReferred: isKnown, listed } of paired(referredObjects(db.read), db.objects.list())) {
    if (++seen % 100 === 0) onProgress(seen)
    if (isKnown || listed === null || Date.parse(listed.modifiedAt) > now - dayMs) continue
    const added = await db.inTransaction(async (tx) => {
      await lockObject(tx, name)
      // A row may refer to it since it was listed.
      if (await isReferred(tx, name)) return []
      const row = { ...name, queuedAt: isoOf(now), removedAt: null }
      return tx.insert(objectRemovals).values(row).onConflictDoNothing().returning({ sha256: objectRemovals.sha256 })
    })
    queued += added.length
  }
  return queued
}

/**
 * Notes that a backup refers to objects, and whether it was found whole.
 * @param verifiedAt null: it was not, which takes nothing back
 */
export async function noteBackup(
  db: Pick<Database, 'inTransaction'>,
  { digest, madeAt }: { readonly digest: string; readonly madeAt: string },
  verifiedAt: string | null,
): Promise<void> {
  await db.inTransaction(async (tx) => {
    const insert = tx.insert(objectBackups).values({ digest, madeAt, verifiedAt })
    await (verifiedAt === null
      ? insert.onConflictDoNothing()
      : insert.onConflictDoUpdate({ target: objectBackups.digest, set: { verifiedAt } }))
  })
}

/** Notes that a backup of this database was found whole; one of another database is not noted. */
export const noteVerified = (
  db: Pick<Database, 'inTransaction'>,
  digest: string,
  verifiedAt: string,
): Promise<boolean> =>
  db.inTransaction(async (tx) => {
    const known = await tx
      .update(objectBackups)
      .set({ verifiedAt })
      .where(eq(objectBackups.digest, digest))
      .returning({ digest: objectBackups.digest })
    return known.length > 0
  })
