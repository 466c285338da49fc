import { pgTable, primaryKey } from 'drizzle-orm/pg-core'
import type { ImportItem } from '../../src/api/imports.ts'
import { integer, json, text, timestamp } from '../columns.ts'
import { jobs } from './jobs.ts'

/** What became of each document of a bulk import, written with what it stored: a job that is taken up again continues after the last. */
export const importItems = pgTable(
  'import_items',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id').notNull(),
    path: text('path').notNull(),
    outcome: json<Omit<ImportItem, 'path'>>()('outcome').notNull(),
    /** What was done to the version: "create", "update", "keep"; null where nothing was. */
    action: text('action'),
    ordinal: integer('ordinal').notNull(),
    finishedAt: timestamp('finished_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.path] })],
)
