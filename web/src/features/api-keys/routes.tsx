import { createRoute } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { listWords } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../shell/root-routes.tsx'

const ApiKeysPage = later('the API keys', async () => (await import('./api-keys-page.tsx')).ApiKeysPage)

const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/keys',
  staticData: {
    section: { group: 'Access', name: 'API keys', icon: KeyRound, permission: 'api_keys:view' },
    actions: [{ name: 'Create an API key', dialog: 'new', permission: 'api_keys:create' }],
  },
  validateSearch: listWords,
  component: () => {
    const { q = '', offset = 0 } = apiKeysRoute.useSearch()
    return <ApiKeysPage tenant={apiKeysRoute.useParams().tenant} q={q} offset={offset} />
  },
})

export const apiKeyRoutes = [apiKeysRoute] as const
