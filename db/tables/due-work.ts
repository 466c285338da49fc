import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integer, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/**
 * What is to be done at an instant, and for recurring work: again after that. A worker moves the instant ahead while it works;
 * where it dies the work is due again then.
 */
export const dueWork = pgTable(
  'due_work',
  {
    /** The name of what does it. */
    kind: text('kind').notNull(),
    /** What it is done for: the id of a row; "service" where it is done once for all. */
    subjectId: text('subject_id').notNull(),
    /** Null: it belongs to no organization. */
    tenantId: text('tenant_id').references(() => tenants.id, { onDelete: 'cascade' }),
    dueAt: timestamp('due_at').notNull(),
    /** How often it failed since it last succeeded. */
    failures: integer('failures').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subjectId] }), index('due_work_due_idx').on(t.dueAt)],
)
