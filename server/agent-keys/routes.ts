import { agentKeysApi } from '../../src/api/agent-keys.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { createKey, getKey, listKeys, revokeKey } from './service.ts'

/** The routes of agent keys. */
export const agentKeyRoutes = (deps: Deps): Route[] =>
  routesOf(agentKeysApi, {
    list: ({ query }, { grant }) =>
      listKeys(deps, grant, { ...stablePageOf('agent-keys', query), q: query?.q ?? null }),
    create: ({ body }, { grant }) => createKey(deps, grant, body),
    get: ({ params }, { grant }) => getKey(deps, grant, params.key),
    revoke: async ({ params }, { grant }) => {
      await revokeKey(deps, grant, params.key)
      return null
    },
  })
