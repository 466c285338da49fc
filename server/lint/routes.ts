import { lintApi } from '../../src/api/lint.ts'
import type { Finding } from '../../src/lint/finding.ts'
import type { Analysis } from '../analysis/analysis.ts'
import { tenantOf } from '../auth/caller.ts'
import type { GrantedTenant } from '../auth/grant.ts'
import { checkThresholds } from '../imports/thresholds.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { effectiveGuide } from '../style-guides/effective.ts'
import { findVersion } from '../versions/service.ts'
import { preflight, type PreflightDeps } from './preflight.ts'

const writable = (findings: readonly Finding[]) => findings.map((one) => ({ ...one, path: [...one.path] }))

type Thresholds = Parameters<typeof checkThresholds>[0]

// Whoever names no threshold asks for what "svc lint" does: errors fail.
const gateOf = (asked: Thresholds, { grade }: Analysis) =>
  checkThresholds(
    asked.min_grade === undefined && asked.fail_on === undefined ? { fail_on: 'error' } : asked,
    grade.grade,
    grade.counts,
  )

/** The routes of lint reports. */
export function lintRoutes(deps: PreflightDeps): Route[] {
  const stored = async (tenant: GrantedTenant, project: string, ref: string) => {
    const { version } = await findVersion(deps.db.read, tenant.id, project, ref)
    const { guide } = await effectiveGuide(deps.db.read, tenant.id, version.projectId)
    return { version, analysis: await deps.analysis.ofVersion(deps.db.read, version, guide) }
  }
  return routesOf(lintApi, {
    version: async ({ params }, { grant }) => {
      const { version, analysis } = await stored(tenantOf(grant), params.project_ref, params.version_ref)
      return {
        version_id: version.id,
        guide: analysis.guide.name,
        guide_id: analysis.guide.id,
        grade: analysis.grade,
        findings: writable(analysis.findings),
        unmatched_rules: [...analysis.idle],
        skipped_rules: [...analysis.skipped],
      }
    },
    gate: async ({ params, query }, { grant }) => {
      const { analysis } = await stored(tenantOf(grant), params.project_ref, params.version_ref)
      return { gate: gateOf(query ?? {}, analysis), grade: analysis.grade }
    },
    preflight: async ({ body }, { grant, signal }) => preflight(deps, grant, body, signal),
  })
}
