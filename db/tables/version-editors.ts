import { pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { versions } from './versions.ts'

/** Who wrote the document of a version: they are notified of its publication, and cannot approve it. */
export const versionEditors = pgTable(
  'version_editors',
  {
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id').notNull(),
    /** "user:ID", or the kind and id of a key. */
    actor: text('actor').notNull(),
    /** When they wrote it last. */
    editedAt: timestamp('edited_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.versionId, t.actor] })],
)
