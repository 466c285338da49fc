import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integer, text } from '../columns.ts'
import { primitives } from './primitives.ts'

/** The references of a type, in its present revision, that leave its schema or find nothing in it. */
export const primitiveEdges = pgTable(
  'primitive_edges',
  {
    tenantId: text('tenant_id').notNull(),
    primitiveId: text('primitive_id')
      .notNull()
      .references(() => primitives.id, { onDelete: 'cascade' }),
    /** The order in the schema. */
    position: integer('position').notNull(),
    pointer: text('pointer').notNull(),
    target: text('target').notNull(),
    /** The reference or `$id` of the type that is meant; null where nothing outside of the schema is. */
    key: text('key'),
    revision: integer('revision'),
  },
  (t) => [primaryKey({ columns: [t.primitiveId, t.position] }), index('primitive_edges_key_idx').on(t.tenantId, t.key)],
)
