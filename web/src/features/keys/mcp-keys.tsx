import { useQuery } from '@tanstack/react-query'
import { type McpCapabilities, type McpKeyRecord, mcpKeysApi } from '../../../../src/api/mcp-keys.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { useMade } from '../../parts/secret.tsx'
import { AgentSecret } from '../../parts/agent-secret.tsx'
import { CapabilitiesForm, CreateMcpKey, KeyToolsForm } from './mcp-key-forms.tsx'
import { CreateButton, type SectionOf } from './section.tsx'
import { capabilitiesQuery, mcpKeysQuery, refreshKeys } from './queries.ts'

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

const Governance = ({ tenant, onChange }: { tenant: string; onChange: () => void }) => {
  const capabilities = useQuery(capabilitiesQuery(tenant))
  return (
    <Read query={capabilities} what="the tools of MCP keys">
      {(now: McpCapabilities) => (
        <div className="card grid gap-3 p-4">
          <p className="text-sm text-soft">
            Allowed tools limits all MCP keys. Default tools apply to MCP keys without a custom list.
          </p>
          <Facts
            facts={[
              ['Allowed tools', tools(now.ceiling)],
              ['Default tools', tools(now.defaults)],
            ]}
          />
          <div>
            <Button onClick={onChange}>Change the tools …</Button>
          </div>
        </div>
      )}
    </Read>
  )
}

/** The dialogs about MCP keys and about what they may call. */
const Dialogs = ({ tenant, asked }: { tenant: string; asked: McpKeyRecord | undefined }) => {
  const capabilities = useQuery(capabilitiesQuery(tenant)).data
  const { dialog, close } = useAddress()
  return (
    <>
      <Window
        open={dialog === 'capabilities' && capabilities !== undefined}
        onClose={close}
        title="Allowed and default tools"
      >
        {capabilities ? <CapabilitiesForm tenant={tenant} now={capabilities} onClose={close} /> : null}
      </Window>
      <DangerConfirmation
        open={dialog === 'delete' && asked !== undefined}
        onClose={close}
        title={`Delete ${asked?.label ?? ''}?`}
        action="Delete"
        onConfirm={async () => {
          await call(mcpKeysApi.remove, { params: { tenant_slug: tenant, key_id: asked?.id ?? '' } })
          await refreshKeys(tenant, 'mcp')
        }}
      >
        <p>Requests from its agent host will fail immediately. This cannot be undone.</p>
      </DangerConfirmation>
      <Window
        open={dialog === 'tools' && asked !== undefined && capabilities !== undefined}
        onClose={close}
        title={`Tools of ${asked?.label ?? ''}`}
      >
        {asked && capabilities ? (
          <KeyToolsForm tenant={tenant} record={asked} capabilities={capabilities} onClose={close} />
        ) : null}
      </Window>
    </>
  )
}

/** The keys of agent hosts and what they may call: for administrators. */
export const McpKeys = ({ shown, onMove, onClear }: SectionOf) => {
  const { tenant, q } = shown
  const keys = useQuery(mcpKeysQuery(shown))
  const { dialog, item, open, close } = useAddress()
  const { made, show, forget } = useMade<McpKeyRecord>()
  return (
    <Section
      title="MCP keys"
      description="For agent hosts that read published specifications. MCP keys work only with the MCP endpoint."
      actions={
        <CreateButton may onClick={() => open('new-mcp')}>
          Create an MCP key …
        </CreateButton>
      }
    >
      <Governance tenant={tenant} onChange={() => open('capabilities')} />
      <Listing
        query={keys}
        what="the MCP keys"
        one="MCP key"
        filtered={q !== ''}
        onClear={onClear}
        onMove={onMove}
        empty={
          <p className="card px-4 py-3 text-soft">
            No MCP keys. Without one, agents see only public versions; with one also the private versions of the
            organization.
          </p>
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
      <Window open={dialog === 'new-mcp'} onClose={close} title="Create an MCP key">
        <CreateMcpKey tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <Dialogs tenant={tenant} asked={keys.data?.items.find((it) => it.id === item)} />
      <AgentSecret record={made} onClose={forget} />
    </Section>
  )
}
