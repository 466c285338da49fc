import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { SecurityEvent } from '../../../../../src/api/gateway-record-shapes.ts'
import { eventActions } from '../../../../../src/gateway-policy/door.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { Command } from '../../../parts/commands.tsx'
import { svcCommand } from '../../../parts/copy.tsx'
import { Field } from '../../../parts/form.tsx'
import { Listing } from '../../../parts/listing.tsx'
import { Facts, Moment, Toolbar } from '../../../parts/page.tsx'
import { Empty } from '../../../parts/states.tsx'
import { holds, identityQuery } from '../../../session.ts'
import type { EnvironmentAt } from '../queries.ts'
import { EventsChart } from './chart.tsx'
import { type EventFilter, eventFilters, eventsQuery } from '../rules/queries.ts'
import { actionTones } from '../rules/words.ts'

const filterNames = {
  ruleRef: ['Rule', 'crs:942100'],
  route: ['Route', '/search'],
  releaseId: ['Release', ''],
  region: ['Region', ''],
  source: ['Source', ''],
} as const

type Filtered = keyof typeof filterNames

const valueOf = (it: SecurityEvent, key: Filtered): string => it[key] ?? ''

/** Each field suggests the values of the events that are shown. */
const Filters = ({ given, events }: { given: EventFilter; events: readonly SecurityEvent[] }) => {
  const { filter } = useAddress()
  const [words, setWords] = useState(given)
  const list = useId()
  const known = (key: Filtered): readonly string[] =>
    [...new Set(events.map((it) => valueOf(it, key)))].filter((value) => value !== '').toSorted()
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        filter({ ...words, action: given.action })
      }}
    >
      <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 lg:grid-cols-6">
        {(Object.keys(filterNames) as Filtered[]).map((key) => (
          <div key={key}>
            <Field
              label={filterNames[key][0]}
              placeholder={filterNames[key][1]}
              spellCheck={false}
              autoComplete="off"
              list={`${list}${key}`}
              value={words[key]}
              onChange={(event) => setWords((before) => ({ ...before, [key]: event.target.value.trim() }))}
            />
            <datalist id={`${list}${key}`}>
              {known(key).map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          </div>
        ))}
        <div>
          <Button type="submit">Filter</Button>
        </div>
      </div>
      <Choices
        label="Action"
        value={given.action === '' ? null : given.action}
        choices={eventActions.map((value) => ({ value, name: value }))}
        onChange={(value) => filter({ action: value ?? '' })}
      />
    </form>
  )
}

/** What was seen, without any value: names of fields, lengths and keyed digests. */
const Evidence = ({ event }: { event: SecurityEvent }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer py-1 text-soft">Evidence</summary>
    <div className="grid gap-3 pt-2">
      <Facts
        facts={[
          ['Client', [event.client.network, event.client.country].filter(Boolean).join(', ')],
          ['Source', [event.source, event.region].filter(Boolean).join(', ')],
          ['Release', event.releaseId],
          ['Policy version', event.policyVersion],
          ['Score', event.score === null ? null : `${event.score.inbound} of ${event.score.threshold}`],
          ['Event', event.id],
        ]}
      />
      <ul aria-label="Matches" className="grid gap-1">
        {event.matches.map((one) => (
          <li key={`${one.ruleRef} ${one.field}`} className="wrap-anywhere">
            <code className="font-mono">{one.ruleRef}</code> {one.severity ?? ''} in{' '}
            <code className="font-mono">{one.field ?? 'no field'}</code>
            {one.length === null ? '' : `, ${one.length} characters`}
            {one.shape === null ? null : (
              <>
                , like <code className="font-mono">{one.shape}</code>
              </>
            )}
            {one.digest === null ? null : (
              <span className="text-soft">
                , digest <code className="font-mono text-xs">{one.digest}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="text-soft">Values are never stored: equal digests are equal values.</p>
    </div>
  </details>
)

/** A value of an event; choosing it shows the events that have it, too. */
const Narrowing = ({ by, value }: { by: Filtered; value: string }) => {
  const { filter } = useAddress()
  return (
    <button
      type="button"
      className="link cursor-pointer text-left font-mono wrap-anywhere"
      title={`Show only events of this ${filterNames[by][0].toLowerCase()}`}
      onClick={() => filter({ [by]: value })}
    >
      {value}
    </button>
  )
}

const canDraft = (it: SecurityEvent): boolean => it.action !== 'allow' && it.action !== 'exempt' && it.action !== 'skip'

const Rows = ({ at, events, may }: { at: EnvironmentAt; events: readonly SecurityEvent[]; may: boolean }) => (
  <div className="card overflow-x-auto" tabIndex={0} role="region" aria-label="Events">
    <table className="w-full text-left text-sm">
      <thead className="text-soft">
        <tr className="border-b">
          {['Request', 'Action', 'Rule', 'Requests', 'Last seen'].map((name) => (
            <th key={name} className="px-4 py-2 font-medium whitespace-nowrap">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {events.map((entry) => (
          <tr key={entry.id} className="align-top">
            <td className="min-w-72 px-4 py-2.5">
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
                <p className="font-mono wrap-anywhere">
                  {entry.method}{' '}
                  {entry.route === null ? (
                    (entry.pathShape ?? 'no route')
                  ) : (
                    <Narrowing by="route" value={entry.route} />
                  )}{' '}
                  {entry.status === null ? '' : `→ ${entry.status}`}
                </p>
                {may && canDraft(entry) ? (
                  <Link
                    to="/t/$tenant/-/gateway/$environment/policy/exceptions"
                    params={{ ...at }}
                    search={{ edit: 'new', event: entry.id }}
                    className="link inline-block py-1 whitespace-nowrap"
                  >
                    Draft an exception
                  </Link>
                ) : null}
              </div>
              <Evidence event={entry} />
            </td>
            <td className="px-4 py-2.5">
              <Badge tone={actionTones[entry.action] ?? 'plain'}>{entry.action}</Badge>
            </td>
            <td className="px-4 py-2.5 whitespace-nowrap">
              <Narrowing by="ruleRef" value={entry.ruleRef} />
            </td>
            <td className="px-4 py-2.5 text-right tabular-nums">{entry.count.toLocaleString()}</td>
            <td className="px-4 py-2.5 whitespace-nowrap">
              <Moment at={entry.lastAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** What gateways recorded: which rule matched where, and what became of it. */
export const EventsView = ({ at, given, offset }: { at: EnvironmentAt; given: EventFilter; offset: number }) => {
  const events = useQuery(eventsQuery(at, given, offset))
  const identity = useQuery(identityQuery)
  const { filter, move } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  const none = Object.fromEntries(eventFilters.map((key) => [key, '']))
  return (
    <>
      <EventsChart at={at} />
      <Filters key={JSON.stringify(given)} given={given} events={events.data?.items ?? []} />
      <Listing
        query={events}
        what="the events"
        one="event"
        filtered={Object.values(given).some((it) => it !== '')}
        onClear={() => filter(none)}
        onMove={move}
        empty={
          <Empty title="No events yet">
            <p>Gateways record which rules matched and how the request was handled. Recorded events can be imported:</p>
            <Command command={svcCommand(at.tenant, ['gateway', 'events', 'import', at.environment, 'FILE'])} />
          </Empty>
        }
      >
        {(items) => (
          <>
            <Toolbar>
              <h2 className="sr-only">Recorded events</h2>
              <p className="text-sm text-soft">Most recent first. Each row groups similar requests.</p>
            </Toolbar>
            <Rows at={at} events={items} may={may} />
          </>
        )}
      </Listing>
    </>
  )
}
