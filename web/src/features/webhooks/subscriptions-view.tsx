import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '../../../../src/api/webhooks.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useTestEvent } from './changes.ts'
import { subscriptionsQuery } from './queries.ts'
import { SubscriptionDialogs } from './subscription-dialogs.tsx'
import { eventsName, nameOf, shortUrl, stateOf, statusNames, statusTones } from './words.ts'

const Last = ({ of: { lastDelivery } }: { of: Subscription }) =>
  lastDelivery === null ? (
    <span>no deliveries yet</span>
  ) : (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge tone={statusTones[lastDelivery.status]}>{statusNames[lastDelivery.status]}</Badge>
      <span className="font-mono text-xs">{lastDelivery.eventType}</span>
      <Moment at={lastDelivery.createdAt} />
    </span>
  )

const Row = ({
  tenant,
  subscription,
  may,
  onTest,
}: {
  tenant: string
  subscription: Subscription
  may: boolean
  onTest: () => void
}) => {
  const { open } = useAddress()
  const state = stateOf(subscription)
  return (
    <li className="relative flex items-start gap-x-4 gap-y-1 px-4 py-3 hover:bg-raised">
      <div className="grid min-w-0 grow gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0">
            <Link
              to="/t/$tenant/-/webhooks/$subscription"
              params={{ tenant, subscription: subscription.id }}
              className="font-semibold wrap-anywhere after:absolute after:inset-0"
            >
              {nameOf(subscription)}
            </Link>
          </h2>
          <Badge tone={state.tone}>{state.name}</Badge>
        </div>
        <dl className="grid gap-x-6 gap-y-0.5 text-sm text-soft sm:grid-cols-2">
          <div>
            <dt className="sr-only">Events</dt>
            <dd className="wrap-anywhere">
              {subscription.name === null ? '' : `${shortUrl(subscription.url)} · `}
              {eventsName(subscription)}
            </dd>
          </div>
          <div>
            <dt className="sr-only">Last delivery</dt>
            <dd>
              <Last of={subscription} />
            </dd>
          </div>
        </dl>
      </div>
      {may ? (
        <div className="relative z-10">
          <Menu align="end" label={<span className="sr-only">Actions for {nameOf(subscription)}</span>}>
            {subscription.active ? <MenuItem onClick={onTest}>Send a test event</MenuItem> : null}
            <MenuItem onClick={() => open('edit', subscription.id)}>Edit …</MenuItem>
            <MenuItem onClick={() => open('rotate', subscription.id)}>Rotate the secret …</MenuItem>
            {subscription.active ? (
              <MenuItem onClick={() => open('off', subscription.id)}>Switch off …</MenuItem>
            ) : null}
            <MenuLine />
            <MenuItem onClick={() => open('delete', subscription.id)}>Delete …</MenuItem>
          </Menu>
        </div>
      ) : null}
    </li>
  )
}

const NoSubscriptions = ({ may }: { may: boolean }) => {
  const { open } = useAddress()
  return (
    <Empty title="No subscriptions yet">
      <p>
        A subscription sends each event to a URL of yours, for example that a version was published or a consumer
        contract breaks. Requests are signed, failed ones are tried again for three days, and what did not arrive is
        kept.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('new')}>
          Create a subscription …
        </Button>
      ) : (
        <p>{needs('webhooks:edit', 'Creating one')}</p>
      )}
      <p className="text-sm">
        While you develop a receiver, <code className="font-mono">svc webhooks listen --forward URL</code> brings the
        events to your machine without a subscription.
      </p>
    </Empty>
  )
}

/** All subscriptions of an organization: where to, what, in which state, and how the last delivery went. */
export const SubscriptionsView = ({ tenant }: { tenant: string }) => {
  const subscriptions = useQuery(subscriptionsQuery(tenant))
  const identity = useQuery(identityQuery)
  const { item } = useAddress()
  const test = useTestEvent(tenant)
  const may = holds(identity.data, tenant, 'webhooks:edit')
  return (
    <>
      <Toolbar>
        <span className="text-sm text-soft">
          {identity.data && !may ? needs('webhooks:edit', 'Changing subscriptions') : ''}
        </span>
        <CommandHint command={svcCommand(tenant, ['webhooks', 'list'])} />
      </Toolbar>
      {test.error ? <Failure error={test.error} /> : null}
      <Read query={subscriptions} what="the subscriptions">
        {(all) =>
          all.length === 0 ? (
            <NoSubscriptions may={may} />
          ) : (
            <ul className="card divide-y" aria-label="Subscriptions">
              {all.map((it) => (
                <Row key={it.id} tenant={tenant} subscription={it} may={may} onTest={() => test.mutate(it.id)} />
              ))}
            </ul>
          )
        }
      </Read>
      {may ? (
        <SubscriptionDialogs tenant={tenant} subscription={subscriptions.data?.find(({ id }) => id === item)} />
      ) : null}
    </>
  )
}
