import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { integer, text, timestamp } from '../columns.ts'
import { primitives } from './primitives.ts'

/** The schemas that a type had, each time it changed: rows are only ever added. */
export const primitiveRevisions = pgTable(
  'primitive_revisions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    primitiveId: text('primitive_id')
      .notNull()
      .references(() => primitives.id, { onDelete: 'cascade' }),
    /** 1, 2, 3 … without gaps. */
    revision: integer('revision').notNull(),
    description: text('description').notNull(),
    schemaId: text('schema_id'),
    draft: text('draft').notNull(),
    schema: text('schema').notNull(),
    digest: text('digest').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [uniqueIndex('primitive_revisions_number_key').on(t.primitiveId, t.revision)],
)
