import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { buttonClass } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, Unread } from '../../parts/states.tsx'
import { SvcError } from '../../../../src/errors.ts'
import { resolveQuery } from './queries.ts'

/** Leads from a reference to the type that it names now. */
export const FindPage = ({ tenant, reference }: { tenant: string; reference: string }) => {
  const found = useQuery(resolveQuery(tenant, reference))
  if (found.data)
    return <Navigate to="/t/$tenant/-/types/$type" params={{ tenant, type: found.data.primitive.id }} replace />
  const isMissing = found.error instanceof SvcError && found.error.status === 404
  return (
    <Page title={reference}>
      {isMissing ? (
        <Empty title="No type has this reference">
          <p className="wrap-anywhere">
            The registry has no type <code className="font-mono text-sm">{reference}</code>.
          </p>
          <Link to="/t/$tenant/-/types" params={{ tenant }} className={buttonClass()}>
            Search the registry
          </Link>
        </Empty>
      ) : null}
      {found.error && !isMissing ? <Unread error={found.error} onRetry={() => void found.refetch()} /> : null}
      {found.error ? null : <Loading what="the type" />}
    </Page>
  )
}
