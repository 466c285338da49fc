import { createRoute } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { signedInRoute } from '../../shell/root-routes.tsx'
import { UsagePage } from './usage-page.tsx'

const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/usage',
  staticData: {
    section: { group: 'Organization', name: 'Plan and usage', icon: ChartNoAxesColumn, permission: 'billing:view' },
  },
  component: () => <UsagePage {...usageRoute.useParams()} />,
})

export const usageRoutes = [usageRoute] as const
