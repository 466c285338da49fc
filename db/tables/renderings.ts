import { foreignKey, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { bytes, integer, text, timestamp } from '../columns.ts'
import { contents } from './contents.ts'

/**
 * Large rendered documents, so that the first reader after a start does not wait for one to be made. They can be made
 * again at any time from the content they belong to.
 */
export const renderings = pgTable(
  'renderings',
  {
    tenantId: text('tenant_id').notNull(),
    /** Of the content it was rendered from. */
    digest: text('digest').notNull(),
    /** Which document it is, and by which revision of the renderer: "openapi.json 1". */
    kind: text('kind').notNull(),
    etag: text('etag').notNull(),
    /** Zstandard. */
    compressed: bytes('compressed').notNull(),
    /** The SHA-256 of the same bytes where they are an object (`db/objects`): the row has none of them then. */
    object: text('object'),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.digest, t.kind] }),
    index('renderings_object_idx').on(t.tenantId, t.object),
    foreignKey({
      name: 'renderings_content_fk',
      columns: [t.tenantId, t.digest],
      foreignColumns: [contents.tenantId, contents.digest],
    }).onDelete('cascade'),
  ],
)
