import { queryOptions } from '@tanstack/react-query'
import { notificationsApi } from '../../../../src/api/notifications.ts'
import { call } from '../../call.ts'

export const inboxKey = (tenant: string) => ['notifications', tenant] as const
const everyMinute = 60_000

/** How many are unread; asked each minute while the page is visible. The browser sends the ETag of the last answer. */
export const unreadQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...inboxKey(tenant), 'unread'],
    queryFn: () => call(notificationsApi.unreadCount, { params: { tenant_slug: tenant } }),
    // Not while the page is hidden, which is the default.
    refetchInterval: everyMinute,
  })
