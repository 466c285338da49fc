import { count, desc, eq, getTableColumns, max } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, styleGuideAssignments, styleGuides, versions } from '../../db/tables.gen.ts'
import { digestValue } from '../../src/document/serialize.ts'
import type { Analysis } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { lintVersion } from '../used-types/door.ts'
import { latestOf, type VersionRow } from '../records/door.ts'
import { effectiveGuide } from './effective.ts'
import { defaultIdOf, findGuide, lintGuideOf } from './store.ts'

interface Page {
  readonly limit: number
  readonly offset: number
}

interface Part {
  readonly rows: readonly { readonly slug: string; readonly version: VersionRow }[]
  readonly total: number
}

/** The newest version of each project of a page of projects. */
async function latestVersions(read: Reader, tenantId: string, { limit, offset }: Page): Promise<Part> {
  const where = inTenant(projects, tenantId)
  const found = await read
    .select()
    .from(projects)
    .where(where)
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .limit(limit)
    .offset(offset)
  const all = await read.$count(projects, where)
  const rows = []
  for (const { id, slug } of found) {
    const own = await read
      .select()
      .from(versions)
      .where(inTenant(versions, tenantId, eq(versions.projectId, id)))
    const version = latestOf(own)
    if (version !== null) rows.push({ slug, version })
  }
  return { rows, total: all }
}

/** A page of all versions, those of one project beside each other. */
async function allVersions(read: Reader, tenantId: string, { limit, offset }: Page): Promise<Part> {
  const where = inTenant(versions, tenantId)
  const rows = await read
    .select({ slug: projects.slug, version: getTableColumns(versions) })
    .from(versions)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(where)
    .orderBy(desc(versions.projectId), desc(versions.id))
    .limit(limit)
    .offset(offset)
  const all = await read.$count(versions, where)
  return { rows, total: all }
}

const shortOf = ({ grade: { grade, score } }: Analysis) => ({ grade, score })

/** What the impact of a guide depends on, as one text: guides, which of them applies to which project, and versions. */
async function stampOf(read: Reader, tenantId: string, proposed: string): Promise<string> {
  const [guides] = await read
    .select({ n: count(), last: max(styleGuides.updatedAt) })
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId))
  const [assigned] = await read
    .select({ n: count(), last: max(styleGuideAssignments.assignedAt) })
    .from(styleGuideAssignments)
    .where(inTenant(styleGuideAssignments, tenantId))
  const [stored] = await read
    .select({ n: count(), last: max(versions.updatedAt) })
    .from(versions)
    .where(inTenant(versions, tenantId))
  const parts = [guides, assigned, stored].map((it) => `${it?.n ?? 0} ${it?.last ?? ''}`)
  return digestValue([proposed, await defaultIdOf(read, tenantId), ...parts])
}

/**
 * What would change if a guide applied to every project: a page of projects, newest first, or of all versions. Raises
 * `style-guide-not-found`, `analysis-stopped`.
 */
export async function impactOf(
  deps: Deps,
  grant: Grant,
  ref: string,
  asked: Page & { readonly versions: 'latest' | 'all' },
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { versions: which, ...page } = asked
  const guide = await findGuide(read, tenantId, ref)
  const proposed = lintGuideOf(guide)
  const stamp = await stampOf(read, tenantId, proposed.digest)
  const { rows, total } = await (which === 'all' ? allVersions : latestVersions)(read, tenantId, page)
  const items = []
  for (const { slug, version } of rows) {
    const now = await effectiveGuide(read, tenantId, version.projectId)
    const before = await lintVersion(deps, read, version, now.guide)
    const after = await lintVersion(deps, read, version, proposed)
    items.push({
      projectId: version.projectId,
      projectSlug: slug,
      versionId: version.id,
      label: version.label,
      guideId: now.guide.id,
      before: shortOf(before),
      after: shortOf(after),
      changed: before.grade.grade !== after.grade.grade,
    })
  }
  return { items, total, ...page, stamp }
}
