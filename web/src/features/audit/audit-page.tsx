import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AuditRecord, tenantsApi } from '../../../../src/api/tenants.ts'
import { useAddress } from '../../parts/address.ts'
import { exactly } from '../../parts/time.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Field, SelectField } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Page } from '../../parts/page.tsx'
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
  if (known.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 text-xs text-soft">
      {known.map(({ name: key, text, whole }) => (
        <span key={key} className="wrap-anywhere" title={whole === text ? undefined : whole}>
          {key} <span className="font-mono text-ink">{text}</span>
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
      <a href={url} className="link text-sm wrap-anywhere">
        {name}
      </a>
    )
  return id === null ? (
    <span className="text-sm wrap-anywhere">{name}</span>
  ) : (
    <Link
      to="/t/$tenant/-/audit"
      params={{ tenant }}
      search={{ target: id }}
      className="link text-sm wrap-anywhere"
      title="Show only events about this"
    >
      {name}
    </Link>
  )
}

const timeOf = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

const Event = ({ tenant, event }: { tenant: string; event: AuditRecord }) => (
  <li className="grid gap-0.5 px-4 py-2">
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
      <time
        dateTime={event.created_at}
        title={exactly(event.created_at)}
        className="w-24 shrink-0 text-sm text-soft tabular-nums"
      >
        {timeOf(event.created_at)}
      </time>
      <span className="text-sm font-medium" title={sentenceOf(event.action)}>
        {actionWords(event.action)}
      </span>
      <Target tenant={tenant} event={event} />
      <span className="min-w-0 grow text-sm break-words text-soft">
        by{' '}
        {event.actor_id === null ? (
          event.actor_kind
        ) : (
          <Link
            to="/t/$tenant/-/audit"
            params={{ tenant }}
            search={{ actor: event.actor_id }}
            className="link"
            title="Show only events by this actor"
          >
            {event.actor_name ?? `${event.actor_kind} ${event.actor_id}`}
          </Link>
        )}
      </span>
      <span className="text-xs text-soft">
        <code className="font-mono">{event.action}</code>
        {event.means === null ? '' : ` · ${means[event.means]}`}
      </span>
    </div>
    <div className="sm:pl-27">
      <Detail event={event} />
    </div>
  </li>
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

const Filters = ({ tenant, given, events }: { tenant: string; given: AuditFilter; events: readonly AuditRecord[] }) => {
  const { filter } = useAddress()
  const known = families.some((it) => it.value === given.action)
  const actors = useActors(tenant, given.actor, events)
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4 sm:items-end">
      <SelectField
        label="Show"
        value={given.action}
        options={known ? families : [...families, { value: given.action, name: given.action }]}
        onChange={(action) => filter({ action })}
      />
      <SelectField label="Who" value={given.actor} options={actors} onChange={(actor) => filter({ actor })} />
      <Field label="From" type="date" value={given.since} onChange={(event) => filter({ since: event.target.value })} />
      <Field
        label="Until"
        type="date"
        value={given.until}
        onChange={(event) => filter({ until: event.target.value })}
      />
    </div>
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
      <Filters tenant={tenant} given={given} events={audit.data?.items ?? []} />
      {filtered ? (
        <p className="flex flex-wrap items-center gap-3 text-sm text-soft" role="status">
          {audit.data ? count(audit.data.total, 'event', 'events') : ''}
          {given.target === '' ? '' : ` about ${about ?? given.target}`}
          <Button onClick={clear}>Clear filters</Button>
        </p>
      ) : null}
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
                <ul className="card divide-y">
                  {rows.map((event) => (
                    <Event key={event.id} tenant={tenant} event={event} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </Listing>
    </Page>
  )
}
