import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../shell/root-routes.tsx'
import { OrganizationsPage } from './organizations-page.tsx'

const WizardPage = later('the set-up', async () => (await import('./wizard-page.tsx')).WizardPage)

const organizationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: (search: Search) => word(search, 'all'),
  component: () => <OrganizationsPage all={organizationsRoute.useSearch().all !== undefined} />,
})

export const organizationRoutes = [
  organizationsRoute,
  createRoute({ getParentRoute: () => signedInRoute, path: '/new-tenant', component: WizardPage }),
] as const
