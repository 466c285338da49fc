import { queryOptions } from '@tanstack/react-query'
import { projectAccessApi, teamsApi } from '../../../../src/api/teams.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'

const teamsKey = (tenant: string) => ['teams', tenant] as const
const accessKey = (tenant: string, project: string) => ['project-access', tenant, project] as const

export const teamsQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: [...teamsKey(tenant), 'list', offset],
    queryFn: () => call(teamsApi.list, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
    placeholderData: (before) => before,
  })

/** As many teams as the service returns at once, to choose from. */
export const allTeamsQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...teamsKey(tenant), 'all'],
    queryFn: () => call(teamsApi.list, { params: { tenant_slug: tenant }, query: { limit: pieceSize } }),
  })

export const teamMembersQuery = (tenant: string, team: string) =>
  queryOptions({
    queryKey: [...teamsKey(tenant), 'members', team],
    queryFn: () => call(teamsApi.members, { params: { tenant_slug: tenant, team_ref: team } }),
  })

export const accessQuery = (tenant: string, project: string, offset: number) =>
  queryOptions({
    queryKey: [...accessKey(tenant, project), offset],
    queryFn: () =>
      call(projectAccessApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pageSize, offset },
      }),
  })

/** Reads the teams of an organization and their members again. */
export const refreshTeams = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: teamsKey(tenant) })

/** Reads again who has a role on a project. */
export async function refreshAccess(tenant: string, project: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: accessKey(tenant, project) })
  await refreshTeams(tenant)
}
