import { queryOptions } from '@tanstack/react-query'
import { environmentsApi } from '../../../../src/api/environments.ts'
import { gatewayRecordsApi } from '../../../../src/api/gateway-records.ts'
import { gatewayApi } from '../../../../src/api/gateway.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

/** Which environment of which organization. */
export interface EnvironmentAt {
  readonly tenant: string
  /** Its id or slug. */
  readonly environment: string
}

/** What every call about an environment names. */
export const environmentInput = ({ tenant, environment }: EnvironmentAt) => ({
  params: { environment_id: environment },
  query: { tenantSlug: tenant },
})

/** The key of what was read about environments; everything below one environment begins with its slug. */
export const keyOf = (tenant: string, ...rest: readonly unknown[]) => ['gateway', tenant, ...rest] as const

/** After a change: reads everything about the environments again. */
export const refreshEnvironments = (tenant: string): Promise<unknown> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenant) })

/** Each row reads the policy of its environment as well: a page of the list is short. */
const environmentsOfPage = 20

export const environmentsQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: keyOf(tenant, 'list', offset),
    queryFn: async () => {
      const { environments, ...page } = await call(environmentsApi.list, {
        query: { tenantSlug: tenant, limit: environmentsOfPage, offset },
      })
      return { ...page, items: environments }
    },
  })

export const environmentQuery = (at: EnvironmentAt) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment),
    queryFn: () => call(environmentsApi.get, environmentInput(at)),
  })

/** The policy of an environment: what is on, what enforces it, what waits for approval. */
export const policyQuery = (at: EnvironmentAt) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'policy'),
    queryFn: () => call(gatewayApi.get, environmentInput(at)),
  })

/** Requests for approval, newest first. */
export const approvalsQuery = (at: EnvironmentAt, offset: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'approvals', offset),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const { approvals, ...page } = await call(gatewayRecordsApi.approvals, {
        params,
        query: { ...query, limit: pageSize, offset },
      })
      return { ...page, items: approvals }
    },
  })

export const versionsQuery = (at: EnvironmentAt, offset: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'versions', offset),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const answer = await call(gatewayApi.policyVersions, { params, query: { ...query, limit: pageSize, offset } })
      const { versions, comparison: _none, ...page } = answer
      return { ...page, items: versions }
    },
  })

/** What differs between two versions of a policy. */
export const comparisonQuery = (at: EnvironmentAt, from: number, to: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'comparison', from, to),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const { comparison } = await call(gatewayApi.policyVersions, { params, query: { ...query, limit: 1, from, to } })
      return comparison?.changes ?? []
    },
  })

export const auditQuery = (at: EnvironmentAt, offset: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'audit', offset),
    queryFn: async () => {
      const { params, query } = environmentInput(at)
      const { rows, ...page } = await call(gatewayRecordsApi.audit, {
        params,
        query: { ...query, limit: pageSize, offset },
      })
      return { ...page, items: rows }
    },
  })
