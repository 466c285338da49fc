import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { objectKinds } from '../objects/store.ts'

/**
 * Objects that no row refers to any more. Triggers write them (`db/objects/removals.*.sql`), in the transaction that removes the last
 * reference. They outlive their organization, so nothing refers to it.
 */
export const objectRemovals = pgTable(
  'object_removals',
  {
    tenantId: text('tenant_id').notNull(),
    kind: text('kind', { enum: objectKinds }).notNull(),
    /** Of the bytes as they are stored. */
    sha256: text('sha256').notNull(),
    queuedAt: timestamp('queued_at').notNull(),
    /** Since when it is being removed. The row stays for a day: a writer that put the object before must not refer to it. */
    removedAt: timestamp('removed_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.kind, t.sha256] }), index('object_removals_queued_idx').on(t.queuedAt)],
)

/** Backups that refer to objects: what the newest verified one refers to is not collected. */
export const objectBackups = pgTable('object_backups', {
  /** The digest of the rows of the backup. */
  digest: text('digest').primaryKey(),
  madeAt: timestamp('made_at').notNull(),
  /** When its rows and its objects were last found whole; null: never. */
  verifiedAt: timestamp('verified_at'),
})
