import { createRoute } from '@tanstack/react-router'
import { type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { outside } from './outside.ts'
import { rootRoute } from '../../routing/root-routes.ts'

const ClaimPage = later('the set-up', async () => (await import('./sign-in-page.tsx')).ClaimPage)
const SignInPage = later('the sign-in', async () => (await import('./sign-in-page.tsx')).SignInPage)
const InvitationPage = later('the invitation', async () => (await import('./invitation-page.tsx')).InvitationPage)

const ResetPage = later('the new password', async () => (await import('./reset-page.tsx')).ResetPage)

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Search) => ({ ...word(search, 'to'), ...word(search, 'error'), ...word(search, 'back') }),
  component: () => {
    const { to = null, error = null, back = null } = signInRoute.useSearch()
    return <SignInPage to={to} error={error} back={outside(back)} />
  },
})

export const signInRoutes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/claim', component: () => <ClaimPage /> }),
  createRoute({ getParentRoute: () => rootRoute, path: '/invitation', component: () => <InvitationPage /> }),
  createRoute({ getParentRoute: () => rootRoute, path: '/reset-password', component: () => <ResetPage /> }),
  signInRoute,
] as const
