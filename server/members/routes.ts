import { membersApi } from '../../src/api/members.ts'
import { type Deps, pageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { invite, listInvitations, withdraw } from './invitations.ts'
import { resetMember } from './password-reset.ts'
import { listMembers, removeMember, updateMember } from './service.ts'

/** The routes of members and invitations. */
export const memberRoutes = (deps: Deps): Route[] =>
  routesOf(membersApi, {
    list: ({ query }, { grant }) => listMembers(deps, grant, { ...pageOf(query), q: query?.q ?? null }),
    update: ({ params, body }, { grant }) => updateMember(deps, grant, params.user_id, body),
    remove: async ({ params }, { grant }) => {
      await removeMember(deps, grant, params.user_id)
      return null
    },
    resetPassword: ({ params }, { grant }) => resetMember(deps, grant, params.user_id),
    invitations: ({ query }, { grant }) => listInvitations(deps, grant, pageOf(query)),
    invite: ({ body }, { grant }) => invite(deps, grant, body),
    withdraw: async ({ params }, { grant }) => {
      await withdraw(deps, grant, params.invitation_id)
      return null
    },
  })
