import { queryOptions } from '@tanstack/react-query'
import type { Static } from '@sinclair/typebox'
import { projectViewsApi } from '../../../../src/api/project-views.ts'
import { projectsApi } from '../../../../src/api/projects.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

/** The first part of the key of everything that is read about projects. */
export const projectsKey = (tenant: string) => ['projects', tenant] as const

export const facetNames = ['owner', 'lifecycle', 'tag', 'grade', 'status', 'format', 'draft'] as const
export type FacetName = (typeof facetNames)[number]

/** What narrows and orders the list; what is left out does not. */
export interface ProjectFilter extends Partial<Record<FacetName, string>> {
  readonly q?: string
  readonly sort?: string
}

const { query: listQuery } = projectsApi.list
type ListQuery = Static<typeof listQuery>

export const projectsQuery = (tenant: string, filter: ProjectFilter, offset: number, withFacets = false) =>
  queryOptions({
    queryKey: [...projectsKey(tenant), 'list', filter, offset, withFacets],
    queryFn: () =>
      call(projectsApi.list, {
        params: { tenant_slug: tenant },
        // The address may hold any text: the service refuses what it does not know, with the reason.
        query: { limit: pageSize, offset, ...filter, ...(withFacets ? { include_facets: true } : {}) } as ListQuery,
      }),
    placeholderData: (before) => before,
  })

export const projectQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...projectsKey(tenant), 'one', project],
    queryFn: () => call(projectsApi.get, { params: { tenant_slug: tenant, project_ref: project } }),
  })

/** The saved views of the list; they are not read again with the projects. */
export const viewsQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['project-views', tenant],
    queryFn: () => call(projectViewsApi.list, { params: { tenant_slug: tenant } }),
  })

/** Reads the saved views again. */
export const refreshViews = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: viewsQuery(tenant).queryKey })

/** Reads the projects of an organization again. */
export const refreshProjects = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: projectsKey(tenant) })
