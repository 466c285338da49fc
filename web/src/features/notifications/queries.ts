import { queryOptions } from '@tanstack/react-query'
import { notificationsApi, notificationTypes, type UnreadCount } from '../../../../src/api/notifications.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'
import { inboxKey, unreadQuery } from './unread.ts'

/** How many the menu of the bell shows. */
const bellSize = 20

/** The latest ones, for the menu of the bell. */
export const latestQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...inboxKey(tenant), 'latest'],
    queryFn: () => call(notificationsApi.list, { params: { tenant_slug: tenant }, query: { limit: bellSize } }),
    staleTime: 0,
  })

export interface InboxFilter {
  readonly type: string
  readonly unread: boolean
}

export const inboxQuery = (tenant: string, { type, unread }: InboxFilter, offset: number) =>
  queryOptions({
    queryKey: [...inboxKey(tenant), 'list', type, unread, offset],
    queryFn: async () => {
      const known = notificationTypes.find((it) => it === type)
      const { notifications: items, ...page } = await call(notificationsApi.list, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(unread ? { unread } : {}), ...(known ? { type: known } : {}) },
      })
      return { items, ...page }
    },
    placeholderData: (before) => before,
  })

/** Marks notifications as read, all of them where no ids are given. */
export const markRead = async (tenant: string, ids: readonly string[] | null): Promise<void> => {
  const { unread } = await call(notificationsApi.markRead, {
    params: { tenant_slug: tenant },
    body: ids === null ? { all: true } : { ids: [...ids] },
  })
  const { queryKey: counted } = unreadQuery(tenant)
  queryClient.setQueryData<UnreadCount>(counted, unread)
  // The answer had the count: only the lists are read again.
  const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] !== counted[2]
  await queryClient.invalidateQueries({ queryKey: inboxKey(tenant), predicate: isList })
}

/** The path in the application that a notification links to. */
export const placeOf = (url: string): string => {
  const { pathname, search } = new URL(url, location.origin)
  return `${pathname}${search}`
}
