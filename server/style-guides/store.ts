import { count, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, styleGuideAssignments, styleGuideDefaults, styleGuides } from '../../db/tables.gen.ts'
import type { StyleGuideOut, StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import {
  builtinDigest,
  type BuiltinGuide,
  digestOfRules,
  findBuiltin,
  type LintGuide,
  listBuiltin,
  recommendedGuide,
} from '../guide-rules/door.ts'
import type { Deps } from '../kit/door.ts'
import { freshPolicy, storedPolicy, type Policy } from './policy.ts'

type RuleList = readonly StyleGuideRule[]

export type GuideRow = typeof styleGuides.$inferSelect

/** A guide as it is kept: a builtin one, or a row of the tenant. */
export type FoundGuide =
  | { readonly builtin: BuiltinGuide; readonly row: null }
  | { readonly builtin: null; readonly row: GuideRow }

/**
 * Finds a guide by id, or by the name of a builtin one.
 * @throws SvcError `style-guide-not-found`
 */
export async function findGuide(read: Reader, tenantId: string, ref: string): Promise<FoundGuide> {
  const builtin = findBuiltin(ref)
  if (builtin !== null) return { builtin, row: null }
  const [row] = await read
    .select()
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId, eq(styleGuides.id, ref)))
  if (row === undefined) throw new SvcError('style-guide-not-found', { guide: ref })
  return { builtin: null, row }
}

/**
 * Finds a guide that may be changed.
 * @throws SvcError `style-guide-not-found`, `style-guide-read-only`
 */
export async function findOwnGuide(read: Reader, tenantId: string, ref: string): Promise<GuideRow> {
  const { builtin, row } = await findGuide(read, tenantId, ref)
  if (builtin !== null) throw new SvcError('style-guide-read-only', { guide: builtin.name })
  return row
}

export const idOf = (guide: FoundGuide): string => guide.row?.id ?? (guide.builtin as BuiltinGuide).id
export const nameOf = (guide: FoundGuide): string => guide.row?.name ?? (guide.builtin as BuiltinGuide).name
/**
 * The rules of a guide as they are listed.
 * @throws SvcError `analysis-stopped`
 */
export const rulesOf = async ({ analysis }: Pick<Deps, 'analysis'>, guide: FoundGuide): Promise<RuleList> =>
  guide.row === null ? listBuiltin(guide.builtin) : analysis.rulesOf(guide.row.tenantId, guide.row)
/** A guide by what decides its rules. */
export const lintGuideOf = (guide: FoundGuide): LintGuide => ({
  id: idOf(guide),
  name: nameOf(guide),
  digest: guide.row === null ? builtinDigest(guide.builtin.id) : digestOfRules(guide.row),
  source: guide.row === null ? null : { settings: guide.row.settings, customRules: guide.row.customRules },
})
export const policyOf = (guide: FoundGuide): Policy =>
  guide.row === null ? freshPolicy : storedPolicy(guide.row.policy)

/** The id of the guide that projects without an assignment get. */
export async function defaultIdOf(read: Reader, tenantId: string): Promise<string> {
  const [row] = await read.select().from(styleGuideDefaults).where(inTenant(styleGuideDefaults, tenantId))
  return row?.guideId ?? recommendedGuide.id
}

/** The guide that a project is assigned to, null where it has none of its own. */
export async function assignedIdOf(read: Reader, tenantId: string, projectId: string): Promise<string | null> {
  const [row] = await read
    .select({ guideId: styleGuideAssignments.guideId })
    .from(styleGuideAssignments)
    .where(inTenant(styleGuideAssignments, tenantId, eq(styleGuideAssignments.projectId, projectId)))
  return row?.guideId ?? null
}

/** How many projects each guide of a tenant is assigned to. */
export async function countAssignments(read: Reader, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await read
    .select({ guideId: styleGuideAssignments.guideId, n: count() })
    .from(styleGuideAssignments)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, styleGuideAssignments.projectId)))
    .where(inTenant(styleGuideAssignments, tenantId))
    .groupBy(styleGuideAssignments.guideId)
  return new Map(rows.map((row) => [row.guideId, row.n]))
}

/** A guide as the contract shows it. */
export async function toStyleGuideOut(
  deps: Pick<Deps, 'analysis'>,
  guide: FoundGuide,
  facts: { readonly defaultId: string; readonly assignments: ReadonlyMap<string, number> },
): Promise<StyleGuideOut> {
  const rules = await rulesOf(deps, guide)
  const id = idOf(guide)
  return {
    id,
    name: nameOf(guide),
    description: guide.row?.description ?? (guide.builtin as BuiltinGuide).description,
    builtin: guide.row === null,
    isDefault: id === facts.defaultId,
    sourceGuideId: guide.row?.sourceGuideId ?? null,
    rulesOn: rules.filter((it) => it.enabled).length,
    rulesTotal: rules.length,
    customRules: rules.filter((it) => it.origin === 'custom').length,
    assignments: facts.assignments.get(id) ?? 0,
    digest: lintGuideOf(guide).digest,
    createdAt: guide.row?.createdAt ?? null,
    updatedAt: guide.row?.updatedAt ?? null,
  }
}
