import { notificationsApi } from '../../src/api/notifications.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { isKnown, Reply, type Route, routesOf } from '../http/door.ts'
import { countUnread, listNotifications, markRead, markUnread } from './service.ts'

/** The routes of notifications. */
export const notificationRoutes = (deps: Deps): Route[] =>
  routesOf(notificationsApi, {
    list: ({ query }, { grant }) =>
      listNotifications(deps, grant, {
        ...stablePageOf('notifications', query, 20),
        isUnread: query?.unread === true,
        type: query?.type ?? null,
      }),
    markRead: ({ body }, { grant }) => markRead(deps, grant, { ids: body?.ids ?? [], all: body?.all === true }),
    markUnread: ({ body }, { grant }) => markUnread(deps, grant, body.ids),
    unreadCount: async (_, { grant, ifNoneMatch }) => {
      const count = await countUnread(deps, grant)
      const etag = `"${Object.values(count.by_type).join('-')}"`
      const headers = { etag, 'cache-control': 'private, no-cache' }
      return isKnown(ifNoneMatch, etag) ? new Reply({ status: 304, headers, body: null }) : Reply.json(count, headers)
    },
  })
