import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const MigrationPage = later('the migration rules', async () => (await import('./migration-page.tsx')).MigrationPage)

const migrationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/-/migration',
  staticData: { tab: { of: 'project', name: 'Migration rules' } },
  validateSearch: (search: Search) => ({ ...word(search, 'from'), ...word(search, 'to'), ...word(search, 'class') }),
  component: () => <MigrationPage {...migrationRoute.useParams()} chosen={migrationRoute.useSearch()} />,
})

export const migrationRoutes = [migrationRoute] as const
