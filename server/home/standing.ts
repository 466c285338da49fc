import { desc } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, styleGuideAssignments, styleGuides, versions } from '../../db/tables.gen.ts'
import { meetsGrade, type GradeLetter } from '../../src/lint/grade.ts'
import { findBuiltin } from '../guide-rules/door.ts'
import { defaultIdOf, findGuide, idOf, lintGuideOf, type Policy, policyOf } from '../style-guides/door.ts'
import { baselineOf, latestPublished } from '../records/door.ts'

/** Most versions that are looked at: the newest. */
const mostVersions = 20_000

const versionColumns = {
  id: versions.id,
  projectId: versions.projectId,
  label: versions.label,
  slug: versions.slug,
  status: versions.status,
  digest: versions.digest,
  grade: versions.grade,
  createdBy: versions.createdBy,
  createdAt: versions.createdAt,
  updatedAt: versions.updatedAt,
  sunsetAt: versions.sunsetAt,
}

/** What is known of a version without its document. */
export type StandingVersion = Pick<typeof versions.$inferSelect, keyof typeof versionColumns>

/** The rules and the policy that apply to a project, by what names them. */
export interface StandingGuide {
  /** Changes with the rules and with the policy. */
  readonly mark: string
  readonly policy: Policy
}

/** A project with its versions. */
export interface StandingProject {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly owner: string | null
  readonly createdBy: string | null
  readonly versions: readonly StandingVersion[]
  readonly guide: StandingGuide
}

async function guidesOf(read: Reader, tenantId: string) {
  const [defaultId, rows, assigned] = await Promise.all([
    defaultIdOf(read, tenantId),
    read.select().from(styleGuides).where(inTenant(styleGuides, tenantId)),
    read
      .select({ projectId: styleGuideAssignments.projectId, guideId: styleGuideAssignments.guideId })
      .from(styleGuideAssignments)
      .where(inTenant(styleGuideAssignments, tenantId)),
  ])
  const own = new Map(rows.map((row) => [row.id, row]))
  const byId = new Map<string, StandingGuide>()
  const guideOf = async (id: string): Promise<StandingGuide> => {
    const known = byId.get(id)
    if (known) return known
    const builtin = findBuiltin(id)
    const row = own.get(id)
    const kept = row ? { builtin: null, row } : null
    const found = builtin === null ? (kept ?? (await findGuide(read, tenantId, defaultId))) : { builtin, row: null }
    const policy = policyOf(found)
    const made = { mark: [idOf(found), lintGuideOf(found).digest, JSON.stringify(policy)].join(' '), policy }
    byId.set(id, made)
    return made
  }
  const fallback = await guideOf(defaultId)
  const byProject = new Map<string, StandingGuide>()
  for (const { projectId, guideId } of assigned) byProject.set(projectId, await guideOf(guideId))
  return { of: (projectId: string) => byProject.get(projectId) ?? fallback, isChosen: assigned.length > 0 }
}

/** The projects of an organization with their versions and guides, read without any document. */
export async function readStanding(read: Reader, tenantId: string) {
  const [rows, found, guides] = await Promise.all([
    read
      .select({
        id: projects.id,
        slug: projects.slug,
        name: projects.name,
        owner: projects.owner,
        createdBy: projects.createdBy,
      })
      .from(projects)
      .where(inTenant(projects, tenantId)),
    read
      .select(versionColumns)
      .from(versions)
      .where(inTenant(versions, tenantId))
      .orderBy(desc(versions.createdAt), desc(versions.id))
      .limit(mostVersions),
    guidesOf(read, tenantId),
  ])
  const byProject = Map.groupBy(found, (it) => it.projectId)
  const all: StandingProject[] = rows.map((row) => ({
    ...row,
    versions: byProject.get(row.id) ?? [],
    guide: guides.of(row.id),
  }))
  return { projects: all, isGuideAssigned: guides.isChosen }
}

/** A version whose grade needs attention. */
export interface GradeConcern {
  readonly version: StandingVersion
  readonly grade: string
  /** The version before it, where that had a better grade. */
  readonly before: { readonly label: string; readonly grade: string } | null
  /** What the policy asks for, where the grade is worse. */
  readonly minimum: string | null
}

const isWorse = (grade: string, than: string): boolean => !meetsGrade(grade as GradeLetter, than as GradeLetter)

/**
 * Whether the newest version of a project has a worse grade than the one before it or than the policy asks for. The newest is
 * the latest published one, or a draft that was made after it.
 */
export function gradeConcern({
  versions: all,
  guide,
}: Pick<StandingProject, 'versions' | 'guide'>): GradeConcern | null {
  const published = latestPublished(all)
  const [draft] = all.filter((it) => it.status === 'draft').toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const newest = draft && (published === null || draft.createdAt > published.createdAt) ? draft : published
  if (newest === null || newest === undefined || newest.grade === null) return null
  const others = all.filter((it) => it.id !== newest.id && it.status !== 'draft')
  const previous = baselineOf(newest.label, others)
  const before =
    previous?.grade && isWorse(newest.grade, previous.grade) ? { label: previous.label, grade: previous.grade } : null
  const { policyGates } = guide.policy
  const isBelow = policyGates['lint-grade'] !== 'off' && isWorse(newest.grade, policyGates.minGrade)
  const minimum = isBelow ? policyGates.minGrade : null
  return before === null && minimum === null ? null : { version: newest, grade: newest.grade, before, minimum }
}
