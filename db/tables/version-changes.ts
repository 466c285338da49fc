import { foreignKey, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { bool, json, text, timestamp } from '../columns.ts'
import { versions } from './versions.ts'

/** How many changes of each kind a publication brought; what is undecided counts as breaking and as unknown. */
export interface ChangeCounts {
  readonly breaking: number
  readonly nonBreaking: number
  readonly docsOnly: number
  readonly unknown: number
}

/** What a publication changed: written once, in the transaction that publishes, and never again. */
export const versionChanges = pgTable(
  'version_changes',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id').notNull(),
    versionId: text('version_id').notNull(),
    /** The published version it was compared with; null: the first publication, or one that was said to be. */
    baselineVersionId: text('baseline_version_id'),
    baselineMode: text('baseline_mode', { enum: ['auto', 'initial', 'manual'] }).notNull(),
    /** The digests that were compared. */
    baselineDigest: text('baseline_digest'),
    digest: text('digest').notNull(),
    /** Null: nothing changed. */
    maxSeverity: text('max_severity', { enum: ['breaking', 'non-breaking', 'docs-only'] }),
    counts: json<ChangeCounts>()('counts').notNull(),
    isForced: bool('is_forced').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('version_changes_version_key').on(t.versionId),
    index('version_changes_project_idx').on(t.tenantId, t.projectId, t.createdAt, t.id),
    foreignKey({
      name: 'version_changes_version_fk',
      columns: [t.versionId],
      foreignColumns: [versions.id],
    }).onDelete('cascade'),
  ],
)
