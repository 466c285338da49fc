import { createRoute } from '@tanstack/react-router'
import { dialogWords, number, type Search } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const TeamsPage = later('the teams', async () => (await import('./teams-page.tsx')).TeamsPage)
const AccessPage = later('the access', async () => (await import('./access-page.tsx')).AccessPage)

const teamsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/teams',
  staticData: {
    below: { section: 'People and keys', name: 'Teams', permission: 'projects:view', isListed: true },
    actions: [{ name: 'Create a team', dialog: 'new', permission: 'members:edit' }],
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <TeamsPage {...teamsRoute.useParams()} offset={teamsRoute.useSearch().offset ?? 0} />,
})

const accessRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/-/access',
  staticData: {
    tab: { of: 'project', name: 'Access' },
    actions: [{ name: 'Give access to the project', dialog: 'give', permission: 'projects:share' }],
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <AccessPage {...accessRoute.useParams()} offset={accessRoute.useSearch().offset ?? 0} />,
})

export const teamRoutes = [teamsRoute, accessRoute] as const
