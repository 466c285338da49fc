import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { McpObservation } from '../../../../src/api/mcp-server-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { manifestsQuery, observationsQuery, type ServerRef } from './queries.ts'
import { countsWords, observerNames, shortPrint } from './words.ts'

const Seen = ({ it }: { it: McpObservation }) => {
  if (it.error !== null)
    return (
      <>
        <Badge tone="warn">{it.error.class}</Badge>
        <span className="min-w-0 grow basis-56 wrap-anywhere">{it.error.message}</span>
      </>
    )
  return (
    <>
      {it.changed ? <Badge tone="info">changed</Badge> : <Badge>unchanged</Badge>}
      {it.change?.severity ? <Severity severity={it.change.severity} /> : null}
      <span className="min-w-0 grow basis-56">{countsWords(it.counts)}</span>
    </>
  )
}

const Row = ({ at, it, before }: { at: ServerRef; it: McpObservation; before: string | null }) => (
  <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
    <span className="w-48 max-sm:w-full">
      <Moment at={it.at} />
    </span>
    <Seen it={it} />
    <span className="text-xs text-soft">by {observerNames[it.by]}</span>
    {it.fingerprint === null ? null : <code className="font-mono text-xs">{shortPrint(it.fingerprint.wire)}</code>}
    {it.changed && it.fingerprint !== null && before !== null ? (
      <Link
        to="/t/$tenant/-/mcp-servers/$endpoint/changes"
        params={{ ...at }}
        search={{ from: before, to: it.fingerprint.wire }}
        className="link text-xs"
      >
        What changed
      </Link>
    ) : null}
  </li>
)

/** The surface before the n-th of the list, which is newest first; null where that is not on this page. */
const printBefore = (items: readonly McpObservation[], n: number): string | null =>
  items.slice(n + 1).find((it) => it.fingerprint !== null)?.fingerprint?.wire ?? null

const Manifests = ({ at }: { at: ServerRef }) => {
  const manifests = useQuery(manifestsQuery(at))
  return (
    <Section title="Declarations" description="Manifests that were imported for this server, newest first.">
      <Read query={manifests} what="the declarations">
        {({ manifests: all }) =>
          all.length === 0 ? (
            <p className="text-soft">None.</p>
          ) : (
            <ul className="card divide-y" aria-label="Declarations">
              {all.map((it) => (
                <li key={it.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
                  <span className="w-48 max-sm:w-full">
                    <Moment at={it.declared_at} />
                  </span>
                  <Badge tone={it.status === 'declared' ? 'ok' : 'plain'}>{it.status}</Badge>
                  <span>
                    {it.format}
                    {it.schema_version === null ? '' : ` ${it.schema_version}`}
                    {it.version === null ? '' : `, version ${it.version}`}
                  </span>
                  <span className="min-w-0 grow basis-56 text-soft">{countsWords(it.counts)}</span>
                  {it.source_label === null ? null : (
                    <span className="text-xs wrap-anywhere text-soft">{it.source_label}</span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </Section>
  )
}

/** When a server was observed, and what was found: changes at first, every observation on request. */
export const HistoryView = ({ at, all, offset }: { at: ServerRef; all: boolean; offset: number }) => {
  const observations = useQuery(observationsQuery(at, false, offset))
  const { filter, move } = useAddress()
  return (
    <>
      <Toolbar>
        <Choices
          label="Observations"
          value={all ? 'all' : 'changes'}
          choices={[
            { value: 'changes', name: 'Changes and failures' },
            { value: 'all', name: 'All' },
          ]}
          onChange={(value) => filter({ all: value === 'all' ? 'yes' : '' })}
        />
        <CommandHint command={svcCommand(at.tenant, ['mcp-server', 'history', at.endpoint])} />
      </Toolbar>
      <Listing
        query={observations}
        what="the observations"
        one="observation"
        onMove={move}
        empty={
          <Empty title="Never observed">
            <p>The service observes a server with an address once a day; others are observed where they run.</p>
          </Empty>
        }
      >
        {(items) => {
          const rows = items.map((it, n) => ({ it, before: printBefore(items, n) }))
          // The first observation is where the history begins.
          const isShown = ({ it, before }: (typeof rows)[number]) =>
            all || it.changed || it.error !== null || (before === null && it.fingerprint !== null)
          return (
            <ol className="card divide-y" aria-label="Observations">
              {rows.filter(isShown).map((row) => (
                <Row key={row.it.id} at={at} {...row} />
              ))}
            </ol>
          )
        }}
      </Listing>
      <Manifests at={at} />
    </>
  )
}
