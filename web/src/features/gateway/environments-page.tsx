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
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { MainAction } from '../../parts/main-action.tsx'
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
      {pending + ending === 0 ? (
        <span title="Nothing waits for approval, and no exception ends within 7 days">nothing waits</span>
      ) : null}
    </>
  )
}

const EnvironmentRow = ({ tenant, environment }: { tenant: string; environment: Environment }) => {
  const hosts = environment.hostnames.join(', ')
  return (
    <Row>
      <h2 className="truncate">
        <Link
          to="/t/$tenant/-/gateway/$environment"
          params={{ tenant, environment: environment.slug }}
          className="font-semibold after:absolute after:inset-0"
        >
          {environment.name}
        </Link>
      </h2>
      <span className="truncate font-mono text-xs text-soft max-md:w-full" title={hosts}>
        {hosts}
      </span>
      <span className="text-soft">
        {environment.name.toLowerCase() === kindNames[environment.kind].toLowerCase()
          ? ''
          : kindNames[environment.kind]}
      </span>
      <span>
        {environment.tier === 'off' ? (
          <Badge tone="danger">Tier: {tierNames.off}</Badge>
        ) : (
          `Tier: ${tierNames[environment.tier]}`
        )}
      </span>
      <span className="text-soft tabular-nums">policy {environment.policy_version}</span>
      <span className="truncate text-soft" title={enforcersWords(environment.enforcers)}>
        {enforcersWords(environment.enforcers)}
      </span>
      <span className="flex flex-wrap gap-x-3 text-soft max-md:w-full">
        <Waiting tenant={tenant} of={environment} />
      </span>
    </Row>
  )
}

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
      main={may ? <MainAction onClick={() => open('new')}>Create an environment …</MainAction> : null}
    >
      <Toolbar>
        <CommandHint command={svcCommand(tenant, ['gateway', 'environment', 'list'])} />
      </Toolbar>
      <Listing query={environments} what="the environments" one="environment" onMove={move} empty={<None may={may} />}>
        {(items) => (
          <List
            label="Environments"
            columns="minmax(0,1fr) minmax(0,1.2fr) 6.5rem 7rem 5rem minmax(0,1.5fr) minmax(0,1.5fr)"
            heads={['Environment', 'Hosts', 'Kind', 'Tier', 'Policy', 'Gateways', 'Waiting']}
          >
            {items.map((it) => (
              <EnvironmentRow key={it.id} tenant={tenant} environment={it} />
            ))}
          </List>
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
