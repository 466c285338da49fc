import { queryOptions } from '@tanstack/react-query'
import { lintApi } from '../../../../src/api/lint.ts'
import { mcpRegistryApi } from '../../../../src/api/mcp-registry.ts'
import type { McpEndpoint } from '../../../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

/** Which server of which organization. */
export interface ServerRef {
  readonly tenant: string
  readonly endpoint: string
}

/** What a list of servers is narrowed to; empty words narrow nothing. */
export interface ServerFilter {
  readonly q: string
  readonly state: string
}

export const serverParams = ({ tenant, endpoint }: ServerRef) => ({ tenant_slug: tenant, endpoint_id: endpoint })

const keyOf = (tenant: string, ...rest: readonly unknown[]) => ['mcp-servers', tenant, ...rest] as const

/** After a change: reads everything about MCP servers again. */
export const refreshServers = (tenant: string): Promise<unknown> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenant) })

export const serversQuery = (tenant: string, { q, state }: ServerFilter, offset: number) =>
  queryOptions({
    queryKey: keyOf(tenant, 'list', q, state, offset),
    queryFn: async () => {
      const { endpoints, ...page } = await call(mcpServersApi.list, {
        params: { tenant_slug: tenant },
        query: {
          limit: pageSize,
          offset,
          ...(q === '' ? {} : { q }),
          ...(state === '' ? {} : { state: state as McpEndpoint['state'] }),
        },
      })
      return { ...page, items: endpoints }
    },
  })

/** How often a server is read again while it waits for its first observation. */
const waitingMs = 2000

export const serverQuery = (at: ServerRef) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint),
    queryFn: () => call(mcpServersApi.get, { params: serverParams(at) }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined &&
      data.next_observation_at !== null &&
      Date.parse(data.next_observation_at) < Date.now() + 5000
        ? waitingMs
        : false,
  })

/** What is read of an observation: it is read again where there is a newer one. */
export const provenanceQuery = (at: ServerRef, seen: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'provenance', seen),
    queryFn: () => call(mcpServersApi.provenance, { params: serverParams(at) }),
  })

export const diffQuery = (at: ServerRef, from: string, to: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'diff', from, to),
    queryFn: () => call(mcpServersApi.diff, { params: serverParams(at), query: { from, to } }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Which tools take what others answer: decided again where there is a newer surface. */
export const chainsQuery = (at: ServerRef, seen: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'chains', seen),
    queryFn: () => call(mcpServersApi.chains, { params: serverParams(at), query: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const surfaceQuery = (at: ServerRef, fingerprint: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'surface', fingerprint),
    queryFn: () => call(mcpServersApi.surface, { params: serverParams(at), query: { at: fingerprint } }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const observationsQuery = (at: ServerRef, changed: boolean, offset: number) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'observations', changed, offset),
    queryFn: async () => {
      const { observations, ...page } = await call(mcpServersApi.observations, {
        params: serverParams(at),
        query: { limit: pageSize, offset, ...(changed ? { changed } : {}) },
      })
      return { ...page, items: observations }
    },
  })

export const manifestsQuery = (at: ServerRef) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'manifests'),
    queryFn: () => call(mcpServersApi.manifests, { params: serverParams(at), query: { include_retired: true } }),
  })

export const findingsQuery = (at: ServerRef, seen: string) =>
  queryOptions({
    queryKey: keyOf(at.tenant, at.endpoint, 'lint', seen),
    queryFn: () => call(lintApi.mcp, { params: serverParams(at) }),
  })

export const registryQuery = (tenant: string) =>
  queryOptions({
    queryKey: keyOf(tenant, 'registry'),
    queryFn: () => call(mcpRegistryApi.get, { params: { tenant_slug: tenant } }),
  })
