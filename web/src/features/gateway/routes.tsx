import { createRoute } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { dialogWords, listWords } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../shell/root-routes.tsx'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const EnvironmentsPage = later('the environments', async () => (await pages()).EnvironmentsPage)
const EnvironmentPage = later('the environment', async () => (await pages()).EnvironmentPage)
const OverviewView = later('the policy', async () => (await pages()).OverviewView)

const environmentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/gateway',
  staticData: {
    section: { group: 'Governance', name: 'Gateway security', icon: ShieldCheck, permission: 'security:view' },
    actions: [{ name: 'Create an environment', dialog: 'new', permission: 'security:edit' }],
  },
  validateSearch: listWords,
  component: () => (
    <EnvironmentsPage {...environmentsRoute.useParams()} offset={environmentsRoute.useSearch().offset ?? 0} />
  ),
})

const environmentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/gateway/$environment',
  validateSearch: dialogWords,
  component: () => <EnvironmentPage at={environmentRoute.useParams()} />,
})

const overviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  staticData: { tab: { of: 'environment', name: 'Overview' } },
  component: () => <OverviewView at={environmentRoute.useParams()} />,
})

export const gatewayRoutes = [environmentsRoute, environmentRoute.addChildren([overviewRoute])] as const
