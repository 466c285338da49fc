import { useQuery } from '@tanstack/react-query'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { McpFact } from '../../../../src/api/mcp-server-shapes.ts'
import type { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Toolbar, Words } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, NoMatch } from '../../parts/states.tsx'
import { provenanceQuery, serverQuery, type ServerRef } from './queries.ts'
import { kindNames, originNames, originTones } from './words.ts'

type Provenance = Output<typeof mcpServersApi.provenance>

const textIn = (value: unknown): string | null => {
  const { description, title } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const text = description ?? title
  return typeof text === 'string' && text !== '' ? text : null
}

const Side = ({ name, value, label }: { name: string; value: unknown; label: string }) => (
  <div className="grid min-w-0 content-start gap-1">
    <h3 className="text-xs font-medium text-soft">{name}</h3>
    {value === undefined ? (
      <p className="text-sm text-soft">not {name.toLowerCase()}</p>
    ) : (
      <SmallJson value={value} label={label} />
    )}
  </div>
)

/** One fact: where it is known from, and both values where they differ. */
const FactRow = ({ fact }: { fact: McpFact }) => {
  const text = textIn(fact.observed) ?? textIn(fact.declared)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-xs text-soft">{kindNames[fact.kind]}</span>
        <h2 className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{fact.key}</h2>
        <Badge tone={originTones[fact.origin]}>{originNames[fact.origin]}</Badge>
        {fact.difference ? <Severity severity={fact.difference.severity} /> : null}
      </div>
      {text === null ? null : <p className="line-clamp-3 max-w-[90ch] text-sm wrap-anywhere text-soft">{text}</p>}
      {fact.warnings.map((warning) => (
        <p key={warning.code} className="text-sm text-warn">
          <Words of={warning.message} />
        </p>
      ))}
      {fact.difference?.changes.map((change) => (
        <p key={`${change.id} ${change.message}`} className="text-sm">
          <Words of={change.message} />
        </p>
      ))}
      <details className="group" open={fact.origin === 'conflicts'}>
        <summary className="w-fit cursor-pointer text-xs text-soft">Values</summary>
        <div className="mt-1 grid gap-3 sm:grid-cols-2">
          <Side name="Declared" value={fact.declared} label={`${fact.key} as declared`} />
          <Side name="Observed" value={fact.observed} label={`${fact.key} as observed`} />
        </div>
      </details>
    </li>
  )
}

const fits = (it: McpFact, q: string, origin: string): boolean =>
  (origin === '' || it.origin === origin) &&
  (q === '' ||
    `${it.key} ${textIn(it.observed) ?? ''} ${textIn(it.declared) ?? ''}`.toLowerCase().includes(q.toLowerCase()))

const List = ({ provenance, q, origin }: { provenance: Provenance; q: string; origin: string }) => {
  const { filter } = useAddress()
  const shown = provenance.facts.filter((it) => fits(it, q, origin))
  if (provenance.facts.length === 0)
    return (
      <Empty title="Nothing is known yet">
        <p>Neither a manifest nor an observation says what this server offers.</p>
      </Empty>
    )
  return (
    <>
      <Choices
        label="Known from"
        value={origin === '' ? null : origin}
        choices={Object.entries(originNames).map(([value, name]) => ({
          value,
          name,
          count: provenance.origin_counts[value] ?? 0,
        }))}
        onChange={(value) => filter({ origin: value ?? '' })}
      />
      {shown.length === 0 ? (
        <NoMatch what="tool, resource or prompt" onClear={() => filter({ q: '', origin: '' })} />
      ) : (
        <ul className="card divide-y" aria-label="What is known of the server">
          {shown.map((it) => (
            <FactRow key={`${it.kind} ${it.key}`} fact={it} />
          ))}
        </ul>
      )}
    </>
  )
}

/** What a server declares beside what was observed of it. */
export const SurfaceView = ({ at, q, origin }: { at: ServerRef; q: string; origin: string }) => {
  const server = useQuery(serverQuery(at))
  const seen = `${server.data?.observed?.fingerprint ?? ''} ${server.data?.declared?.manifest_id ?? ''}`
  const provenance = useQuery({ ...provenanceQuery(at, seen), enabled: server.data !== undefined })
  const { filter } = useAddress()
  return (
    <>
      <Toolbar>
        <SearchField label="Search tools, resources and prompts" value={q} onChange={(text) => filter({ q: text })} />
        <CommandHint command={`${svcCommand(at.tenant, ['mcp-server', 'show', at.endpoint])} --facts`} />
      </Toolbar>
      <Read query={provenance} what="the surface">
        {(it) => <List provenance={it} q={q} origin={origin} />}
      </Read>
    </>
  )
}
