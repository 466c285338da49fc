import { index, pgTable } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/**
 * What happened and is still to be reported outside. A row is written in the transaction of the change itself, so that
 * neither is there without the other; anyone who delivers it marks it.
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
    /** Null: no one has taken it over for delivery yet. */
    dispatchedAt: timestamp('dispatched_at'),
  },
  (t) => [
    index('outbox_events_waiting_idx').on(t.dispatchedAt, t.createdAt, t.id),
    index('outbox_events_tenant_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)
