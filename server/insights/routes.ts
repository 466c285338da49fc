import { insightsApi } from '../../src/api/insights.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { tenantOf } from '../auth/door.ts'
import { SpecDocuments } from '../specs/door.ts'
import { gradesUnderWay } from '../style-guides/door.ts'
import { assessmentOf } from './assessment.ts'
import { overviewOf } from './overview.ts'
import { timelineOf } from './timeline.ts'
import { versionRefsOf } from '../records/door.ts'

/** The routes of what pages show of versions beside their documents. */
export const insightRoutes = (deps: Deps): Route[] => {
  const documents = new SpecDocuments(deps.analysis)
  return routesOf(insightsApi, {
    overview: ({ params }, { grant }) => overviewOf(deps, documents, grant, versionRefsOf(params)),
    assessment: ({ params }, { grant }) => assessmentOf(deps, grant, versionRefsOf(params)),
    grading: async (_, { grant }) => ({ items: await gradesUnderWay(deps.db.read, tenantOf(grant).id) }),
    timeline: ({ params }, { grant }) => timelineOf(deps, grant, params.project_ref),
  })
}
