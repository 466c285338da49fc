import type { Subscription } from '../../../../src/api/webhooks.ts'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useRedelivery } from './changes.ts'
import { DeliveryList, DeliveryRow } from './delivery-row.tsx'
import { deadLettersQuery, subscriptionsQuery } from './queries.ts'
import { nameOf } from './words.ts'

const SubscriptionFilter = ({ subscriptions, value }: { subscriptions: readonly Subscription[]; value: string }) => {
  const { filter } = useAddress()
  return (
    <FilterSelect
      label="Subscription"
      value={value}
      all="All subscriptions"
      options={subscriptions.map((it) => ({ value: it.id, name: nameOf(it) }))}
      onChange={(chosen) => filter({ subscription: chosen })}
    />
  )
}

/** The deliveries whose attempts all failed, with a button that sends one or all of them again. */
export const DeadLettersView = ({
  tenant,
  subscription,
  offset,
}: {
  tenant: string
  subscription: string
  offset: number
}) => {
  const letters = useQuery(deadLettersQuery(tenant, subscription, offset))
  const subscriptions = useQuery(subscriptionsQuery(tenant))
  const identity = useQuery(identityQuery)
  const again = useRedelivery(tenant)
  const { open, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'webhooks:edit')
  const all = subscriptions.data ?? []
  const isOn = (id: string): boolean => all.find((it) => it.id === id)?.active === true
  const mayReplay = may && (subscription === '' ? all.some((it) => it.active) : isOn(subscription))
  return (
    <>
      <p className="max-w-[75ch] text-sm text-soft">
        Deliveries whose last attempt failed, the latest first. They are kept for 90 days and not sent again by
        themselves.
      </p>
      <Toolbar>
        <SubscriptionFilter subscriptions={all} value={subscription} />
        <span className="flex flex-wrap items-center gap-2">
          {mayReplay ? (
            <Button onClick={() => open('replay', subscription === '' ? undefined : subscription)}>
              Send all again …
            </Button>
          ) : null}
          <CommandHint command={svcCommand(tenant, ['webhooks', 'dead-letters'], { subscription })} />
        </span>
      </Toolbar>
      {again.error ? <Failure error={again.error} /> : null}
      <Listing
        query={letters}
        what="the dead letters"
        one="dead letter"
        filtered={subscription !== ''}
        onClear={() => filter({ subscription: '' })}
        onMove={move}
        empty={
          <Empty title="No dead letters">
            <p>Every event arrived, or is still being tried.</p>
          </Empty>
        }
      >
        {(items) => (
          <DeliveryList label="Dead letters">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} tenant={tenant} delivery={delivery}>
                {may && isOn(delivery.subscriptionId) ? (
                  <Button
                    busy={again.isPending && again.variables === delivery.id}
                    onClick={() => again.mutate(delivery.id)}
                  >
                    Send again<span className="sr-only"> {delivery.id}</span>
                  </Button>
                ) : null}
              </DeliveryRow>
            ))}
          </DeliveryList>
        )}
      </Listing>
    </>
  )
}
