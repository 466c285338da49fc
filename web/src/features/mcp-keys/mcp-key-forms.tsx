import { useState } from 'react'
import { type McpCapabilities, type McpKeyRecord, mcpKeysApi, mcpTools } from '../../../../src/api/mcp-keys.ts'
import { call } from '../../call.ts'
import { CheckField, Field, Form, RadioField, useChange, useForm } from '../../parts/form.tsx'
import { refreshMcp } from './queries.ts'

interface Given {
  readonly tenant: string
  readonly onClose: () => void
}

export const CreateMcpKey = ({ tenant, onClose, onMade }: Given & { onMade: (record: McpKeyRecord) => void }) => {
  const form = useForm({ label: '' }, async (body) => {
    onMade(await call(mcpKeysApi.create, { params: { tenant_slug: tenant }, body }))
    await refreshMcp(tenant)
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose}>
      <Field
        label="Label"
        required
        maxLength={100}
        hint="Which agent host it is for. It begins with the default tools of the tenant."
        {...form.bind('label')}
      />
    </Form>
  )
}

const without = (list: readonly string[], tool: string): string[] => list.filter((it) => it !== tool)

/** The ceiling and the defaults of the tenant: a tool that leaves the ceiling leaves the defaults with it. */
export const CapabilitiesForm = ({ tenant, now, onClose }: Given & { now: McpCapabilities }) => {
  const [ceiling, setCeiling] = useState<readonly string[]>(now.ceiling)
  const [defaults, setDefaults] = useState<readonly string[]>(now.defaults)
  const change = useChange(async () => {
    const body = { ceiling: [...ceiling], defaults: [...defaults] }
    await call(mcpKeysApi.setTenantCapabilities, { params: { tenant_slug: tenant }, body })
    await refreshMcp(tenant)
    onClose()
  })
  const tools = [...new Set([...mcpTools, ...now.ceiling])]
  return (
    <Form change={change} submit="Save" onCancel={onClose}>
      <p className="text-soft">
        No key calls a tool outside of the ceiling, whatever it was given. Keys that inherit call the defaults.
      </p>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b text-left text-xs text-soft">
            <th scope="col" className="py-1.5 font-medium">
              Tool
            </th>
            <th scope="col" className="px-2 py-1.5 text-center font-medium">
              Ceiling
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
                  aria-label={`${tool} may be called`}
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
                  aria-label={`${tool} is a default`}
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

/** What one key may call: the defaults of the tenant, or tools of its own within the ceiling. */
export const KeyToolsForm = ({
  tenant,
  record,
  capabilities,
  onClose,
}: Given & { record: McpKeyRecord; capabilities: McpCapabilities }) => {
  const [mode, setMode] = useState(record.mode)
  const begin = record.mode === 'explicit' ? record.tools : capabilities.defaults
  const [tools, setTools] = useState<readonly string[]>(begin.filter((it) => capabilities.ceiling.includes(it)))
  const change = useChange(async () => {
    await call(mcpKeysApi.setCapabilities, {
      params: { tenant_slug: tenant, key_id: record.id },
      body: mode === 'inherit' ? { mode } : { mode, tools: [...tools] },
    })
    await refreshMcp(tenant)
    onClose()
  })
  return (
    <Form change={change} submit="Save" onCancel={onClose}>
      <RadioField
        legend="What it may call"
        value={mode}
        options={[
          {
            value: 'inherit',
            name: 'The defaults of the tenant',
            detail: capabilities.defaults.join(', ') || 'none at present',
          },
          { value: 'explicit', name: 'Tools of its own', detail: 'Chosen from the ceiling of the tenant.' },
        ]}
        onChange={setMode}
      />
      {mode === 'explicit' ? (
        <fieldset className="grid gap-1.5 font-mono text-sm">
          <legend className="mb-1 font-sans text-sm font-medium">Its tools</legend>
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
            <p className="font-sans text-soft">The ceiling is empty: no key may call anything.</p>
          ) : null}
        </fieldset>
      ) : null}
    </Form>
  )
}
