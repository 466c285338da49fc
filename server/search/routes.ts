import { searchApi } from '../../src/api/search.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { CatalogSearcher } from './service.ts'

/** The route of the search over an organization. */
export function searchRoutes(deps: Deps): Route[] {
  const searcher = new CatalogSearcher(deps)
  return routesOf(searchApi, { find: ({ query }, { grant }) => searcher.find(grant, query) })
}
