import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditRecord } from '../../../../src/api/tenants.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Field, SelectField } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Moment, Page } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { useDownload } from '../../parts/download.ts'
import { auditCsv } from './csv.ts'
import { families, sentenceOf } from './families.ts'
import { type AuditFilter, auditQuery, readAudit } from './queries.ts'

const means = { web: 'web', token: 'token', local: 'command line', key: 'key' } as const

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What is known about an event, as "name value" pairs; what holds nothing is left out. */
const Detail = ({ detail }: { detail: AuditRecord['detail'] }) => {
  const known = Object.entries(detail).filter(([, value]) => value !== null && value !== '')
  if (known.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 text-xs text-soft">
      {known.map(([name, value]) => (
        <span key={name} className="break-all">
          {name.replaceAll('_', ' ')} <span className="font-mono text-ink">{say(value)}</span>
        </span>
      ))}
    </p>
  )
}

/** What the event is about, with its page if it has one. */
const Target = ({ event: { target_name: name, target_url: url } }: { event: AuditRecord }) => {
  if (name === null) return null
  return url === null ? (
    <span className="text-sm break-all">{name}</span>
  ) : (
    <a href={url} className="link text-sm break-all">
      {name}
    </a>
  )
}

const Event = ({ tenant, event }: { tenant: string; event: AuditRecord }) => (
  <li className="grid gap-1 px-4 py-2.5">
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
      <span className="text-sm font-medium">{sentenceOf(event.action)}</span>
      <Target event={event} />
      <span className="min-w-0 grow text-sm break-words">
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
      <span className="text-sm text-soft">
        {event.means === null ? '' : `${means[event.means]} · `}
        <Moment at={event.created_at} exact />
      </span>
    </div>
    <p className="font-mono text-xs text-soft">{event.action}</p>
    <Detail detail={event.detail} />
  </li>
)

/** Who changed what in the organization, newest first. */
export const AuditPage = ({ tenant, given, offset }: { tenant: string; given: AuditFilter; offset: number }) => {
  const audit = useQuery(auditQuery(tenant, given, offset))
  const { filter, move } = useAddress()
  const download = useDownload()
  const filtered = Object.values(given).some((it) => it !== '')
  const clear = (): void => filter({ action: '', actor: '', since: '', until: '' })
  const known = families.some((it) => it.value === given.action)
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
      <div className="grid gap-3 sm:grid-cols-3 sm:items-end">
        <SelectField
          label="What"
          value={given.action}
          options={known ? families : [...families, { value: given.action, name: given.action }]}
          onChange={(action) => filter({ action })}
        />
        <Field
          label="From"
          type="date"
          value={given.since}
          onChange={(event) => filter({ since: event.target.value })}
        />
        <Field
          label="Until"
          type="date"
          value={given.until}
          onChange={(event) => filter({ until: event.target.value })}
        />
      </div>
      {filtered ? (
        <p className="flex flex-wrap items-center gap-3 text-sm text-soft" role="status">
          {audit.data ? count(audit.data.total, 'event', 'events') : ''}
          {given.actor === '' ? '' : 'by one actor'}
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
          <ul className="card divide-y">
            {items.map((event) => (
              <Event key={event.id} tenant={tenant} event={event} />
            ))}
          </ul>
        )}
      </Listing>
    </Page>
  )
}
