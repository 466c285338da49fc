import { mcpRegistryApi } from '../../src/api/mcp-registry.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { importManifest, previewManifest } from './import.ts'
import { listServers, listVersions, setRegistry, showRegistry, showVersion } from './registry.ts'
import {
  approveEndpoint,
  getEndpoint,
  listEndpoints,
  listManifests,
  listObservations,
  observeNow,
  removeEndpoint,
  showProvenance,
  updateEndpoint,
  uploadObservation,
} from './service.ts'
import { showChains, showDiff, showSurface } from './surfaces.ts'

/** The routes of the catalogue of MCP servers, and of the registry that is made of it. */
export const mcpServerRoutes = (deps: Deps): Route[] => [
  ...routesOf(mcpServersApi, {
    import: ({ body }, { grant }) => importManifest(deps, grant, body),
    preview: ({ body }, { grant }) => previewManifest(deps, grant, body),
    manifests: ({ params, query }, { grant }) =>
      listManifests(deps, grant, params.endpoint_id, query?.include_retired === true),
    provenance: ({ params }, { grant }) => showProvenance(deps, grant, params.endpoint_id),
    list: ({ query }, { grant }) => listEndpoints(deps, grant, query ?? {}, stablePageOf('mcp-servers', query)),
    get: ({ params }, { grant }) => getEndpoint(deps, grant, params.endpoint_id),
    update: ({ params, body }, { grant }) => updateEndpoint(deps, grant, params.endpoint_id, body),
    remove: async ({ params }, { grant }) => {
      await removeEndpoint(deps, grant, params.endpoint_id)
      return null
    },
    observe: ({ params }, { grant }) => observeNow(deps, grant, params.endpoint_id),
    upload: ({ params, body }, { grant }) => uploadObservation(deps, grant, params.endpoint_id, body),
    observations: ({ params, query }, { grant }) =>
      listObservations(deps, grant, params.endpoint_id, query ?? {}, stablePageOf('observations', query)),
    surface: ({ params, query }, { grant }) => showSurface(deps, grant, params.endpoint_id, query?.at),
    diff: ({ params, query }, { grant }) => showDiff(deps, grant, params.endpoint_id, query ?? {}),
    chains: ({ params, query }, { grant }) => showChains(deps, grant, params.endpoint_id, query?.at),
    approve: ({ params, body }, { grant }) => approveEndpoint(deps, grant, params.endpoint_id, body),
  }),
  ...routesOf(mcpRegistryApi, {
    get: (_, { grant }) => showRegistry(deps, grant),
    set: ({ body }, { grant }) => setRegistry(deps, grant, body),
    servers: ({ params, query }, { ifNoneMatch }) => listServers(deps, params.tenant_slug, query ?? {}, ifNoneMatch),
    versions: ({ params }, { ifNoneMatch }) => listVersions(deps, params.tenant_slug, params.server_name, ifNoneMatch),
    version: ({ params }, { ifNoneMatch }) =>
      showVersion(deps, params.tenant_slug, { name: params.server_name, version: params.server_version }, ifNoneMatch),
  }),
]
