import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { documentsApi } from '../../../../src/api/documents.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { type VersionRecord, versionsApi, versionStatuses } from '../../../../src/api/versions.ts'
import { call, callText, type Text } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'
import { insightsApi } from '../../../../src/api/insights.ts'

export type Operation = Output<typeof versionsApi.operations>['items'][number]

/** The address of a version: slugs of organization and project, and the version's label, slug or id. */
export interface VersionRef {
  readonly tenant: string
  readonly project: string
  readonly version: string
}

/** The path parameters of the operations on a version. */
export const versionParams = ({ tenant, project, version }: VersionRef) => ({
  tenant_slug: tenant,
  project_ref: project,
  version_ref: version,
})

/** The first part of the key of everything that is read about versions. */
export const versionsKey = (tenant: string) => ['versions', tenant] as const

const keyOf = (what: string, { tenant, project, version }: VersionRef) => [
  ...versionsKey(tenant),
  what,
  project,
  version,
]

const statusOf = (word: string): { status?: VersionRecord['status'] } => {
  const status = versionStatuses.find((it) => it === word)
  return status ? { status } : {}
}

export const versionsQuery = (tenant: string, project: string, offset = 0, status = '') =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'list', project, offset, status],
    queryFn: () =>
      call(versionsApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pageSize, offset, ...statusOf(status) },
      }),
    placeholderData: (before) => before,
  })

/** The newest versions of a project, as many as the service returns at once: the options of every version picker. */
export const allVersionsQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'all', project],
    queryFn: () =>
      call(versionsApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pieceSize },
      }),
  })

/** The newest versions of a project, newest first, read now unless they were read a moment ago. */
export const newestVersions = async (tenant: string, project: string): Promise<readonly VersionRecord[]> =>
  (await queryClient.fetchQuery(allVersionsQuery(tenant, project))).items

export const versionQuery = (ref: VersionRef) =>
  queryOptions({ queryKey: keyOf('one', ref), queryFn: () => call(versionsApi.get, { params: versionParams(ref) }) })

export const operationsQuery = (ref: VersionRef, q: string, tag: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('operations', ref), q, tag],
    queryFn: ({ pageParam }) =>
      call(versionsApi.operations, {
        params: versionParams(ref),
        query: { limit: pieceSize, offset: pageParam, ...(q === '' ? {} : { q }), ...(tag === '' ? {} : { tag }) },
      }),
    initialPageParam: 0,
    // The service refuses offsets beyond 10,000; the search finds the rest.
    getNextPageParam: ({ offset, total, items }) => {
      const next = offset + items.length
      return items.length > 0 && next < total && next <= 10_000 ? next : undefined
    },
    placeholderData: (before) => before,
  })

/** Whether a draft can be published: every gate with its result. */
export const readinessQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: keyOf('readiness', ref),
    queryFn: () => call(versionsApi.readiness, { params: versionParams(ref) }),
  })

/** The author's own text. */
export const documentTextQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: keyOf('text', ref),
    queryFn: (): Promise<Text> => callText(versionsApi.document, { params: versionParams(ref) }),
    staleTime: 300_000,
  })

/** The version as OpenAPI 3.1, parsed. */
export const openapiQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: keyOf('openapi', ref),
    queryFn: () =>
      call(documentsApi.openapi, {
        params: { tenant_slug: ref.tenant, project_slug: ref.project, version_slug: ref.version },
      }),
    staleTime: 300_000,
  })

/** Reads the versions of an organization again. */
export const refreshVersions = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: versionsKey(tenant) })

/** What a version is as a whole. */
export const overviewQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: [...versionsKey(ref.tenant), 'overview', ref.project, ref.version],
    queryFn: () => call(insightsApi.overview, { params: versionParams(ref) }),
  })

/** What linting and comparing it found, in numbers. */
export const assessmentQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: [...versionsKey(ref.tenant), 'assessment', ref.project, ref.version],
    queryFn: () => call(insightsApi.assessment, { params: versionParams(ref) }),
  })

/** The newest versions of a project with what each changed. */
export const timelineQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'timeline', project],
    queryFn: () => call(insightsApi.timeline, { params: { tenant_slug: tenant, project_ref: project } }),
  })
