import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, Navigate } from '@tanstack/react-router'
import { onboardingApi } from '../../../../src/api/onboarding.ts'
import { call } from '../../call.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { identityQuery, refreshIdentity, type Membership } from '../../session.ts'
import { wizardQuery } from './queries.ts'

const tones: Record<Membership['status'], Tone> = { active: 'plain', pending: 'info', suspended: 'danger' }

const TenantRow = ({ membership: own }: { membership: Membership }) => {
  const activate = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await call(onboardingApi.activate, { body: { tenant_id: own.tenant_id } })
      await refreshIdentity()
    },
  })
  return (
    <li className="relative grid gap-2 px-4 py-3 hover:bg-raised">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="grow font-semibold break-words">
          {own.status === 'active' ? (
            <Link to="/t/$tenant/-/home" params={{ tenant: own.slug }} className="after:absolute after:inset-0">
              {own.name}
            </Link>
          ) : (
            own.name
          )}
        </h2>
        <span className="font-mono text-xs text-soft">{own.slug}</span>
        <Badge tone={tones[own.status]}>{own.status === 'active' ? own.role : own.status}</Badge>
        {own.status === 'pending' ? (
          <Button look="primary" busy={activate.isPending} onClick={() => activate.mutate()}>
            Accept<span className="sr-only"> membership of {own.name}</span>
          </Button>
        ) : null}
      </div>
      {own.status === 'suspended' ? (
        <p className="text-sm text-soft">Your membership is suspended. Ask an Owner or Admin to reinstate you.</p>
      ) : null}
      {activate.error ? <Failure error={activate.error} /> : null}
    </li>
  )
}

/** The organizations of the person; with only one it opens directly, unless all were asked for. */
export const OrganizationsPage = ({ all }: { all: boolean }) => {
  const identity = useQuery(identityQuery)
  const wizard = useQuery(wizardQuery)
  const memberships = identity.data?.memberships ?? []
  const [only] = memberships
  if (!all && memberships.length === 1 && only?.status === 'active')
    return <Navigate to="/t/$tenant/-/home" params={{ tenant: only.slug }} replace />
  const begun = wizard.data !== null && wizard.data !== undefined
  const make = (
    <Link to="/new-tenant" className={buttonClass('primary')}>
      {begun ? 'Continue creating an organization' : 'Create an organization'}
    </Link>
  )
  return (
    <Page title="Your organizations" actions={memberships.length > 0 ? make : null}>
      <Read query={identity} what="your organizations">
        {() =>
          memberships.length === 0 ? (
            <Empty title="You do not belong to an organization yet">
              <p>Create an organization, or ask a member of an existing one for an invitation.</p>
              {make}
            </Empty>
          ) : (
            <>
              <Toolbar>
                <CommandHint command="svc auth tenants" />
              </Toolbar>
              <ul className="card divide-y overflow-hidden">
                {memberships.map((it) => (
                  <TenantRow key={it.tenant_id} membership={it} />
                ))}
              </ul>
            </>
          )
        }
      </Read>
    </Page>
  )
}
