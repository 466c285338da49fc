import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import type { McpEndpoint } from '../../../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CopyButton, Snippet } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Failure, Notice } from '../../parts/states.tsx'
import { Facts, Moment, Page } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { refreshServers, serverParams, serverQuery, type ServerRef } from './queries.ts'
import { approvalOf, countsWords, observerNames, shortPrint, stateAdvice, stateNames, stateTones } from './words.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'
import { Field, Form, useForm } from '../../parts/form.tsx'

interface Given {
  readonly at: ServerRef
  readonly onClose: () => void
}

const labelsIn = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean)

/** The labels of a server, in one field. */
const LabelsForm = ({ at, labels, onClose }: Given & { labels: readonly string[] }) => {
  const form = useForm({ labels: labels.join(', ') }, async (values) => {
    await call(mcpServersApi.update, { params: serverParams(at), body: { labels: labelsIn(values.labels) } })
    await refreshServers(at.tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Labels" hint="Separated by commas, for example production, weather." {...form.bind('labels')} />
    </Form>
  )
}

/** The header that observations send; an empty value removes it. */
const HeaderForm = ({ at, name, onClose }: Given & { name: string }) => {
  const form = useForm({ name: name || 'Authorization', value: '' }, async (values) => {
    const header = values.value === '' ? null : { name: values.name.trim(), value: values.value }
    await call(mcpServersApi.update, { params: serverParams(at), body: { header } })
    await refreshServers(at.tenant)
    onClose()
  })
  return (
    <Form
      change={form}
      submit={form.values.value === '' && name !== '' ? 'Remove the header' : 'Save'}
      onCancel={onClose}
    >
      <Field label="Header" required {...form.bind('name')} />
      <Field
        label="Value"
        type="password"
        autoComplete="off"
        hint="For example “Bearer …”. Kept encrypted, never shown again, and sent to the origin of the address only. Empty: no header is sent."
        {...form.bind('value')}
      />
    </Form>
  )
}

const Print = ({ of }: { of: string }) => (
  <span className="inline-flex max-w-full items-center gap-1">
    <code className="font-mono text-xs">{shortPrint(of)}</code>
    <CopyButton text={of} what="the fingerprint" />
  </span>
)

/** What a server offers, when it was seen and whether that is approved, in one line. */
const Summary = ({ endpoint }: { endpoint: McpEndpoint }) => (
  <>
    {countsWords(endpoint.counts)}
    {endpoint.observed === null ? (
      ', never observed'
    ) : (
      <>
        , seen <Moment at={endpoint.observed.observed_at} />
      </>
    )}
    {endpoint.approved === null ? null : (
      <>
        , approved <Moment at={endpoint.approved.at} />
      </>
    )}
  </>
)

const Observed = ({ observed }: Pick<McpEndpoint, 'observed'>) =>
  observed === null ? (
    'never'
  ) : (
    <>
      <Moment at={observed.observed_at} /> by {observerNames[observed.by]} <Print of={observed.fingerprint} />
    </>
  )

const Approved = ({ approved }: Pick<McpEndpoint, 'approved'>) =>
  approved === null ? (
    'no'
  ) : (
    <>
      <Moment at={approved.at} /> <Print of={approved.fingerprint} />
      {approved.note === null ? null : <span className="block text-soft">{approved.note}</span>}
    </>
  )

/** What is known of the server itself: asked for seldom, so it is folded. */
const Details = ({ endpoint }: { endpoint: McpEndpoint }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer text-soft">Details</summary>
    <div className="card mt-2 p-4">
      <Facts
        facts={[
          ['Name', endpoint.name],
          ['Description', endpoint.description],
          ['Address', endpoint.address],
          ['Transport', endpoint.transport],
          [
            'Declared',
            endpoint.declared === null ? null : (
              <>
                <Moment at={endpoint.declared.declared_at} />{' '}
                {endpoint.declared.fingerprint === null ? (
                  'without tools'
                ) : (
                  <Print of={endpoint.declared.fingerprint} />
                )}
              </>
            ),
          ],
          ['Observed', <Observed key="observed" observed={endpoint.observed} />],
          ['Approved', <Approved key="approved" approved={endpoint.approved} />],
          ['Header', endpoint.header?.name],
          [
            'Next observation',
            endpoint.next_observation_at ? <Moment at={endpoint.next_observation_at} exact /> : null,
          ],
        ]}
      />
    </div>
  </details>
)

/** The state of a server that needs someone. */
const StateNotice = ({ endpoint, at }: { endpoint: McpEndpoint; at: ServerRef }) => {
  const advice = stateAdvice[endpoint.state]
  if (advice === '') return null
  const tone = stateTones[endpoint.state]
  return (
    <Notice
      tone={tone === 'danger' || tone === 'warn' ? tone : 'info'}
      title={endpoint.failure === null ? advice : endpoint.failure.message}
    >
      {endpoint.failure === null ? null : <p>{advice}</p>}
      {endpoint.state === 'never-observed' && endpoint.transport === 'stdio' ? (
        <div className="grid gap-2">
          <p>Run this where the server is installed; it uploads what the server offers:</p>
          <Snippet text={`svc --tenant ${at.tenant} mcp-server observe ${endpoint.id} -- COMMAND`} what="the command" />
        </div>
      ) : null}
    </Notice>
  )
}

const canObserve = (it: McpEndpoint): boolean => it.address !== null && it.variables.length === 0

const ServerActions = ({
  at,
  server,
  isOnChanges,
  may,
  mayGovern,
  isObserving,
  onObserve,
}: {
  at: ServerRef
  server: McpEndpoint
  isOnChanges: boolean
  may: boolean
  mayGovern: boolean
  isObserving: boolean
  onObserve: () => void
}) => {
  const { open } = useAddress()
  const review =
    server.state === 'drifted' && !isOnChanges ? (
      <Link to="/t/$tenant/-/mcp-servers/$endpoint/changes" params={at} className={buttonClass('primary')}>
        Review changes
      </Link>
    ) : null
  if (!may) return review
  return (
    <>
      {review}
      {canObserve(server) ? (
        <Button look={server.state === 'drifted' ? 'plain' : 'primary'} busy={isObserving} onClick={onObserve}>
          Observe now
        </Button>
      ) : null}
      <Menu align="end" look="plain" label="More">
        <MenuItem onClick={() => open('labels')}>Edit the labels …</MenuItem>
        {canObserve(server) ? <MenuItem onClick={() => open('header')}>Set a header …</MenuItem> : null}
        {mayGovern ? (
          <>
            <MenuLine />
            <MenuItem onClick={() => open('delete')}>Remove …</MenuItem>
          </>
        ) : null}
      </Menu>
    </>
  )
}

const ServerDialogs = ({
  at,
  server,
  may,
  mayGovern,
}: {
  at: ServerRef
  server: McpEndpoint
  may: boolean
  mayGovern: boolean
}) => {
  const { tenant } = at
  const navigate = useNavigate()
  const { dialog, close } = useAddress()
  const remove = async (): Promise<void> => {
    await call(mcpServersApi.remove, { params: serverParams(at) })
    await navigate({ to: '/t/$tenant/-/mcp-servers', params: { tenant }, replace: true })
    sayDeleted(tenant, server.id, `The MCP server ${server.title ?? server.name}`, 'was removed')
    await refreshServers(tenant)
  }
  return (
    <>
      <Window open={dialog === 'labels' && may} onClose={close} title="Edit the labels">
        <LabelsForm at={at} labels={server.labels} onClose={close} />
      </Window>
      <Window open={dialog === 'header' && may} onClose={close} title="Set a header for observations">
        <HeaderForm at={at} name={server.header?.name ?? ''} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'delete' && mayGovern}
        onClose={close}
        title={`Remove ${server.name}?`}
        action="Remove"
        onConfirm={remove}
      >
        <p>
          Its declarations, observations and approvals are removed as well, and the registry no longer lists it.{' '}
          {restorable} The value of its header is deleted permanently.
        </p>
      </DangerConfirmation>
    </>
  )
}

/** One MCP server: its state, and the views of what it offers. */
export const ServerPage = ({ at }: { at: ServerRef }) => {
  const { tenant } = at
  const server = useQuery(serverQuery(at))
  const identity = useQuery(identityQuery)
  const observe = useMutation({
    mutationFn: () => call(mcpServersApi.observe, { params: serverParams(at) }),
    onSuccess: () => refreshServers(tenant),
  })
  const may = holds(identity.data, tenant, 'mcp:import')
  const mayGovern = holds(identity.data, tenant, 'mcp:govern')
  const isOnChanges = useLocation({ select: ({ pathname }) => pathname.endsWith('/changes') })
  const it = server.data
  const approval = it ? approvalOf(it) : null
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/mcp-servers" params={{ tenant }} className="link">
          MCP servers
        </Link>
      }
      title={it ? (it.title ?? it.name) : 'MCP server'}
      description={it ? <Summary endpoint={it} /> : null}
      badges={
        it && approval ? (
          <>
            <Badge tone={stateTones[it.state]}>{stateNames[it.state]}</Badge>
            <Badge tone={approval.tone}>{approval.name}</Badge>
          </>
        ) : null
      }
      actions={
        it ? (
          <ServerActions
            at={at}
            server={it}
            isOnChanges={isOnChanges}
            may={may}
            mayGovern={mayGovern}
            isObserving={observe.isPending}
            onObserve={() => observe.mutate()}
          />
        ) : null
      }
    >
      <Read query={server} what="the MCP server">
        {(found) => (
          <>
            {observe.error ? <Failure error={observe.error} /> : null}
            <Tabs of="server" params={{ ...at }} />
            {/* What changed says more than that something did. */}
            {found.state === 'drifted' && isOnChanges ? null : <StateNotice endpoint={found} at={at} />}
            <Details endpoint={found} />
            <Outlet />
            <ServerDialogs at={at} server={found} may={may} mayGovern={mayGovern} />
          </>
        )}
      </Read>
    </Page>
  )
}
