import { createRoute } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { dialogWords } from '../../parts/address.ts'
import { signedInRoute } from '../../shell/root-routes.tsx'
import { SettingsPage } from './settings-page.tsx'

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/settings',
  staticData: {
    section: { group: 'Organization', name: 'Settings', icon: Settings, permission: 'projects:view' },
    actions: [
      { name: 'Transfer ownership', dialog: 'transfer', permission: 'tenant:transfer' },
      { name: 'Delete the organization', dialog: 'delete', permission: 'tenant:delete' },
    ],
  },
  validateSearch: dialogWords,
  component: () => <SettingsPage {...settingsRoute.useParams()} />,
})

export const settingsRoutes = [settingsRoute] as const
