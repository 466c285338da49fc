import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { binKinds } from '../../src/api/bin-kinds.ts'
import { bytes, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** What was deleted and can be restored for some days. */
export const binEntries = pgTable(
  'bin_entries',
  {
    /** The id of what was deleted: it is in the bin at most once. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: binKinds }).notNull(),
    /** What people know it by. */
    name: text('name').notNull(),
    /** What addresses know it by: the slug of a project, the label of a version, the URL of a webhook. */
    ref: text('ref').notNull(),
    /** The project that it belonged to; no foreign key: it may be in the bin itself. */
    projectId: text('project_id'),
    projectSlug: text('project_slug'),
    /** How many rows of each kind it had: {"versions": 12}. */
    counts: json<Readonly<Record<string, number>>>()('counts').notNull(),
    /** What restoring needs to know and no table has. */
    detail: json<Readonly<Record<string, unknown>>>()('detail').notNull(),
    /** Secrets of the vault that stay until it is deleted permanently. */
    secretIds: json<readonly string[]>()('secret_ids').notNull(),
    /** Of the compressed parts. */
    sizeBytes: integer('size_bytes').notNull(),
    deletedBy: text('deleted_by'),
    deletedAt: timestamp('deleted_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [
    index('bin_entries_tenant_idx').on(t.tenantId, t.deletedAt, t.id),
    index('bin_entries_project_idx').on(t.tenantId, t.projectId),
    index('bin_entries_expiry_idx').on(t.expiresAt),
  ],
)

/** The rows that a deletion removed, some hundred in each part, in the order in which they were removed. */
export const binParts = pgTable(
  'bin_parts',
  {
    entryId: text('entry_id')
      .notNull()
      .references(() => binEntries.id, { onDelete: 'cascade' }),
    ordinal: integer('ordinal').notNull(),
    tenantId: text('tenant_id').notNull(),
    /** The table of the database. */
    tableName: text('table_name').notNull(),
    /** `rows` were removed; of `links` one column was set to null. */
    holds: text('holds', { enum: ['rows', 'links'] }).notNull(),
    /** JSON `{"columns": […], "rows": [[…], …]}`, by Zstandard. */
    compressed: bytes('compressed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.entryId, t.ordinal] })],
)
