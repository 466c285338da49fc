import { and, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { projectGrants, teams, users } from '../../db/tables.gen.ts'
import type { ProjectRole } from '../../src/api/permissions.ts'
import type { ProjectAccess } from '../../src/api/teams.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, type Principal, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { findProject, type ProjectRow } from '../records/door.ts'
import { assertMember, findTeam, isMember } from './service.ts'

type GrantRow = typeof projectGrants.$inferSelect

async function recordsOf(read: Reader, tenantId: string, rows: readonly GrantRow[]): Promise<ProjectAccess[]> {
  const people = rows.flatMap(({ userId }) => userId ?? [])
  const groups = rows.flatMap(({ teamId }) => teamId ?? [])
  const [named, known] = await Promise.all([
    people.length === 0
      ? []
      : read
          .select({ id: users.id, name: users.name, email: users.email })
          .from(users)
          .where(inArray(users.id, people)),
    groups.length === 0
      ? []
      : read
          .select({ id: teams.id, name: teams.name, slug: teams.slug })
          .from(teams)
          .where(inTenant(teams, tenantId, inArray(teams.id, groups))),
  ])
  const names = new Map([...named, ...known].map((it) => [it.id, it.name]))
  const slugs = new Map(known.map((it) => [it.id, it.slug]))
  const emails = new Map(named.map((it) => [it.id, it.email]))
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    kind: row.userId === null ? 'team' : 'person',
    user_id: row.userId,
    team_id: row.teamId,
    team_slug: slugs.get(row.teamId ?? '') ?? null,
    name: names.get(row.userId ?? row.teamId ?? '') ?? '',
    email: emails.get(row.userId ?? '') ?? null,
    created_by: row.createdBy,
    created_at: row.createdAt,
  }))
}

/**
 * A page of who has a role on a project, newest first.
 * @throws SvcError `project-not-found`
 */
export async function listAccess(deps: Deps, grant: Grant, ref: string, page: StablePage) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const project = await findProject(read, tenantId, ref)
  const { rows, page: counts } = await readStablePage(read, projectGrants, {
    where: inTenant(projectGrants, tenantId, eq(projectGrants.projectId, project.id)),
    order: [projectGrants.createdAt, projectGrants.id],
    page,
    added: projectGrants.createdAt,
    now: deps.clock.iso(),
  })
  return { items: await recordsOf(read, tenantId, rows), ...counts }
}

type Subject = { readonly userId: string; readonly teamId: null } | { readonly userId: null; readonly teamId: string }

/**
 * Gives a person or a team a role on a project within a transaction, in the place of the one that they had.
 * @returns the row; `before` is the role that they had, null: none
 */
export async function grantRole(
  deps: Deps,
  grant: Grant,
  tx: Transaction,
  { project, subject, role }: { readonly project: ProjectRow; readonly subject: Subject; readonly role: ProjectRole },
): Promise<GrantRow> {
  const { tenantId, id: projectId } = project
  await tx.lock(`project-access:${projectId}`)
  const who =
    subject.userId === null ? eq(projectGrants.teamId, subject.teamId) : eq(projectGrants.userId, subject.userId)
  const own = inTenant(projectGrants, tenantId, and(eq(projectGrants.projectId, projectId), who))
  const [before] = await tx.select().from(projectGrants).where(own)
  if (before?.role === role) return before
  const at = deps.clock.iso()
  const row = before ?? { id: newId(), tenantId, projectId, ...subject, createdBy: actorOf(grant), createdAt: at, role }
  if (before === undefined) await tx.insert(projectGrants).values(row)
  else await tx.update(projectGrants).set({ role }).where(own)
  await recordAudit(tx, {
    tenantId,
    actor: grant.principal,
    action: 'project.role-granted',
    targetId: projectId,
    detail: {
      project: project.slug,
      user_id: subject.userId,
      team_id: subject.teamId,
      role,
      before: before?.role ?? null,
    },
    at,
  })
  return { ...row, role }
}

/**
 * Gives the person who creates a project the role Editor on it, within the transaction that creates it, so that it is theirs where Editors
 * edit only what is theirs. Not Owner: whoever creates a project must not publish by force because of it. A key gets no role, and neither
 * does somebody who left the organization since they asked.
 */
export async function grantToCreator(
  tx: Transaction,
  { id: projectId, tenantId, slug, createdBy, createdAt: at }: ProjectRow,
  actor: Principal | null,
): Promise<void> {
  if (actor?.kind !== 'user') return
  const { userId } = actor
  if (!(await isMember(tx, tenantId, userId))) return
  const role = 'editor'
  const row = { id: newId(), tenantId, projectId, userId, teamId: null, createdBy, createdAt: at, role } as const
  await tx.insert(projectGrants).values(row)
  const detail = { project: slug, user_id: userId, team_id: null, role, before: null }
  await recordAudit(tx, { tenantId, actor, action: 'project.role-granted', targetId: projectId, detail, at })
}

/** Whom a request means. @throws SvcError `project-access-unclear`, `member-not-found`, `team-not-found` */
async function subjectOf(
  tx: Transaction,
  tenantId: string,
  { user_id: userId, team }: { readonly user_id?: string; readonly team?: string },
): Promise<Subject> {
  if (userId !== undefined && team === undefined) {
    await assertMember(tx, tenantId, userId)
    return { userId, teamId: null }
  }
  if (team === undefined || userId !== undefined) throw new SvcError('project-access-unclear')
  return { userId: null, teamId: (await findTeam(tx, tenantId, team)).id }
}

/**
 * Gives a person or a team a role on a project, or changes it.
 * @throws SvcError `project-not-found`, `member-not-found`, `team-not-found`, `project-access-unclear`
 */
export async function giveAccess(
  deps: Deps,
  grant: Grant,
  ref: string,
  given: { readonly role: ProjectRole; readonly user_id?: string; readonly team?: string },
): Promise<ProjectAccess> {
  const { id: tenantId } = tenantOf(grant)
  const row = await deps.db.inTransaction(async (tx) => {
    const project = await findProject(tx, tenantId, ref)
    const subject = await subjectOf(tx, tenantId, given)
    return grantRole(deps, grant, tx, { project, subject, role: given.role })
  })
  const [record] = await recordsOf(deps.db.read, tenantId, [row])
  return record as ProjectAccess
}

/**
 * Takes a role on a project away.
 * @throws SvcError `project-not-found`, `project-access-not-found`
 */
export async function revokeAccess(deps: Deps, grant: Grant, ref: string, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const project = await findProject(tx, tenantId, ref)
    const [row] = await tx
      .delete(projectGrants)
      .where(inTenant(projectGrants, tenantId, eq(projectGrants.id, id), eq(projectGrants.projectId, project.id)))
      .returning()
    if (row === undefined) throw new SvcError('project-access-not-found', { access: id, project: project.slug })
    await recordAudit(tx, {
      tenantId,
      actor: grant.principal,
      action: 'project.role-revoked',
      targetId: project.id,
      detail: { project: project.slug, user_id: row.userId, team_id: row.teamId, role: row.role },
      at: deps.clock.iso(),
    })
  })
}
