import { migrationPlansApi } from '../../src/api/migration-plans.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { countRules, getPlan, proposeRules, putPlan } from './service.ts'

/** The routes of migration plans. */
export const migrationPlanRoutes = (deps: Deps): Route[] =>
  routesOf(migrationPlansApi, {
    get: ({ query }, { grant }) => getPlan(deps, grant, query),
    put: ({ body }, { grant }) => putPlan(deps, grant, body),
    counts: ({ query }, { grant }) => countRules(deps, grant, query),
    proposals: ({ query }, { grant }) => proposeRules(deps, grant, query),
  })
