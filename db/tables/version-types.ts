import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integer, text } from '../columns.ts'
import { versions } from './versions.ts'

/** The types that a published version refers to, directly or through others, each at the revision of that moment. */
export const versionTypes = pgTable(
  'version_types',
  {
    tenantId: text('tenant_id').notNull(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    /** The reference as documents write it, without a fragment. */
    ref: text('ref').notNull(),
    name: text('name').notNull(),
    /** Null for a type that comes with svc. */
    primitiveId: text('primitive_id'),
    revision: integer('revision').notNull(),
    /** The schema of a type that comes with svc: another program may have another one. */
    schema: text('schema'),
  },
  (t) => [
    primaryKey({ columns: [t.versionId, t.ref] }),
    index('version_types_primitive_idx').on(t.tenantId, t.primitiveId),
  ],
)
