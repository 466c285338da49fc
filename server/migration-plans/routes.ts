import { migrationPlansApi } from '../../src/api/migration-plans.ts'
import type { Analyst } from '../analysis/analyst.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../mount.ts'
import { countRules, getPlan, proposeRules, putPlan } from './service.ts'

/** The routes of migration plans. */
export const migrationPlanRoutes = (deps: Deps, analyst: Analyst): Route[] =>
  routesOf(migrationPlansApi, {
    get: ({ query }, { grant }) => getPlan(deps, grant, query),
    put: ({ body }, { grant }) => putPlan(deps, analyst, grant, body),
    counts: ({ query }, { grant }) => countRules(deps, grant, query),
    proposals: ({ query }, { grant }) => proposeRules(deps, analyst, grant, query),
  })
