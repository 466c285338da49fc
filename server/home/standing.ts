/** What is known of the versions of an organization without their documents, and the style guides that apply to them. */
import { and, asc, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gradeOfRank, rankOfGrade, rankOfNone } from '../../db/projects/summary.ts'
import { projects, styleGuideAssignments, styleGuides, versions } from '../../db/tables.gen.ts'
import { findBuiltin } from '../guide-rules/door.ts'
import { defaultIdOf, findGuide, idOf, lintGuideOf, type Policy, policyOf } from '../style-guides/door.ts'

/** The rules and the policy that apply to a project, by what names them. */
export interface StandingGuide {
  /** Changes with the rules and with the policy. */
  readonly mark: string
  readonly policy: Policy
}

/** The guides of an organization: the default, and those of the projects that have another. */
export interface StandingGuides {
  readonly fallback: StandingGuide
  /** By the ids of guides. */
  readonly assigned: ReadonlyMap<string, StandingGuide>
  /** The guide of a project that is assigned the one with this id; null: none. */
  of(guideId: string | null): StandingGuide
}

/** Reads the guides that apply to some project of an organization. */
export async function readGuides(read: Reader, tenantId: string): Promise<StandingGuides> {
  const [defaultId, rows, used] = await Promise.all([
    defaultIdOf(read, tenantId),
    read.select().from(styleGuides).where(inTenant(styleGuides, tenantId)),
    read
      .selectDistinct({ guideId: styleGuideAssignments.guideId })
      .from(styleGuideAssignments)
      .where(inTenant(styleGuideAssignments, tenantId)),
  ])
  const own = new Map(rows.map((row) => [row.id, row]))
  const guideOf = async (id: string): Promise<StandingGuide> => {
    const builtin = findBuiltin(id)
    const row = own.get(id)
    const kept = row ? { builtin: null, row } : null
    const found = builtin === null ? (kept ?? (await findGuide(read, tenantId, defaultId))) : { builtin, row: null }
    const policy = policyOf(found)
    return { mark: [idOf(found), lintGuideOf(found).digest, JSON.stringify(policy)].join(' '), policy }
  }
  const fallback = await guideOf(defaultId)
  const assigned = new Map<string, StandingGuide>()
  for (const { guideId } of used) assigned.set(guideId, await guideOf(guideId))
  return { fallback, assigned, of: (id) => (id === null ? fallback : (assigned.get(id) ?? fallback)) }
}

/** Whether an assignment of a guide is the one of a project, for a left join. */
export const isAssigned = eq(styleGuideAssignments.projectId, projects.id)

/** The rank that a policy asks for; 0 where it asks for none. */
const leastRank = ({ policy: { policyGates } }: StandingGuide): number =>
  policyGates['lint-grade'] === 'off' ? 0 : rankOfGrade(policyGates.minGrade)

/** A version whose grade needs attention. */
export interface GradeConcern {
  readonly project_slug: string
  readonly project_name: string
  readonly version_slug: string
  readonly label: string
  readonly grade: string
  /** The version before it, where that had a better grade. */
  readonly before: { readonly label: string; readonly grade: string } | null
  /** What the policy asks for, where the grade is worse. */
  readonly minimum: string | null
}

/**
 * The projects whose newest version has a worse grade than the one before it, or than the policy asks for. The newest is the latest
 * published one, or a draft that was made after it. What got worse comes first, then the worst, then the newest.
 * @param most how many are listed; all are counted
 */
export async function gradeConcerns(
  read: Reader,
  tenantId: string,
  guides: StandingGuides,
  most: number,
): Promise<{ readonly count: number; readonly items: readonly GradeConcern[] }> {
  const { newestRank, beforeRank, beforeLabel } = projects
  const { guideId } = styleGuideAssignments
  const cases = [...guides.assigned].map(
    ([id, guide]) => sql`when ${guideId} = ${id} then ${sql.raw(String(leastRank(guide)))}`,
  )
  const fallback = sql.raw(String(leastRank(guides.fallback)))
  const asked = cases.length === 0 ? fallback : sql`case ${sql.join(cases, sql` `)} else ${fallback} end`
  const fell = and(ne(beforeRank, rankOfNone), sql`${newestRank} < ${beforeRank}`) ?? sql`false`
  const concerns = inTenant(projects, tenantId, lt(newestRank, rankOfNone), or(fell, sql`${newestRank} < ${asked}`))
  const [rows, [counted]] = await Promise.all([
    read
      .select({
        project_slug: projects.slug,
        project_name: projects.name,
        version_slug: versions.slug,
        label: versions.label,
        newestRank,
        beforeRank,
        beforeLabel,
        guideId,
      })
      .from(projects)
      .innerJoin(versions, inTenant(versions, tenantId, eq(versions.id, projects.newestVersionId)))
      .leftJoin(styleGuideAssignments, inTenant(styleGuideAssignments, tenantId, isAssigned))
      .where(concerns)
      .orderBy(sql`case when ${fell} then 0 else 1 end`, asc(newestRank), desc(versions.createdAt), desc(versions.id))
      .limit(most),
    read
      .select({ n: sql<number>`count(*)`.mapWith(Number) })
      .from(projects)
      .leftJoin(styleGuideAssignments, inTenant(styleGuideAssignments, tenantId, isAssigned))
      .where(concerns),
  ])
  const items = rows.map(({ newestRank: newest, beforeRank: previous, beforeLabel: label, guideId: id, ...named }) => {
    const beforeGrade = gradeOfRank(previous)
    const guide = guides.of(id)
    return {
      ...named,
      grade: gradeOfRank(newest) ?? '',
      before: label !== null && beforeGrade !== null && newest < previous ? { label, grade: beforeGrade } : null,
      minimum: newest < leastRank(guide) ? guide.policy.policyGates.minGrade : null,
    }
  })
  return { count: counted?.n ?? 0, items }
}
