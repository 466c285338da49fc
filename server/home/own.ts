import { and, asc, desc, eq, gt, inArray, isNotNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { FirstSteps, Home } from '../../src/api/home.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import {
  apiKeys,
  consumers,
  projects,
  styleGuideDefaults,
  users,
  versionEditors,
  versions,
} from '../../db/tables.gen.ts'
import { sampleSlug } from '../sample/door.ts'

const mostShown = 8

/** The owners that projects name and that are one of these names, whatever their case. */
async function ownersAmong(read: Reader, tenantId: string, names: readonly string[]): Promise<string[]> {
  const { owner } = projects
  const rows = await read
    .selectDistinct({ owner })
    .from(projects)
    .where(inTenant(projects, tenantId, isNotNull(owner)))
  return rows.flatMap(({ owner: one }) => (one !== null && names.includes(one.trim().toLowerCase()) ? [one] : []))
}

/** The drafts that a person made or edited, and the projects that they created or own, as far as they are listed. */
export async function ownOf(
  read: Reader,
  tenantId: string,
  userId: string,
): Promise<Pick<Home, 'drafts' | 'projects'>> {
  const me = `user:${userId}`
  const [person] = await read.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, userId))
  const names = [person?.name, person?.email].flatMap((it) => it?.trim().toLowerCase() ?? [])
  const owners = await ownersAmong(read, tenantId, names)
  const edited = read
    .select({ id: versionEditors.versionId })
    .from(versionEditors)
    .where(inTenant(versionEditors, tenantId, eq(versionEditors.actor, me)))
  // Those that say so come before those that were merely created.
  const ownedFirst = owners.length === 0 ? [] : [sql`case when ${inArray(projects.owner, owners)} then 0 else 1 end`]
  const [drafts, own] = await Promise.all([
    read
      .select({
        project_slug: projects.slug,
        project_name: projects.name,
        version_slug: versions.slug,
        label: versions.label,
        grade: versions.grade,
        updated_at: versions.updatedAt,
      })
      .from(versions)
      .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
      .where(
        inTenant(
          versions,
          tenantId,
          eq(versions.status, 'draft'),
          or(eq(versions.createdBy, me), inArray(versions.id, edited)),
        ),
      )
      .orderBy(desc(versions.updatedAt), desc(versions.id))
      .limit(mostShown),
    read
      .select({ project_slug: projects.slug, project_name: projects.name })
      .from(projects)
      .where(
        inTenant(
          projects,
          tenantId,
          or(eq(projects.createdBy, me), owners.length === 0 ? undefined : inArray(projects.owner, owners)),
        ),
      )
      .orderBy(...ownedFirst, asc(projects.foldedName), asc(projects.id))
      .limit(mostShown),
  ])
  return { drafts, projects: own }
}

/** Which of the first steps were done; the sample project does not count. */
export async function firstSteps(read: Reader, tenantId: string, isGuideAssigned: boolean): Promise<FirstSteps> {
  const isReal = ne(projects.slug, sampleSlug)
  const sampleId = read
    .select({ id: projects.id })
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.slug, sampleSlug)))
  const oneProject = (...conditions: SQL[]) =>
    read
      .select({ id: projects.id })
      .from(projects)
      .where(inTenant(projects, tenantId, isReal, ...conditions))
      .limit(1)
  const [[imported], [published], [chosen], [consumer], [key], [used]] = await Promise.all([
    oneProject(gt(projects.versionsCount, 0)),
    oneProject(gt(projects.versionsCount, projects.draftsCount)),
    read
      .select({ id: styleGuideDefaults.guideId })
      .from(styleGuideDefaults)
      .where(inTenant(styleGuideDefaults, tenantId)),
    read
      .select({ id: consumers.id })
      .from(consumers)
      .where(inTenant(consumers, tenantId, notInArray(consumers.projectId, sampleId)))
      .limit(1),
    read.select({ id: apiKeys.id }).from(apiKeys).where(inTenant(apiKeys, tenantId)).limit(1),
    read
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(inTenant(apiKeys, tenantId), isNotNull(apiKeys.lastUsedAt)))
      .limit(1),
  ])
  return {
    imported: imported !== undefined,
    guided: isGuideAssigned || chosen !== undefined,
    published: published !== undefined,
    consumed: consumer !== undefined,
    keyed: key !== undefined,
    gated: used !== undefined,
  }
}
