import { queryOptions } from '@tanstack/react-query'
import { agentKeysApi } from '../../../../src/api/agent-keys.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

const agentKeysKey = (tenant: string) => ['agent-keys', tenant] as const

export const agentKeysQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: [...agentKeysKey(tenant), offset],
    queryFn: () => call(agentKeysApi.list, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
    placeholderData: (before) => before,
  })

/** Reads the agent keys of an organization again. */
export const refreshAgentKeys = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: agentKeysKey(tenant) })
