import { pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { bytes, integer, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/**
 * The author's own bytes, once for each tenant and digest. Kept per tenant, so that what one tenant stores never tells
 * another that the same bytes exist.
 */
export const contents = pgTable(
  'contents',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** "sha256:" and 64 hex digits. */
    digest: text('digest').notNull(),
    /** Zstandard. */
    compressed: bytes('compressed').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.digest] })],
)
