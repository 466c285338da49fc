import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { environmentsApi, type Environment } from '../../../../src/api/environments.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { type EnvironmentBody, EnvironmentForm } from './environment-form.tsx'
import { type EnvironmentAt, environmentInput, environmentQuery, refreshEnvironments } from './queries.ts'
import { enforcersWords, kindNames } from './words.ts'
import { WriteFailure } from './write-form.tsx'

const About = ({ of: environment }: { of: Environment }) => (
  <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
    {environment.hostnames.length === 0 ? null : <span>{environment.hostnames.join(', ')}</span>}
    {environment.base_paths.length === 0 ? null : <span>below {environment.base_paths.join(', ')}</span>}
    <span>{enforcersWords(environment.enforcers)}</span>
  </span>
)

const Dialogs = ({ at, of: environment }: { at: EnvironmentAt; of: Environment }) => {
  const { tenant } = at
  const { dialog, close } = useAddress()
  const navigate = useNavigate()
  const input = environmentInput(at)
  const update = (body: EnvironmentBody, applyWhenApproved = false) =>
    call(environmentsApi.update, { ...input, body: { ...body, ...(applyWhenApproved ? { applyWhenApproved } : {}) } })
  const remove = async (): Promise<void> => {
    await call(environmentsApi.remove, input)
    await navigate({ to: '/t/$tenant/-/gateway', params: { tenant }, replace: true })
    await refreshEnvironments(tenant)
  }
  return (
    <>
      <Window open={dialog === 'edit'} onClose={close} title="Edit the environment">
        <EnvironmentForm
          tenant={tenant}
          of={environment}
          onClose={close}
          failure={(error, body) => (
            <WriteFailure at={at} error={error} onDone={close} choose={(applies) => update(body, applies)} />
          )}
          send={async (body) => {
            await update(body)
            await refreshEnvironments(tenant)
          }}
        />
      </Window>
      <DangerConfirmation
        open={dialog === 'delete'}
        onClose={close}
        title={`Delete ${environment.name}?`}
        action="Delete"
        onConfirm={remove}
      >
        <p>
          Its policy with all versions, its approvals and its recorded events are deleted. The audit trail is kept, and
          nothing changes in gateways until they are given another policy. This cannot be undone.
        </p>
      </DangerConfirmation>
    </>
  )
}

/** One environment: the frame of its views. */
export const EnvironmentPage = ({ at }: { at: EnvironmentAt }) => {
  const { tenant } = at
  const environment = useQuery(environmentQuery(at))
  const identity = useQuery(identityQuery)
  const { open } = useAddress()
  const may = holds(identity.data, tenant, 'security:edit')
  const it = environment.data
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/gateway" params={{ tenant }} className="link">
          Gateways
        </Link>
      }
      title={it?.name ?? 'Environment'}
      badges={
        it ? (
          <>
            {/* The name may say it already. */}
            {it.name.toLowerCase() === kindNames[it.kind].toLowerCase() ? null : (
              <Badge tone={it.kind === 'production' ? 'accent' : 'plain'}>{kindNames[it.kind]}</Badge>
            )}
            <Badge>policy {it.policy_version}</Badge>
          </>
        ) : null
      }
      description={it ? <About of={it} /> : null}
      actions={
        it && may ? (
          <Menu align="end" look="plain" label="More">
            <MenuItem onClick={() => open('edit')}>Edit …</MenuItem>
            <MenuLine />
            <MenuItem onClick={() => open('delete')}>Delete …</MenuItem>
          </Menu>
        ) : null
      }
    >
      <Read query={environment} what="the environment">
        {(found) => (
          <>
            <Tabs of="environment" params={{ ...at }} />
            <Outlet />
            {may ? <Dialogs at={at} of={found} /> : null}
          </>
        )}
      </Read>
    </Page>
  )
}
