import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integer, text } from '../columns.ts'
import { versions } from './versions.ts'

/** How many findings of each rule a version has, under the style guide that it was linted with last: what a search by rule reads. */
export const versionRules = pgTable(
  'version_rules',
  {
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    rule: text('rule').notNull(),
    tenantId: text('tenant_id').notNull(),
    findings: integer('findings').notNull(),
  },
  (t) => [primaryKey({ columns: [t.versionId, t.rule] }), index('version_rules_rule_idx').on(t.tenantId, t.rule)],
)
