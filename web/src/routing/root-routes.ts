import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session.ts'

/** The root of all routes; the router gives it and the next one their frames. */
export const rootRoute = createRootRoute()

/** The parent of every page that needs a signed-in person. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session.user === null)
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { to: location.href } })
  },
})
