import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { documentation } from '../parts/documentation.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { sessionQuery } from '../session.ts'
import { AppShell } from './app-shell.tsx'

/** A page that does not exist. The header and sections of the organization in its address are around it. */
export const NotFound = () => {
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

/** A page that failed while it was drawn. */
export const Broken = ({ error }: { error: unknown }) => (
  <main>
    <Page title="Error">
      <Failure error={error} onRetry={() => location.reload()} />
    </Page>
  </main>
)
