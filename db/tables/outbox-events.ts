import { index, pgTable } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/**
 * What happened and has to be reported: to webhooks, to inboxes. A row is written in the transaction of the change itself,
 * with one task for each reader (`outbox_tasks`), so that there is never one without the others.
 */
export const outboxEvents = pgTable(
  'outbox_events',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** "version.published" … */
    type: text('type').notNull(),
    /** The id of what it speaks of. */
    subjectId: text('subject_id').notNull(),
    payload: json<Readonly<Record<string, unknown>>>()('payload').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** Of 0.1.0, which had no readers: nothing sets it any more. */
    dispatchedAt: timestamp('dispatched_at'),
  },
  (t) => [
    index('outbox_events_age_idx').on(t.createdAt, t.id),
    index('outbox_events_tenant_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)
