import { and, asc, eq, gt, inArray, isNull, lte, notInArray, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { backoffMs } from '../../db/jobs.ts'
import { dueWork } from '../../db/tables.gen.ts'
import type { DueKind, DueName } from './define.ts'

export type DueRow = typeof dueWork.$inferSelect

const isRow = ({ kind, subjectId }: Pick<DueRow, 'kind' | 'subjectId'>) =>
  and(eq(dueWork.kind, kind), eq(dueWork.subjectId, subjectId))

/**
 * Puts work on the schedule in the transaction of the change that it follows from; work of this kind and subject that is there
 * moves to the instant.
 * @param at milliseconds since the epoch
 */
export async function schedule(
  tx: Transaction,
  kind: DueName,
  entry: { readonly subjectId: string; readonly tenantId: string | null; readonly at: number },
): Promise<void> {
  const { subjectId, tenantId } = entry
  const dueAt = isoOf(entry.at)
  await tx
    .insert(dueWork)
    .values({ kind, subjectId, tenantId, dueAt, failures: 0 })
    .onConflictDoUpdate({ target: [dueWork.kind, dueWork.subjectId], set: { dueAt, failures: 0 } })
}

/** As `schedule`, but work that is due earlier stays where it is: work that is put off again and again would never be done. */
export async function scheduleBy(
  tx: Transaction,
  kind: DueName,
  entry: { readonly subjectId: string; readonly tenantId: string | null; readonly at: number },
): Promise<void> {
  const { subjectId, tenantId } = entry
  const dueAt = isoOf(entry.at)
  await tx
    .insert(dueWork)
    .values({ kind, subjectId, tenantId, dueAt, failures: 0 })
    .onConflictDoUpdate({
      target: [dueWork.kind, dueWork.subjectId],
      set: { dueAt, failures: 0 },
      setWhere: gt(dueWork.dueAt, dueAt),
    })
}

/** Takes work off the schedule. What is under way ends, and is not done again. */
export async function unschedule(tx: Transaction, kind: DueName, subjectId: string): Promise<void> {
  await tx.delete(dueWork).where(isRow({ kind, subjectId }))
}

/**
 * Work of these kinds that is due, what waits longest first.
 * @param busy organizations whose work is left out
 */
export async function dueRows(
  read: Reader,
  entry: {
    readonly kinds: readonly DueKind[]
    readonly now: number
    readonly most: number
    readonly busy: readonly string[]
  },
): Promise<DueRow[]> {
  const names = entry.kinds.map(({ kind }) => kind)
  const isOther =
    entry.busy.length === 0 ? undefined : or(isNull(dueWork.tenantId), notInArray(dueWork.tenantId, [...entry.busy]))
  return read
    .select()
    .from(dueWork)
    .where(and(inArray(dueWork.kind, names), lte(dueWork.dueAt, isoOf(entry.now)), isOther))
    .orderBy(asc(dueWork.dueAt), asc(dueWork.kind), asc(dueWork.subjectId))
    .limit(entry.most)
}

/** Moves work that is due at one instant to another one. False: it is due at another one by now, or not any more. */
export async function moveRow(db: Database, row: DueRow, from: number, to: number): Promise<boolean> {
  const moved = await db.inTransaction((tx) =>
    tx
      .update(dueWork)
      .set({ dueAt: isoOf(to) })
      .where(and(isRow(row), eq(dueWork.dueAt, isoOf(from))))
      .returning({ kind: dueWork.kind }),
  )
  return moved.length > 0
}

/** Moves work that is still due as it was seen to the instant until which this worker has it. False: another one was faster. */
export const takeRow = (db: Database, row: DueRow, until: number): Promise<boolean> =>
  moveRow(db, row, Date.parse(row.dueAt), until)

/**
 * Writes how it ended. Where the row was moved meanwhile, because its subject changed or another worker took it over, that remains.
 * @param next when it is due again; null removes it
 */
export async function endRow(db: Database, row: DueRow, until: number, next: number | null): Promise<void> {
  const mine = and(isRow(row), eq(dueWork.dueAt, isoOf(until)))
  await db.inTransaction(async (tx) => {
    if (next === null) await tx.delete(dueWork).where(mine)
    else
      await tx
        .update(dueWork)
        .set({ dueAt: isoOf(next), failures: 0 })
        .where(mine)
  })
}

/** Lets work that failed wait: 1, 2, 4 … seconds, 5 minutes at most. */
export async function failRow(db: Database, row: DueRow, until: number, now: number): Promise<void> {
  const failures = row.failures + 1
  await db.inTransaction((tx) =>
    tx
      .update(dueWork)
      .set({ dueAt: isoOf(now + backoffMs(failures)), failures })
      .where(and(isRow(row), eq(dueWork.dueAt, isoOf(until)))),
  )
}

/** Makes sure that the work of the whole service is on the schedule. */
export async function scheduleService(db: Database, kinds: readonly DueKind[], now: number): Promise<void> {
  const recurring = kinds.filter(({ everyMs }) => everyMs !== undefined)
  const there = new Set(
    (await db.read.select({ kind: dueWork.kind }).from(dueWork).where(eq(dueWork.subjectId, service))).map(
      ({ kind }) => kind,
    ),
  )
  const missing = recurring.filter(({ kind }) => !there.has(kind))
  if (missing.length === 0) return
  const rows = missing.map(({ kind }) => ({ kind, subjectId: service, tenantId: null, dueAt: isoOf(now), failures: 0 }))
  await db.inTransaction((tx) => tx.insert(dueWork).values(rows).onConflictDoNothing())
}

/** The subject of work that is done once for the whole service. */
const service = 'service'
