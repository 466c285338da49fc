import { count, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { analyse, judgeAgain, type Analysis } from '../analysis/analyse.ts'
import type { Analyst } from '../analysis/analyst.ts'
import { tenantOf } from '../auth/actor.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { latestOf } from '../versions/latest.ts'
import { findVersion } from '../versions/service.ts'
import { effectiveGuide } from './effective.ts'
import { lintGuideOf, readRules } from './rules.ts'
import { findGuide, idOf, nameOf, rulesOf } from './store.ts'

interface PreviewRequest {
  readonly yaml: string
  readonly content?: string
  readonly name?: string
  readonly project?: string
  readonly version?: string
}

async function targetOf(
  deps: Deps,
  analyst: Analyst,
  tenantId: string,
  asked: PreviewRequest,
): Promise<Analysis | null> {
  const { content, name, project, version } = asked
  const isStored = project !== undefined || version !== undefined
  if (content !== undefined && isStored) throw new SvcError('preview-target-unclear')
  if (content !== undefined)
    return analyse(content, { source: name ?? 'document', format: 'auto', projectNameField: null })
  if (!isStored) return null
  if (project === undefined || version === undefined) throw new SvcError('preview-target-unclear')
  const found = await findVersion(deps.db.read, tenantId, project, version)
  return analyst.ofVersion(deps.db.read, found.version)
}

/**
 * What custom rules would say under a guide; nothing is stored. Raises `style-guide-not-found`, `custom-rules-invalid`,
 * `preview-target-unclear`, `project-not-found`, `version-not-found`.
 */
export async function previewCustomRules(
  deps: Deps,
  analyst: Analyst,
  grant: Grant,
  ref: string,
  asked: PreviewRequest,
) {
  const { id: tenantId } = tenantOf(grant)
  const guide = await findGuide(deps.db.read, tenantId, ref)
  const rules = await readRules({ settings: guide.row?.settings ?? {}, customRules: asked.yaml })
  const custom = rules.list.filter((it) => it.origin === 'custom')
  const target = await targetOf(deps, analyst, tenantId, asked)
  if (target === null) return { rules: custom, grade: null, findings: [], unmatchedRules: [] }
  const applied = lintGuideOf(idOf(guide), nameOf(guide), rules)
  const judged = judgeAgain(target, applied)
  const own = new Set(custom.map((it) => it.id))
  return {
    rules: custom,
    grade: judged.grade,
    findings: judged.findings.map((one) => ({ ...one, path: [...one.path] })),
    unmatchedRules: judged.idle.filter((it) => own.has(it)),
  }
}

const shortOf = ({ grade: { grade, score } }: Analysis) => ({ grade, score })

/** What would change if a guide applied to every project: a page of projects, newest first. */
export async function impactOf(
  deps: Deps,
  analyst: Analyst,
  grant: Grant,
  ref: string,
  page: { readonly limit: number; readonly offset: number },
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const guide = await findGuide(read, tenantId, ref)
  const proposed = lintGuideOf(idOf(guide), nameOf(guide), await rulesOf(guide))
  const rows = await read
    .select()
    .from(projects)
    .where(inTenant(projects, tenantId))
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .limit(page.limit)
    .offset(page.offset)
  const [all] = await read.select({ n: count() }).from(projects).where(inTenant(projects, tenantId))
  const items = []
  for (const project of rows) {
    const own = await read
      .select()
      .from(versions)
      .where(inTenant(versions, tenantId, eq(versions.projectId, project.id)))
    const version = latestOf(own)
    if (version === null) continue
    const now = await effectiveGuide(read, tenantId, project.id)
    const before = await analyst.ofVersion(read, version, now.guide)
    const after = analyst.judge(before, version, proposed)
    items.push({
      projectId: project.id,
      projectSlug: project.slug,
      versionId: version.id,
      label: version.label,
      guideId: now.guide.id,
      before: shortOf(before),
      after: shortOf(after),
      changed: before.grade.grade !== after.grade.grade,
    })
  }
  return { items, total: all?.n ?? 0, ...page }
}
