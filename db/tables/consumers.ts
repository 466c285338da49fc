import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'

/** The clients of a project that say what they use of it. Retired ones stay, with their contracts. */
export const consumers = pgTable(
  'consumers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    handle: text('handle').notNull(),
    /** The handle while it is taken; null frees it when the consumer is retired. */
    liveHandle: text('live_handle'),
    name: text('name').notNull(),
    description: text('description'),
    owner: text('owner'),
    contact: text('contact'),
    metadata: json<Readonly<Record<string, unknown>>>()('metadata').notNull(),
    /** The newest row of contract_revisions; null for a consumer that was never declared. */
    revisionId: text('revision_id'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
    retiredAt: timestamp('retired_at'),
  },
  (t) => [
    uniqueIndex('consumers_project_handle_key').on(t.projectId, t.liveHandle),
    index('consumers_project_created_idx').on(t.projectId, t.createdAt, t.id),
  ],
)
