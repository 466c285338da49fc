import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const DevicePage = later('the sign-in', async () => (await import('./device-page.tsx')).DevicePage)

const deviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/device',
  // The parameter has the name that RFC 8628 gives it.
  validateSearch: (search: Search) => word(search, 'user_code'),
  component: () => <DevicePage code={deviceRoute.useSearch().user_code ?? null} />,
})

export const deviceRoutes = [deviceRoute] as const
