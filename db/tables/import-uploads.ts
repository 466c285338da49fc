import { pgTable } from 'drizzle-orm/pg-core'
import { bytes, integer, text, timestamp } from '../columns.ts'
import { jobs } from './jobs.ts'

/** What came with the request of an import, kept until its job has ended: a crash loses nothing that was acknowledged. */
export const importUploads = pgTable('import_uploads', {
  jobId: text('job_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  tenantId: text('tenant_id').notNull(),
  /** Zstandard. */
  compressed: bytes('compressed').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  createdAt: timestamp('created_at').notNull(),
})
