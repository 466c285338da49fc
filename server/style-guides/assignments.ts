import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { styleGuideAssignments, styleGuideDefaults } from '../../db/tables.gen.ts'
import type { StyleGuideOut } from '../../src/api/style-guides.ts'
import { tenantOf } from '../auth/actor.ts'
import type { Grant } from '../auth/grant.ts'
import { isoNow, type Deps } from '../deps.ts'
import { findProject } from '../projects/service.ts'
import { audit, lockGuides } from './audit.ts'
import { getGuide } from './service.ts'
import { assignedIdOf, defaultIdOf, findGuide, idOf, nameOf } from './store.ts'

/** Makes a guide, builtin or not, the default. Raises `style-guide-not-found`. */
export async function makeDefault(deps: Deps, grant: Grant, ref: string): Promise<StyleGuideOut> {
  const { id: tenantId } = tenantOf(grant)
  const guideId = await deps.db.inTransaction(async (tx) => {
    await lockGuides(tx, tenantId)
    const guide = await findGuide(tx, tenantId, ref)
    const id = idOf(guide)
    await tx
      .insert(styleGuideDefaults)
      .values({ tenantId, guideId: id })
      .onConflictDoUpdate({ target: styleGuideDefaults.tenantId, set: { guideId: id } })
    await audit({ deps, grant }, tx, 'style-guide.made-default', id, { name: nameOf(guide) })
    return id
  })
  return getGuide(deps, grant, guideId)
}

/** Assigns a guide to a project. Raises `style-guide-not-found`, `project-not-found`. */
export async function assign(
  deps: Deps,
  grant: Grant,
  ref: string,
  projectRef: string,
): Promise<Record<string, string>> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await lockGuides(tx, tenantId)
    const guide = await findGuide(tx, tenantId, ref)
    const project = await findProject(tx, tenantId, projectRef)
    const set = { guideId: idOf(guide), assignedAt: isoNow(deps) }
    await tx
      .insert(styleGuideAssignments)
      .values({ projectId: project.id, tenantId, ...set })
      .onConflictDoUpdate({ target: styleGuideAssignments.projectId, set })
    const detail = { name: nameOf(guide), project: project.slug }
    await audit({ deps, grant }, tx, 'style-guide.assigned', set.guideId, detail)
    return { status: 'assigned', projectId: project.id, guideId: set.guideId }
  })
}

/** Takes the assignment of a project away, if it has one. Raises `project-not-found`. */
export async function unassign(deps: Deps, grant: Grant, projectRef: string): Promise<Record<string, string>> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await lockGuides(tx, tenantId)
    const project = await findProject(tx, tenantId, projectRef)
    const before = await assignedIdOf(tx, tenantId, project.id)
    const guideId = await defaultIdOf(tx, tenantId)
    if (before !== null) {
      await tx
        .delete(styleGuideAssignments)
        .where(inTenant(styleGuideAssignments, tenantId, eq(styleGuideAssignments.projectId, project.id)))
      await audit({ deps, grant }, tx, 'style-guide.unassigned', before, { project: project.slug })
    }
    return { status: before === null ? 'unchanged' : 'unassigned', projectId: project.id, guideId }
  })
}

/** The guide that applies to a project, and why. Raises `project-not-found`. */
export async function assignmentOf(deps: Deps, grant: Grant, projectRef: string) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const project = await findProject(read, tenantId, projectRef)
  const assigned = await assignedIdOf(read, tenantId, project.id)
  const guide = await findGuide(read, tenantId, assigned ?? (await defaultIdOf(read, tenantId)))
  return {
    projectId: project.id,
    projectSlug: project.slug,
    guideId: idOf(guide),
    guideName: nameOf(guide),
    reason: assigned === null ? ('tenant-default' as const) : ('assignment' as const),
  }
}
