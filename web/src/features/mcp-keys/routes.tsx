import { createRoute } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { dialogWords, number, type Search } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../shell/root-routes.tsx'

const McpKeysPage = later('the MCP keys', async () => (await import('./mcp-keys-page.tsx')).McpKeysPage)

const mcpKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/mcp',
  staticData: {
    section: { group: 'Access', name: 'MCP keys', icon: Plug, permission: 'mcp:govern' },
    actions: [
      { name: 'Create an MCP key', dialog: 'new', permission: 'mcp:govern' },
      { name: 'Change the tools of MCP keys', dialog: 'capabilities', permission: 'mcp:govern' },
    ],
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <McpKeysPage {...mcpKeysRoute.useParams()} offset={mcpKeysRoute.useSearch().offset ?? 0} />,
})

export const mcpKeyRoutes = [mcpKeysRoute] as const
