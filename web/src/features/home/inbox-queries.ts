import { queryOptions } from '@tanstack/react-query'
import { inboxApi, type InboxItem, type InboxKind } from '../../../../src/api/inbox.ts'
import { notificationsApi } from '../../../../src/api/notifications.ts'
import { call } from '../../call.ts'
import { showMessage } from '../../parts/toast.ts'
import { queryClient } from '../../query-client.ts'
import { markRead } from '../notifications/queries.ts'
import { inboxKey } from '../notifications/unread.ts'

/** What waits for the person, a page of it. */
export const inboxQuery = (tenant: string, kind: InboxKind | null, limit: number, offset: number) =>
  queryOptions({
    queryKey: [...inboxKey(tenant), 'waiting', kind, limit, offset],
    queryFn: () =>
      call(inboxApi.list, {
        params: { tenant_slug: tenant },
        query: { limit, offset, ...(kind === null ? {} : { kind }) },
      }),
    // It changes with what is decided on other pages.
    staleTime: 0,
    placeholderData: (before) => before,
  })

/** Takes news out of the inbox: its notification is marked as read, until that is undone. */
export const markDone = async (tenant: string, { subject, notification_id: id }: InboxItem): Promise<void> => {
  if (id === null) return
  await markRead(tenant, [id])
  showMessage({
    title: 'Marked as read',
    detail: subject,
    action: {
      name: 'Undo',
      run: async () => {
        await call(notificationsApi.markUnread, { params: { tenant_slug: tenant }, body: { ids: [id] } })
        await queryClient.invalidateQueries({ queryKey: inboxKey(tenant) })
        return { title: 'Unread again', detail: subject }
      },
    },
  })
}
