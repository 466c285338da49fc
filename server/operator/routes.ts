import { operatorApi } from '../../src/api/operator.ts'
import { type Deps, pageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { listOrganizations, overviewOf } from './service.ts'

/** The routes of who runs the service. */
export const operatorRoutes = (deps: Deps, version: string): Route[] =>
  routesOf(operatorApi, {
    overview: () => overviewOf(deps, version),
    organizations: ({ query }) => listOrganizations(deps, { ...pageOf(query), q: query?.q ?? null }),
  })
