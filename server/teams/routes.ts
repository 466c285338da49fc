import { projectAccessApi, teamsApi } from '../../src/api/teams.ts'
import { type Route, routesOf } from '../http/door.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { giveAccess, listAccess, revokeAccess } from './access.ts'
import {
  addToTeam,
  createTeam,
  dropFromTeam,
  getTeam,
  listTeams,
  membersOfTeam,
  removeTeam,
  updateTeam,
} from './service.ts'

/** The routes of teams, and of roles on projects. */
export const teamRoutes = (deps: Deps): Route[] => [
  ...routesOf(teamsApi, {
    list: ({ query }, { grant }) => listTeams(deps, grant, stablePageOf('teams', query)),
    create: ({ body }, { grant }) => createTeam(deps, grant, body),
    get: ({ params }, { grant }) => getTeam(deps, grant, params.team_ref),
    update: ({ params, body }, { grant }) => updateTeam(deps, grant, params.team_ref, body),
    remove: async ({ params }, { grant }) => {
      await removeTeam(deps, grant, params.team_ref)
      return null
    },
    members: ({ params }, { grant }) => membersOfTeam(deps, grant, params.team_ref),
    add: async ({ params }, { grant }) => {
      await addToTeam(deps, grant, params.team_ref, params.user_id)
      return null
    },
    drop: async ({ params }, { grant }) => {
      await dropFromTeam(deps, grant, params.team_ref, params.user_id)
      return null
    },
  }),
  ...routesOf(projectAccessApi, {
    list: ({ params, query }, { grant }) =>
      listAccess(deps, grant, params.project_ref, stablePageOf('project-access', query)),
    grant: ({ params, body }, { grant }) => giveAccess(deps, grant, params.project_ref, body),
    revoke: async ({ params }, { grant }) => {
      await revokeAccess(deps, grant, params.project_ref, params.access_id)
      return null
    },
  }),
]
