import { importsApi } from '../../src/api/imports.ts'
import { actorOf, type Gatekeeper, type Grant, wholeOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { tenantSlugOf } from '../tenants/door.ts'
import { SvcError } from '../../src/errors.ts'
import { readImportRequest } from './read-import-request.ts'
import { cancelImport, createImport, getImport, type Reaches } from './service.ts'

/** The routes of import jobs. A job's address names no tenant, so whether the caller reaches it is asked per job. */
export function importRoutes(deps: Deps, gatekeeper: Gatekeeper): Route[] {
  const reachesWith =
    (grant: Grant, permission: 'versions:view' | 'versions:edit' | 'projects:create'): Reaches =>
    async ({ tenantId }) => {
      const slug = await tenantSlugOf(deps.db.read, tenantId)
      if (slug === null) return false
      try {
        const access = { credentials: ['user', 'api-key'], permission, agentTool: 'import.create' } as const
        await gatekeeper.authorize(grant.principal, access, wholeOf(slug))
        return true
      } catch (error) {
        const code = error instanceof SvcError ? error.code : ''
        // Who may not even look does not learn that there is a job.
        if (code === 'tenant-access-denied' || (code === 'permission-denied' && permission === 'versions:view'))
          return false
        throw error
      }
    }
  return routesOf(importsApi, {
    create: async (input, context) => {
      const { grant, idempotencyKey } = context
      const request = await readImportRequest(input, context)
      const job = await createImport(deps, grant, { request, idempotencyKey })
      return Reply.json(job, { location: `/v1/imports/${job.job_id}` }, 202)
    },
    get: ({ params, query }, { grant, signal }) =>
      getImport(deps, params.job_id, reachesWith(grant, 'versions:view'), (query?.wait ?? 0) * 1000, signal),
    cancel: ({ params }, { grant }) =>
      cancelImport(deps, params.job_id, async (job) => {
        const sees = await reachesWith(grant, 'versions:view')(job)
        // Who may import ends their own imports; those of others end who may write every project.
        const isOwn = job.payload.actor === actorOf(grant)
        return sees && reachesWith(grant, isOwn ? 'projects:create' : 'versions:edit')(job)
      }),
  })
}
