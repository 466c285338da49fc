import { providersApi } from '../../src/api/providers.ts'
import type { Deps } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { beginManifest, manifestPage } from './manifest.ts'
import { dropApp, dropClient, listProviders, storeClient } from './service.ts'

/** The routes of what the operator registers at git providers. */
export function providerRoutes(deps: Deps): Route[] {
  return routesOf(providersApi, {
    list: () => listProviders(deps),
    setClient: ({ params, body }, { grant }) => storeClient(deps, grant, params.provider, body),
    removeClient: async ({ params, query }, { grant }) => {
      await dropClient(deps, grant, params.provider, query?.host ?? null)
      return null
    },
    beginManifest: ({ body }, { grant, request }) => beginManifest(deps, grant, request, body),
    manifestPage: ({ query }, { request }) => manifestPage(deps, request, query?.state),
    removeApp: async ({ query }, { grant }) => {
      await dropApp(deps, grant, query?.host ?? null)
      return null
    },
  })
}
