import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '../../../../src/api/webhooks.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { List, Row } from '../../parts/list.tsx'
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
    <span className="text-soft">no deliveries yet</span>
  ) : (
    <span className="flex min-w-0 items-center gap-x-2">
      <Badge tone={statusTones[lastDelivery.status]}>{statusNames[lastDelivery.status]}</Badge>
      <span className="truncate font-mono text-xs text-soft" title={lastDelivery.eventType}>
        {lastDelivery.eventType}
      </span>
    </span>
  )

const SubscriptionRow = ({
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
  const name = nameOf(subscription)
  const { lastDelivery } = subscription
  return (
    <Row>
      <span className="flex min-w-0 items-baseline gap-2 max-md:w-full">
        <h2 className="min-w-0 truncate" title={subscription.url}>
          <Link
            to="/t/$tenant/-/webhooks/$subscription"
            params={{ tenant, subscription: subscription.id }}
            className="font-semibold after:absolute after:inset-0"
          >
            {name}
          </Link>
        </h2>
        {subscription.name === null ? null : (
          <span className="min-w-0 shrink-[9] truncate text-xs text-soft">{shortUrl(subscription.url)}</span>
        )}
      </span>
      <Badge tone={state.tone}>{state.name}</Badge>
      <span className="truncate text-soft max-md:w-full" title={eventsName(subscription)}>
        {eventsName(subscription)}
      </span>
      <Last of={subscription} />
      <span className="text-soft">{lastDelivery === null ? null : <Moment at={lastDelivery.createdAt} />}</span>
      <span className="relative z-10 flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
        {may ? (
          <Menu align="end" label={<span className="sr-only">Actions for {name}</span>}>
            {subscription.active ? <MenuItem onClick={onTest}>Send a test event</MenuItem> : null}
            <MenuItem onClick={() => open('edit', subscription.id)}>Edit …</MenuItem>
            <MenuItem onClick={() => open('rotate', subscription.id)}>Rotate the secret …</MenuItem>
            {subscription.active ? (
              <MenuItem onClick={() => open('off', subscription.id)}>Switch off …</MenuItem>
            ) : null}
            <MenuLine />
            <MenuItem onClick={() => open('delete', subscription.id)}>Delete …</MenuItem>
          </Menu>
        ) : null}
      </span>
    </Row>
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
            <List
              label="Subscriptions"
              columns="minmax(0,1.5fr) 11rem minmax(0,1.2fr) minmax(0,1fr) 7rem 2.5rem"
              heads={['Receiver', 'State', 'Events', 'Last delivery', 'When']}
            >
              {all.map((one) => (
                <SubscriptionRow
                  key={one.id}
                  tenant={tenant}
                  subscription={one}
                  may={may}
                  onTest={() => test.mutate(one.id)}
                />
              ))}
            </List>
          )
        }
      </Read>
      {may ? (
        <SubscriptionDialogs tenant={tenant} subscription={subscriptions.data?.find(({ id }) => id === item)} />
      ) : null}
    </>
  )
}
