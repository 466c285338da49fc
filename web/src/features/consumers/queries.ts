import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type ConsumerContractRecord } from '../../../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../../../src/api/consumers.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'
import { comparisonKey } from '../comparison/queries.ts'
import { versionsKey } from '../catalog/versions.ts'

/** Where a consumer lives: the three words of its address. */
export interface ConsumerRef {
  readonly tenant: string
  readonly project: string
  readonly consumer: string
}
export type Unresolved = ConsumerContractRecord['unresolved'][number]
export type UsedOperation = ConsumerContractRecord['operations'][number]
export type SurfaceOperation = Output<typeof consumersApi.surface>['operations'][number]

export const consumerParams = ({ tenant, project, consumer }: ConsumerRef) => ({
  tenant_slug: tenant,
  project_ref: project,
  consumer_ref: consumer,
})
/** The first part of the key of everything that is read about consumers. */
const consumersKey = (tenant: string) => ['consumers', tenant] as const
const keyOf = (what: string, { tenant, project, consumer }: ConsumerRef) => [
  ...consumersKey(tenant),
  what,
  project,
  consumer,
]

/** A page of the consumers of a project, in the shape of every list here. */
export const consumersQuery = (tenant: string, project: string, offset: number) =>
  queryOptions({
    queryKey: [...consumersKey(tenant), 'list', project, offset],
    queryFn: async () => {
      const { consumers, total, limit } = await call(consumersApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pageSize, offset },
      })
      return { items: consumers, total, limit, offset }
    },
    placeholderData: (before) => before,
  })

/** The names of the consumers whose contract was declared against one version. */
export const consumersOfVersionQuery = (tenant: string, project: string, version: string) =>
  queryOptions({
    queryKey: [...consumersKey(tenant), 'of-version', project, version],
    queryFn: async () => {
      const { consumers } = await call(consumersApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: 1000 },
      })
      return consumers.filter((it) => it.contract?.version_record_id === version).map((it) => it.name)
    },
  })

export const consumerQuery = (ref: ConsumerRef) =>
  queryOptions({
    queryKey: keyOf('one', ref),
    queryFn: () => call(consumersApi.get, { params: consumerParams(ref) }),
  })

/** A contract in full: the current one where no revision is named. */
export const contractQuery = (ref: ConsumerRef, revision: number) =>
  queryOptions({
    queryKey: [...keyOf('contract', ref), revision],
    queryFn: () => call(consumersApi.contract, { params: consumerParams(ref), query: { revision } }),
  })

export const revisionsQuery = (ref: ConsumerRef) =>
  queryOptions({
    queryKey: keyOf('revisions', ref),
    queryFn: () => call(consumersApi.revisions, { params: consumerParams(ref), query: { limit: pieceSize } }),
  })

export const canIDeployQuery = (ref: ConsumerRef, version: string) =>
  queryOptions({
    queryKey: [...keyOf('can-i-deploy', ref), version],
    queryFn: () => call(consumersApi.canIDeploy, { params: consumerParams(ref), query: { version } }),
  })

/** Operations looked into at once: each may bring hundreds of fields. */
const surfacePiece = 50

export const surfaceQuery = (tenant: string, project: string, version: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ['surface', tenant, project, version, q],
    queryFn: ({ pageParam }) =>
      call(consumersApi.surface, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { version, limit: surfacePiece, offset: pageParam, ...(q === '' ? {} : { q }) },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, total, operations }) => {
      const next = offset + operations.length
      return operations.length > 0 && next < total && next <= 10_000 ? next : undefined
    },
    placeholderData: (before) => before,
  })

/** After a change: reads the consumers of an organization again, and what names them: comparisons and gates. */
export const refreshConsumers = (tenant: string): Promise<unknown> =>
  Promise.all(
    [consumersKey(tenant), comparisonKey(tenant), versionsKey(tenant)].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
