import { dependenciesApi } from '../../src/api/dependencies.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { readDependencies } from './service.ts'

/** The route of who depends on what. */
export const dependencyRoutes = (deps: Deps): Route[] =>
  routesOf(dependenciesApi, {
    get: ({ query }, { grant }) => readDependencies(deps, grant, query?.project ?? null),
  })
