import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const ImportPage = later('the import', async () => (await import('./import-page.tsx')).ImportPage)

const importRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/import',
  staticData: { below: { section: 'Projects', name: 'Import', permission: 'projects:create', isListed: false } },
  validateSearch: (search: Search) => word(search, 'project'),
  component: () => (
    <ImportPage tenant={importRoute.useParams().tenant} project={importRoute.useSearch().project ?? null} />
  ),
})

export const importRoutes = [importRoute] as const
