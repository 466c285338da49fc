import { queryOptions, useQuery } from '@tanstack/react-query'
import { inboxApi } from '../../../../src/api/inbox.ts'
import { call } from '../../call.ts'
import { inboxKey } from '../notifications/unread.ts'

const everyMinute = 60_000

/** How much waits for the person, whole; asked each minute while the page is visible. */
const inboxCountQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...inboxKey(tenant), 'waiting', 'count'],
    queryFn: async () => (await call(inboxApi.list, { params: { tenant_slug: tenant }, query: { limit: 0 } })).counts,
    refetchInterval: everyMinute,
  })

/** How much waits for the person who is signed in, for the navigation; undefined until it is known. */
export const useInboxCount = (tenant: string): number | undefined => useQuery(inboxCountQuery(tenant)).data?.total
