import { createRoute } from '@tanstack/react-router'
import { listWords, number, type Search } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const GroupsPage = later('the groups', async () => (await import('./groups-page.tsx')).GroupsPage)

const groupsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/groups',
  staticData: {
    below: { section: 'People and keys', name: 'Groups', permission: 'members:edit', isListed: true },
    actions: [
      { name: 'Add a rule for a group', dialog: 'new', permission: 'members:edit' },
      { name: 'Create a token for a directory (SCIM)', dialog: 'new-token', permission: 'members:edit' },
    ],
  },
  validateSearch: (search: Search) => ({ ...listWords(search), ...number(search, 'tokens') }),
  component: () => {
    const { q = '', offset = 0, tokens = 0 } = groupsRoute.useSearch()
    return <GroupsPage tenant={groupsRoute.useParams().tenant} q={q} offset={offset} tokens={tokens} />
  },
})

export const groupRoutes = [groupsRoute] as const
