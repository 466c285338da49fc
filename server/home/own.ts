import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { FirstSteps, Home } from '../../src/api/home.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { apiKeys, consumers, styleGuideDefaults, users, versionEditors } from '../../db/tables.gen.ts'
import { sampleSlug } from '../sample/door.ts'
import type { StandingProject } from './standing.ts'

const mostShown = 8
const mostEdited = 2000

/** The drafts that a person made or edited, and the projects that they created or own, as far as they are listed. */
export async function ownOf(
  read: Reader,
  tenantId: string,
  userId: string,
  projects: readonly StandingProject[],
): Promise<Pick<Home, 'drafts' | 'projects'>> {
  const me = `user:${userId}`
  const [[person], rows] = await Promise.all([
    read.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, userId)),
    read
      .select({ id: versionEditors.versionId })
      .from(versionEditors)
      .where(inTenant(versionEditors, tenantId, eq(versionEditors.actor, me)))
      .limit(mostEdited),
  ])
  const edited = new Set(rows.map(({ id }) => id))
  const names = [person?.name, person?.email].flatMap((it) => it?.trim().toLowerCase() ?? [])
  const drafts = projects
    .flatMap((project) => project.versions.map((version) => ({ project, version })))
    .filter(({ version }) => version.status === 'draft' && (version.createdBy === me || edited.has(version.id)))
    .toSorted((a, b) => (a.version.updatedAt < b.version.updatedAt ? 1 : -1))
    .slice(0, mostShown)
  const isOwner = (owner: string | null): boolean => owner !== null && names.includes(owner.trim().toLowerCase())
  const own = projects
    .filter((it) => it.createdBy === me || isOwner(it.owner))
    // Those that say so come before those that were merely created.
    .toSorted((a, b) => Number(isOwner(b.owner)) - Number(isOwner(a.owner)) || a.name.localeCompare(b.name))
    .slice(0, mostShown)
  return {
    drafts: drafts.map(({ project, version }) => ({
      project_slug: project.slug,
      project_name: project.name,
      version_slug: version.slug,
      label: version.label,
      grade: version.grade,
      updated_at: version.updatedAt,
    })),
    projects: own.map(({ slug, name }) => ({ project_slug: slug, project_name: name })),
  }
}

/** Which of the first steps were done; the sample project does not count. */
export async function firstSteps(
  read: Reader,
  tenantId: string,
  projects: readonly StandingProject[],
  isGuideAssigned: boolean,
): Promise<FirstSteps> {
  const sample = projects.find((it) => it.slug === sampleSlug)
  const real = projects.filter((it) => it !== sample && it.versions.length > 0)
  const [[chosen], [consumer], [key], [used]] = await Promise.all([
    read
      .select({ id: styleGuideDefaults.guideId })
      .from(styleGuideDefaults)
      .where(inTenant(styleGuideDefaults, tenantId)),
    read
      .select({ id: consumers.id })
      .from(consumers)
      .where(inTenant(consumers, tenantId, sample ? ne(consumers.projectId, sample.id) : undefined))
      .limit(1),
    read.select({ id: apiKeys.id }).from(apiKeys).where(inTenant(apiKeys, tenantId)).limit(1),
    read
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(inTenant(apiKeys, tenantId), isNotNull(apiKeys.lastUsedAt)))
      .limit(1),
  ])
  return {
    imported: real.length > 0,
    guided: isGuideAssigned || chosen !== undefined,
    published: real.some((it) => it.versions.some((version) => version.status !== 'draft')),
    consumed: consumer !== undefined,
    keyed: key !== undefined,
    gated: used !== undefined,
  }
}
