import { useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, Link, Outlet, redirect, useLocation } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { documentation } from '../parts/documentation.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session.ts'
import { AppShell } from './app-shell.tsx'

/** The organization of the address: its header and sections lead on from a page that does not exist. */
const NotFound = () => {
  const tenant = /^\/t\/([^/]+)/.exec(useLocation().pathname)?.[1]
  const session = useQuery(sessionQuery)
  const page = (
    <Page title="Page not found">
      <Empty title="This page does not exist">
        <p>The address may be mistyped, or the page was removed.</p>
        <Link to="/" className={buttonClass('primary')}>
          Go to your home page
        </Link>
        <a href={documentation.start} className="link">
          Documentation
        </a>
      </Empty>
    </Page>
  )
  return session.data?.user ? <AppShell tenant={tenant}>{page}</AppShell> : <main>{page}</main>
}

const Broken = ({ error }: { error: unknown }) => (
  <main>
    <Page title="Error">
      <Failure error={error} onRetry={() => location.reload()} />
    </Page>
  </main>
)

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken })

/** The parent of every page that needs a signed-in person. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session.user === null)
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { to: location.href } })
  },
  component: () => <AppShell />,
})
