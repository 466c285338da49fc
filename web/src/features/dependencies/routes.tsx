import { createRoute } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const DependenciesPage = later(
  'the dependencies',
  async () => (await import('./dependencies-page.tsx')).DependenciesPage,
)

const dependenciesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/dependencies',
  staticData: {
    section: {
      group: 'Catalogue',
      name: 'Dependencies',
      icon: Waypoints,
      permission: 'projects:view',
      forGuests: true,
    },
  },
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...word(search, 'view'), ...word(search, 'node') }),
  component: () => {
    const { q = '', view = '', node = null } = dependenciesRoute.useSearch()
    return <DependenciesPage tenant={dependenciesRoute.useParams().tenant} q={q} view={view} node={node} />
  },
})

export const dependencyRoutes = [dependenciesRoute] as const
