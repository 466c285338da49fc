import { createRoute, redirect } from '@tanstack/react-router'
import { number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'
import { versionRoute } from '../catalog/version-route.ts'

const ReviewView = later('reviews', async () => (await import('./review-view.tsx')).ReviewView)
const WaitingPage = later('reviews', async () => (await import('./waiting-page.tsx')).WaitingPage)

const reviewRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/review',
  staticData: {
    tab: { of: 'version', name: 'Review' },
    actions: [{ name: 'Request a review', permission: 'versions:edit', statuses: ['draft'] }],
  },
  validateSearch: (search: Search) => ({
    ...word(search, 'thread'),
    ...word(search, 'list'),
    ...word(search, 'hide'),
    ...word(search, 'show'),
    ...number(search, 'line'),
  }),
  component: () => {
    const { thread = null, line = null, list = '', hide = '', show = '' } = reviewRoute.useSearch()
    return <ReviewView at={versionRoute.useParams()} address={{ thread, line, list, hide, show }} />
  },
})

const waitingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/reviews',
  validateSearch: (search: Search) => word(search, 'show'),
  // What waits for the person is in the inbox.
  beforeLoad: ({ params, search }) => {
    if (search.show === undefined) throw redirect({ to: '/t/$tenant/-/inbox', params, replace: true })
  },
  component: () => {
    const { show } = waitingRoute.useSearch()
    return <WaitingPage {...waitingRoute.useParams()} show={show === 'all' ? show : 'authored'} />
  },
})

/** The tab of a version, and the page of reviews. */
export const reviewRoutes = [reviewRoute] as const
export const waitingRoutes = [waitingRoute] as const
