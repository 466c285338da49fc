import { foreignKey, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { JoinedDocument, Provenance } from '../../src/api/version-shapes.ts'
import type { VersionStatus } from '../../src/kernel/latest-version.ts'
import type { Format } from '../../src/document/document.ts'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { contents } from './contents.ts'
import { projects } from './projects.ts'

export type { VersionStatus }

/** A labelled revision of a project's specification. */
export const versions = pgTable(
  'versions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    label: text('label').notNull(),
    slug: text('slug').notNull(),
    status: text('status').$type<VersionStatus>().notNull(),
    visibility: text('visibility').$type<'public' | 'private'>().notNull(),
    title: text('title').notNull(),
    description: text('description'),
    format: json<Format>()('format').notNull(),
    syntax: text('syntax').$type<'json' | 'yaml'>().notNull(),
    digest: text('digest').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    grade: text('grade'),
    /** Score times ten, so that both engines keep it exactly. */
    scoreTenths: integer('score_tenths'),
    operationsCount: integer('operations_count').notNull(),
    classesCount: integer('classes_count').notNull(),
    provenance: json<Provenance>()('provenance').notNull(),
    /** Documents that joined this one; null: none. */
    joined: json<JoinedDocument[]>()('joined'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
    publishedAt: timestamp('published_at'),
    deprecatedAt: timestamp('deprecated_at'),
    sunsetAt: timestamp('sunset_at'),
    retiredAt: timestamp('retired_at'),
    replacement: text('replacement'),
    /** Whether people mean it when they look for something: the latest of its project, or the greatest. By `db/projects/summary.ts`. */
    current: bool('current').notNull().default(false),
    /** How much of it the search has: see `indexGeneration` of server/search-index. */
    indexGeneration: integer('index_generation').notNull().default(0),
    /** Why the search could not read it; null where it could. */
    indexProblem: text('index_problem'),
  },
  (t) => [
    uniqueIndex('versions_project_label_key').on(t.projectId, t.label),
    uniqueIndex('versions_project_slug_key').on(t.projectId, t.slug),
    index('versions_project_created_idx').on(t.projectId, t.createdAt, t.id),
    index('versions_tenant_status_idx').on(t.tenantId, t.status, t.updatedAt, t.id),
    index('versions_index_idx').on(t.indexGeneration, t.tenantId),
    index('versions_status_visibility_idx').on(t.status, t.visibility, t.publishedAt),
    foreignKey({
      name: 'versions_content_fk',
      columns: [t.tenantId, t.digest],
      foreignColumns: [contents.tenantId, contents.digest],
    }),
  ],
)
