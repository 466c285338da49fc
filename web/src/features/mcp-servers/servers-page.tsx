import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { McpEndpoint } from '../../../../src/api/mcp-server-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ImportForm } from './import-form.tsx'
import { type ServerFilter, serversQuery } from './queries.ts'
import { approvalOf, countsWords, stateNames, stateTones } from './words.ts'

const Row = ({ tenant, it }: { tenant: string; it: McpEndpoint }) => {
  const approval = approvalOf(it)
  return (
    <li className="relative grid gap-1 px-4 py-3 hover:bg-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0">
          <Link
            to="/t/$tenant/-/mcp-servers/$endpoint"
            params={{ tenant, endpoint: it.id }}
            className="font-semibold wrap-anywhere after:absolute after:inset-0"
          >
            {it.title ?? it.name}
          </Link>
        </h2>
        <Badge tone={stateTones[it.state]}>{stateNames[it.state]}</Badge>
        <Badge tone={approval.tone}>{approval.name}</Badge>
        {it.labels.map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
      </div>
      <p className="font-mono text-xs wrap-anywhere text-soft">{it.address ?? `${it.name}, started by a command`}</p>
      <p className="text-sm text-soft">
        {countsWords(it.counts)}
        {' · '}
        {it.observed === null ? (
          'never observed'
        ) : (
          <>
            observed <Moment at={it.observed.observed_at} />
          </>
        )}
      </p>
    </li>
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
        <>
          <Link to="/t/$tenant/-/mcp-servers/registry" params={{ tenant }} className={buttonClass()}>
            Registry
          </Link>
          {may ? (
            <Button look="primary" onClick={() => open('import')}>
              Import a server …
            </Button>
          ) : null}
        </>
      }
    >
      <Toolbar>
        <SearchField label="Search servers" value={q} onChange={(text) => filter({ q: text })} />
        <CommandHint command={svcCommand(tenant, ['mcp-server', 'list', ...(q === '' ? [] : [q])], { state })} />
      </Toolbar>
      <Choices
        label="State"
        value={state === '' ? null : state}
        choices={Object.entries(stateNames).map(([value, name]) => ({ value, name }))}
        onChange={(value) => filter({ state: value ?? '' })}
      />
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
          <ul className="card divide-y" aria-label="MCP servers">
            {items.map((it) => (
              <Row key={it.id} tenant={tenant} it={it} />
            ))}
          </ul>
        )}
      </Listing>
      <Window open={dialog === 'import' && may} onClose={close} title="Import an MCP server">
        <ImportForm tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
