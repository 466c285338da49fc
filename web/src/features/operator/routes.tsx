import { createRoute } from '@tanstack/react-router'
import { number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const OperatorPage = later('the service', async () => (await import('./operator-page.tsx')).OperatorPage)

const operatorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/service',
  staticData: {
    below: { section: 'Settings', name: 'Service', permission: 'tenant:transfer', isOfService: true, isListed: true },
  },
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...number(search, 'offset') }),
  component: () => {
    const { q = '', offset = 0 } = operatorRoute.useSearch()
    return <OperatorPage q={q} offset={offset} />
  },
})

export const operatorRoutes = [operatorRoute] as const
