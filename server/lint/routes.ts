import { lintFindingsApi } from '../../src/api/lint-findings.ts'
import { lintApi } from '../../src/api/lint.ts'
import { preflightApi } from '../../src/api/preflight.ts'
import { type Route, routesOf } from '../http/door.ts'
import { pageOf } from '../kit/door.ts'
import { lintFindings, lintSummary } from './findings.ts'
import { mcpLintGate, mcpLintReport } from './mcp-server.ts'
import { preflight, type PreflightDeps } from './preflight.ts'
import { lintGate, lintReport } from './service.ts'

/** The routes of lint reports. */
export const lintRoutes = (deps: PreflightDeps): Route[] => [
  ...routesOf(lintApi, {
    version: ({ params }, { grant }) =>
      lintReport(deps, grant, { project: params.project_ref, version: params.version_ref }),
    gate: ({ params, query }, { grant }) =>
      lintGate(deps, grant, { project: params.project_ref, version: params.version_ref }, query ?? {}),
    mcp: ({ params }, { grant }) => mcpLintReport(deps, grant, params.endpoint_id),
    mcpGate: ({ params, query }, { grant }) => mcpLintGate(deps, grant, params.endpoint_id, query ?? {}),
  }),
  ...routesOf(lintFindingsApi, {
    summary: ({ params, query }, { grant }) =>
      lintSummary(deps, grant, { project: params.project_ref, version: params.version_ref }, query ?? {}),
    findings: ({ params, query }, { grant }) =>
      lintFindings(
        deps,
        grant,
        { project: params.project_ref, version: params.version_ref },
        query ?? {},
        pageOf(query),
      ),
  }),
  ...routesOf(preflightApi, {
    preflight: ({ body }, { grant, signal }) => preflight(deps, grant, body, signal),
  }),
]
