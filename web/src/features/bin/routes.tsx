import { createRoute } from '@tanstack/react-router'
import { listWords, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const BinPage = later('the bin', async () => (await import('./bin-page.tsx')).BinPage)

const binRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/bin',
  staticData: {
    below: { section: 'Settings', name: 'Bin', permission: 'versions:edit', isListed: true },
    actions: [{ name: 'Empty the bin', dialog: 'empty', permission: 'bin:delete' }],
  },
  validateSearch: (search: Search) => ({ ...listWords(search), ...word(search, 'kind') }),
  component: () => {
    const { q = '', kind = '', offset = 0 } = binRoute.useSearch()
    return <BinPage {...binRoute.useParams()} filter={{ q, kind }} offset={offset} />
  },
})

export const binRoutes = [binRoute] as const
