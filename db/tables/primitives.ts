import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** The types that a tenant registered, each as it is now. Those that come with the program are not rows. */
export const primitives = pgTable(
  'primitives',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    /** Its reference without a revision, as src/kernel/type-ref.ts writes it. */
    ref: text('ref').notNull(),
    /** `tenant`: it came by an import; `custom`: it was made by hand. */
    scope: text('scope', { enum: ['tenant', 'custom'] }).notNull(),
    /** `public`: its address answers without credentials. */
    visibility: text('visibility', { enum: ['private', 'public'] }).notNull(),
    category: text('category'),
    /** What searches compare, as src/types/fold.ts writes it; before the schema, so that a look at it reads little of the row. */
    folded: text('folded').notNull(),
    /** What the full-text index of SQLite knows the row by (db/primitives/search-ids.ts). */
    searchId: big('search_id').notNull(),
    description: text('description').notNull(),
    tags: json<readonly string[]>()('tags').notNull(),
    /** The `$id` of the schema. */
    schemaId: text('schema_id'),
    draft: text('draft').notNull(),
    /** The schema as JSON text: its keys keep their order. */
    schema: text('schema').notNull(),
    digest: text('digest').notNull(),
    revision: integer('revision').notNull(),
    deprecated: json<{ readonly message: string; readonly replacement: string | null } | null>()('deprecated'),
    importId: text('import_id'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('primitives_name_key').on(t.tenantId, t.namespace, t.name),
    index('primitives_ref_idx').on(t.tenantId, t.ref),
    index('primitives_schema_id_idx').on(t.tenantId, t.schemaId),
    index('primitives_scope_idx').on(t.tenantId, t.scope, t.namespace, t.name),
    index('primitives_category_idx').on(t.tenantId, t.category),
    index('primitives_search_idx').on(t.searchId, t.tenantId, t.scope, t.namespace, t.name),
  ],
)
