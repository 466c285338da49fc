import { enforcerSelfApi, enforcersApi } from '../../src/api/gateway-enforcers.ts'
import { releasesApi } from '../../src/api/gateway-releases.ts'
import { enforcerEventsApi, gatewayCoverageApi } from '../../src/api/gateway-events.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { pullBundle } from './bundle.ts'
import { createEnforcer, listEnforcers, removeEnforcer, rotateEnforcer } from './enforcers.ts'
import { draftAdditions, showCoverage } from './coverage.ts'
import { ingestEvents } from './ingest.ts'
import { listReleases, releaseFile, showRelease } from './releases.ts'
import { rollBack } from './rollback.ts'
import { reportStatus } from './self.ts'
import { takeRelease } from './take-release.ts'

const enforcerRoutes = (deps: Deps): Route[] => [
  ...routesOf(enforcersApi, {
    list: ({ params, query }, { grant }) => listEnforcers(deps, grant, params.environment_id, pageOf(query)),
    create: ({ params, body }, { grant }) => createEnforcer(deps, grant, params.environment_id, body),
    remove: async ({ params, query }, { grant }) => {
      await removeEnforcer(deps, grant, params.environment_id, params.enforcer_id, query ?? {})
      return null
    },
    rotate: ({ params }, { grant }) => rotateEnforcer(deps, grant, params.environment_id, params.enforcer_id),
  }),
  ...routesOf(enforcerSelfApi, {
    bundle: ({ query }, { grant, ifNoneMatch, signal }) =>
      pullBundle(deps, grant, { waitSeconds: query?.wait ?? 0, ifNoneMatch, signal }),
    status: ({ body }, { grant }) => reportStatus(deps, grant, body),
  }),
]

const releaseRoutes = (deps: Deps): Route[] =>
  routesOf(releasesApi, {
    list: ({ params, query }, { grant }) =>
      listReleases(deps, grant, params.environment_id, {
        ...stablePageOf('releases', query),
        from: query?.from ?? null,
        to: query?.to ?? null,
      }),
    get: ({ params }, { grant }) => showRelease(deps, grant, params.environment_id, params.release_id),
    file: ({ params, query }, { grant }) =>
      releaseFile(deps, grant, params.environment_id, {
        release: params.release_id,
        path: params.file_path,
        engine: query?.engine ?? null,
      }),
    take: ({ params, body }, { grant }) =>
      takeRelease(deps, grant, params.environment_id, params.release_id, body?.reason ?? null),
    rollback: ({ params, body }, { grant }) =>
      rollBack(deps, grant, params.environment_id, params.release_id, body ?? {}),
  })

const coverageRoutes = (deps: Deps): Route[] => [
  ...routesOf(gatewayCoverageApi, {
    coverage: ({ params, query }, { grant }) => showCoverage(deps, grant, params.environment_id, query?.days ?? 30),
    draftCoverage: ({ params, body }, { grant }) => draftAdditions(deps, grant, params.environment_id, body),
  }),
  ...routesOf(enforcerEventsApi, {
    events: ({ headers, body }, { grant }) =>
      ingestEvents(deps, grant, body as Uint8Array, headers?.['content-encoding']),
  }),
]

/** The routes of gateways: what they are, what they are given, and what they call. */
export const gatewayRoutes = (deps: Deps): Route[] => [
  ...enforcerRoutes(deps),
  ...releaseRoutes(deps),
  ...coverageRoutes(deps),
]
