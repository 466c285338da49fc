import { foreignKey, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { bytes, integer, text, timestamp } from '../columns.ts'
import { primitives } from './primitives.ts'
import { tenants } from './tenants.ts'
import { versions } from './versions.ts'

/**
 * Vectors of texts, once for each tenant, model and text: what did not change between versions is embedded once. Kept
 * per tenant, as contents are.
 */
export const embeddingVectors = pgTable(
  'embedding_vectors',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    model: text('model').notNull(),
    /** SHA-256 of the text, as hex. */
    digest: text('digest').notNull(),
    /** As db/search/vectors.ts packs it. */
    vector: bytes('vector').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.model, t.digest] })],
)

/** Which text each operation of a version has; written when all of its vectors are there. */
export const embeddingEntries = pgTable(
  'embedding_entries',
  {
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    model: text('model').notNull(),
    ordinal: integer('ordinal').notNull(),
    tenantId: text('tenant_id').notNull(),
    ref: text('ref').notNull(),
    digest: text('digest').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.versionId, t.model, t.ordinal] }),
    index('embedding_entries_digest_idx').on(t.tenantId, t.model, t.digest),
    foreignKey({
      name: 'embedding_entries_vector_fk',
      columns: [t.tenantId, t.model, t.digest],
      foreignColumns: [embeddingVectors.tenantId, embeddingVectors.model, embeddingVectors.digest],
    }),
  ],
)

/** Which text each type has; written when its vector is there. */
export const embeddingTypes = pgTable(
  'embedding_types',
  {
    primitiveId: text('primitive_id')
      .notNull()
      .references(() => primitives.id, { onDelete: 'cascade' }),
    model: text('model').notNull(),
    tenantId: text('tenant_id').notNull(),
    digest: text('digest').notNull(),
    /** When the type was changed that has this text. */
    changedAt: timestamp('changed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.primitiveId, t.model] }),
    index('embedding_types_digest_idx').on(t.tenantId, t.model, t.digest),
    foreignKey({
      name: 'embedding_types_vector_fk',
      columns: [t.tenantId, t.model, t.digest],
      foreignColumns: [embeddingVectors.tenantId, embeddingVectors.model, embeddingVectors.digest],
    }),
  ],
)
