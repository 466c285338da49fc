import { createRoute } from '@tanstack/react-router'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const UsagePage = later('the usage', async () => (await import('./usage-page.tsx')).UsagePage)

const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/usage',
  staticData: {
    below: { section: 'Settings', name: 'Plan and usage', permission: 'billing:view', isListed: true },
  },
  component: () => <UsagePage {...usageRoute.useParams()} />,
})

export const usageRoutes = [usageRoute] as const
