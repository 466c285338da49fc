import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** The projects that a person watches or muted. Without a row what concerns them reaches them. */
export const projectWatches = pgTable(
  'project_watches',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    level: text('level', { enum: ['everything', 'muted'] }).notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.projectId] }),
    index('project_watches_project_idx').on(t.projectId),
    index('project_watches_list_idx').on(t.userId, t.tenantId, t.createdAt, t.projectId),
  ],
)
