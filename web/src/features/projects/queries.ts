import { queryOptions } from '@tanstack/react-query'
import { projectsApi } from '../../../../src/api/projects.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

/** The first part of the key of everything that is read about projects. */
export const projectsKey = (tenant: string) => ['projects', tenant] as const

export const projectsQuery = (tenant: string, q: string, offset: number) =>
  queryOptions({
    queryKey: [...projectsKey(tenant), 'list', q, offset],
    queryFn: () =>
      call(projectsApi.list, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(q === '' ? {} : { q }) },
      }),
    placeholderData: (before) => before,
  })

export const projectQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...projectsKey(tenant), 'one', project],
    queryFn: () => call(projectsApi.get, { params: { tenant_slug: tenant, project_ref: project } }),
  })

/** Reads the projects of an organization again. */
export const refreshProjects = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: projectsKey(tenant) })
