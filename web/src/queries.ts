import { infiniteQueryOptions, queryOptions, QueryClient } from '@tanstack/react-query'
import { documentsApi } from '../../src/api/documents.ts'
import type { Output } from '../../src/api/endpoint.ts'
import { lintApi } from '../../src/api/lint.ts'
import { projectsApi } from '../../src/api/projects.ts'
import type { StaticOf, FindingShape, ChangeShape } from '../../src/api/shapes.ts'
import { type VersionRecord, versionsApi, versionStatuses } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { call, callText, type Text } from './call.ts'

export type Finding = StaticOf<typeof FindingShape>
export type Change = StaticOf<typeof ChangeShape>
export type Operation = Output<typeof versionsApi.operations>['items'][number]

/** Where a version lives: the three words of its address. */
export interface VersionRef {
  readonly tenant: string
  readonly project: string
  readonly version: string
}

export const pageSize = 50
/** The most the service gives at once: long lists are read in such pieces. */
export const pieceSize = 200

/** Only what may pass by itself is tried again: a refusal stays a refusal. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => error instanceof SvcError && error.code === 'transport-failed' && failures < 2,
    },
  },
})

export const projectsQuery = (tenant: string, q: string, offset: number) =>
  queryOptions({
    queryKey: ['projects', tenant, q, offset],
    queryFn: () =>
      call(projectsApi.list, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(q === '' ? {} : { q }) },
      }),
    placeholderData: (before) => before,
  })

export const projectQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: ['project', tenant, project],
    queryFn: () => call(projectsApi.get, { params: { tenant_slug: tenant, project_ref: project } }),
  })

const statusOf = (word: string): { status?: VersionRecord['status'] } => {
  const status = versionStatuses.find((it) => it === word)
  return status ? { status } : {}
}

export const versionsQuery = (tenant: string, project: string, offset = 0, status = '') =>
  queryOptions({
    queryKey: ['versions', tenant, project, offset, status],
    queryFn: () =>
      call(versionsApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pageSize, offset, ...statusOf(status) },
      }),
    placeholderData: (before) => before,
  })

/** The newest versions of a project, as many as are given at once: what one chooses from. */
export const allVersionsQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: ['versions', tenant, project, 'all'],
    queryFn: () =>
      call(versionsApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pieceSize },
      }),
  })

const paramsOf = ({ tenant, project, version }: VersionRef) => ({
  tenant_slug: tenant,
  project_ref: project,
  version_ref: version,
})
const keyOf = (what: string, { tenant, project, version }: VersionRef) => [what, tenant, project, version]

export const versionQuery = (ref: VersionRef) =>
  queryOptions({ queryKey: keyOf('version', ref), queryFn: () => call(versionsApi.get, { params: paramsOf(ref) }) })

export const operationsQuery = (ref: VersionRef, q: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('operations', ref), q],
    queryFn: ({ pageParam }) =>
      call(versionsApi.operations, {
        params: paramsOf(ref),
        query: { limit: pieceSize, offset: pageParam, ...(q === '' ? {} : { q }) },
      }),
    initialPageParam: 0,
    // The service refuses to go beyond 10,000; a search leads to what lies there.
    getNextPageParam: ({ offset, total, items }) => {
      const next = offset + items.length
      return items.length > 0 && next < total && next <= 10_000 ? next : undefined
    },
    placeholderData: (before) => before,
  })

export const lintQuery = (ref: VersionRef) =>
  queryOptions({ queryKey: keyOf('lint', ref), queryFn: () => call(lintApi.version, { params: paramsOf(ref) }) })

export const readinessQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: keyOf('readiness', ref),
    queryFn: () => call(versionsApi.readiness, { params: paramsOf(ref) }),
  })

/** The author's own text. */
export const documentTextQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: keyOf('text', ref),
    queryFn: (): Promise<Text> => callText(versionsApi.document, { params: paramsOf(ref) }),
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
