import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'

/** How instances of a class are carried from one version to another: rules that a person set. */
export const migrationPlans = pgTable(
  'migration_plans',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    fromVersionId: text('from_version_id').notNull(),
    toVersionId: text('to_version_id').notNull(),
    className: text('class_name').notNull(),
    /** By "migration-edge-prop-<source_property>". */
    rules: json<Readonly<Record<string, Readonly<Record<string, unknown>>>>>()('rules').notNull(),
    updatedBy: text('updated_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('migration_plans_key').on(t.projectId, t.fromVersionId, t.toVersionId, t.className)],
)
