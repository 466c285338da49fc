import { homeApi } from '../../src/api/home.ts'
import type { Identity } from '../auth/identity.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { addSample, showHome } from './service.ts'

/** The routes of the first page. */
export const homeRoutes = (deps: Identity): Route[] =>
  routesOf(homeApi, {
    show: ({ query }, { grant }) => showHome(deps, grant, { only: query?.only ?? null, items: query?.items ?? 3 }),
    sample: (_, { grant }) => addSample(deps, grant),
  })
