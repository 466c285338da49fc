import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { buttonClass } from '../../parts/button.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'

const Actions = ({ tenant }: { tenant: string }) => (
  <>
    <Link to="/t/$tenant/-/types/imports/new" params={{ tenant }} className={buttonClass()}>
      Import types …
    </Link>
    <Link to="/t/$tenant/-/types/new" params={{ tenant }} className={buttonClass('primary')}>
      Create a type …
    </Link>
  </>
)

/** The registry of types of an organization: the frame of its views. */
export const TypesPage = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      title="Types"
      description={
        <>
          Schemas that several APIs share. Refer to one in a document:{' '}
          <code className="font-mono text-sm">$ref: svc:core/Money</code>.
        </>
      }
      actions={holds(identity.data, tenant, 'primitives:edit') ? <Actions tenant={tenant} /> : null}
    >
      <Read query={identity} what="your role">
        {(who) =>
          holds(who, tenant, 'primitives:view') ? (
            <>
              <Tabs of="types" params={{ tenant }} />
              <Outlet />
            </>
          ) : (
            <NoPermission permission="primitives:view" />
          )
        }
      </Read>
    </Page>
  )
}
