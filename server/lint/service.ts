import type { Finding } from '../../src/lint/finding.ts'
import type { Analysis } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { checkThresholds } from '../imports/door.ts'
import { lintVersion } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { findVersion } from '../records/door.ts'

export const writable = (findings: readonly Finding[]) => findings.map((one) => ({ ...one, path: [...one.path] }))

export type Refs = { readonly project: string; readonly version: string }
export type Thresholds = Parameters<typeof checkThresholds>[0]

/**
 * A version with what the style guide of its project finds in it.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function analysisOf(deps: Deps, grant: Grant, refs: Refs) {
  const { read } = deps.db
  const { id: tenantId } = tenantOf(grant)
  const { version } = await findVersion(read, tenantId, refs.project, refs.version)
  const { guide } = await effectiveGuide(read, tenantId, version.projectId)
  return { version, analysis: await lintVersion(deps, read, version, guide) }
}

/**
 * What the style guide of its project finds in a version, with its grade.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function lintReport(deps: Deps, grant: Grant, refs: Refs) {
  const { version, analysis } = await analysisOf(deps, grant, refs)
  return {
    version_id: version.id,
    guide: analysis.guide.name,
    guide_id: analysis.guide.id,
    grade: analysis.grade,
    findings: writable(analysis.findings),
    unmatched_rules: [...analysis.idle],
    skipped_rules: [...analysis.skipped],
  }
}

// Anyone who names no threshold asks for what "svc lint" does: errors fail.
export const gateOf = (asked: Thresholds, { grade }: Analysis) =>
  checkThresholds(
    asked.min_grade === undefined && asked.fail_on === undefined ? { fail_on: 'error' } : asked,
    grade.grade,
    grade.counts,
  )

/**
 * Whether a version passes thresholds of grade and severity.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function lintGate(deps: Deps, grant: Grant, refs: Refs, thresholds: Thresholds) {
  const { analysis } = await analysisOf(deps, grant, refs)
  return { gate: gateOf(thresholds, analysis), grade: analysis.grade }
}
