import { pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ViewFilter } from '../../src/api/project-views.ts'
import { json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** Filters of the list of projects that have a name. */
export const projectViews = pgTable(
  'project_views',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** The id of the member whose own it is; "" where the organization shares it. */
    holder: text('holder').notNull(),
    name: text('name').notNull(),
    filter: json<ViewFilter>()('filter').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('project_views_name_key').on(t.tenantId, t.holder, t.name)],
)

/** The view with which the list of projects opens for a member. */
export const projectViewDefaults = pgTable(
  'project_view_defaults',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    viewId: text('view_id')
      .notNull()
      .references(() => projectViews.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.userId] })],
)
