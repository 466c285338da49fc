import { createRoute } from '@tanstack/react-router'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const NotificationsPage = later(
  'notifications',
  async () => (await import('./notifications-page.tsx')).NotificationsPage,
)

const TargetsPage = later('where news go', async () => (await import('./targets-page.tsx')).TargetsPage)

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/notifications',
  validateSearch: (search: Search) => ({
    ...number(search, 'offset'),
    ...word(search, 'type'),
    ...word(search, 'unread'),
  }),
  component: () => {
    const { type = '', unread, offset = 0 } = notificationsRoute.useSearch()
    const given = { type, unread: unread !== undefined }
    return <NotificationsPage {...notificationsRoute.useParams()} given={given} offset={offset} />
  },
})

const targetsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/notifications/settings',
  staticData: {
    settings: [
      { name: 'Where news go', anchor: 'rules' },
      { name: 'News by e-mail', anchor: 'e-mail' },
      { name: 'News in chats', anchor: 'chats' },
      { name: 'Watched and muted projects', anchor: 'projects' },
    ],
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => {
    const { offset = 0 } = targetsRoute.useSearch()
    return <TargetsPage {...targetsRoute.useParams()} offset={offset} />
  },
})

export const notificationRoutes = [notificationsRoute, targetsRoute] as const
