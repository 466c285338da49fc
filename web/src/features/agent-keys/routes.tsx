import { createRoute } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { dialogWords, number, type Search } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../shell/root-routes.tsx'

const AgentKeysPage = later('the agent keys', async () => (await import('./agent-keys-page.tsx')).AgentKeysPage)

const agentKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/agents',
  staticData: {
    section: { group: 'Access', name: 'Agent keys', icon: Bot, permission: 'api_keys:view' },
    actions: [{ name: 'Create an agent key', dialog: 'new', permission: 'api_keys:create' }],
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <AgentKeysPage {...agentKeysRoute.useParams()} offset={agentKeysRoute.useSearch().offset ?? 0} />,
})

export const agentKeyRoutes = [agentKeysRoute] as const
