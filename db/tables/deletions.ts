import { pgTable } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'

/**
 * What is being deleted in parts: nobody finds it any more, and its rows leave some hundred at a time. The row goes with the last part.
 */
export const deletions = pgTable('deletions', {
  /** The id of a project, version, repository, environment, webhook, MCP server or organization. */
  subjectId: text('subject_id').primaryKey(),
  /** No foreign key: an organization that is deleted in parts is hidden until the end. */
  tenantId: text('tenant_id').notNull(),
  /** What it is: a name of `server/deletion/kinds.ts`. */
  kind: text('kind').notNull(),
  begunAt: timestamp('begun_at').notNull(),
})
