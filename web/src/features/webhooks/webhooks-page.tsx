import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { MainAction } from '../../parts/main-action.tsx'
import { Page } from '../../parts/page.tsx'
import { useCreatedSecret } from '../../parts/secret.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { subscriptionsQuery } from './queries.ts'
import { ReplayForm } from './replay-form.tsx'
import { CreateSubscription, type MadeSecret, ShownSecret } from './subscription-forms.tsx'

const Replay = ({ tenant, subscription, onClose }: { tenant: string; subscription: string; onClose: () => void }) => {
  const subscriptions = useQuery(subscriptionsQuery(tenant))
  return (
    <Read query={subscriptions} what="the subscriptions">
      {(all) => (
        <ReplayForm tenant={tenant} subscriptions={all} subscription={subscription} since="" onClose={onClose} />
      )}
    </Read>
  )
}

/** Where the events of an organization are sent to: the frame of its views. */
export const WebhooksPage = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const { dialog, item, open, close } = useAddress()
  const { made, show, forget } = useCreatedSecret<MadeSecret>()
  const may = holds(identity.data, tenant, 'webhooks:edit')
  const opened = async (): Promise<void> => {
    const subscription = made?.subscription ?? ''
    forget()
    await navigate({ to: '/t/$tenant/-/webhooks/$subscription', params: { tenant, subscription } })
  }
  return (
    <Page
      title="Webhooks"
      description="Push the events of the organization to https addresses of your programs: signed, and tried again until they arrive."
      main={may ? <MainAction onClick={() => open('new')}>Create a subscription …</MainAction> : null}
    >
      <Read query={identity} what="your role">
        {(who) =>
          holds(who, tenant, 'webhooks:view') ? (
            <>
              <Tabs of="webhooks" params={{ tenant }} />
              <Outlet />
            </>
          ) : (
            <NoPermission permission="webhooks:view" />
          )
        }
      </Read>
      <Window open={dialog === 'new' && may} onClose={close} title="Create a subscription">
        <CreateSubscription tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <Window open={dialog === 'replay' && may} onClose={close} title="Send missed deliveries again">
        <Replay tenant={tenant} subscription={item ?? ''} onClose={close} />
      </Window>
      <ShownSecret made={made} onClose={() => void opened()} />
    </Page>
  )
}
