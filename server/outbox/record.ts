import { eq, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { outboxEvents, outboxTasks, projects } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import type { OutboxEventType, OutboxPayloads } from './events.ts'
import { declaredReaders } from './readers.ts'

/** The number of the next event of a project; null without one. Its row is locked, so that two events never have the same. */
async function nextSequence(
  tx: Transaction,
  tenantId: string,
  projectId: string | null,
): Promise<{ sequence: number | null }> {
  if (projectId === null) return { sequence: null }
  const [row] = await tx
    .update(projects)
    .set({ eventSequence: sql`${projects.eventSequence} + 1` })
    .where(inTenant(projects, tenantId, eq(projects.id, projectId)))
    .returning({ sequence: projects.eventSequence })
  return { sequence: row?.sequence ?? 0 }
}

/**
 * Writes an event with one task for each reader of its type, in the transaction of the change itself. The readers of this
 * process begin when it has committed.
 * @returns the id of the event
 */
export async function recordEvent<T extends OutboxEventType>(
  deps: Pick<Deps, 'wakeReaders'>,
  tx: Transaction,
  event: {
    readonly tenantId: string
    readonly type: T
    /** The id of what it speaks of. */
    readonly subjectId: string
    readonly payload: Omit<OutboxPayloads[T], 'sequence'>
    readonly at: string
  },
  readers: typeof declaredReaders = declaredReaders,
): Promise<string> {
  const { tenantId, type, subjectId, payload, at } = event
  const id = newId()
  const sequence = 'project_id' in payload ? await nextSequence(tx, tenantId, payload.project_id as string | null) : {}
  const stored = { ...payload, ...sequence }
  await tx.insert(outboxEvents).values({ id, tenantId, type, subjectId, payload: stored, createdAt: at })
  const interested = readers.filter(({ types }) => types.has(type))
  if (interested.length === 0) return id
  const tasks = interested.map(({ name }) => ({ eventId: id, reader: name, dueAt: at, attempts: 0 }))
  await tx.insert(outboxTasks).values(tasks)
  tx.afterCommit(() => deps.wakeReaders())
  return id
}
