import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'
import { versionRoute } from '../catalog/version-route.ts'
import type { Shown } from './comparison-result.tsx'

const ChangesView = later('the changes', async () => (await import('./changes-view.tsx')).ChangesView)
const ComparePage = later('the comparison', async () => (await import('./compare-page.tsx')).ComparePage)

/** The filters of a comparison, as its address keeps them. */
export const filterWords = (search: Search) => ({
  ...word(search, 'severity'),
  ...word(search, 'consumer'),
  ...word(search, 'q'),
  ...word(search, 'at'),
  ...word(search, 'change'),
})
/** How the result is shown, as the address says it. */
export const shownBy = ({
  severity = null,
  consumer = null,
  q = '',
  at = null,
  change = null,
}: Partial<Shown>): Shown => ({
  severity,
  consumer,
  q,
  at,
  change,
})

const compareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/compare',
  staticData: {
    below: { section: 'Projects', name: 'Compare', permission: 'versions:view', forGuests: true, isListed: false },
  },
  validateSearch: (search: Search) => ({ ...word(search, 'base'), ...word(search, 'head'), ...filterWords(search) }),
  component: () => {
    const { base, head, ...shown } = compareRoute.useSearch()
    return <ComparePage {...compareRoute.useParams()} base={base} head={head} shown={shownBy(shown)} />
  },
})

const changesRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/changes',
  staticData: { tab: { of: 'version', name: 'Changes' } },
  validateSearch: (search: Search) => ({ ...word(search, 'base'), ...filterWords(search) }),
  component: () => {
    const { base = null, ...shown } = changesRoute.useSearch()
    return <ChangesView at={versionRoute.useParams()} base={base} shown={shownBy(shown)} />
  },
})

export const comparisonRoutes = [compareRoute] as const
export const changesRoutes = [changesRoute] as const
