import { createRoute } from '@tanstack/react-router'
import { House } from 'lucide-react'
import { inboxKinds } from '../../../../src/api/inbox.ts'
import { number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'
import { listedKinds } from './words.ts'

// Fetched when it is opened first.
const page = () => import('./home-page.tsx')
const HomePage = later('what needs attention', async () => (await page()).HomePage)
const AttentionPage = later('the list', async () => (await page()).AttentionPage)

const InboxPage = later('your inbox', async () => (await import('./inbox-page.tsx')).InboxPage)

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/home',
  staticData: {
    section: { group: 'Catalogue', name: 'Home', icon: House, permission: 'projects:view', forGuests: true },
  },
  validateSearch: (search: Search) => word(search, 'show'),
  component: () => {
    const { tenant } = homeRoute.useParams()
    const { show } = homeRoute.useSearch()
    const kind = listedKinds.find((it) => it === show)
    return kind === undefined ? <HomePage tenant={tenant} /> : <AttentionPage tenant={tenant} kind={kind} />
  },
})

const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/inbox',
  staticData: {
    below: { section: 'Home', name: 'Inbox', permission: 'projects:view', forGuests: true, isListed: false },
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...word(search, 'kind') }),
  component: () => {
    const { kind, offset = 0 } = inboxRoute.useSearch()
    return <InboxPage {...inboxRoute.useParams()} kind={inboxKinds.find((it) => it === kind) ?? null} offset={offset} />
  },
})

export const homeRoutes = [homeRoute, inboxRoute] as const
