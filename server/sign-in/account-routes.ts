import { accountApi } from '../../src/api/account.ts'
import { type Route, routesOf } from '../http/door.ts'
import { endOneSignIn, endOtherSignIns, listSignIns, renameAccount } from './account.ts'
import { sessionTokenOf } from '../auth/door.ts'
import type { Identity } from './identity.ts'

/** The routes of a person's own account, which only the application calls. */
export const accountRoutes = (deps: Identity): Route[] =>
  routesOf(accountApi, {
    rename: ({ body }, { grant }) => renameAccount(deps, grant, body.name),
    signIns: async (_, { grant, request }) => ({ items: await listSignIns(deps, grant, sessionTokenOf(request)) }),
    endSignIn: async ({ params }, { grant }) => {
      await endOneSignIn(deps, grant, params.sign_in_id)
      return null
    },
    endOthers: async (_, { grant, request }) => ({
      ended: await endOtherSignIns(deps, grant, sessionTokenOf(request)),
    }),
  })
