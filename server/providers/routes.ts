import { providersApi } from '../../src/api/providers.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { dropClient, listProviders, storeClient } from './service.ts'

/** The routes of what the operator registers at git providers. */
export function providerRoutes(deps: Deps): Route[] {
  return routesOf(providersApi, {
    list: (_, { grant }) => listProviders(deps, grant),
    setClient: ({ params, body }, { grant }) => storeClient(deps, grant, params.provider, body),
    removeClient: async ({ params, query }, { grant }) => {
      await dropClient(deps, grant, params.provider, query?.host ?? null)
      return null
    },
  })
}
