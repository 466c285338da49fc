import { notificationsApi } from '../../src/api/notifications.ts'
import { projectWatchesApi } from '../../src/api/project-watches.ts'
import { type Deps, stablePageOf } from '../kit/door.ts'
import { isKnown, Reply, type Route, routesOf } from '../http/door.ts'
import { countUnread, listNotifications, markRead, markUnread } from './service.ts'
import { getWatch, listWatches, setWatch } from './watches.ts'

/** The routes of notifications, and of watching projects. */
export const notificationRoutes = (deps: Deps): Route[] => [
  ...routesOf(notificationsApi, {
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
  }),
  ...routesOf(projectWatchesApi, {
    list: ({ query }, { grant }) =>
      listWatches(deps, grant, { ...stablePageOf('project-watches', query), level: query?.level ?? null }),
    get: ({ params }, { grant }) => getWatch(deps, grant, params.project_ref),
    set: ({ params, body }, { grant }) => setWatch(deps, grant, params.project_ref, body.level),
  }),
]
