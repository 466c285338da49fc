import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import { deliveryStatuses, type Subscription, type webhooksApi } from '../../../../src/api/webhooks.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Facts, Moment, Page, Section, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useTestEvent } from './changes.ts'
import { deliveriesQuery, type DeliveryFilter, statsQuery, subscriptionQuery, type SubscriptionRef } from './queries.ts'
import { ReplayForm } from './replay-form.tsx'
import { readSecretRef } from '../../parts/signing-secret.ts'
import { SubscriptionDialogs } from './subscription-dialogs.tsx'
import { SubscriptionNotices } from './subscription-notices.tsx'
import { nameOf, severityName, stateOf, statusNames, statusTones } from './words.ts'
import { webhookEventTypes } from '../../../../src/api/webhook-events.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { FilterDate, FilterSelect } from '../../parts/filter-chips.tsx'
import { Beside } from '../../parts/inspector.tsx'
import { DeliveryInspector } from './delivery-inspector.tsx'
import { DeliveryList, DeliveryRow } from './delivery-row.tsx'
import { instantOf } from '../../parts/time.ts'

type DeliveryStats = Output<typeof webhooksApi.stats>

const DeliveryFilters = ({
  given: { status, type, since },
  counts,
}: {
  given: DeliveryFilter
  counts: DeliveryStats['deliveries'] | undefined
}) => {
  const { filter } = useAddress()
  return (
    <Toolbar>
      <Choices
        label="Status"
        value={status}
        choices={deliveryStatuses.map((value) => ({
          value,
          name: statusNames[value],
          ...(counts ? { count: counts[value] } : {}),
        }))}
        onChange={(value) => filter({ status: value ?? '' })}
      />
      <FilterSelect
        label="Event type"
        value={type}
        all="All types"
        options={webhookEventTypes.map((value) => ({ value: value as string, name: value }))}
        onChange={(value) => filter({ type: value })}
      />
      <FilterDate
        label="Events from"
        type="datetime-local"
        value={since}
        onChange={(value) => filter({ since: value })}
      />
    </Toolbar>
  )
}

/** The deliveries of one subscription with their filters. */
const DeliveriesSection = ({
  at,
  given,
  offset,
  chosen,
  isOff,
  stats,
}: {
  at: SubscriptionRef
  given: DeliveryFilter
  offset: number
  /** The delivery that is shown beside the list. */
  chosen: string | null
  isOff: boolean
  stats: DeliveryStats | undefined
}) => {
  const deliveries = useQuery(deliveriesQuery(at, given, offset))
  const { filter, move, show } = useAddress()
  const { status, type, since } = given
  const command = svcCommand(at.tenant, ['webhooks', 'deliveries', at.subscription], {
    status,
    type,
    since: instantOf(since) ?? '',
  })
  return (
    <Section
      title="Deliveries"
      description="Kept for 30 days, dead letters for 90."
      actions={<CommandHint command={command} />}
    >
      <DeliveryFilters given={given} counts={stats?.deliveries} />
      <Listing
        query={deliveries}
        what="the deliveries"
        one="delivery"
        filtered={status !== '' || type !== '' || since !== ''}
        onClear={() => filter({ status: '', type: '', since: '' })}
        onMove={move}
        empty={
          <Empty title="No deliveries yet">
            <p>The next event of the organization is sent here. A test event shows whether the receiver accepts it.</p>
          </Empty>
        }
      >
        {(items) => (
          <Beside
            list={
              <DeliveryList label="Deliveries" isNarrow={chosen !== null}>
                {items.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    tenant={at.tenant}
                    delivery={delivery}
                    badge={{ tone: statusTones[delivery.status], children: statusNames[delivery.status] }}
                    next={delivery.nextRetryAt}
                    beside
                    isNarrow={chosen !== null}
                  />
                ))}
              </DeliveryList>
            }
            chosen={
              chosen === null ? null : (
                <DeliveryInspector
                  tenant={at.tenant}
                  delivery={chosen}
                  isOff={isOff}
                  onClose={() => show({ delivery: undefined })}
                />
              )
            }
          />
        )}
      </Listing>
    </Section>
  )
}

const projectNames = ({ projects }: Subscription): string => {
  if (projects === null) return 'All, and events of no project'
  return projects.length === 0
    ? 'None: those that were chosen are deleted'
    : projects.map(({ slug }) => slug).join(', ')
}

const About = ({ of: subscription }: { of: Subscription }) => {
  const { kind, fingerprint, previous } = readSecretRef(subscription.signingSecretRef)
  const code = (text: string) => <code className="font-mono text-xs">{text}</code>
  return (
    <div className="card p-4">
      <Facts
        facts={[
          [
            'URL',
            <span key="url" className="inline-flex max-w-full items-start gap-1">
              <span className="min-w-0 break-all">{subscription.url}</span>
              <CopyButton text={subscription.url} what="the URL" />
            </span>,
          ],
          ['Events', subscription.eventTypes === null ? 'All types' : subscription.eventTypes.join(', ')],
          ['Publications', severityName(subscription)],
          ['Projects', projectNames(subscription)],
          ['Answers', subscription.keepAnswers ? 'The first 2,000 bytes are kept' : 'Not kept'],
          [
            'Signing secret',
            <>
              fingerprint {code(fingerprint)}
              {kind === 'raw' ? ', used as its UTF-8 bytes' : ''}
            </>,
          ],
          [
            'Previous secret',
            previous ? (
              <>
                fingerprint {code(previous.fingerprint)}, signs too until <Moment at={previous.until} exact />
              </>
            ) : null,
          ],
          [
            'Id',
            <span key="id" className="inline-flex max-w-full items-center gap-1">
              <span className="min-w-0 font-mono text-xs break-all">{subscription.id}</span>
              <CopyButton text={subscription.id} what="the id" />
            </span>,
          ],
          ['Created', subscription.createdAt ? <Moment at={subscription.createdAt} /> : null],
        ]}
      />
    </div>
  )
}

/** Attempts of so many deliveries are counted. */
const mostMeasured = 2000

const ms = (value: number | null): string => (value === null ? '–' : `${value.toLocaleString()} ms`)

const Numbers = ({ attempts, next_attempt_at: next }: Output<typeof webhooksApi.stats>) => (
  <div className="card p-4">
    <Facts
      facts={[
        [
          'Attempts in 24 hours',
          `${attempts.total.toLocaleString()}${attempts.total < mostMeasured ? '' : ' or more'}`,
        ],
        [
          'Accepted',
          attempts.total === 0
            ? '–'
            : `${attempts.accepted.toLocaleString()} (${Math.floor((attempts.accepted / attempts.total) * 100)} %)`,
        ],
        ['Duration, median', ms(attempts.p50_ms)],
        ['Duration, 95 % below', ms(attempts.p95_ms)],
        ['Next attempt', next ? <Moment at={next} exact /> : 'nothing is waiting'],
      ]}
    />
  </div>
)

const Actions = ({ subscription, test }: { subscription: Subscription; test: ReturnType<typeof useTestEvent> }) => {
  const { open } = useAddress()
  return (
    <>
      {subscription.active ? (
        <Button look="primary" busy={test.isPending} onClick={() => test.mutate(subscription.id)}>
          Send a test event
        </Button>
      ) : null}
      <Button onClick={() => open('edit')}>Edit …</Button>
      <Menu align="end" look="plain" label="More">
        <MenuItem onClick={() => open('rotate')}>Rotate the secret …</MenuItem>
        {subscription.active ? (
          <MenuItem onClick={() => open('replay')}>Send missed deliveries again …</MenuItem>
        ) : null}
        {subscription.active ? <MenuItem onClick={() => open('off')}>Switch off …</MenuItem> : null}
        <MenuLine />
        <MenuItem onClick={() => open('delete')}>Delete …</MenuItem>
      </Menu>
    </>
  )
}

/** One subscription: its state and numbers, and what was sent to it. */
export const SubscriptionPage = ({
  at,
  given,
  offset,
  chosen,
}: {
  at: SubscriptionRef
  given: DeliveryFilter
  offset: number
  chosen: string | null
}) => {
  const { tenant } = at
  const subscription = useQuery(subscriptionQuery(at))
  const stats = useQuery(statsQuery(at))
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const { dialog, item, close } = useAddress()
  const test = useTestEvent(tenant)
  const may = holds(identity.data, tenant, 'webhooks:edit')
  const record = subscription.data
  const state = record ? stateOf(record) : null
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/webhooks" params={{ tenant }} className="link">
          Webhooks
        </Link>
      }
      title={record ? nameOf(record) : 'Webhook subscription'}
      badges={state ? <Badge tone={state.tone}>{state.name}</Badge> : null}
      actions={record && may ? <Actions subscription={record} test={test} /> : null}
    >
      <Read query={subscription} what="the subscription">
        {(subscription) => (
          <>
            {test.error ? <Failure error={test.error} /> : null}
            {identity.data && !may ? (
              <p className="text-sm text-soft">{needs('webhooks:edit', 'Changing a subscription')}</p>
            ) : null}
            <SubscriptionNotices tenant={tenant} subscription={subscription} stats={stats.data} may={may} />
            <DeliveriesSection
              at={at}
              given={given}
              offset={offset}
              chosen={chosen}
              isOff={!subscription.active}
              stats={stats.data}
            />
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
              <About of={subscription} />
              <Read query={stats} what="the numbers">
                {(numbers) => <Numbers {...numbers} />}
              </Read>
            </div>
            {may ? (
              <>
                <Window open={dialog === 'replay'} onClose={close} title="Send missed deliveries again">
                  <ReplayForm
                    tenant={tenant}
                    subscriptions={[]}
                    subscription={subscription.id}
                    since={item ?? ''}
                    onClose={close}
                  />
                </Window>
                <SubscriptionDialogs
                  tenant={tenant}
                  subscription={subscription}
                  onDeleted={() => navigate({ to: '/t/$tenant/-/webhooks', params: { tenant }, replace: true })}
                />
              </>
            ) : null}
          </>
        )}
      </Read>
    </Page>
  )
}
