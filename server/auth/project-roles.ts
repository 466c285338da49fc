/** The roles that a person has on projects, by themselves and through their teams. */
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import {
  projectGrants,
  projects,
  scimGroups,
  scimMembers,
  scimUsers,
  teamMembers,
  teams,
  users,
} from '../../db/tables.gen.ts'
import { type ProjectRole, projectRoles } from '../../src/api/permissions.ts'

/** Whether an organization lets its Editors edit only the projects on which they have the role Editor or Owner, by its settings. */
export const editorsEditOwn = (settings: Readonly<Record<string, unknown>>): boolean =>
  settings['editorsEditOwn'] === true

/**
 * The ids of the teams of a person, as a list of a statement; the person may be a column. The members of a team that follows a group are those of the group now: who
 * leaves it, or is deactivated in the directory, is out of the team at once.
 */
export const teamsOf = (tenantId: string, userId: string | PgColumn): SQL =>
  sql`(select ${teamMembers.teamId} from ${teamMembers}
    where ${teamMembers.tenantId} = ${tenantId} and ${teamMembers.userId} = ${userId}
    union select ${teams.id} from ${teams}
    inner join ${scimGroups} on ${scimGroups.tenantId} = ${teams.tenantId} and ${scimGroups.displayName} = ${teams.directoryGroup}
    inner join ${scimMembers} on ${scimMembers.groupId} = ${scimGroups.id}
    inner join ${scimUsers} on ${scimUsers.id} = ${scimMembers.userId}
    where ${teams.tenantId} = ${tenantId} and ${scimUsers.userId} = ${userId}
    and ${scimUsers.active} = ${sql.param(true, scimUsers.active)})`

const isFor = (tenantId: string, userId: string): SQL =>
  sql`(${projectGrants.userId} = ${userId} or ${projectGrants.teamId} in ${teamsOf(tenantId, userId)})`

/** The ids of the projects that a person has a role on, as a list of a statement: what `withinProjects` takes. */
export const grantedProjects = (tenantId: string, userId: string): SQL =>
  sql`(select ${projectGrants.projectId} from ${projectGrants}
    where ${projectGrants.tenantId} = ${tenantId} and ${isFor(tenantId, userId)})`

/** The same of one project. */
export const oneProject = (id: string): SQL => sql`(${id})`

/** A project with the strongest role that a person has on it. */
export interface RoleOnProject {
  readonly id: string
  readonly role: ProjectRole
}

/** The project of an id or slug, and the strongest role of a person on it; null: they have none, or there is no such project. */
export async function roleOnProject(
  read: Reader,
  tenantId: string,
  userId: string,
  ref: string,
): Promise<RoleOnProject | null> {
  const rows = await read
    .select({ id: projects.id, role: projectGrants.role })
    .from(projects)
    .innerJoin(projectGrants, and(eq(projectGrants.projectId, projects.id), isFor(tenantId, userId)))
    .where(inTenant(projects, tenantId, or(eq(projects.id, ref), eq(projects.slug, ref))))
  const [first] = rows.toSorted((a, b) => projectRoles.indexOf(a.role) - projectRoles.indexOf(b.role))
  return first ?? null
}

/** So many editors are named where somebody is refused. */
const mostEditors = 5

/** Who has the role Editor or Owner on a project, by the names of people and teams; empty: nobody, or there is no such project. */
export async function editorsOf(read: Reader, tenantId: string, ref: string): Promise<readonly string[]> {
  const rows = await read
    .select({ person: users.name, team: teams.name })
    .from(projects)
    .innerJoin(
      projectGrants,
      and(eq(projectGrants.projectId, projects.id), inArray(projectGrants.role, ['owner', 'editor'])),
    )
    .leftJoin(users, eq(users.id, projectGrants.userId))
    .leftJoin(teams, and(eq(teams.id, projectGrants.teamId), eq(teams.tenantId, projects.tenantId)))
    .where(inTenant(projects, tenantId, or(eq(projects.id, ref), eq(projects.slug, ref))))
    .orderBy(projectGrants.createdAt, projectGrants.id)
    .limit(mostEditors)
  return rows.flatMap(({ person, team }) => person ?? (team === null ? [] : `the team ${team}`))
}

/** So many projects are named where a person is described. */
const mostNamed = 200

/** The projects that a person has a role on, by slug, each with the strongest one. */
export async function rolesOnProjects(read: Reader, tenantId: string, userId: string) {
  const rows = await read
    .select({ id: projects.id, slug: projects.slug, role: projectGrants.role })
    .from(projectGrants)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, projectGrants.projectId)))
    .where(and(eq(projectGrants.tenantId, tenantId), isFor(tenantId, userId)))
    .orderBy(projects.slug)
    .limit(mostNamed * projectRoles.length)
  const strongest = new Map(
    rows.toSorted((a, b) => projectRoles.indexOf(b.role) - projectRoles.indexOf(a.role)).map((row) => [row.id, row]),
  )
  return [...strongest.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).slice(0, mostNamed)
}
