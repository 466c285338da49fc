import { tenantsApi } from '../../src/api/tenants.ts'
import { SvcError } from '../../src/errors.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { listAudit } from './audit-trail.ts'
import { editingPolicy, setEditingPolicy } from './editing-policy.ts'
import { deleteTenant, transferOwnership } from './ownership.ts'
import { secondFactorPolicy, setSecondFactorPolicy } from './second-factor-policy.ts'
import { describeLicense, describeTenant, listMemberships, renameTenant } from './service.ts'

/** The routes of tenants and their license. */
export const tenantRoutes = (deps: Deps): Route[] =>
  routesOf(tenantsApi, {
    me: ({ query }, { grant }) => {
      if (grant.principal === null) throw new SvcError('credentials-missing')
      return listMemberships(deps, grant.principal, pageOf(query))
    },
    // Whether there is access was decided before: a check counts nothing.
    get: (_, { grant, request }) =>
      request.method === 'HEAD' ? new Reply({ body: null }) : describeTenant(deps, grant),
    update: ({ body }, { grant }) => renameTenant(deps, grant, body.name),
    secondFactor: (_, { grant }) => secondFactorPolicy(deps, grant),
    setSecondFactor: ({ body }, { grant }) => setSecondFactorPolicy(deps, grant, body.required),
    editing: (_, { grant }) => editingPolicy(deps, grant),
    setEditing: ({ body }, { grant }) => setEditingPolicy(deps, grant, body),
    remove: async (_, { grant }) => {
      await deleteTenant(deps, grant)
      return null
    },
    transfer: ({ body }, { grant }) => transferOwnership(deps, grant, body.user_id),
    license: (_, { grant }) => describeLicense(deps, grant),
    audit: ({ query }, { grant }) =>
      listAudit(deps, grant, {
        ...stablePageOf('audit-events', query, 100),
        action: query?.action ?? null,
        actor: query?.actor ?? null,
        target: query?.target ?? null,
        since: query?.since ?? null,
        until: query?.until ?? null,
      }),
  })
