import { and, asc, count, eq, ne, or, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { memberships, projectGrants, teamMembers, teams, users } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { TeamMember, TeamRecord } from '../../src/api/teams.ts'
import { SvcError } from '../../src/errors.ts'
import { slugify } from '../../src/import/slug.ts'
import { actorOf, type Grant, tenantOf, teamsOf } from '../auth/door.ts'
import { recordAudit } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'

export type TeamRow = typeof teams.$inferSelect

/** Who of an organization is in a team: chosen by hand, or by the group of the directory that it follows. */
const isIn = (team: TeamRow) => sql`${team.id} in ${teamsOf(team.tenantId, memberships.userId)}`

async function recordOf(read: Reader, row: TeamRow): Promise<TeamRecord> {
  const members = await read.$count(
    memberships,
    inTenant(memberships, row.tenantId, ne(memberships.status, 'pending'), isIn(row)),
  )
  const projects = await read.$count(
    projectGrants,
    inTenant(projectGrants, row.tenantId, eq(projectGrants.teamId, row.id)),
  )
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    directory_group: row.directoryGroup,
    members,
    projects,
    created_at: row.createdAt,
  }
}

/**
 * Finds a team of the organization by id or slug.
 * @throws SvcError `team-not-found`
 */
export async function findTeam(read: Reader, tenantId: string, ref: string): Promise<TeamRow> {
  const [row] = await read
    .select()
    .from(teams)
    .where(inTenant(teams, tenantId, or(eq(teams.id, ref), eq(teams.slug, ref))))
  if (row === undefined) throw new SvcError('team-not-found', { team: ref })
  return row
}

/** A page of the teams of an organization, newest first. */
export async function listTeams(deps: Deps, grant: Grant, page: StablePage) {
  const { rows, page: counts } = await readStablePage(deps.db.read, teams, {
    where: inTenant(teams, tenantOf(grant).id),
    order: [teams.createdAt, teams.id],
    page,
    added: teams.createdAt,
    now: deps.clock.iso(),
  })
  return { items: await Promise.all(rows.map((row) => recordOf(deps.db.read, row))), ...counts }
}

/**
 * One team.
 * @throws SvcError `team-not-found`
 */
export const getTeam = async (deps: Deps, grant: Grant, ref: string): Promise<TeamRecord> =>
  recordOf(deps.db.read, await findTeam(deps.db.read, tenantOf(grant).id, ref))

interface Change {
  readonly action: AuditAction
  readonly team: TeamRow
  readonly detail?: Readonly<Record<string, unknown>>
}

const note = (deps: Deps, grant: Grant, tx: Transaction, { action, team, detail }: Change): Promise<void> =>
  recordAudit(tx, {
    tenantId: team.tenantId,
    actor: grant.principal,
    action,
    targetId: team.id,
    detail: { team: team.slug, ...detail },
    at: deps.clock.iso(),
  })

/**
 * Creates a team; without a slug one is made from the name.
 * @throws SvcError `team-slug-taken`
 */
export async function createTeam(
  deps: Deps,
  grant: Grant,
  given: { readonly name: string; readonly slug?: string; readonly directory_group?: string | null },
): Promise<TeamRecord> {
  const team: TeamRow = {
    id: newId(),
    tenantId: tenantOf(grant).id,
    slug: given.slug ?? slugify(given.name),
    name: given.name,
    directoryGroup: given.directory_group ?? null,
    createdBy: actorOf(grant),
    createdAt: deps.clock.iso(),
  }
  try {
    await deps.db.inTransaction(async (tx) => {
      await tx.insert(teams).values(team)
      await note(deps, grant, tx, { action: 'team.created', team, detail: { directory_group: team.directoryGroup } })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('team-slug-taken', { slug: team.slug })
    throw error
  }
  return recordOf(deps.db.read, team)
}

/**
 * Renames a team, or lets it follow another group or none; what is omitted stays.
 * @throws SvcError `team-not-found`
 */
export async function updateTeam(
  deps: Deps,
  grant: Grant,
  ref: string,
  given: { readonly name?: string; readonly directory_group?: string | null },
): Promise<TeamRecord> {
  const { id: tenantId } = tenantOf(grant)
  const changed = await deps.db.inTransaction(async (tx) => {
    const before = await findTeam(tx, tenantId, ref)
    const { name = before.name, directory_group: directoryGroup = before.directoryGroup } = given
    const team = { ...before, name, directoryGroup }
    await tx
      .update(teams)
      .set({ name, directoryGroup })
      .where(inTenant(teams, tenantId, eq(teams.id, team.id)))
    // Who follows a group has its members and no others.
    if (directoryGroup !== null)
      await tx.delete(teamMembers).where(inTenant(teamMembers, tenantId, eq(teamMembers.teamId, team.id)))
    await note(deps, grant, tx, { action: 'team.updated', team, detail: { name, directory_group: directoryGroup } })
    return team
  })
  return recordOf(deps.db.read, changed)
}

/**
 * Deletes a team; its roles on projects end.
 * @throws SvcError `team-not-found`
 */
export async function removeTeam(deps: Deps, grant: Grant, ref: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const team = await findTeam(tx, tenantId, ref)
    await tx.delete(teams).where(inTenant(teams, tenantId, eq(teams.id, team.id)))
    await note(deps, grant, tx, { action: 'team.deleted', team })
  })
}

/**
 * The members of a team, by name.
 * @throws SvcError `team-not-found`
 */
export async function membersOfTeam(deps: Deps, grant: Grant, ref: string): Promise<{ readonly items: TeamMember[] }> {
  const { read } = deps.db
  const team = await findTeam(read, tenantOf(grant).id, ref)
  const items = await read
    .select({ user_id: users.id, name: users.name, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(inTenant(memberships, team.tenantId, ne(memberships.status, 'pending'), isIn(team)))
    .orderBy(asc(users.name), asc(users.id))
  return { items }
}

/** The team whose members are chosen by hand. @throws SvcError `team-not-found`, `team-follows-directory` */
async function teamToChange(tx: Transaction, tenantId: string, ref: string): Promise<TeamRow> {
  const team = await findTeam(tx, tenantId, ref)
  const { directoryGroup: group } = team
  if (group !== null) throw new SvcError('team-follows-directory', { team: team.slug, group })
  return team
}

/** Whether somebody is a member of the organization who accepted. */
export async function isMember(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  const [row] = await tx
    .select({ n: count() })
    .from(memberships)
    .where(inTenant(memberships, tenantId, eq(memberships.userId, userId), ne(memberships.status, 'pending')))
  return (row?.n ?? 0) > 0
}

/** @throws SvcError `member-not-found` for somebody who is no member, or did not accept yet */
export async function assertMember(tx: Transaction, tenantId: string, userId: string): Promise<void> {
  if (!(await isMember(tx, tenantId, userId))) throw new SvcError('member-not-found', { member: userId })
}

/**
 * Puts a member in a team; who is in it stays.
 * @throws SvcError `team-not-found`, `member-not-found`, `team-follows-directory`
 */
export async function addToTeam(deps: Deps, grant: Grant, ref: string, userId: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const team = await teamToChange(tx, tenantId, ref)
    await assertMember(tx, tenantId, userId)
    const added = await tx
      .insert(teamMembers)
      .values({ tenantId, teamId: team.id, userId, createdAt: deps.clock.iso() })
      .onConflictDoNothing()
      .returning({ userId: teamMembers.userId })
    if (added.length > 0)
      await note(deps, grant, tx, { action: 'team.member-added', team, detail: { user_id: userId } })
  })
}

/**
 * Takes a member out of a team.
 * @throws SvcError `team-not-found`, `member-not-found`, `team-follows-directory`
 */
export async function dropFromTeam(deps: Deps, grant: Grant, ref: string, userId: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const team = await teamToChange(tx, tenantId, ref)
    const own = and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, userId))
    const dropped = await tx
      .delete(teamMembers)
      .where(inTenant(teamMembers, tenantId, own))
      .returning({ userId: teamMembers.userId })
    if (dropped.length === 0) throw new SvcError('member-not-found', { member: userId })
    await note(deps, grant, tx, { action: 'team.member-removed', team, detail: { user_id: userId } })
  })
}
