import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
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
import { Notice } from '../../parts/notice.tsx'
import { Facts, Moment, Page } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../shell/tabs.tsx'
import { HeaderForm, LabelsForm } from './server-forms.tsx'
import { refreshServers, serverParams, serverQuery, type ServerRef } from './queries.ts'
import { approvalOf, countsWords, observerNames, shortPrint, stateAdvice, stateNames, stateTones } from './words.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'

const Print = ({ of }: { of: string }) => (
  <span className="inline-flex max-w-full items-center gap-1">
    <code className="font-mono text-xs">{shortPrint(of)}</code>
    <CopyButton text={of} what="the fingerprint" />
  </span>
)

const About = ({ it }: { it: McpEndpoint }) => (
  <div className="card p-4">
    <Facts
      facts={[
        ['Name', it.name],
        [
          'Address',
          it.address === null ? null : (
            <span key="address" className="break-all">
              {it.address}
            </span>
          ),
        ],
        ['Transport', it.transport],
        ['Offers', countsWords(it.counts)],
        [
          'Declared',
          it.declared === null ? null : (
            <>
              <Moment at={it.declared.declared_at} />{' '}
              {it.declared.fingerprint === null ? 'without tools' : <Print of={it.declared.fingerprint} />}
            </>
          ),
        ],
        [
          'Observed',
          it.observed === null ? (
            'never'
          ) : (
            <>
              <Moment at={it.observed.observed_at} /> by {observerNames[it.observed.by]}{' '}
              <Print of={it.observed.fingerprint} />
            </>
          ),
        ],
        [
          'Approved',
          it.approved === null ? (
            'no'
          ) : (
            <>
              <Moment at={it.approved.at} /> <Print of={it.approved.fingerprint} />
              {it.approved.note === null ? null : <span className="block text-soft">{it.approved.note}</span>}
            </>
          ),
        ],
        ['Header', it.header?.name],
        ['Next observation', it.next_observation_at ? <Moment at={it.next_observation_at} exact /> : null],
      ]}
    />
  </div>
)

/** The state of a server that needs someone, with a link to what helps. */
const StateNotice = ({ it, at }: { it: McpEndpoint; at: ServerRef }) => {
  const advice = stateAdvice[it.state]
  if (advice === '') return null
  const tone = stateTones[it.state]
  return (
    <Notice
      tone={tone === 'danger' || tone === 'warn' ? tone : 'info'}
      title={it.failure === null ? advice : it.failure.message}
      actions={
        it.state === 'drifted' ? (
          <Link to="/t/$tenant/-/mcp-servers/$endpoint/changes" params={at} className={buttonClass('plain')}>
            See the changes
          </Link>
        ) : null
      }
    >
      {it.failure === null ? null : <p>{advice}</p>}
      {it.state === 'never-observed' && it.transport === 'stdio' ? (
        <div className="grid gap-2">
          <p>Run this where the server is installed; it uploads what the server offers:</p>
          <Snippet text={`svc --tenant ${at.tenant} mcp-server observe ${it.id} -- COMMAND`} what="the command" />
        </div>
      ) : null}
    </Notice>
  )
}

const canObserve = (it: McpEndpoint): boolean => it.address !== null && it.variables.length === 0

/** One MCP server: its state, and the views of what it offers. */
export const ServerPage = ({ at }: { at: ServerRef }) => {
  const { tenant } = at
  const server = useQuery(serverQuery(at))
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const { dialog, open, close } = useAddress()
  const params = serverParams(at)
  const observe = useMutation({
    mutationFn: () => call(mcpServersApi.observe, { params }),
    onSuccess: () => refreshServers(tenant),
  })
  const may = holds(identity.data, tenant, 'mcp:import')
  const mayGovern = holds(identity.data, tenant, 'mcp:govern')
  const it = server.data
  const approval = it ? approvalOf(it) : null
  const remove = async (): Promise<void> => {
    await call(mcpServersApi.remove, { params })
    await navigate({ to: '/t/$tenant/-/mcp-servers', params: { tenant }, replace: true })
    if (it) sayDeleted(tenant, it.id, `The MCP server ${it.title ?? it.name}`, 'was removed')
    await refreshServers(tenant)
  }
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/mcp-servers" params={{ tenant }} className="link">
          MCP servers
        </Link>
      }
      title={it ? (it.title ?? it.name) : 'MCP server'}
      description={it?.description}
      badges={
        it && approval ? (
          <>
            <Badge tone={stateTones[it.state]}>{stateNames[it.state]}</Badge>
            <Badge tone={approval.tone}>{approval.name}</Badge>
          </>
        ) : null
      }
      actions={
        it && may ? (
          <>
            {canObserve(it) ? (
              <Button look="primary" busy={observe.isPending} onClick={() => observe.mutate()}>
                Observe now
              </Button>
            ) : null}
            <Menu align="end" look="plain" label="More">
              <MenuItem onClick={() => open('labels')}>Edit the labels …</MenuItem>
              {canObserve(it) ? <MenuItem onClick={() => open('header')}>Set a header …</MenuItem> : null}
              {mayGovern ? (
                <>
                  <MenuLine />
                  <MenuItem onClick={() => open('delete')}>Remove …</MenuItem>
                </>
              ) : null}
            </Menu>
          </>
        ) : null
      }
    >
      <Read query={server} what="the MCP server">
        {(found) => (
          <>
            {observe.error ? <Failure error={observe.error} /> : null}
            <StateNotice it={found} at={at} />
            <About it={found} />
            <Tabs of="server" params={{ ...at }} />
            <Outlet />
            <Window open={dialog === 'labels' && may} onClose={close} title="Edit the labels">
              <LabelsForm at={at} labels={found.labels} onClose={close} />
            </Window>
            <Window open={dialog === 'header' && may} onClose={close} title="Set a header for observations">
              <HeaderForm at={at} name={found.header?.name ?? ''} onClose={close} />
            </Window>
            <DangerConfirmation
              open={dialog === 'delete' && mayGovern}
              onClose={close}
              title={`Remove ${found.name}?`}
              action="Remove"
              onConfirm={remove}
            >
              <p>
                Its declarations, observations and approvals are removed as well, and the registry no longer lists it.{' '}
                {restorable} The value of its header is deleted for ever.
              </p>
            </DangerConfirmation>
          </>
        )}
      </Read>
    </Page>
  )
}
