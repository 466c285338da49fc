import { count, desc, eq, isNull, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import { projects, styleGuideAssignments, styleGuideDefaults, styleGuides } from '../../db/tables.gen.ts'
import type { StyleGuideOut } from '../../src/api/style-guide-shapes.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { afterPage, type Deps, sincePage, type StablePage } from '../kit/door.ts'
import { findProject } from '../records/door.ts'
import { audit, lockGuides } from './audit.ts'
import { findBuiltin } from '../guide-rules/door.ts'
import { followGuide } from './relint.ts'
import { getGuide } from './service.ts'
import { assignedIdOf, defaultIdOf, findGuide, idOf, nameOf } from './store.ts'

/**
 * Makes a guide, builtin or not, the default.
 * @throws SvcError `style-guide-not-found`
 */
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
    await followGuide(deps, tx, tenantId, { guideId: id })
    return id
  })
  return getGuide(deps, grant, guideId)
}

/**
 * Assigns a guide to a project.
 * @throws SvcError `style-guide-not-found`, `project-not-found`
 */
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
    const set = { guideId: idOf(guide), assignedAt: deps.clock.iso() }
    await tx
      .insert(styleGuideAssignments)
      .values({ projectId: project.id, tenantId, ...set })
      .onConflictDoUpdate({ target: styleGuideAssignments.projectId, set })
    const detail = { name: nameOf(guide), project: project.slug }
    await audit({ deps, grant }, tx, 'style-guide.assigned', set.guideId, detail)
    await followGuide(deps, tx, tenantId, { guideId: null, projectId: project.id })
    return { status: 'assigned', projectId: project.id, guideId: set.guideId }
  })
}

/**
 * Takes the assignment of a project away, if it has one.
 * @throws SvcError `project-not-found`
 */
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
      await followGuide(deps, tx, tenantId, { guideId: null, projectId: project.id })
    }
    return { status: before === null ? 'unchanged' : 'unassigned', projectId: project.id, guideId }
  })
}

/**
 * The guide that applies to a project, and why.
 * @throws SvcError `project-not-found`
 */
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

/**
 * A page of the projects of a tenant, the newest first, each with the guide that applies to it and why. With `guide_id`
 * only those that it applies to.
 * @throws SvcError `style-guide-not-found`
 */
export async function listAssignments(
  deps: Deps,
  grant: Grant,
  page: StablePage,
  { q = '', guide_id: ref }: { readonly q?: string; readonly guide_id?: string },
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const defaultGuide = await findGuide(read, tenantId, await defaultIdOf(read, tenantId))
  const wanted = ref === undefined ? null : idOf(await findGuide(read, tenantId, ref))
  const { guideId } = styleGuideAssignments
  const applies =
    wanted === null ? undefined : or(eq(guideId, wanted), wanted === idOf(defaultGuide) ? isNull(guideId) : undefined)
  const matches = q === '' ? undefined : or(contains(projects.name, q), contains(projects.slug, q))
  const where = inTenant(projects, tenantId, applies, matches, sincePage(projects.createdAt, page))
  const now = deps.clock.iso()
  const joined = inTenant(styleGuideAssignments, tenantId, eq(styleGuideAssignments.projectId, projects.id))
  const rows = await read
    .select({ id: projects.id, slug: projects.slug, guideId, guideName: styleGuides.name })
    .from(projects)
    .leftJoin(styleGuideAssignments, joined)
    .leftJoin(styleGuides, inTenant(styleGuides, tenantId, eq(styleGuides.id, guideId)))
    .where(where)
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .limit(page.limit)
    .offset(page.offset)
  const [all] = await read.select({ n: count() }).from(projects).leftJoin(styleGuideAssignments, joined).where(where)
  const items = rows.map((row) => ({
    projectId: row.id,
    projectSlug: row.slug,
    guideId: row.guideId ?? idOf(defaultGuide),
    // A builtin guide has no row.
    guideName:
      row.guideId === null ? nameOf(defaultGuide) : (row.guideName ?? findBuiltin(row.guideId)?.name ?? row.guideId),
    reason: row.guideId === null ? ('tenant-default' as const) : ('assignment' as const),
  }))
  return { items, ...afterPage(page, { shown: items.length, total: all?.n ?? 0, now }) }
}
