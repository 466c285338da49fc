import { binApi } from '../../src/api/bin.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { pageOf } from '../paging.ts'
import { emptyBin, listBin, removeFromBin, restoreFromBin } from './service.ts'

/** The routes of the bin. */
export function binRoutes(deps: Deps): Route[] {
  return routesOf(binApi, {
    list: ({ query }, { grant }) =>
      listBin(deps, grant, { kind: query?.kind ?? null, q: query?.q ?? null, ...pageOf(query) }),
    restore: ({ params, body }, { grant }) => restoreFromBin(deps, grant, params.entry_id, body?.as ?? null),
    remove: async ({ params }, { grant }) => {
      await removeFromBin(deps, grant, params.entry_id)
      return null
    },
    empty: (_, { grant }) => emptyBin(deps, grant),
  })
}
