import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { McpObservation } from '../../../../src/api/mcp-server-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { manifestsQuery, observationsQuery, type ServerRef } from './queries.ts'
import { countsWords, observerNames, shortPrint } from './words.ts'

const Seen = ({ observation }: { observation: McpObservation }) => {
  if (observation.error !== null)
    return (
      <>
        <Badge tone="warn">{observation.error.class}</Badge>
        <span className="truncate max-md:w-full" title={observation.error.message}>
          {observation.error.message}
        </span>
      </>
    )
  return (
    <>
      <span className="flex min-w-0 gap-2">
        {observation.changed ? <Badge tone="info">changed</Badge> : <Badge>unchanged</Badge>}
        {observation.change?.severity ? <Severity severity={observation.change.severity} /> : null}
      </span>
      <span className="truncate">{countsWords(observation.counts)}</span>
    </>
  )
}

const SeenRow = ({
  at,
  observation,
  before,
}: {
  at: ServerRef
  observation: McpObservation
  before: string | null
}) => (
  <Row>
    <Seen observation={observation} />
    <span className="truncate text-soft">by {observerNames[observation.by]}</span>
    <code className="font-mono text-xs text-soft">
      {observation.fingerprint === null ? '' : shortPrint(observation.fingerprint.wire)}
    </code>
    <span>
      {observation.changed && observation.fingerprint !== null && before !== null ? (
        <Link
          to="/t/$tenant/-/mcp-servers/$endpoint/changes"
          params={{ ...at }}
          search={{ from: before, to: observation.fingerprint.wire }}
          className="hover:underline"
        >
          What changed
        </Link>
      ) : null}
    </span>
    <span className="text-soft">
      <Moment at={observation.at} />
    </span>
  </Row>
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
              {all.map((observation) => (
                <li key={observation.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
                  <span className="w-48 max-sm:w-full">
                    <Moment at={observation.declared_at} />
                  </span>
                  <Badge tone={observation.status === 'declared' ? 'ok' : 'plain'}>{observation.status}</Badge>
                  <span>
                    {observation.format}
                    {observation.schema_version === null ? '' : ` ${observation.schema_version}`}
                    {observation.version === null ? '' : `, version ${observation.version}`}
                  </span>
                  <span className="min-w-0 grow basis-56 text-soft">{countsWords(observation.counts)}</span>
                  {observation.source_label === null ? null : (
                    <span className="text-xs wrap-anywhere text-soft">{observation.source_label}</span>
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
          const rows = items.map((observation, n) => ({ observation, before: printBefore(items, n) }))
          // The first observation is where the history begins.
          const isShown = ({ observation: { changed, error, fingerprint }, before }: (typeof rows)[number]) =>
            all || changed || error !== null || (before === null && fingerprint !== null)
          return (
            <List
              label="Observations"
              columns="minmax(0,13rem) minmax(0,1fr) minmax(0,10rem) 7.5rem 7.5rem 7rem"
              heads={['Outcome', 'Offers', 'Observed', 'Fingerprint', '', 'When']}
            >
              {rows.filter(isShown).map((row) => (
                <SeenRow key={row.observation.id} at={at} {...row} />
              ))}
            </List>
          )
        }}
      </Listing>
      <Manifests at={at} />
    </>
  )
}
