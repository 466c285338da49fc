import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { Subscription, webhooksApi } from '../../../../src/api/webhooks.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { Failure, Notice } from '../../parts/states.tsx'
import { missedSince, patchSubscription } from './changes.ts'
import { isPaused } from './words.ts'

type Stats = Output<typeof webhooksApi.stats>

const reasons: Readonly<
  Record<NonNullable<Subscription['disabledReason']>, { readonly why: string; readonly next: string }>
> = {
  gone: {
    why: 'the receiver answered 410 (Gone)',
    next: 'If the receiver has moved, change the URL. Otherwise ask its operator, or delete the subscription.',
  },
  receiver: {
    why: 'the receiver asked for it with the header "webhook-delivery: disable"',
    next: 'Ask the operator of the receiver before you switch it on.',
  },
  failing: {
    why: 'every attempt failed for five days',
    next: 'The last deliveries below show why. Fix the receiver first.',
  },
}

/** Switches a subscription on and asks what of the missed events to send. */
const SwitchOn = ({ tenant, subscription }: { tenant: string; subscription: Subscription }) => {
  const { open } = useAddress()
  const since = missedSince(subscription)
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: () => patchSubscription({ tenant, subscription: subscription.id }, { active: true }),
    onSuccess: () => open('replay', since),
  })
  return (
    <>
      <Button busy={change.isPending} onClick={() => change.mutate()}>
        Switch on
      </Button>
      {change.error ? <Failure error={change.error} /> : null}
    </>
  )
}

const Off = ({ tenant, subscription, may }: { tenant: string; subscription: Subscription; may: boolean }) => {
  const { disabledReason, disabledAt, failingSince } = subscription
  const actions = may ? <SwitchOn tenant={tenant} subscription={subscription} /> : null
  const kept = 'Missed events are kept for 30 days. When the subscription is on again, choose which of them are sent.'
  if (disabledReason === null)
    return (
      <Notice tone="warn" title="This subscription is off: nothing is sent" actions={actions}>
        {disabledAt ? (
          <>
            Since <Moment at={disabledAt} exact />.{' '}
          </>
        ) : null}
        {kept}
      </Notice>
    )
  const { why, next } = reasons[disabledReason]
  return (
    <Notice tone="warn" title={`The service switched this subscription off: ${why}`} actions={actions}>
      <p>
        {disabledAt ? (
          <>
            Since <Moment at={disabledAt} exact />
            {failingSince ? (
              <>
                , after failures since <Moment at={failingSince} exact />
              </>
            ) : null}
            .{' '}
          </>
        ) : null}
        {next} {kept}
      </p>
    </Notice>
  )
}

const Failing = ({
  subscription: { failingSince, pausedUntil },
  paused,
}: {
  subscription: Subscription
  paused: boolean
}) => (
  <Notice tone="warn" title={paused ? 'Attempts are paused: five or more in a row failed' : 'The last attempts failed'}>
    {failingSince ? (
      <>
        Failing since <Moment at={failingSince} exact />.{' '}
      </>
    ) : null}
    {paused && pausedUntil ? (
      <>
        The next attempt is made at <Moment at={pausedUntil} exact />, with one delivery; the others wait for it and
        keep their attempts. <em className="not-italic">Send now</em> on a delivery ends the pause.{' '}
      </>
    ) : null}
    After five days of failures the subscription is switched off.
  </Notice>
)

/** What did not arrive and is not tried again by itself. */
const Missed = ({ stats, may }: { stats: Stats; may: boolean }) => {
  const { open } = useAddress()
  const { dead_letter: dead, cancelled } = stats.deliveries
  const parts = [
    ...(dead === 0 ? [] : [`${count(dead, 'dead letter', 'dead letters')} after all attempts failed`]),
    ...(cancelled === 0
      ? []
      : [`${cancelled.toLocaleString()} cancelled because the subscription was off or the receiver asked for it`]),
  ]
  return (
    <Notice
      tone="info"
      title={`${count(dead + cancelled, 'event', 'events')} did not arrive`}
      actions={may ? <Button onClick={() => open('replay')}>Send again …</Button> : null}
    >
      {parts.join(', ')}. They are not sent again automatically.
    </Notice>
  )
}

/** What its reader has to know about a subscription: that it is off and why, that it fails, what did not arrive. */
export const SubscriptionNotices = ({
  tenant,
  subscription,
  stats,
  may,
}: {
  tenant: string
  subscription: Subscription
  stats: Stats | undefined
  may: boolean
}) => {
  const missed = stats === undefined ? 0 : stats.deliveries.dead_letter + stats.deliveries.cancelled
  return (
    <>
      {subscription.active ? null : <Off tenant={tenant} subscription={subscription} may={may} />}
      {subscription.active && subscription.failingSince !== null ? (
        <Failing subscription={subscription} paused={isPaused(subscription)} />
      ) : null}
      {subscription.active && stats && missed > 0 ? <Missed stats={stats} may={may} /> : null}
    </>
  )
}
