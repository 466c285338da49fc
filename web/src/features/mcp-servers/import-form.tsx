import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { DocumentField } from '../../parts/document-field.tsx'
import { ChosenFile } from '../../parts/chosen-file.tsx'
import { DropField } from '../../parts/drop-field.tsx'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { refreshServers } from './queries.ts'
import { countsWords } from './words.ts'

type Preview = Output<typeof mcpServersApi.preview>

const transports = [
  { value: '', name: 'As the manifest says' },
  { value: 'streamable_http', name: 'Streamable HTTP' },
  { value: 'sse', name: 'SSE (the older transport)' },
  { value: 'stdio', name: 'Started by a command' },
]

const Planned = ({ preview }: { preview: Preview }) => (
  <div className="grid gap-2" role="status">
    <h3 className="text-sm font-semibold">What the import does</h3>
    <ul className="grid gap-1.5 text-sm">
      {preview.servers.map((it, index) => (
        <li key={`${index} ${it.name}`} className="wrap-anywhere">
          <span className="font-medium">{it.name}</span>: {it.endpoint_created ? 'a new server' : 'a known server'},
          declares {countsWords(it.counts)}. {it.reason}
          {it.surface_conflict ? ' The same surface is declared at another address.' : ''}
        </li>
      ))}
    </ul>
    {preview.notices.length > 0 ? (
      <ul className="grid gap-1 text-sm text-soft">
        {preview.notices.map((it) => (
          <li key={`${it.pointer} ${it.code} ${it.message}`} className="wrap-anywhere">
            Line {it.line}: {it.message}
          </li>
        ))}
      </ul>
    ) : null}
  </div>
)

/** Takes a manifest, shows what its import would do, and imports it. */
export const ImportForm = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const navigate = useNavigate()
  const [preview, setPreview] = useState<{ readonly of: string; readonly it: Preview } | null>(null)
  const form = useForm(
    { manifest: '', tools: '', endpoint_url: '', transport: '', source_label: '' },
    async (values) => {
      const body = {
        manifest: values.manifest,
        tools: values.tools || null,
        endpoint_url: values.endpoint_url.trim() || null,
        transport: values.transport || null,
        source_label: values.source_label.trim() || null,
      }
      const of = JSON.stringify(body)
      const params = { tenant_slug: tenant }
      if (preview?.of !== of) return setPreview({ of, it: await call(mcpServersApi.preview, { params, body }) })
      const done = await call(mcpServersApi.import, { params, body })
      await refreshServers(tenant)
      if (done.more.length > 0) return onClose()
      await navigate({ to: '/t/$tenant/-/mcp-servers/$endpoint', params: { tenant, endpoint: done.endpoint.id } })
    },
  )
  const { values, set, bind } = form
  const change = (changed: Partial<typeof values>) => {
    setPreview(null)
    set(changed)
  }
  return (
    <Form
      change={form}
      submit={preview === null ? 'Preview' : 'Import'}
      disabled={values.manifest.trim() === ''}
      onCancel={onClose}
    >
      <DropField
        label="Choose a file, or drop it here"
        accept=".json,.yaml,.yml"
        onText={(name, manifest) => change({ manifest, source_label: values.source_label || name })}
      />
      <DocumentField
        label="Manifest"
        hint="server.json, an answer to tools/list, server.yaml of Docker, an MCPB manifest or an mcpServers configuration. Values of secrets are not stored."
        value={values.manifest}
        onChange={(manifest) => change({ manifest })}
      />
      {values.tools === '' ? (
        <DropField
          label="Choose tools.json, where it is beside server.yaml (optional)"
          accept=".json"
          onText={(_, tools) => change({ tools })}
        />
      ) : (
        <ChosenFile file={{ name: 'tools.json', text: values.tools }} onRemove={() => change({ tools: '' })} />
      )}
      <Field
        label="Address (where the manifest has none)"
        placeholder="https://mcp.example.com/mcp"
        {...bind('endpoint_url')}
        onChange={(event) => change({ endpoint_url: event.target.value })}
      />
      <SelectField
        label="Transport"
        value={values.transport}
        options={transports}
        onChange={(transport) => change({ transport })}
      />
      {preview === null ? null : <Planned preview={preview.it} />}
    </Form>
  )
}
