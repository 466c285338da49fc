import { index, pgTable } from 'drizzle-orm/pg-core'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { versions } from './versions.ts'

/** A gate that a draft fails, as it was evaluated. */
export interface FailedGate {
  readonly id: string
  readonly message: string
}

/** What publishing a draft would mean, kept from the last time it was evaluated. */
export const draftAssessments = pgTable(
  'draft_assessments',
  {
    versionId: text('version_id')
      .primaryKey()
      .references(() => versions.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** Names everything that it was evaluated from: where that differs now, it is evaluated again. */
    stamp: text('stamp').notNull(),
    isReady: bool('is_ready').notNull(),
    failed: json<readonly FailedGate[]>()('failed').notNull(),
    /** The published version that it was compared with; null where there was none. */
    baseLabel: text('base_label'),
    /** Changes that break clients of that version. */
    breaking: integer('breaking').notNull(),
    /** Consumers that would break. */
    affected: json<readonly string[]>()('affected').notNull(),
    assessedAt: timestamp('assessed_at').notNull(),
  },
  (t) => [index('draft_assessments_tenant_idx').on(t.tenantId)],
)
