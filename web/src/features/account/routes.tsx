import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../shell/root-routes.tsx'
import { AccountPage } from './account-page.tsx'

export const accountRoutes = [
  createRoute({ getParentRoute: () => signedInRoute, path: '/account', component: AccountPage }),
] as const
