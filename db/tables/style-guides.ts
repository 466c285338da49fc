import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { integer, json, text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** What a guide says of a builtin rule where it differs from the rule itself. */
export interface RuleSetting {
  readonly enabled?: boolean
  readonly severity?: 'error' | 'warning' | 'info' | 'hint'
}

/** The guides that a tenant made; the builtin ones have no row. */
export const styleGuides = pgTable(
  'style_guides',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    sourceGuideId: text('source_guide_id'),
    /** By the id of a builtin rule. */
    settings: json<Readonly<Record<string, RuleSetting>>>()('settings').notNull(),
    /** A Spectral ruleset, as its author wrote it; "" where there is none. */
    customRules: text('custom_rules').notNull(),
    customRulesAt: timestamp('custom_rules_at'),
    /** What differs from the policy of a fresh tenant. */
    policy: json<unknown>()('policy').notNull(),
    policyAt: timestamp('policy_at'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('style_guides_name_key').on(t.tenantId, t.name)],
)

/** The default of a tenant; no row: the recommended builtin guide. The id may be of a builtin guide. */
export const styleGuideDefaults = pgTable('style_guide_defaults', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  guideId: text('guide_id').notNull(),
})

/** The guide of a project that has one of its own; the id may be of a builtin guide. */
export const styleGuideAssignments = pgTable(
  'style_guide_assignments',
  {
    projectId: text('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    guideId: text('guide_id').notNull(),
    assignedAt: timestamp('assigned_at').notNull(),
  },
  (t) => [index('style_guide_assignments_guide_idx').on(t.tenantId, t.guideId)],
)

/** Snapshots of guides. Rows are only ever added, and outlive a guide that is deleted. */
export const policyPacks = pgTable(
  'policy_packs',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    guideId: text('guide_id').notNull(),
    version: integer('version').notNull(),
    digest: text('digest').notNull(),
    rulesOn: integer('rules_on').notNull(),
    snapshot: json<unknown>()('snapshot').notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [uniqueIndex('policy_packs_version_key').on(t.tenantId, t.guideId, t.version)],
)
