import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { environmentsApi, type Environment } from '../../../../src/api/environments.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { EnvironmentForm } from './environment-form.tsx'
import { environmentsQuery, policyQuery, refreshEnvironments } from './queries.ts'
import { endingSoon, enforcersWords, kindNames, tierNames } from './words.ts'

/** What someone has to look at in an environment; its policy is read for that. */
const Waiting = ({ tenant, of: { slug } }: { tenant: string; of: Environment }) => {
  const { data, error } = useQuery(policyQuery({ tenant, environment: slug }))
  if (error) return <span className="text-danger">its policy could not be read</span>
  if (data === undefined) return <span>reading its policy …</span>
  const pending = data.pendingApprovals.length
  const ending = endingSoon(data).length
  return (
    <>
      {pending > 0 ? (
        <Badge tone="warn">{count(pending, 'change waits for approval', 'changes wait for approval')}</Badge>
      ) : null}
      {ending > 0 ? <Badge tone="warn">{count(ending, 'exception ends', 'exceptions end')} within 7 days</Badge> : null}
      {pending + ending === 0 ? <span>nothing waits for approval, no exception ends within 7 days</span> : null}
    </>
  )
}

const Row = ({ tenant, environment }: { tenant: string; environment: Environment }) => (
  <li className="relative grid gap-1 px-4 py-3 hover:bg-raised">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="min-w-0">
        <Link
          to="/t/$tenant/-/gateway/$environment"
          params={{ tenant, environment: environment.slug }}
          className="font-semibold wrap-anywhere after:absolute after:inset-0"
        >
          {environment.name}
        </Link>
      </h2>
      <Badge tone={environment.kind === 'production' ? 'accent' : 'plain'}>{kindNames[environment.kind]}</Badge>
      <Badge tone={environment.tier === 'off' ? 'danger' : 'plain'}>Tier: {tierNames[environment.tier]}</Badge>
      <Badge>policy {environment.policy_version}</Badge>
    </div>
    {environment.hostnames.length === 0 ? null : (
      <p className="font-mono text-xs wrap-anywhere text-soft">{environment.hostnames.join(', ')}</p>
    )}
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span>{enforcersWords(environment.enforcers)}</span>
      <Waiting tenant={tenant} of={environment} />
    </p>
  </li>
)

const None = ({ may }: { may: boolean }) => {
  const { open } = useAddress()
  return (
    <Empty title="No environments yet">
      <p>
        An environment is where a gateway protects your APIs, for example production. It has a security policy of its
        own: which attacks are blocked, which requests are exempt, and who approved that.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('new')}>
          Create the first one …
        </Button>
      ) : (
        <p>{needs('security:edit', 'Creating one')}</p>
      )}
    </Empty>
  )
}

/** The environments of an organization, with what waits for someone in each. */
export const EnvironmentsPage = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const environments = useQuery(environmentsQuery(tenant, offset))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, move } = useAddress()
  const may = holds(identity.data, tenant, 'security:edit')
  return (
    <Page
      title="Gateways"
      description="Policies of the gateways in front of your APIs: blocked requests, exceptions, and approvals."
      actions={
        may ? (
          <Button look="primary" onClick={() => open('new')}>
            Create an environment …
          </Button>
        ) : null
      }
    >
      <Toolbar>
        <CommandHint command={svcCommand(tenant, ['gateway', 'environment', 'list'])} />
      </Toolbar>
      <Listing query={environments} what="the environments" one="environment" onMove={move} empty={<None may={may} />}>
        {(items) => (
          <ul className="card divide-y" aria-label="Environments">
            {items.map((it) => (
              <Row key={it.id} tenant={tenant} environment={it} />
            ))}
          </ul>
        )}
      </Listing>
      <Window open={dialog === 'new' && may} onClose={close} title="Create an environment">
        <EnvironmentForm
          tenant={tenant}
          onClose={close}
          send={async (body) => {
            await call(environmentsApi.create, { query: { tenantSlug: tenant }, body })
            await refreshEnvironments(tenant)
          }}
        />
      </Window>
    </Page>
  )
}
