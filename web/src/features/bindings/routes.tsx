import { createRoute } from '@tanstack/react-router'
import { dialogWords, number, type Search } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'
import { filterWords, shownBy } from '../comparison/routes.tsx'
import { versionRoute } from '../catalog/version-route.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const BindingsPage = later('the bindings', async () => (await pages()).BindingsPage)
const BindingView = later('the binding', async () => (await pages()).BindingView)
const CandidateView = later('the change', async () => (await pages()).CandidateView)

const bindingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/-/bindings',
  staticData: { tab: { of: 'project', name: 'Bindings' } },
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => <BindingsPage {...bindingsRoute.useParams()} offset={bindingsRoute.useSearch().offset ?? 0} />,
})

const bindingRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/repository',
  staticData: {
    tab: { of: 'version', name: 'Repository' },
    actions: [{ name: 'Bind to a repository', dialog: 'bind', permission: 'versions:edit', statuses: ['draft'] }],
  },
  validateSearch: dialogWords,
  component: () => <BindingView at={versionRoute.useParams()} />,
})

const candidateRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/repository/$candidate',
  validateSearch: (search: Search) => ({
    ...filterWords(search),
    ...dialogWords(search),
  }),
  component: () => {
    const shown = shownBy(candidateRoute.useSearch())
    const { candidate } = candidateRoute.useParams()
    return <CandidateView at={versionRoute.useParams()} candidate={candidate} shown={shown} />
  },
})

/** The drafts of a project that are bound. */
export const bindingsRoutes = [bindingsRoute] as const
/** The tab of a version, and a change that waits there. */
export const versionBindingRoutes = [bindingRoute, candidateRoute] as const
