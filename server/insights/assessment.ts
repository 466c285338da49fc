import type { VersionAssessment } from '../../src/api/insights.ts'
import type { Reader } from '../../db/database.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { lintVersion, typedSubject } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { baseOf, countChanges, countsOf } from '../versions/door.ts'
import { findVersion, type FoundVersion } from '../records/door.ts'

async function comparisonOf(
  deps: Deps,
  read: Reader,
  found: FoundVersion,
): Promise<Pick<VersionAssessment, 'changes' | 'consumers'>> {
  const { version } = found
  const { base } = await baseOf(read, found, null)
  const live = await deps.analysis.impacts.consumersOf(read, version.tenantId, version.projectId)
  if (base === null) return { changes: null, consumers: { total: live.length, broken: [], unknown: [] } }
  const [before, after] = [await typedSubject(deps, read, base), await typedSubject(deps, read, version)]
  const result = await deps.analysis.compare(before, after)
  const impact = live.length === 0 ? null : await deps.analysis.impactOf(before, after, result, live)
  const withStatus = (status: 'broken' | 'unknown') =>
    (impact?.consumers ?? []).filter((it) => it.status === status).map((it) => it.handle)
  return {
    changes: {
      base: { slug: base.slug, label: base.label },
      max_severity: result.maxSeverity,
      counts: countsOf(countChanges(result.changes)),
    },
    consumers: { total: live.length, broken: withStatus('broken'), unknown: withStatus('unknown') },
  }
}

/**
 * Counts what lint finds in a version under the guide of its project, what it changes against its predecessor, and which consumers that
 * affects. Answers from memory where these were asked for before.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function assessmentOf(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
): Promise<VersionAssessment> {
  const { read } = deps.db
  const found = await findVersion(read, tenantOf(grant).id, refs.project, refs.version)
  const { guide } = await effectiveGuide(read, found.version.tenantId, found.project.id)
  const { grade } = await lintVersion(deps, read, found.version, guide)
  const { error, warning, info, hint } = grade.counts
  return {
    grade: grade.grade,
    score: grade.score,
    guide: { id: guide.id, name: guide.name },
    findings: { error, warning, info, hint },
    ...(await comparisonOf(deps, read, found)),
  }
}
