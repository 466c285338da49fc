import { queryOptions } from '@tanstack/react-query'
import { agentKeysApi } from '../../../../src/api/agent-keys.ts'
import { applicationApi, type ApiKeyRecord } from '../../../../src/api/application.ts'
import { mcpKeysApi } from '../../../../src/api/mcp-keys.ts'
import { trustsApi } from '../../../../src/api/trusts.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'

/** The kinds of keys, as the address names them. */
export const keyKinds = ['api', 'agent', 'mcp', 'trust'] as const
export type KeyKind = (typeof keyKinds)[number]

/** Which keys are shown: those whose name contains `q`, from the place `offset` on. */
export interface Shown {
  readonly tenant: string
  readonly q: string
  readonly offset: number
}

const keyOf = (tenant: string, kind: KeyKind) => ['keys', tenant, kind] as const

const asked = ({ tenant, q, offset }: Shown, limit = pageSize) => ({
  params: { tenant_slug: tenant },
  query: { limit, offset, ...(q === '' ? {} : { q }) },
})

export const apiKeysQuery = (shown: Shown, limit = pageSize) =>
  queryOptions({
    queryKey: [...keyOf(shown.tenant, 'api'), shown.q, shown.offset, limit],
    queryFn: () => call(applicationApi.keys, asked(shown, limit)),
    placeholderData: (before) => before,
  })

export const agentKeysQuery = (shown: Shown) =>
  queryOptions({
    queryKey: [...keyOf(shown.tenant, 'agent'), shown.q, shown.offset],
    queryFn: () => call(agentKeysApi.list, asked(shown)),
    placeholderData: (before) => before,
  })

export const trustsQuery = (shown: Shown) =>
  queryOptions({
    queryKey: [...keyOf(shown.tenant, 'trust'), shown.q, shown.offset],
    queryFn: () => call(trustsApi.list, asked(shown)),
    placeholderData: (before) => before,
  })

export const mcpKeysQuery = (shown: Shown) =>
  queryOptions({
    queryKey: [...keyOf(shown.tenant, 'mcp'), shown.q, shown.offset],
    queryFn: () => call(mcpKeysApi.list, asked(shown)),
    placeholderData: (before) => before,
  })

export const capabilitiesQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...keyOf(tenant, 'mcp'), 'capabilities'],
    queryFn: () => call(mcpKeysApi.capabilities, { params: { tenant_slug: tenant } }),
  })

/** The API keys that expire within 14 days and have no replacement yet, on all pages of the list. */
export const expiringKeysQuery = (tenant: string) =>
  queryOptions({
    ...apiKeysQuery({ tenant, q: '', offset: 0 }, pieceSize),
    select: ({ items }): ApiKeyRecord[] => {
      const replaced = new Set(items.map((it) => it.replaces_id))
      return items.filter((it) => it.expires_soon && it.status === 'active' && !replaced.has(it.id))
    },
  })

/** Reads the keys of a kind again; of MCP keys what they may call, too. */
export const refreshKeys = (tenant: string, kind: KeyKind): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenant, kind) })

/** Days until a key ends, as a form holds them; null for an empty text: it never does. */
export const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
