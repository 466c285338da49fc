import { createRoute } from '@tanstack/react-router'
import { dialogWords } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

const AccountPage = later('your account', async () => (await import('./account-page.tsx')).AccountPage)

export const accountRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account',
    staticData: {
      settings: [
        { name: 'Your name', anchor: 'profile' },
        { name: 'Change your password', anchor: 'password' },
        { name: 'Second factor', anchor: 'second-factor' },
        { name: 'Where you are signed in', anchor: 'sign-ins' },
      ],
    },
    validateSearch: dialogWords,
    component: AccountPage,
  }),
] as const
