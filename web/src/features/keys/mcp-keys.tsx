import { useMutation, useQuery } from '@tanstack/react-query'
import { type McpCapabilities, type McpKeyRecord, mcpKeysApi, mcpTools } from '../../../../src/api/mcp-keys.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { AgentSecret, useCreatedSecret } from '../../parts/secret.tsx'
import { CreateButton, LastUsed, type SectionOf } from './key-forms.tsx'
import { capabilitiesQuery, mcpKeysQuery, refreshKeys } from './queries.ts'
import { useId, useState } from 'react'
import { CheckField, Field, Form, RadioField, useForm } from '../../parts/form.tsx'

interface Given {
  readonly tenant: string
  readonly onClose: () => void
}

const CreateMcpKey = ({ tenant, onClose, onMade }: Given & { onMade: (record: McpKeyRecord) => void }) => {
  const form = useForm({ label: '' }, async (body) => {
    onMade(await call(mcpKeysApi.create, { params: { tenant_slug: tenant }, body }))
    await refreshKeys(tenant, 'mcp')
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose}>
      <Field
        label="Label"
        required
        maxLength={100}
        hint="The agent host that uses the key. It starts with the default tools."
        {...form.bind('label')}
      />
    </Form>
  )
}

const without = (list: readonly string[], tool: string): string[] => list.filter((it) => it !== tool)

/** The ceiling and the defaults of the organization: a tool that leaves the ceiling leaves the defaults with it. */
const CapabilitiesForm = ({ tenant, now, onClose }: Given & { now: McpCapabilities }) => {
  const [ceiling, setCeiling] = useState<readonly string[]>(now.ceiling)
  const [defaults, setDefaults] = useState<readonly string[]>(now.defaults)
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const body = { ceiling: [...ceiling], defaults: [...defaults] }
      await call(mcpKeysApi.setTenantCapabilities, { params: { tenant_slug: tenant }, body })
      await refreshKeys(tenant, 'mcp')
      onClose()
    },
  })
  const tools = [...new Set([...mcpTools, ...now.ceiling])]
  return (
    <Form change={change} submit="Save" onCancel={onClose}>
      <p className="text-soft">Allowed tools limits all keys. Default tools apply to keys without a custom list.</p>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b text-left text-xs text-soft">
            <th scope="col" className="py-1.5 font-medium">
              Tool
            </th>
            <th scope="col" className="px-2 py-1.5 text-center font-medium">
              Allowed
            </th>
            <th scope="col" className="px-2 py-1.5 text-center font-medium">
              Default
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => (
            <tr key={tool} className="border-b last:border-b-0">
              <th scope="row" className="py-1.5 text-left font-mono text-xs font-normal break-all">
                {tool}
              </th>
              <td className="text-center">
                <input
                  type="checkbox"
                  aria-label={`${tool}: allowed`}
                  checked={ceiling.includes(tool)}
                  onChange={(event) => {
                    setCeiling(event.target.checked ? [...ceiling, tool] : without(ceiling, tool))
                    if (!event.target.checked) setDefaults(without(defaults, tool))
                  }}
                />
              </td>
              <td className="text-center">
                <input
                  type="checkbox"
                  aria-label={`${tool}: default`}
                  checked={defaults.includes(tool)}
                  disabled={!ceiling.includes(tool)}
                  onChange={(event) =>
                    setDefaults(event.target.checked ? [...defaults, tool] : without(defaults, tool))
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Form>
  )
}

/** What one key may call: the defaults of the organization, or tools of its own within the ceiling. */
const KeyToolsForm = ({
  tenant,
  record,
  capabilities,
  onClose,
}: Given & { record: McpKeyRecord; capabilities: McpCapabilities }) => {
  const [mode, setMode] = useState(record.mode)
  const begin = record.mode === 'explicit' ? record.tools : capabilities.defaults
  const [tools, setTools] = useState<readonly string[]>(begin.filter((it) => capabilities.ceiling.includes(it)))
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await call(mcpKeysApi.setCapabilities, {
        params: { tenant_slug: tenant, key_id: record.id },
        body: mode === 'inherit' ? { mode } : { mode, tools: [...tools] },
      })
      await refreshKeys(tenant, 'mcp')
      onClose()
    },
  })
  return (
    <Form change={change} submit="Save" onCancel={onClose}>
      <RadioField
        legend="Tools"
        value={mode}
        options={[
          {
            value: 'inherit',
            name: 'Default tools',
            detail: capabilities.defaults.join(', ') || 'none',
          },
          { value: 'explicit', name: 'Custom list', detail: 'A selection of the allowed tools.' },
        ]}
        onChange={setMode}
      />
      {mode === 'explicit' ? (
        <fieldset className="grid gap-1.5 font-mono text-sm">
          <legend className="mb-1 font-sans text-sm font-medium">Custom tools</legend>
          {capabilities.ceiling.map((tool) => (
            <CheckField
              key={tool}
              checked={tools.includes(tool)}
              onChange={(on) => setTools(on ? [...tools, tool] : without(tools, tool))}
            >
              {tool}
            </CheckField>
          ))}
          {capabilities.ceiling.length === 0 ? (
            <p className="font-sans text-soft">No tools are allowed, so no key can call any.</p>
          ) : null}
        </fieldset>
      ) : null}
    </Form>
  )
}

const KeyRow = ({ record, onAsk }: { record: McpKeyRecord; onAsk: (dialog: string) => void }) => (
  <Row>
    <h3 className="truncate font-semibold max-md:w-full" title={record.label}>
      {record.label}
    </h3>
    <code className="font-mono text-xs text-soft">{record.prefix}…</code>
    <span className="flex min-w-0 items-baseline gap-2 max-md:w-full" title={record.effective_tools.join(', ')}>
      <span className="shrink-0">{record.mode === 'explicit' ? 'custom tools' : 'default tools'}</span>
      <span className="truncate font-mono text-xs text-soft">{record.effective_tools.join(', ') || 'none'}</span>
    </span>
    <LastUsed at={record.last_used_at} />
    <span className="text-soft">
      created <Moment at={record.created_at} />
    </span>
    <span className="flex justify-end gap-1.5">
      <Button onClick={() => onAsk('tools')}>
        Tools …<span className="sr-only"> {record.label}</span>
      </Button>
      <Button look="danger" onClick={() => onAsk('delete')}>
        Delete …<span className="sr-only"> {record.label}</span>
      </Button>
    </span>
  </Row>
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
  const { made, show, forget } = useCreatedSecret<McpKeyRecord>()
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
          <List
            label="MCP keys"
            columns="minmax(0,1fr) 7.5rem minmax(0,2fr) 9rem 9rem 11rem"
            heads={['Agent host', 'Key', 'Tools', 'Last used', 'Created']}
          >
            {items.map((record) => (
              <KeyRow key={record.id} record={record} onAsk={(what) => open(what, record.id)} />
            ))}
          </List>
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
