import { createRoute } from '@tanstack/react-router'
import { number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const NotificationsPage = later(
  'notifications',
  async () => (await import('./notifications-page.tsx')).NotificationsPage,
)

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

export const notificationRoutes = [notificationsRoute] as const
