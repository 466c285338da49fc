import { useQuery } from '@tanstack/react-query'
import { type McpCapabilities, type McpKeyRecord, mcpKeysApi } from '../../../../src/api/mcp-keys.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Facts, Moment, Page, Section } from '../../parts/page.tsx'
import { useMade } from '../../parts/secret.tsx'
import { Empty, NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { AgentSecret } from '../../parts/agent-secret.tsx'
import { CapabilitiesForm, CreateMcpKey, KeyToolsForm } from './mcp-key-forms.tsx'
import { capabilitiesQuery, mcpKeysQuery, refreshMcp } from './queries.ts'

const KeyRow = ({ record, onAsk }: { record: McpKeyRecord; onAsk: (dialog: string) => void }) => (
  <li className="grid gap-1.5 px-4 py-3">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h3 className="font-semibold break-words">{record.label}</h3>
      <code className="font-mono text-xs text-soft">{record.prefix}…</code>
      <Badge tone={record.mode === 'explicit' ? 'accent' : 'plain'}>
        {record.mode === 'explicit' ? 'custom tools' : 'default tools'}
      </Badge>
      <span className="ml-auto flex flex-wrap gap-1.5">
        <Button onClick={() => onAsk('tools')}>
          Tools …<span className="sr-only"> {record.label}</span>
        </Button>
        <Button look="danger" onClick={() => onAsk('delete')}>
          Delete …<span className="sr-only"> {record.label}</span>
        </Button>
      </span>
    </div>
    <p className="text-sm text-soft">
      Tools: <span className="font-mono text-xs break-words">{record.effective_tools.join(', ') || 'none'}</span>
    </p>
    <p className="text-sm text-soft">
      {record.last_used_at ? (
        <>
          last used <Moment at={record.last_used_at} />
        </>
      ) : (
        'never used'
      )}
      {' · '}created <Moment at={record.created_at} />
    </p>
  </li>
)

const tools = (list: readonly string[]) => (
  <span className="font-mono text-xs">{list.length === 0 ? 'none' : list.join(', ')}</span>
)

const Governance = ({ tenant }: { tenant: string }) => {
  const capabilities = useQuery(capabilitiesQuery(tenant))
  const { dialog, open, close } = useAddress()
  return (
    <Section
      title="Tools"
      description="Allowed tools limits all keys. Default tools apply to keys without a custom list."
      actions={<Button onClick={() => open('capabilities')}>Change …</Button>}
    >
      <Read query={capabilities} what="the capabilities">
        {(now: McpCapabilities) => (
          <div className="card p-4">
            <Facts
              facts={[
                ['Allowed tools', tools(now.ceiling)],
                ['Default tools', tools(now.defaults)],
              ]}
            />
            <Window open={dialog === 'capabilities'} onClose={close} title="Allowed and default tools">
              <CapabilitiesForm tenant={tenant} now={now} onClose={close} />
            </Window>
          </div>
        )}
      </Read>
    </Section>
  )
}

const Keys = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const keys = useQuery(mcpKeysQuery(tenant, offset))
  const capabilities = useQuery(capabilitiesQuery(tenant))
  const { dialog, item, open, close, move } = useAddress()
  const asked = keys.data?.items.find((it) => it.id === item)
  return (
    <Section title="Keys" actions={<CommandHint command={svcCommand(tenant, ['mcp-key', 'list'])} />}>
      <Listing
        query={keys}
        what="the MCP keys"
        one="MCP key"
        onMove={move}
        empty={
          <Empty title="No MCP keys yet">
            <p>
              Without a key, agents see only public versions. With a key they also see the private versions of the
              organization.
            </p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="card divide-y">
            {items.map((record) => (
              <KeyRow key={record.id} record={record} onAsk={(what) => open(what, record.id)} />
            ))}
          </ul>
        )}
      </Listing>
      <DangerConfirmation
        open={dialog === 'delete' && asked !== undefined}
        onClose={close}
        title={`Delete ${asked?.label ?? ''}?`}
        action="Delete"
        onConfirm={async () => {
          await call(mcpKeysApi.remove, { params: { tenant_slug: tenant, key_id: asked?.id ?? '' } })
          await refreshMcp(tenant)
        }}
      >
        <p>Requests from its agent host will fail immediately. This cannot be undone.</p>
      </DangerConfirmation>
      <Window
        open={dialog === 'tools' && asked !== undefined && capabilities.data !== undefined}
        onClose={close}
        title={`Tools of ${asked?.label ?? ''}`}
      >
        {asked && capabilities.data ? (
          <KeyToolsForm tenant={tenant} record={asked} capabilities={capabilities.data} onClose={close} />
        ) : null}
      </Window>
    </Section>
  )
}

/** The keys of agent hosts and what they may call: for administrators. */
export const McpKeysPage = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const { made, show, forget } = useMade<McpKeyRecord>()
  const may = holds(identity.data, tenant, 'mcp:govern')
  return (
    <Page
      title="MCP keys"
      description="For agent hosts that read published specifications. MCP keys work only with the MCP endpoint."
      actions={
        may ? (
          <Button look="primary" onClick={() => open('new')}>
            Create an MCP key …
          </Button>
        ) : null
      }
    >
      <Read query={identity} what="your role">
        {() =>
          may ? (
            <>
              <Governance tenant={tenant} />
              <Keys tenant={tenant} offset={offset} />
            </>
          ) : (
            <NoPermission permission="mcp:govern" />
          )
        }
      </Read>
      <Window open={dialog === 'new' && may} onClose={close} title="Create an MCP key">
        <CreateMcpKey tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <AgentSecret record={made} onClose={forget} />
    </Page>
  )
}
