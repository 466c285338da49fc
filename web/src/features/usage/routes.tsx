import { createRoute } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const UsagePage = later('the usage', async () => (await import('./usage-page.tsx')).UsagePage)

const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/usage',
  staticData: {
    section: { group: 'Organization', name: 'Plan and usage', icon: ChartNoAxesColumn, permission: 'billing:view' },
  },
  component: () => <UsagePage {...usageRoute.useParams()} />,
})

export const usageRoutes = [usageRoute] as const
