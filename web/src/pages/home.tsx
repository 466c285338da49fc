import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { Badge } from '../parts/badge.tsx'
import { buttonClass } from '../parts/button.tsx'
import { CommandHint } from '../parts/copy.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { identityQuery } from '../session.ts'

/** The tenants of the person; with only one there is nothing to choose. */
export const HomePage = () => {
  const identity = useQuery(identityQuery)
  const memberships = identity.data?.memberships ?? []
  const [only] = memberships
  if (memberships.length === 1 && only?.status === 'active')
    return <Navigate to="/t/$tenant" params={{ tenant: only.slug }} replace />
  return (
    <Page title="Your tenants">
      {identity.isError ? (
        <Failure error={identity.error} onRetry={() => void identity.refetch()} />
      ) : !identity.data ? (
        <Loading what="your tenants" />
      ) : memberships.length === 0 ? (
        <Empty title="You belong to no tenant yet">
          <p>Make one for your organization, or ask a member of an existing one for an invitation.</p>
          <Link to="/new-tenant" className={buttonClass('primary')}>
            Make a tenant
          </Link>
        </Empty>
      ) : (
        <>
          <CommandHint command="svc auth tenants" />
          <ul className="card divide-y overflow-hidden">
            {memberships.map((it) => (
              <li key={it.tenant_id} className="relative flex items-center gap-3 px-4 py-3 hover:bg-raised">
                <h2 className="grow font-medium">
                  {it.status === 'active' ? (
                    <Link to="/t/$tenant" params={{ tenant: it.slug }} className="after:absolute after:inset-0">
                      {it.name}
                    </Link>
                  ) : (
                    it.name
                  )}
                </h2>
                <span className="text-sm text-soft">{it.slug}</span>
                <Badge tone={it.status === 'suspended' ? 'danger' : 'plain'}>
                  {it.status === 'active' ? it.role : it.status}
                </Badge>
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}
