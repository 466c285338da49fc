import { sql } from 'drizzle-orm'
import { foreignKey, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ProjectRole } from '../../src/api/permissions.ts'
import { text, timestamp } from '../columns.ts'
import { memberships } from './memberships.ts'
import { projects } from './projects.ts'
import { tenants } from './tenants.ts'

/** Groups of members that have roles on projects together. */
export const teams = pgTable(
  'teams',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    /** The name of the group of the directory whose members the team has; null: its members are chosen by hand. */
    directoryGroup: text('directory_group'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('teams_slug_key').on(t.tenantId, t.slug),
    index('teams_list_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)

/** Who was put in a team by hand. Who is no member of the organization any more is in none of its teams. */
export const teamMembers = pgTable(
  'team_members',
  {
    tenantId: text('tenant_id').notNull(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.teamId, t.userId] }),
    index('team_members_user_idx').on(t.tenantId, t.userId),
    foreignKey({
      name: 'team_members_membership_fk',
      columns: [t.tenantId, t.userId],
      foreignColumns: [memberships.tenantId, memberships.userId],
    }).onDelete('cascade'),
  ],
)

/** The roles of people and teams on projects: of each row one of both. */
export const projectGrants = pgTable(
  'project_grants',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id'),
    teamId: text('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    role: text('role').$type<ProjectRole>().notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('project_grants_user_key')
      .on(t.projectId, t.userId)
      .where(sql`${t.userId} is not null`),
    uniqueIndex('project_grants_team_key')
      .on(t.projectId, t.teamId)
      .where(sql`${t.teamId} is not null`),
    index('project_grants_person_idx').on(t.tenantId, t.userId),
    index('project_grants_team_idx').on(t.teamId),
    index('project_grants_list_idx').on(t.projectId, t.createdAt, t.id),
    foreignKey({
      name: 'project_grants_membership_fk',
      columns: [t.tenantId, t.userId],
      foreignColumns: [memberships.tenantId, memberships.userId],
    }).onDelete('cascade'),
  ],
)
