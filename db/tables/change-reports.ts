import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ChangeModel } from '../../src/change-report/model.ts'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'
import { versions } from './versions.ts'

/** What a publication changed, reported to people: rendered once, edited over, never losing what was rendered. */
export const changeReports = pgTable(
  'change_reports',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id').notNull(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    baselineVersionId: text('baseline_version_id'),
    templateVersionId: text('template_version_id').notNull(),
    model: json<ChangeModel>()('model').notNull(),
    headerSnapshot: text('header_snapshot').notNull(),
    renderedBody: text('rendered_body').notNull(),
    footnoteSnapshot: text('footnote_snapshot').notNull(),
    editedHeaderSnapshot: text('edited_header_snapshot'),
    editedRenderedBody: text('edited_rendered_body'),
    editedFootnoteSnapshot: text('edited_footnote_snapshot'),
    editedAt: timestamp('edited_at'),
    editedBy: text('edited_by'),
    renderedAt: timestamp('rendered_at').notNull(),
    regeneratedAt: timestamp('regenerated_at'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('change_reports_version_key').on(t.versionId),
    index('change_reports_project_idx').on(t.tenantId, t.projectId, t.createdAt, t.id),
  ],
)

/** Versions of the templates of reports. A version never changes; which one a tenant or project uses does. */
export const changeReportTemplates = pgTable(
  'change_report_templates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** Null: for all projects of the tenant. */
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    name: text('name').notNull(),
    header: text('header').notNull(),
    body: text('body').notNull(),
    footnote: text('footnote').notNull(),
    isDefault: bool('is_default').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [index('change_report_templates_scope_idx').on(t.tenantId, t.projectId, t.version)],
)
