import { type Subscription, webhooksApi } from '../../../../src/api/webhooks.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Confirmation, DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { useCreatedSecret } from '../../parts/secret.tsx'
import { patchSubscription } from './changes.ts'
import { dropSubscription, refreshWebhooks, subscriptionParams } from './queries.ts'
import { EditSubscription, type MadeSecret, RotateSecret, ShownSecret } from './subscription-forms.tsx'
import { restorable, sayDeleted } from '../bin/undo.ts'

/** The dialogs about one subscription; the address says which one is open. */
export const SubscriptionDialogs = ({
  tenant,
  subscription,
  onDeleted,
}: {
  tenant: string
  subscription: Subscription | undefined
  onDeleted?: () => Promise<void>
}) => {
  const { dialog, close } = useAddress()
  const { made, show, forget } = useCreatedSecret<MadeSecret>()
  if (!subscription) return null
  const at = { tenant, subscription: subscription.id }
  return (
    <>
      <Window open={dialog === 'edit'} onClose={close} title="Edit the subscription">
        <EditSubscription tenant={tenant} subscription={subscription} onClose={close} />
      </Window>
      <Window open={dialog === 'rotate'} onClose={close} title="Rotate the signing secret">
        <RotateSecret tenant={tenant} subscription={subscription} onClose={close} onMade={show} />
      </Window>
      <Confirmation
        open={dialog === 'off' && subscription.active}
        onClose={close}
        title="Switch the subscription off?"
        action="Switch off"
        onConfirm={() => patchSubscription(at, { active: false })}
      >
        <p className="wrap-anywhere">{subscription.url}</p>
        <p>No events are sent until it is on again. Missed events are kept for 30 days and can be sent then.</p>
      </Confirmation>
      <DangerConfirmation
        open={dialog === 'delete'}
        onClose={close}
        title="Delete the subscription?"
        action="Delete"
        onConfirm={async () => {
          await call(webhooksApi.remove, { params: subscriptionParams(at) })
          dropSubscription(at)
          await onDeleted?.()
          sayDeleted(tenant, subscription.id, `The subscription of ${new URL(subscription.url).host}`)
          await refreshWebhooks(tenant)
        }}
      >
        <p className="wrap-anywhere">{subscription.url}</p>
        <p>{restorable} Its deliveries and dead letters are not restored.</p>
      </DangerConfirmation>
      <ShownSecret made={made} onClose={forget} />
    </>
  )
}
