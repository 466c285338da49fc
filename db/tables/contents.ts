import { foreignKey, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
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
    /** Zstandard; of more than a part of it the first part (`db/parts.ts`). Frames of 0.1.0 are whole, whatever their size. */
    compressed: bytes('compressed').notNull(),
    /** The SHA-256 of the same bytes where they are an object (`db/objects`): the row has none of them then. */
    object: text('object'),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.digest] }),
    // Sums of bytes are read from it alone.
    index('contents_size_idx').on(t.tenantId, t.sizeBytes),
    index('contents_object_idx').on(t.tenantId, t.object),
  ],
)

/** What follows the first part of stored bytes. */
export const contentParts = pgTable(
  'content_parts',
  {
    tenantId: text('tenant_id').notNull(),
    digest: text('digest').notNull(),
    /** From 1. */
    ordinal: integer('ordinal').notNull(),
    part: bytes('part').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.digest, t.ordinal] }),
    foreignKey({
      name: 'content_parts_content_fk',
      columns: [t.tenantId, t.digest],
      foreignColumns: [contents.tenantId, contents.digest],
    }).onDelete('cascade'),
  ],
)
