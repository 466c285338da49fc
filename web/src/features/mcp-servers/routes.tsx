import { createRoute } from '@tanstack/react-router'
import { ServerCog } from 'lucide-react'
import { dialogWords, listWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const ServersPage = later('the MCP servers', async () => (await pages()).ServersPage)
const RegistryPage = later('the registry', async () => (await pages()).RegistryPage)
const ServerPage = later('the MCP server', async () => (await pages()).ServerPage)
const SurfaceView = later('the surface', async () => (await pages()).SurfaceView)
const ChangesView = later('the changes', async () => (await pages()).ChangesView)
const HistoryView = later('the observations', async () => (await pages()).HistoryView)
const ChainsView = later('the pairs of tools', async () => (await pages()).ChainsView)
const FindingsView = later('the findings', async () => (await pages()).FindingsView)

const serversRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/mcp-servers',
  staticData: {
    section: { group: 'Governance', name: 'MCP servers', icon: ServerCog, permission: 'projects:view' },
    actions: [{ name: 'Import an MCP server', dialog: 'import', permission: 'mcp:import' }],
  },
  validateSearch: (search: Search) => ({ ...listWords(search), ...word(search, 'state') }),
  component: () => {
    const { q = '', state = '', offset = 0 } = serversRoute.useSearch()
    return <ServersPage {...serversRoute.useParams()} given={{ q, state }} offset={offset} />
  },
})

const registryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/mcp-servers/registry',
  component: () => <RegistryPage {...registryRoute.useParams()} />,
})

const serverRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/mcp-servers/$endpoint',
  validateSearch: dialogWords,
  component: () => <ServerPage at={serverRoute.useParams()} />,
})

const surfaceRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/',
  staticData: { tab: { of: 'server', name: 'Surface' } },
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...word(search, 'origin') }),
  component: () => {
    const { q = '', origin = '' } = surfaceRoute.useSearch()
    return <SurfaceView at={serverRoute.useParams()} q={q} origin={origin} />
  },
})

const changesRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/changes',
  staticData: { tab: { of: 'server', name: 'Changes' } },
  validateSearch: (search: Search) => ({ ...word(search, 'from'), ...word(search, 'to') }),
  component: () => {
    const { from = '', to = '' } = changesRoute.useSearch()
    return <ChangesView at={serverRoute.useParams()} from={from} to={to} />
  },
})

const historyRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/history',
  staticData: { tab: { of: 'server', name: 'History' } },
  validateSearch: (search: Search) => ({ ...word(search, 'all'), ...number(search, 'offset') }),
  component: () => {
    const { all, offset = 0 } = historyRoute.useSearch()
    return <HistoryView at={serverRoute.useParams()} all={all !== undefined} offset={offset} />
  },
})

const findingsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/findings',
  staticData: { tab: { of: 'server', name: 'Findings' } },
  component: () => <FindingsView at={serverRoute.useParams()} />,
})

const chainsRoute = createRoute({
  getParentRoute: () => serverRoute,
  path: '/chains',
  staticData: { tab: { of: 'server', name: 'Chains' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'verdict'),
    ...word(search, 'from'),
    ...word(search, 'to'),
  }),
  component: () => {
    const { q = '', verdict = '', from = '', to = '' } = chainsRoute.useSearch()
    return <ChainsView at={serverRoute.useParams()} given={{ q, verdict, from, to }} />
  },
})

export const mcpServerRoutes = [
  serversRoute,
  registryRoute,
  serverRoute.addChildren([surfaceRoute, changesRoute, historyRoute, findingsRoute, chainsRoute]),
] as const
