import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const OrganizationsPage = later(
  'your organizations',
  async () => (await import('./organizations-page.tsx')).OrganizationsPage,
)
const WizardPage = later('the set-up', async () => (await import('./wizard-page.tsx')).WizardPage)

const organizationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: (search: Search) => word(search, 'all'),
  component: () => <OrganizationsPage all={organizationsRoute.useSearch().all !== undefined} />,
})

const wizardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/new-tenant',
  validateSearch: (search: Search) => word(search, 'step'),
  component: () => <WizardPage step={wizardRoute.useSearch().step} />,
})

export const organizationRoutes = [organizationsRoute, wizardRoute] as const
