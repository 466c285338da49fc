import { pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { bytes, integer, text, timestamp } from '../columns.ts'
import { jobs } from './jobs.ts'

/** What came with the request of an import, kept until its job has ended: a crash loses nothing that was acknowledged. */
export const importUploads = pgTable('import_uploads', {
  jobId: text('job_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  tenantId: text('tenant_id').notNull(),
  /** Zstandard; of more than a part of it the first part (`db/parts.ts`). */
  compressed: bytes('compressed').notNull(),
  /** The SHA-256 of the same bytes where they are an object (`db/objects`): the row has none of them then. */
  object: text('object'),
  sizeBytes: integer('size_bytes').notNull(),
  createdAt: timestamp('created_at').notNull(),
})

/** What follows the first part of an upload. */
export const importUploadParts = pgTable(
  'import_upload_parts',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => importUploads.jobId, { onDelete: 'cascade' }),
    tenantId: text('tenant_id').notNull(),
    /** From 1. */
    ordinal: integer('ordinal').notNull(),
    part: bytes('part').notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.ordinal] })],
)
