import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { SecurityEvent } from '../../../../../src/api/gateway-record-shapes.ts'
import { eventActions } from '../../../../../src/gateway-policy/door.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button, buttonClass } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { Command } from '../../../parts/commands.tsx'
import { svcCommand } from '../../../parts/copy.tsx'
import { Beside, Inspector, InspectorPart } from '../../../parts/inspector.tsx'
import { List, Row } from '../../../parts/list.tsx'
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
    <Toolbar>
      <Choices
        label="Action"
        value={given.action === '' ? null : given.action}
        choices={eventActions.map((value) => ({ value, name: value }))}
        onChange={(value) => filter({ action: value ?? '' })}
      />
      <form
        className="flex flex-wrap items-center gap-1.5 max-md:shrink-0 max-md:flex-nowrap"
        onSubmit={(event) => {
          event.preventDefault()
          filter({ ...words, action: given.action })
        }}
      >
        {(Object.keys(filterNames) as Filtered[]).map((key) => (
          <span key={key}>
            <input
              className="field w-28!"
              aria-label={filterNames[key][0]}
              placeholder={filterNames[key][0]}
              title={
                filterNames[key][1] === ''
                  ? filterNames[key][0]
                  : `${filterNames[key][0]}, such as ${filterNames[key][1]}`
              }
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
          </span>
        ))}
        <Button type="submit">Filter</Button>
      </form>
    </Toolbar>
  )
}

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

const pathOf = (it: SecurityEvent): string => it.route ?? it.pathShape ?? 'no route'

const EventRow = ({
  event,
  isNarrow,
  onChoose,
}: {
  event: SecurityEvent
  /** Beside an event that is shown there is room for the request and its action only. */
  isNarrow: boolean
  onChoose: () => void
}) => (
  <Row>
    <button
      type="button"
      className="truncate text-left font-mono text-xs after:absolute after:inset-0 max-md:w-full"
      title={`${event.method} ${pathOf(event)}`}
      onClick={onChoose}
    >
      {event.method} {pathOf(event)} {event.status === null ? '' : `→ ${event.status}`}
    </button>
    <span>
      <Badge tone={actionTones[event.action] ?? 'plain'}>{event.action}</Badge>
    </span>
    {isNarrow ? null : (
      <>
        <span className="truncate font-mono text-xs" title={event.ruleRef}>
          {event.ruleRef}
        </span>
        <span className="tabular-nums md:text-right">{event.count.toLocaleString()}</span>
        <span className="text-soft">
          <Moment at={event.lastAt} />
        </span>
      </>
    )}
  </Row>
)

/** What was seen, without any value: names of fields, lengths and keyed digests. */
const EventInspector = ({
  at,
  event,
  may,
  onClose,
}: {
  at: EnvironmentAt
  event: SecurityEvent
  may: boolean
  onClose: () => void
}) => (
  <Inspector
    name={event.id}
    what="the event"
    all="All events"
    onClose={onClose}
    heading={
      <span className="font-mono text-sm break-all">
        {event.method} {pathOf(event)}
      </span>
    }
    badge={<Badge tone={actionTones[event.action] ?? 'plain'}>{event.action}</Badge>}
  >
    {may && canDraft(event) ? (
      <div>
        <Link
          to="/t/$tenant/-/gateway/$environment/policy/exceptions"
          params={{ ...at }}
          search={{ edit: 'new', event: event.id }}
          className={buttonClass('primary')}
        >
          Draft an exception
        </Link>
      </div>
    ) : null}
    <Facts
      facts={[
        ['Answer', event.status],
        ['Route', event.route === null ? null : <Narrowing by="route" value={event.route} />],
        ['Rule', <Narrowing key="rule" by="ruleRef" value={event.ruleRef} />],
        ['Requests', event.count.toLocaleString()],
        ['Last seen', <Moment key="at" at={event.lastAt} exact />],
        ['Client', [event.client.network, event.client.country].filter(Boolean).join(', ')],
        ['Source', [event.source, event.region].filter(Boolean).join(', ')],
        ['Release', event.releaseId],
        ['Policy version', event.policyVersion],
        ['Score', event.score === null ? null : `${event.score.inbound} of ${event.score.threshold}`],
        ['Event', event.id],
      ]}
    />
    <InspectorPart title="Matches">
      <ul aria-label="Matches" className="grid gap-1 text-sm">
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
    </InspectorPart>
  </Inspector>
)

/** The events that match, and beside them the one that is chosen. */
const EventList = ({
  at,
  events,
  chosen,
  may,
}: {
  at: EnvironmentAt
  events: readonly SecurityEvent[]
  chosen: string | null
  may: boolean
}) => {
  const { show } = useAddress()
  const event = events.find(({ id }) => id === chosen)
  const isNarrow = event !== undefined
  return (
    <Beside
      list={
        <List
          label="Events"
          columns={isNarrow ? 'minmax(0,1fr) 6rem' : 'minmax(0,2fr) 6rem minmax(0,1fr) 6rem 9rem'}
          heads={isNarrow ? [] : ['Request', 'Action', 'Rule', 'Requests', 'Last seen']}
        >
          {events.map((one) => (
            <EventRow key={one.id} event={one} isNarrow={isNarrow} onChoose={() => show({ event: one.id })} />
          ))}
        </List>
      }
      chosen={
        event === undefined ? null : (
          <EventInspector at={at} event={event} may={may} onClose={() => show({ event: undefined })} />
        )
      }
    />
  )
}

/** What gateways recorded: which rule matched where, and what became of it. */
export const EventsView = ({
  at,
  given,
  offset,
  chosen,
}: {
  at: EnvironmentAt
  given: EventFilter
  offset: number
  /** The event that is shown beside the list. */
  chosen: string | null
}) => {
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
            <div>
              <h2 className="sr-only">Recorded events</h2>
              <p className="text-sm text-soft">Most recent first. Each row groups similar requests.</p>
            </div>
            <EventList at={at} events={items} chosen={chosen} may={may} />
          </>
        )}
      </Listing>
    </>
  )
}
