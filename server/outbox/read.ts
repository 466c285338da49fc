import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { padded } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { isRepeatable } from '../../db/failures.ts'
import { backoffMs } from '../../db/jobs.ts'
import { outboxEvents, outboxTasks } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import type { OutboxReader } from './define.ts'
import type { OutboxEvent } from './events.ts'

/** Events of one transaction: few enough that other writers on SQLite do not wait long. */
const batchSize = 32

type Task = typeof outboxTasks.$inferSelect

/**
 * Lets a reader work on what is due: one batch, in one transaction, that no other process takes at the same time. The
 * work that fails is undone by itself and tried again after 1, 2, 4 … seconds, 5 minutes at most.
 * @returns how many events it worked on; 0: nothing is due, or others work on it
 */
export async function readBatch(
  deps: Deps,
  reader: OutboxReader,
  onFailure: (error: unknown, event: OutboxEvent) => void,
): Promise<number> {
  const now = deps.clock.now()
  const due = and(eq(outboxTasks.reader, reader.name), lte(outboxTasks.dueAt, isoOf(now)))
  // Most looks find nothing: those must not take the place of a writer.
  const [any] = await deps.db.read.select({ id: outboxTasks.eventId }).from(outboxTasks).where(due).limit(1)
  if (any === undefined) return 0
  const failures: { readonly error: unknown; readonly event: OutboxEvent }[] = []
  const count = await deps.db.inTransaction(async (tx) => {
    failures.length = 0
    const tasks = await tx
      .select()
      .from(outboxTasks)
      .where(due)
      .orderBy(asc(outboxTasks.dueAt), asc(outboxTasks.eventId))
      .limit(batchSize)
      .for('update', { skipLocked: true })
    if (tasks.length === 0) return 0
    const events = await eventsOf(tx, tasks)
    if (await worksOnAll(deps, tx, reader, [...events.values()])) {
      await finish(
        tx,
        reader,
        tasks.map(({ eventId }) => eventId),
      )
      return tasks.length
    }
    const done: string[] = []
    for (const task of tasks) {
      const event = events.get(task.eventId)
      try {
        if (event !== undefined) await tx.savepoint((inner) => reader.work(deps, inner, event))
        done.push(task.eventId)
      } catch (error) {
        if (isRepeatable(error) || event === undefined) throw error
        failures.push({ error, event })
        await postpone(tx, task, now)
      }
    }
    await finish(tx, reader, done)
    return tasks.length
  })
  for (const { error, event } of failures) onFailure(error, event)
  return count
}

/** Whether the reader worked on all events together; what it wrote before it failed is undone. */
async function worksOnAll(
  deps: Deps,
  tx: Transaction,
  { workOnAll }: OutboxReader,
  events: readonly OutboxEvent[],
): Promise<boolean> {
  if (workOnAll === undefined || events.length < 2) return false
  try {
    await tx.savepoint((inner) => workOnAll(deps, inner, events))
    return true
  } catch (error) {
    if (isRepeatable(error)) throw error
    return false
  }
}

async function finish(tx: Transaction, reader: OutboxReader, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await tx
    .delete(outboxTasks)
    .where(and(eq(outboxTasks.reader, reader.name), inArray(outboxTasks.eventId, padded(eventIds))))
}

async function eventsOf(tx: Transaction, tasks: readonly Task[]): Promise<ReadonlyMap<string, OutboxEvent>> {
  const ids = tasks.map(({ eventId }) => eventId)
  const rows = await tx
    .select()
    .from(outboxEvents)
    .where(inArray(outboxEvents.id, padded(ids)))
  // Every row was written by `recordEvent`, which binds the payload to the type.
  return new Map(rows.map((row) => [row.id, row as unknown as OutboxEvent]))
}

async function postpone(tx: Transaction, { eventId, reader, attempts }: Task, now: number): Promise<void> {
  await tx
    .update(outboxTasks)
    .set({ attempts: attempts + 1, dueAt: isoOf(now + backoffMs(attempts + 1)) })
    .where(and(eq(outboxTasks.eventId, eventId), eq(outboxTasks.reader, reader)))
}
