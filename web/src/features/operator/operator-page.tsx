import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { operatorApi, type OrganizationUse, type ServiceOverview } from '../../../../src/api/operator.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Moment, Page, Section, Toolbar } from '../../parts/page.tsx'
import { bytesWords, count } from '../../parts/text.ts'

const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: () => call(operatorApi.overview, {}),
  refetchInterval: 10_000,
})

const organizationsQuery = (q: string, offset: number) =>
  queryOptions({
    queryKey: ['operator', 'organizations', q, offset],
    queryFn: () => call(operatorApi.organizations, { query: { ...(q === '' ? {} : { q }), offset, limit: 50 } }),
    placeholderData: keepPreviousData,
  })

const queueNames = { jobs: 'Job', 'due-work': 'Scheduled work', outbox: 'Events', webhooks: 'Webhooks' } as const

/** The word that the head of a column says where there is room for heads. */
const Word = ({ children }: { children: string }) => <span className="md:hidden"> {children}</span>

/** What waits longer deserves a look; the alerts for Prometheus have the same limit. */
const lateSeconds = 600

const ageWords = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} hours`
}

const queueState = ({ waiting, running, oldest_seconds: oldest }: ServiceOverview['queues'][number]) => {
  if (oldest > lateSeconds) return <Badge tone="danger">late</Badge>
  if (waiting + running > 0) return <Badge tone="info">working</Badge>
  return <Badge>nothing waits</Badge>
}

const Queues = ({ queues }: { queues: ServiceOverview['queues'] }) => (
  <Section title="What waits" description="Jobs, scheduled work, events and webhook deliveries of all organizations.">
    {queues.length === 0 ? (
      <p className="card px-4 py-3 text-soft">Nothing waits.</p>
    ) : (
      <List
        label="What waits"
        columns="minmax(0,1fr) minmax(0,1.5fr) 8rem 7rem 7rem 8rem"
        heads={['Queue', 'Kind', 'State', 'Waiting', 'Under way', 'Oldest']}
      >
        {queues.map((one) => (
          <Row key={`${one.queue} ${one.kind}`}>
            <span>{queueNames[one.queue]}</span>
            <span className="truncate font-mono text-xs" title={one.kind}>
              {one.kind}
            </span>
            {queueState(one)}
            <span className="tabular-nums">
              {one.waiting.toLocaleString()}
              <Word>waiting</Word>
            </span>
            <span className="tabular-nums">
              {one.running.toLocaleString()}
              <Word>under way</Word>
            </span>
            <span className="text-soft tabular-nums">
              {one.oldest_seconds === 0 ? '' : ageWords(one.oldest_seconds)}
            </span>
          </Row>
        ))}
      </List>
    )}
  </Section>
)

const tones: Readonly<Record<string, Tone>> = { failing: 'danger', failed: 'danger', silent: 'warn', off: 'plain' }
const whatNames = {
  'webhook-subscriptions': 'Webhook subscriptions',
  repositories: 'Repositories',
  gateways: 'Gateways',
} as const

const States = ({ states }: { states: ServiceOverview['states'] }) => (
  <ul className="card grid gap-px overflow-hidden bg-line sm:grid-cols-3" aria-label="States">
    {Object.entries(whatNames).map(([what, name]) => (
      <li key={what} className="grid content-start gap-1 bg-surface px-4 py-3">
        <p className="text-sm text-soft">{name}</p>
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {states
            .filter((one) => one.what === what)
            .map(({ state, count: n }) => (
              <Badge key={state} tone={n === 0 ? 'plain' : (tones[state] ?? 'ok')}>
                {n.toLocaleString()} {state}
              </Badge>
            ))}
        </p>
      </li>
    ))}
  </ul>
)

const Failures = ({ failures }: { failures: ServiceOverview['failing_jobs'] }) => (
  <Section title="Jobs that failed" description="In the last 24 hours, by kind and error, the most frequent first.">
    {failures.length === 0 ? (
      <p className="card px-4 py-3 text-soft">None failed.</p>
    ) : (
      <List
        label="Jobs that failed"
        columns="minmax(0,9rem) minmax(0,1fr) 5rem minmax(0,1.5fr) minmax(0,9rem) 8rem"
        heads={['Job', 'Error', 'Times', 'The last job', 'Organization', 'When']}
      >
        {failures.map(({ kind, code, count: n, last }) => (
          <Row key={`${kind} ${code}`}>
            <span className="truncate font-mono text-xs">{kind}</span>
            <span className="truncate font-mono text-xs" title={code}>
              {code}
            </span>
            <span className="tabular-nums">
              {n.toLocaleString()}
              <Word>times</Word>
            </span>
            <span className="truncate font-mono text-xs text-soft max-md:w-full" title={last.job_id}>
              {last.job_id}
            </span>
            <span className="truncate">{last.tenant_slug}</span>
            <span className="text-soft">
              <Moment at={last.at} />
            </span>
          </Row>
        ))}
      </List>
    )}
  </Section>
)

const ms = (value: number): string => `${value.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms`

const Slow = ({ slow }: { slow: ServiceOverview['slow'] }) => (
  <Section
    title="Where time goes"
    description="The operations that took this process most time within an hour. Another process of the service shows its own."
  >
    {slow.length === 0 ? (
      <p className="card px-4 py-3 text-soft">No requests yet.</p>
    ) : (
      <List
        label="Where time goes"
        columns="minmax(0,1fr) 7rem 7rem 7rem 7rem"
        heads={['Operation', 'Requests', 'Half within', '19 of 20 within', 'Longest']}
      >
        {slow.map((one) => (
          <Row key={one.operation}>
            <span className="truncate font-mono text-xs max-md:w-full" title={one.operation}>
              {one.operation}
            </span>
            <span className="tabular-nums">
              {one.count.toLocaleString()}
              <Word>requests</Word>
            </span>
            <span className="tabular-nums">
              {ms(one.p50_ms)}
              <Word>half</Word>
            </span>
            <span className="tabular-nums">
              {ms(one.p95_ms)}
              <Word>19 of 20</Word>
            </span>
            <span className="tabular-nums">
              {ms(one.max_ms)}
              <Word>longest</Word>
            </span>
          </Row>
        ))}
      </List>
    )}
  </Section>
)

const OrganizationRow = ({ one }: { one: OrganizationUse }) => (
  <Row>
    <span className="flex min-w-0 items-baseline gap-2 max-md:w-full">
      <span className="truncate font-medium" title={one.name}>
        {one.name}
      </span>
      <span className="truncate font-mono text-xs text-soft">{one.slug}</span>
    </span>
    <span className="text-soft tabular-nums">{count(one.members, 'member', 'members')}</span>
    <span className="text-soft tabular-nums">{count(one.projects, 'project', 'projects')}</span>
    <span className="text-soft tabular-nums">{count(one.versions, 'version', 'versions')}</span>
    <span className="tabular-nums">{bytesWords(one.storage_bytes)}</span>
    <span className="text-soft tabular-nums">{count(one.jobs, 'job', 'jobs')}</span>
    <span className="text-soft">{one.last_import_at === null ? '' : <Moment at={one.last_import_at} />}</span>
  </Row>
)

const Organizations = ({ q, offset }: { q: string; offset: number }) => {
  const organizations = useQuery(organizationsQuery(q, offset))
  const { filter, move } = useAddress()
  return (
    <Section title="Organizations" description="What each of them uses. Jobs are those of the last 24 hours.">
      <Toolbar>
        <SearchField label="Search organizations" value={q} onChange={(text) => filter({ q: text })} />
      </Toolbar>
      <Listing
        query={organizations}
        what="the organizations"
        one="organization"
        filtered={q !== ''}
        onClear={() => filter({ q: '' })}
        onMove={move}
        empty={<p className="card px-4 py-3 text-soft">No organizations.</p>}
      >
        {(items) => (
          <List
            label="Organizations"
            columns="minmax(0,2fr) 8rem 8rem 8rem 7rem 6rem 8rem"
            heads={['Organization', 'People', 'Projects', 'Versions', 'Documents', 'Jobs', 'Newest version']}
          >
            {items.map((one) => (
              <OrganizationRow key={one.slug} one={one} />
            ))}
          </List>
        )}
      </Listing>
    </Section>
  )
}

const Overview = ({ of: overview }: { of: ServiceOverview }) => (
  <>
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
      <span>svc {overview.version}</span>
      <span>
        runs since <Moment at={overview.started_at} />
      </span>
      <span>
        {overview.database.engine === 'sqlite' ? 'SQLite' : 'Postgres'}, {bytesWords(overview.database.size_bytes)}
      </span>
      <span>{count(overview.database.statements_running, 'statement', 'statements')} under way</span>
    </p>
    <States states={overview.states} />
    <Queues queues={overview.queues} />
    <Failures failures={overview.failing_jobs} />
    <Slow slow={overview.slow} />
  </>
)

/** The service as a whole, for who runs it: what waits, what fails, what is slow, and what each organization uses. */
export const OperatorPage = ({ q, offset }: { q: string; offset: number }) => {
  const overview = useQuery(overviewQuery)
  return (
    <Page
      title="Service"
      description="The service as a whole, for the owners of this organization, who run it. It shows no content of other organizations."
    >
      <Read query={overview} what="the service">
        {(read) => <Overview of={read} />}
      </Read>
      {overview.data === undefined ? null : <Organizations q={q} offset={offset} />}
    </Page>
  )
}
