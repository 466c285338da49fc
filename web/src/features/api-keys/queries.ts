import { queryOptions } from '@tanstack/react-query'
import { applicationApi, type ApiKeyRecord } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize, queryClient } from '../../query-client.ts'

export const keysQuery = (tenant: string, q: string, offset: number, limit = pageSize) =>
  queryOptions({
    queryKey: ['keys', tenant, q, offset, limit],
    queryFn: () =>
      call(applicationApi.keys, {
        params: { tenant_slug: tenant },
        query: { limit, offset, ...(q === '' ? {} : { q }) },
      }),
    placeholderData: (before) => before,
  })

/** The keys that expire within 14 days and have no replacement yet, on all pages of the list. */
export const expiringKeysQuery = (tenant: string) =>
  queryOptions({
    ...keysQuery(tenant, '', 0, pieceSize),
    select: ({ items }): ApiKeyRecord[] => {
      const replaced = new Set(items.map((it) => it.replaces_id))
      return items.filter((it) => it.expires_soon && it.status === 'active' && !replaced.has(it.id))
    },
  })

export const refreshKeys = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['keys', tenant] })

/** Days until something ends, as a field holds them; null for an empty field: it never does. */
export const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
