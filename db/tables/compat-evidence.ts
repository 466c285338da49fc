import { index, pgTable } from 'drizzle-orm/pg-core'
import type { EvidenceRun } from '../../src/api/compatibility.ts'
import { bytes, json, text, timestamp } from '../columns.ts'
import { versions } from './versions.ts'

/** Comparisons that were kept as evidence on the newer revision. Rows are only ever added. */
export const compatEvidence = pgTable(
  'compat_evidence',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id').notNull(),
    baseVersionId: text('base_version_id').notNull(),
    headVersionId: text('head_version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    /** All but the findings. */
    run: json<EvidenceRun>()('run').notNull(),
    /** The findings of all tools as JSON, compressed: there may be thousands. */
    findings: bytes('findings').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [index('compat_evidence_head_idx').on(t.headVersionId, t.createdAt, t.id)],
)
