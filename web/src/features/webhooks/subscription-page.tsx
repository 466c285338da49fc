import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { Subscription, webhooksApi } from '../../../../src/api/webhooks.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Facts, Moment, Page } from '../../parts/page.tsx'
import { Failure, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useTestEvent } from './changes.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { type DeliveryFilter, statsQuery, subscriptionQuery, type SubscriptionRef } from './queries.ts'
import { ReplayForm } from './replay-form.tsx'
import { readSecretRef } from './signing-secret.ts'
import { SubscriptionDialogs } from './subscription-dialogs.tsx'
import { SubscriptionNotices } from './subscription-notices.tsx'
import { severityName, shortUrl, stateOf } from './words.ts'

const About = ({ of: it }: { of: Subscription }) => {
  const { kind, fingerprint, previous } = readSecretRef(it.signingSecretRef)
  const code = (text: string) => <code className="font-mono text-xs">{text}</code>
  return (
    <div className="card p-4">
      <Facts
        facts={[
          [
            'URL',
            <span key="url" className="inline-flex max-w-full items-start gap-1">
              <span className="min-w-0 break-all">{it.url}</span>
              <CopyButton text={it.url} what="the URL" />
            </span>,
          ],
          ['Publications', severityName(it)],
          ['Other events', 'All'],
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
              <span className="min-w-0 font-mono text-xs break-all">{it.id}</span>
              <CopyButton text={it.id} what="the id" />
            </span>,
          ],
          ['Created', it.createdAt ? <Moment at={it.createdAt} /> : null],
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

const Actions = ({ it, test }: { it: Subscription; test: ReturnType<typeof useTestEvent> }) => {
  const { open } = useAddress()
  return (
    <>
      {it.active ? (
        <Button look="primary" busy={test.isPending} onClick={() => test.mutate(it.id)}>
          Send a test event
        </Button>
      ) : null}
      <Button onClick={() => open('edit')}>Edit …</Button>
      <Menu align="end" look="plain" label="More">
        <MenuItem onClick={() => open('rotate')}>Rotate the secret …</MenuItem>
        {it.active ? <MenuItem onClick={() => open('replay')}>Send missed deliveries again …</MenuItem> : null}
        {it.active ? <MenuItem onClick={() => open('off')}>Switch off …</MenuItem> : null}
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
}: {
  at: SubscriptionRef
  given: DeliveryFilter
  offset: number
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
      title={record ? shortUrl(record.url) : 'Webhook subscription'}
      badges={state ? <Badge tone={state.tone}>{state.name}</Badge> : null}
      actions={record && may ? <Actions it={record} test={test} /> : null}
    >
      <Read query={subscription} what="the subscription">
        {(it) => (
          <>
            {test.error ? <Failure error={test.error} /> : null}
            {identity.data && !may ? (
              <p className="text-sm text-soft">{needs('webhooks:edit', 'Changing a subscription')}</p>
            ) : null}
            <SubscriptionNotices tenant={tenant} subscription={it} stats={stats.data} may={may} />
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
              <About of={it} />
              <Read query={stats} what="the numbers">
                {(numbers) => <Numbers {...numbers} />}
              </Read>
            </div>
            <DeliveriesSection at={at} given={given} offset={offset} stats={stats.data} />
            {may ? (
              <>
                <Window open={dialog === 'replay'} onClose={close} title="Send missed deliveries again">
                  <ReplayForm
                    tenant={tenant}
                    subscriptions={[]}
                    subscription={it.id}
                    since={item ?? ''}
                    onClose={close}
                  />
                </Window>
                <SubscriptionDialogs
                  tenant={tenant}
                  subscription={it}
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
