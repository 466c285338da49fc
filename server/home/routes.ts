import { homeApi } from '../../src/api/home.ts'
import type { Identity } from '../sign-in/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { addSample, showHome } from './service.ts'

/** The routes of the first page. */
export const homeRoutes = (deps: Identity): Route[] =>
  routesOf(homeApi, {
    show: ({ query }, { grant }) => showHome(deps, grant, { only: query?.only ?? null, items: query?.items ?? 3 }),
    sample: (_, { grant }) => addSample(deps, grant),
  })
