import { queryOptions } from '@tanstack/react-query'
import { mcpKeysApi } from '../../../../src/api/mcp-keys.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'

export const mcpKeysQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: ['mcp', tenant, 'keys', offset],
    queryFn: () => call(mcpKeysApi.list, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
    placeholderData: (before) => before,
  })

export const capabilitiesQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['mcp', tenant, 'capabilities'],
    queryFn: () => call(mcpKeysApi.capabilities, { params: { tenant_slug: tenant } }),
  })

/** What a key may call depends on the limit of the organization: both are read again. */
export const refreshMcp = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['mcp', tenant] })
