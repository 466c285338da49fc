import { accountAuthorizationApi } from '../../src/api/account-authorization.ts'
import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { beginAuthorization, finishAuthorization, listMethods } from './authorize.ts'
import {
  createAccount,
  getAccount,
  listAccounts,
  listRepositories,
  removeAccount,
  replaceToken,
  verifyNow,
} from './service.ts'

/** The routes of linked accounts. */
export function linkedAccountRoutes(deps: Deps): Route[] {
  return [...accountRoutes(deps), ...authorizationRoutes(deps)]
}

const authorizationRoutes = (deps: Deps): Route[] =>
  routesOf(accountAuthorizationApi, {
    methods: () => listMethods(deps),
    authorize: ({ params, body }, { grant, request }) =>
      beginAuthorization(deps, grant, request, { ...body, provider: params.provider }),
    callback: ({ query }, { request }) => finishAuthorization(deps, query ?? {}, request),
  })

const accountRoutes = (deps: Deps): Route[] =>
  routesOf(linkedAccountsApi, {
    list: ({ query }, { grant }) => listAccounts(deps, grant, stablePageOf('linked-accounts', query)),
    create: ({ body }, { grant, signal }) => createAccount(deps, grant, body, signal),
    get: ({ params }, { grant }) => getAccount(deps, grant, params.linked_account_id),
    replaceToken: ({ params, body }, { grant, signal }) =>
      replaceToken(deps, grant, params.linked_account_id, body, signal),
    verify: ({ params }, { grant, signal }) => verifyNow(deps, grant, params.linked_account_id, signal),
    remove: async ({ params }, { grant }) => {
      await removeAccount(deps, grant, params.linked_account_id)
      return null
    },
    repositories: ({ params, query }, { grant, signal }) =>
      listRepositories(deps, grant, params.linked_account_id, query ?? {}, signal),
  })
