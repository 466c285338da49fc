import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
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
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('projects_tenant_slug_key').on(t.tenantId, t.slug),
    index('projects_tenant_created_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)
