import { binApi } from '../../src/api/bin.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import type { Restorers } from './restoring.ts'
import { emptyBin, listBin, removeFromBin, restoreFromBin } from './service.ts'

/** The routes of the bin, with what restores each kind. */
export function binRoutes(deps: Deps, restorers: Restorers): Route[] {
  return routesOf(binApi, {
    list: ({ query }, { grant }) =>
      listBin(deps, grant, { kind: query?.kind ?? null, q: query?.q ?? null, page: stablePageOf('bin', query) }),
    restore: ({ params, body }, { grant }) => restoreFromBin(deps, restorers, grant, params.entry_id, body?.as ?? null),
    remove: async ({ params }, { grant }) => {
      await removeFromBin(deps, grant, params.entry_id)
      return null
    },
    empty: (_, { grant }) => emptyBin(deps, grant),
  })
}
