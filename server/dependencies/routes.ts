import { dependenciesApi } from '../../src/api/dependencies.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { readDependencies } from './service.ts'

/** The route of who depends on what. */
export const dependencyRoutes = (deps: Deps): Route[] =>
  routesOf(dependenciesApi, {
    get: ({ query }, { grant }) => readDependencies(deps, grant, query?.project ?? null),
  })
