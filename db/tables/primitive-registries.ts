import { integer, text } from '../columns.ts'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { tenants } from './tenants.ts'

/** What is known of all types of a tenant together. */
export const primitiveRegistries = pgTable(
  'primitive_registries',
  {
    tenantId: text('tenant_id')
      .primaryKey()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** Another one after every change of a type: what was counted before counts no more. */
    generation: integer('generation').notNull(),
    /** How many types of each scope there are. */
    customTypes: integer('custom_types').notNull(),
    tenantTypes: integer('tenant_types').notNull(),
    /** Which numbers the full-text index of SQLite knows its types by (db/primitives/search-ids.ts). */
    block: integer('block').notNull(),
  },
  (t) => [uniqueIndex('primitive_registries_block_key').on(t.block)],
)
