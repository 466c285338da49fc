import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type AuditRecord, tenantsApi } from '../../../../src/api/tenants.ts'
import { useAddress } from '../../parts/address.ts'
import { exactly } from '../../parts/time.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { FilterDate, FilterSelect } from '../../parts/filter-chips.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Page, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { useDownload } from '../../parts/download.ts'
import { allMembersQuery } from '../members/queries.ts'
import { auditCsv } from './csv.ts'
import { families, sentenceOf } from './families.ts'
import { actionWords, dayWords, detailsOf, inGroups } from './words.ts'
import { call } from '../../call.ts'
import { pageSize, pieceSize } from '../../query-client.ts'

export interface AuditFilter {
  readonly action: string
  readonly actor: string
  /** Id of what the events are about. */
  readonly target: string
  /** Days, as "2026-11-21", in the reader's own zone. */
  readonly since: string
  readonly until: string
}

/** The first moment of a day, and of the one after it, where the reader is. */
const dayStart = (day: string, later = 0): string | null => {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  const at = new Date(year, month - 1, date + later)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

const askedOf = ({ action, actor, target, since, until }: AuditFilter) => {
  const from = dayStart(since)
  const to = dayStart(until, 1)
  return {
    ...(action === '' ? {} : { action }),
    ...(actor === '' ? {} : { actor }),
    ...(target === '' ? {} : { target }),
    ...(from === null ? {} : { since: from }),
    ...(to === null ? {} : { until: to }),
  }
}

export const auditQuery = (tenant: string, filter: AuditFilter, offset: number) =>
  queryOptions({
    queryKey: ['audit', tenant, filter, offset],
    queryFn: () =>
      call(tenantsApi.audit, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...askedOf(filter) },
      }),
    placeholderData: (before) => before,
  })

/** The service lists no further than this. */
const furthest = 10_000

/** All events that fit, as far as the service lists them, newest first. */
export const readAudit = async (tenant: string, filter: AuditFilter): Promise<readonly AuditRecord[]> => {
  const all: AuditRecord[] = []
  for (let offset = 0; offset <= furthest; offset += pieceSize) {
    const { items, total } = await call(tenantsApi.audit, {
      params: { tenant_slug: tenant },
      query: { limit: pieceSize, offset, ...askedOf(filter) },
    })
    all.push(...items)
    if (items.length === 0 || all.length >= total) break
  }
  return all
}

const means = { web: 'web', token: 'token', local: 'command line', key: 'key' } as const

/** What is known about an event, as "name value" pairs; what holds nothing or is the name of the target is left out. */
const Detail = ({ event: { detail, target_name: name } }: { event: AuditRecord }) => {
  const known = detailsOf(detail, name)
  return (
    <p
      className="truncate text-xs text-soft max-md:w-full"
      title={known.map(({ name: key, whole }) => `${key}: ${whole}`).join('\n')}
    >
      {known.map(({ name: key, text }, index) => (
        <span key={key}>
          {index === 0 ? '' : ' · '}
          {key} <span className="text-ink">{text}</span>
        </span>
      ))}
    </p>
  )
}

/** What the event is about: its page if it has one, else everything that was done to it. */
const Target = ({ tenant, event }: { tenant: string; event: AuditRecord }) => {
  const { target_id: id, target_name: name, target_url: url } = event
  if (name === null) return null
  if (url !== null)
    return (
      <a href={url} className="hover:underline">
        {name}
      </a>
    )
  return id === null ? (
    <span>{name}</span>
  ) : (
    <Link
      to="/t/$tenant/-/audit"
      params={{ tenant }}
      search={{ target: id }}
      className="hover:underline"
      title="Show only events about this"
    >
      {name}
    </Link>
  )
}

const timeOf = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

const Actor = ({ tenant, event }: { tenant: string; event: AuditRecord }) =>
  event.actor_id === null ? (
    <span className="truncate text-soft">{event.actor_kind}</span>
  ) : (
    <Link
      to="/t/$tenant/-/audit"
      params={{ tenant }}
      search={{ actor: event.actor_id }}
      className="truncate hover:underline"
      title="Show only events by this actor"
    >
      {event.actor_name ?? `${event.actor_kind} ${event.actor_id}`}
    </Link>
  )

const Event = ({ tenant, event }: { tenant: string; event: AuditRecord }) => (
  <Row>
    <span className="truncate font-medium" title={`${sentenceOf(event.action)} (${event.action})`}>
      {actionWords(event.action)}
    </span>
    <span className="truncate">
      <Target tenant={tenant} event={event} />
    </span>
    <Detail event={event} />
    <Actor tenant={tenant} event={event} />
    <span className="text-xs text-soft">{event.means === null ? '' : means[event.means]}</span>
    <time
      dateTime={event.created_at}
      title={exactly(event.created_at)}
      className="text-soft tabular-nums md:text-right"
    >
      {timeOf(event.created_at)}
    </time>
  </Row>
)

/** The members as choices; other actors, such as a key, are added. */
const useActors = (tenant: string, actor: string, events: readonly AuditRecord[]) => {
  const members = useQuery(allMembersQuery(tenant))
  const known = (members.data?.items ?? []).map((it) => ({ value: it.user_id, name: it.name }))
  const named = events.find((it) => it.actor_id === actor)
  const other = { value: actor, name: named?.actor_name ?? actor }
  const listed = actor === '' || known.some((it) => it.value === actor)
  return [{ value: '', name: 'Anyone' }, ...known, ...(listed ? [] : [other])]
}

const Filters = ({
  tenant,
  given,
  events,
  children,
}: {
  tenant: string
  given: AuditFilter
  events: readonly AuditRecord[]
  /** What the filters leave. */
  children: ReactNode
}) => {
  const { filter } = useAddress()
  const known = families.some((it) => it.value === given.action)
  const actors = useActors(tenant, given.actor, events)
  return (
    <Toolbar>
      <FilterSelect
        label="Show"
        value={given.action}
        all={null}
        options={known ? families : [...families, { value: given.action, name: given.action }]}
        onChange={(action) => filter({ action })}
      />
      <FilterSelect
        label="Who"
        value={given.actor}
        all={null}
        options={actors}
        onChange={(actor) => filter({ actor })}
      />
      <FilterDate label="From" value={given.since} onChange={(since) => filter({ since })} />
      <FilterDate label="Until" value={given.until} onChange={(until) => filter({ until })} />
      {children}
    </Toolbar>
  )
}

/** Who changed what in the organization, newest first. */
export const AuditPage = ({ tenant, given, offset }: { tenant: string; given: AuditFilter; offset: number }) => {
  const audit = useQuery(auditQuery(tenant, given, offset))
  const { filter, move } = useAddress()
  const about = audit.data?.items.find((it) => it.target_id === given.target)?.target_name
  const download = useDownload()
  const filtered = Object.values(given).some((it) => it !== '')
  const clear = (): void => filter({ action: '', actor: '', target: '', since: '', until: '' })
  return (
    <Page
      title="Audit trail"
      description="Who changed what and when: identity, access and governance."
      actions={
        <>
          <CommandHint command={svcCommand(tenant, ['tenant', 'audit'], { ...given })} />
          <Button
            busy={download.isPending}
            onClick={() =>
              download.mutate({
                name: `audit-${tenant}.csv`,
                type: 'text/csv',
                read: async () => auditCsv(await readAudit(tenant, given)),
              })
            }
          >
            Export as CSV
          </Button>
        </>
      }
    >
      {download.error ? <Failure error={download.error} /> : null}
      <Filters tenant={tenant} given={given} events={audit.data?.items ?? []}>
        {filtered ? (
          <p className="flex items-center gap-3 text-sm text-soft" role="status">
            {audit.data ? count(audit.data.total, 'event', 'events') : ''}
            {given.target === '' ? '' : ` about ${about ?? given.target}`}
            <Button look="quiet" onClick={clear}>
              Clear filters
            </Button>
          </p>
        ) : null}
      </Filters>
      <Listing
        query={audit}
        what="the audit trail"
        one="event"
        filtered={filtered}
        onClear={clear}
        onMove={move}
        empty={
          <Empty title="No events yet">
            <p>Changes of members, keys and versions will be listed here.</p>
          </Empty>
        }
      >
        {(items) => (
          <div className="grid gap-4">
            {inGroups(items, (it) => dayWords(it.created_at, Date.now())).map(({ name, rows }) => (
              <section key={rows[0]?.id} aria-label={name} className="grid gap-1.5">
                <h2 className="text-sm font-medium text-soft">{name}</h2>
                <List columns="minmax(0,13rem) minmax(0,1fr) minmax(0,1.4fr) minmax(0,10rem) 6.5rem 6rem">
                  {rows.map((event) => (
                    <Event key={event.id} tenant={tenant} event={event} />
                  ))}
                </List>
              </section>
            ))}
          </div>
        )}
      </Listing>
    </Page>
  )
}
