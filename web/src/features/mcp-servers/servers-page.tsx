import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { McpEndpoint } from '../../../../src/api/mcp-server-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { MainAction } from '../../parts/main-action.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { refreshServers, type ServerFilter, serversQuery } from './queries.ts'
import { approvalOf, countsWords, stateNames, stateTones } from './words.ts'
import { useState } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { DocumentField } from '../../parts/document-field.tsx'
import { ChosenFile, DropField } from '../../parts/drop-field.tsx'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'

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
      {preview.servers.map((server, index) => (
        <li key={`${index} ${server.name}`} className="wrap-anywhere">
          <span className="font-medium">{server.name}</span>:{' '}
          {server.endpoint_created ? 'a new server' : 'a known server'}, declares {countsWords(server.counts)}.{' '}
          {server.reason}
          {server.surface_conflict ? ' The same surface is declared at another address.' : ''}
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
const ImportForm = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
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

const ServerRow = ({ tenant, endpoint }: { tenant: string; endpoint: McpEndpoint }) => {
  const approval = approvalOf(endpoint)
  const address = endpoint.address ?? `${endpoint.name}, started by a command`
  return (
    <Row>
      <div className="flex min-w-0 items-baseline gap-2 max-md:w-full max-md:flex-wrap">
        <h2 className="max-w-full truncate md:max-w-72 md:shrink-0">
          <Link
            to="/t/$tenant/-/mcp-servers/$endpoint"
            params={{ tenant, endpoint: endpoint.id }}
            className="font-semibold after:absolute after:inset-0"
          >
            {endpoint.title ?? endpoint.name}
          </Link>
        </h2>
        <span className="min-w-0 truncate font-mono text-xs text-soft" title={address}>
          {address}
        </span>
      </div>
      <Badge tone={stateTones[endpoint.state]}>{stateNames[endpoint.state]}</Badge>
      <Badge tone={approval.tone}>{approval.name}</Badge>
      <span className="truncate text-xs text-soft">{endpoint.labels.join(', ')}</span>
      <span className="text-soft">{countsWords(endpoint.counts)}</span>
      <span className="text-soft md:text-right">
        {endpoint.observed === null ? 'never observed' : <Moment at={endpoint.observed.observed_at} />}
      </span>
    </Row>
  )
}

const NoServers = ({ may }: { may: boolean }) => {
  const { open } = useAddress()
  return (
    <Empty title="No MCP servers yet">
      <p>
        Import the manifest of a server: its server.json, an answer to tools/list, an MCPB manifest, or the mcpServers
        configuration of an agent host. The service then asks each server with an address what it really offers, once a
        day, and says when that changes.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('import')}>
          Import a server …
        </Button>
      ) : (
        <p>{needs('mcp:import', 'Importing one')}</p>
      )}
    </Empty>
  )
}

/** The MCP servers that an organization knows, each with its state. */
export const ServersPage = ({ tenant, given, offset }: { tenant: string; given: ServerFilter; offset: number }) => {
  const servers = useQuery(serversQuery(tenant, given, offset))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'mcp:import')
  const { q, state } = given
  return (
    <Page
      title="MCP servers"
      description="What the servers of your agents declare, what they really offer, and what was approved."
      actions={
        <Link to="/t/$tenant/-/mcp-servers/registry" params={{ tenant }} className={buttonClass()}>
          Registry
        </Link>
      }
      main={may ? <MainAction onClick={() => open('import')}>Import a server …</MainAction> : null}
    >
      <Toolbar>
        <SearchField label="Search servers" value={q} onChange={(text) => filter({ q: text })} />
        <Choices
          label="State"
          value={state === '' ? null : state}
          choices={Object.entries(stateNames).map(([value, name]) => ({ value, name }))}
          onChange={(value) => filter({ state: value ?? '' })}
        />
        <CommandHint command={svcCommand(tenant, ['mcp-server', 'list', ...(q === '' ? [] : [q])], { state })} />
      </Toolbar>
      <Listing
        query={servers}
        what="the MCP servers"
        one="MCP server"
        filtered={q !== '' || state !== ''}
        onClear={() => filter({ q: '', state: '' })}
        onMove={move}
        empty={<NoServers may={may} />}
      >
        {(items) => (
          <List
            label="MCP servers"
            columns="minmax(0,1fr) 9rem 8rem 7rem 9rem 7rem"
            heads={['Server', 'State', 'Approval', 'Labels', 'Declares', 'Observed']}
          >
            {items.map((it) => (
              <ServerRow key={it.id} tenant={tenant} endpoint={it} />
            ))}
          </List>
        )}
      </Listing>
      <Window open={dialog === 'import' && may} onClose={close} title="Import an MCP server">
        <ImportForm tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
