import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type McpCapabilities, type McpKeyRecord, mcpKeysApi, mcpTools } from '../../../../src/api/mcp-keys.ts'
import { call } from '../../call.ts'
import { CheckField, Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { refreshKeys } from './queries.ts'

interface Given {
  readonly tenant: string
  readonly onClose: () => void
}

export const CreateMcpKey = ({ tenant, onClose, onMade }: Given & { onMade: (record: McpKeyRecord) => void }) => {
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
export const CapabilitiesForm = ({ tenant, now, onClose }: Given & { now: McpCapabilities }) => {
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
export const KeyToolsForm = ({
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
