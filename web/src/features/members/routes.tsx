import { createRoute } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { listWords } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const MembersPage = later('the members', async () => (await import('./members-page.tsx')).MembersPage)

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/members',
  staticData: {
    section: {
      group: 'Organization',
      name: 'People and keys',
      first: 'Members',
      icon: Users,
      permission: 'projects:view',
    },
    actions: [{ name: 'Invite a member', dialog: 'invite', permission: 'members:edit' }],
  },
  validateSearch: listWords,
  component: () => {
    const { q = '', offset = 0 } = membersRoute.useSearch()
    return <MembersPage tenant={membersRoute.useParams().tenant} q={q} offset={offset} />
  },
})

export const memberRoutes = [membersRoute] as const
