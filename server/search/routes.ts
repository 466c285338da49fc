import { searchApi } from '../../src/api/search.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { searchCatalog } from './service.ts'

/** The route of the search over an organization. */
export const searchRoutes = (deps: Deps): Route[] =>
  routesOf(searchApi, {
    find: ({ query }, { grant }) => searchCatalog(deps, grant, query.q, query.limit ?? 8),
  })
