import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '../../parts/text.ts'
import { holds, identityQuery } from '../../session.ts'
import { Notice } from '../../parts/states.tsx'
import { anyDeadLetterQuery, subscriptionsQuery } from './queries.ts'
import { shortUrl, stateOf } from './words.ts'

/** Webhook subscriptions that the service switched off, and dead letters, for members who can do something about them. */
export const WebhookTrouble = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const enabled = holds(identity.data, tenant, 'webhooks:edit')
  const subscriptions = useQuery({ ...subscriptionsQuery(tenant), enabled })
  const dead = useQuery({ ...anyDeadLetterQuery(tenant), enabled })
  const off = (subscriptions.data ?? []).filter((it) => it.disabledReason !== null)
  return (
    <>
      {off.length > 0 ? (
        <Notice
          tone="danger"
          title={`The service switched ${count(off.length, 'webhook subscription', 'webhook subscriptions')} off`}
        >
          <ul className="grid gap-1">
            {off.map((subscription) => (
              <li key={subscription.id} className="wrap-anywhere">
                <Link
                  to="/t/$tenant/-/webhooks/$subscription"
                  params={{ tenant, subscription: subscription.id }}
                  className="underline"
                >
                  {shortUrl(subscription.url)}
                </Link>{' '}
                ({stateOf(subscription).name})
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {dead.data === true ? (
        <Notice tone="warn" title="Events did not arrive at a webhook">
          All attempts failed. The{' '}
          <Link to="/t/$tenant/-/webhooks/dead-letters" params={{ tenant }} className="underline">
            dead letters
          </Link>{' '}
          show why, and can be sent again.
        </Notice>
      ) : null}
    </>
  )
}
