import { useQuery } from '@tanstack/react-query'
import type { Output } from '../../../../src/api/endpoint.ts'
import { webhookEventTypes } from '../../../../src/api/webhook-events.ts'
import { deliveryStatuses, type webhooksApi } from '../../../../src/api/webhooks.ts'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Field, SelectField } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { deliveriesQuery, type DeliveryFilter, type SubscriptionRef } from './queries.ts'
import { instantOf } from './times.ts'
import { statusNames, statusTones } from './words.ts'

/** The deliveries of one subscription with their filters. */
export const DeliveriesSection = ({
  at,
  given,
  offset,
  stats,
}: {
  at: SubscriptionRef
  given: DeliveryFilter
  offset: number
  stats: Output<typeof webhooksApi.stats> | undefined
}) => {
  const deliveries = useQuery(deliveriesQuery(at, given, offset))
  const { filter, move } = useAddress()
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
      <Choices
        label="Status"
        value={status}
        choices={deliveryStatuses.map((value) => ({
          value,
          name: statusNames[value],
          ...(stats ? { count: stats.deliveries[value] } : {}),
        }))}
        onChange={(value) => filter({ status: value ?? '' })}
      />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label="Event type"
          value={type}
          options={[
            { value: '', name: 'All types' },
            ...webhookEventTypes.map((value) => ({ value: value as string, name: value })),
          ]}
          onChange={(value) => filter({ type: value })}
        />
        <Field
          label="Events from"
          type="datetime-local"
          value={since}
          onChange={(event) => filter({ since: event.target.value })}
        />
      </div>
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
          <ul className="card divide-y" aria-label="Deliveries">
            {items.map((it) => (
              <DeliveryRow
                key={it.id}
                tenant={at.tenant}
                it={it}
                badge={{ tone: statusTones[it.status], children: statusNames[it.status] }}
                next={it.nextRetryAt}
              />
            ))}
          </ul>
        )}
      </Listing>
    </Section>
  )
}
