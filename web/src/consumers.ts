import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { consumersApi, type ConsumerContractRecord } from '../../src/api/consumers.ts'
import type { Output } from '../../src/api/endpoint.ts'
import { membersApi } from '../../src/api/members.ts'
import { call } from './call.ts'
import { pageSize, pieceSize, queryClient } from './queries.ts'

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
const keyOf = (what: string, { tenant, project, consumer }: ConsumerRef) => [what, tenant, project, consumer]

/** A page of the consumers of a project, in the shape of every list here. */
export const consumersQuery = (tenant: string, project: string, offset: number) =>
  queryOptions({
    queryKey: ['consumers', tenant, project, offset],
    queryFn: async () => {
      const { consumers, total, limit } = await call(consumersApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { limit: pageSize, offset },
      })
      return { items: consumers, total, limit, offset }
    },
    placeholderData: (before) => before,
  })

export const consumerQuery = (ref: ConsumerRef) =>
  queryOptions({
    queryKey: keyOf('consumer', ref),
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

/** After a change: everything that is shown of the consumers of a project may be another. */
export const refreshConsumers = (): Promise<unknown> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [what] }) =>
      ['consumers', 'consumer', 'contract', 'revisions', 'can-i-deploy', 'diff', 'readiness'].includes(String(what)),
  })

const membersQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['members', tenant, 'names'],
    queryFn: () => call(membersApi.list, { params: { tenant_slug: tenant }, query: { limit: pieceSize } }),
    staleTime: 300_000,
  })

/** Names of the members of a tenant by id. */
export const namesQuery = (tenant: string) =>
  queryOptions({
    ...membersQuery(tenant),
    select: ({ items }) => new Map(items.map((it) => [it.user_id, it.name])),
  })

/** Who did something ("user:<id>", "api-key:<id>"), as a reader would say it. */
export const actorWords = (actor: string | null, names: ReadonlyMap<string, string> | undefined): string => {
  if (actor === null) return 'somebody unknown'
  const [kind = '', id = ''] = actor.split(':')
  if (kind === 'user') return names?.get(id) ?? 'a former member'
  return kind === 'api-key' ? 'an API key' : `an ${kind.replace('-', ' ')}`
}

/** What each reason code means and what one does about it, in a sentence. */
export const reasonWords: Record<Unresolved['reason'], string> = {
  'operation-not-found': 'No path of the version fits it. Mistyped, or of another API.',
  'operation-retired':
    'An earlier version had the operation; this one has not. The consumer relies on something that is gone.',
  'method-not-found': 'The path is there, with other methods only.',
  'ambiguous-path': 'Several paths fit it equally well. Name the path template instead.',
  'status-not-declared': 'The operation declares no such response.',
  'field-not-found': 'The schema has no such field, and had none in an earlier version.',
  'field-removed': 'An earlier version had the field; this one has not. The consumer relies on something that is gone.',
  'parameter-not-found': 'The operation has no such parameter.',
  'body-schema-missing': 'Nothing is said about the body, so its fields cannot be looked up.',
  'body-not-json': 'The body has no named fields: it is not JSON or a form.',
  'unsupported-interaction': 'It is of a kind that has no request and response over HTTP.',
}
