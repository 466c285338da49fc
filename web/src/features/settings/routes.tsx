import { createRoute } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { dialogWords } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const SettingsPage = later('the settings', async () => (await import('./settings-page.tsx')).SettingsPage)

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/settings',
  staticData: {
    section: {
      group: 'Organization',
      name: 'Settings',
      first: 'General',
      icon: Settings,
      permission: 'projects:view',
    },
    settings: [
      { name: 'Name of the organization', anchor: 'name' },
      { name: 'Public portal', anchor: 'portal' },
      { name: 'Second factor of members', anchor: 'second-factor' },
      { name: 'What Editors edit', anchor: 'editors' },
    ],
    actions: [
      { name: 'Transfer ownership', dialog: 'transfer', permission: 'tenant:transfer' },
      { name: 'Delete the organization', dialog: 'delete', permission: 'tenant:delete' },
    ],
  },
  validateSearch: dialogWords,
  component: () => <SettingsPage {...settingsRoute.useParams()} />,
})

export const settingsRoutes = [settingsRoute] as const
