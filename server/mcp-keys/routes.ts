import { mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { createKey, getTenantTools, listKeys, removeKey, setKeyTools, setTenantTools } from './service.ts'

/** The routes of MCP keys and of the tools they may call. */
export const mcpKeyRoutes = (deps: Deps): Route[] =>
  routesOf(mcpKeysApi, {
    list: ({ query }, { grant }) => listKeys(deps, grant, { ...stablePageOf('mcp-keys', query), q: query?.q ?? null }),
    create: ({ body }, { grant }) => createKey(deps, grant, body.label),
    remove: async ({ params }, { grant }) => {
      await removeKey(deps, grant, params.key_id)
      return null
    },
    setCapabilities: ({ params, body }, { grant }) => setKeyTools(deps, grant, params.key_id, body),
    capabilities: (_, { grant }) => getTenantTools(deps, grant),
    setTenantCapabilities: ({ body }, { grant }) => setTenantTools(deps, grant, body),
  })
