import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { VersionStatus } from '../../src/kernel/latest-version.ts'
import { integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** An address that belongs to a project: its repository, its runbook. */
export interface ProjectLink {
  readonly title: string | null
  readonly url: string
}

/** What a tenant keeps the versions of a specification under. */
export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    /** Who is responsible for it: the name of a team or a person. */
    owner: text('owner'),
    lifecycle: text('lifecycle', { enum: ['experimental', 'production', 'deprecated'] }),
    /** Null: none. */
    tags: json<readonly string[]>()('tags'),
    links: json<readonly ProjectLink[]>()('links'),
    /** How many events there were: each has the next number. */
    eventSequence: integer('event_sequence').notNull().default(0),
    /** From here to `draftsCount`: what lists sort, filter and count by, made by `db/projects/summary.ts`. Less than its generation: to be made again. */
    summaryGeneration: integer('summary_generation').notNull().default(0),
    /** The name in lower case. */
    foldedName: text('folded_name').notNull().default(''),
    /** The version to show for the project; null, with the columns after it: it has none. */
    latestVersionId: text('latest_version_id'),
    latestStatus: text('latest_status').$type<VersionStatus>(),
    latestGrade: text('latest_grade'),
    /** 1 for F to 5 for A, 6 for none. */
    gradeRank: integer('grade_rank').notNull().default(6),
    /** Kind and version, as "openapi 3.1". */
    latestFormat: text('latest_format'),
    /** The version that was made last; null: there is none. */
    newestVersionId: text('newest_version_id'),
    newestRank: integer('newest_rank').notNull().default(6),
    /** The version that it follows, and the rank of its grade. */
    beforeLabel: text('before_label'),
    beforeRank: integer('before_rank').notNull().default(6),
    /** The latest version that is published for everybody; null: there is none. */
    publicVersionId: text('public_version_id'),
    publicCount: integer('public_count').notNull().default(0),
    versionsCount: integer('versions_count').notNull().default(0),
    draftsCount: integer('drafts_count').notNull().default(0),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('projects_tenant_slug_key').on(t.tenantId, t.slug),
    index('projects_tenant_created_idx').on(t.tenantId, t.createdAt, t.id),
    index('projects_tenant_updated_idx').on(t.tenantId, t.updatedAt, t.createdAt, t.id),
    index('projects_tenant_name_idx').on(t.tenantId, t.foldedName, t.createdAt, t.id),
    index('projects_tenant_grade_idx').on(t.tenantId, t.gradeRank, t.foldedName, t.createdAt),
    index('projects_summary_idx').on(t.summaryGeneration, t.tenantId),
  ],
)
