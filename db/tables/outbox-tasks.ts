import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integer, text, timestamp } from '../columns.ts'
import { outboxEvents } from './outbox-events.ts'

/**
 * An event that a reader has not worked on yet. The reader deletes the row in the transaction in which it writes what
 * follows from the event. A mark or a cursor on the events would lose those whose transaction commits late.
 */
export const outboxTasks = pgTable(
  'outbox_tasks',
  {
    eventId: text('event_id')
      .notNull()
      .references(() => outboxEvents.id, { onDelete: 'cascade' }),
    /** The name of the reader. */
    reader: text('reader').notNull(),
    /** Not before this instant: later than the event where an attempt failed. */
    dueAt: timestamp('due_at').notNull(),
    /** How often the work failed. */
    attempts: integer('attempts').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.reader] }),
    index('outbox_tasks_due_idx').on(t.reader, t.dueAt, t.eventId),
  ],
)
