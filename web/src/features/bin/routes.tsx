import { createRoute } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { listWords, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const BinPage = later('the bin', async () => (await import('./bin-page.tsx')).BinPage)

const binRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/bin',
  staticData: {
    section: { group: 'Organization', name: 'Bin', icon: Trash2, permission: 'versions:edit' },
    actions: [{ name: 'Empty the bin', dialog: 'empty', permission: 'bin:delete' }],
  },
  validateSearch: (search: Search) => ({ ...listWords(search), ...word(search, 'kind') }),
  component: () => {
    const { q = '', kind = '', offset = 0 } = binRoute.useSearch()
    return <BinPage {...binRoute.useParams()} filter={{ q, kind }} offset={offset} />
  },
})

export const binRoutes = [binRoute] as const
