import { bool, integer, json, text } from '../columns.ts'
import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { versions } from './versions.ts'

/** The operations of a version, in the order of the document: lists and search read these rows, not the document. */
export const operations = pgTable(
  'operations',
  {
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    ordinal: integer('ordinal').notNull(),
    tenantId: text('tenant_id').notNull(),
    /** "GET /pets/{id}" */
    ref: text('ref').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    operationId: text('operation_id'),
    summary: text('summary').notNull(),
    tags: json<readonly string[]>()('tags').notNull(),
    deprecated: bool('deprecated').notNull(),
    pointer: text('pointer').notNull(),
  },
  (t) => [primaryKey({ columns: [t.versionId, t.ordinal] }), index('operations_ref_idx').on(t.versionId, t.ref)],
)
