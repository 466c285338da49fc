import { tenantsApi } from '../../src/api/tenants.ts'
import { SvcError } from '../../src/errors.ts'
import type { Identity } from '../auth/identity.ts'
import { routesOf, type Route } from '../mount.ts'
import { Reply } from '../reply.ts'
import { deleteTenant, transferOwnership } from './ownership.ts'
import { describeLicense, describeTenant, listAudit, listMemberships, renameTenant } from './service.ts'

/** The routes of tenants and their license (specification 4.1). */
export const tenantRoutes = (identity: Identity): Route[] =>
  routesOf(tenantsApi, {
    me: ({ query }, { grant }) => {
      if (grant.principal === null) throw new SvcError('credentials-missing')
      return listMemberships(identity, grant.principal, { limit: query?.limit ?? 50, offset: query?.offset ?? 0 })
    },
    // Whether there is access was decided before: a check counts nothing.
    get: (_, { grant, request }) =>
      request.method === 'HEAD' ? new Reply({ body: null }) : describeTenant(identity, grant),
    update: ({ body }, { grant }) => renameTenant(identity, grant, body.name),
    remove: async (_, { grant }) => {
      await deleteTenant(identity, grant)
      return null
    },
    transfer: ({ body }, { grant }) => transferOwnership(identity, grant, body.user_id),
    license: (_, { grant }) => describeLicense(identity, grant),
    audit: ({ query }, { grant }) =>
      listAudit(identity, grant, {
        limit: query?.limit ?? 100,
        offset: query?.offset ?? 0,
        action: query?.action ?? null,
        actor: query?.actor ?? null,
        since: query?.since ?? null,
        until: query?.until ?? null,
      }),
  })
