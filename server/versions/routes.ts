import { versionsApi } from '../../src/api/versions.ts'
import type { Analyst } from '../analysis/analyst.ts'
import { tenantOf } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../mount.ts'
import { pageOf } from '../paging.ts'
import { Reply } from '../reply.ts'
import { readContent } from './content.ts'
import { publishReadiness, publishVersion } from './publish.ts'
import {
  deprecateVersion,
  findVersion,
  getVersion,
  listOperations,
  listVersions,
  removeVersion,
  retireVersion,
} from './service.ts'

/** The routes of versions. */
export const versionRoutes = (deps: Deps, analyst: Analyst): Route[] =>
  routesOf(versionsApi, {
    list: ({ params, query }, { grant }) =>
      listVersions(deps, tenantOf(grant), params.project_ref, { ...pageOf(query), status: query?.status ?? null }),
    get: ({ params }, { grant }) => getVersion(deps, tenantOf(grant), params.project_ref, params.version_ref),
    remove: async ({ params }, { grant }) => {
      await removeVersion(deps, tenantOf(grant), params.project_ref, params.version_ref)
      return null
    },
    document: async ({ params }, { grant, ifNoneMatch }) => {
      const tenant = tenantOf(grant)
      const { version } = await findVersion(deps.db.read, tenant.id, params.project_ref, params.version_ref)
      const headers = { etag: `"${version.digest}"`, 'content-type': `application/${version.syntax}` }
      if (ifNoneMatch === headers.etag) return new Reply({ status: 304, headers, body: null })
      return new Reply({ headers, body: await readContent(deps.db.read, tenant.id, version.digest) })
    },
    operations: ({ params, query }, { grant }) =>
      listOperations(deps, tenantOf(grant), params.project_ref, params.version_ref, {
        ...pageOf(query),
        q: query?.q ?? null,
      }),
    readiness: ({ params }, { grant }) =>
      publishReadiness(deps, analyst, tenantOf(grant), params.project_ref, params.version_ref),
    publish: ({ params, body }, { grant }) =>
      publishVersion(deps, analyst, grant, { project: params.project_ref, version: params.version_ref }, body ?? {}),
    deprecate: ({ params, body }, { grant }) =>
      deprecateVersion(deps, tenantOf(grant), params.project_ref, params.version_ref, body ?? {}),
    retire: ({ params }, { grant }) => retireVersion(deps, tenantOf(grant), params.project_ref, params.version_ref),
  })
