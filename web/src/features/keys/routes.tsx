import { createRoute, redirect } from '@tanstack/react-router'
import { listWords, type Search } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const KeysPage = later('the keys', async () => (await import('./keys-page.tsx')).KeysPage)

const kindOf = (search: Search): { kind?: 'api' | 'agent' | 'mcp' | 'trust' } => {
  const { kind } = search
  return kind === 'api' || kind === 'agent' || kind === 'mcp' || kind === 'trust' ? { kind } : {}
}

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/keys',
  staticData: {
    below: { section: 'People and keys', name: 'Keys', permission: 'api_keys:view', isListed: true },
    actions: [
      { name: 'Create an API key', dialog: 'new', permission: 'api_keys:create' },
      { name: 'Create an agent key', dialog: 'new-agent', permission: 'api_keys:create' },
      { name: 'Trust a pipeline', dialog: 'new-trust', permission: 'api_keys:create' },
      { name: 'Create an MCP key', dialog: 'new-mcp', permission: 'mcp:govern' },
      { name: 'Change the tools of MCP keys', dialog: 'capabilities', permission: 'mcp:govern' },
    ],
  },
  validateSearch: (search: Search) => ({ ...listWords(search), ...kindOf(search) }),
  component: () => {
    const { q = '', offset = 0, kind = null } = keysRoute.useSearch()
    return <KeysPage tenant={keysRoute.useParams().tenant} kind={kind} q={q} offset={offset} />
  },
})

/** Where the keys of one kind were before they came together. */
const formerRoute = (path: '/t/$tenant/-/agents' | '/t/$tenant/-/mcp', kind: 'agent' | 'mcp') =>
  createRoute({
    getParentRoute: () => signedInRoute,
    path,
    beforeLoad: ({ params }: { params: { tenant: string } }) => {
      throw redirect({ to: '/t/$tenant/-/keys', params, search: { kind }, replace: true })
    },
  })

export const keyRoutes = [
  keysRoute,
  formerRoute('/t/$tenant/-/agents', 'agent'),
  formerRoute('/t/$tenant/-/mcp', 'mcp'),
] as const
