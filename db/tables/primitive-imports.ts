import { index, pgTable } from 'drizzle-orm/pg-core'
import { bytes, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** What an import of types did, in numbers. */
export interface PrimitiveImportCounts {
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly kept: number
  readonly identical: number
  readonly invalid: number
  readonly unresolved_refs: number
}

/** Where types came from: one row for each source that was staged or imported. */
export const primitiveImports = pgTable(
  'primitive_imports',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    sourceKind: text('source_kind', { enum: ['json-schema', 'openapi', 'type-def-bundle'] }).notNull(),
    method: text('method', { enum: ['paste', 'file', 'url', 'git'] }).notNull(),
    /** The address, path or file name, without credentials; null for a text. */
    locator: text('locator'),
    status: text('status', { enum: ['staged', 'imported', 'expired'] }).notNull(),
    counts: json<PrimitiveImportCounts>()('counts').notNull(),
    /** "sha256:" and the hex digest of the source. */
    digest: text('digest').notNull(),
    /** The source, by Zstandard, as long as it is staged. */
    source: bytes('source'),
    report: json<Readonly<Record<string, unknown>>>()('report').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at'),
  },
  (t) => [index('primitive_imports_created_idx').on(t.tenantId, t.createdAt, t.id)],
)
