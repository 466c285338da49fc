import { webhookEvents, webhookEventTypes } from '../../src/api/webhook-events.ts'
import { webhooksApi } from '../../src/api/webhooks.ts'
import { type Deps, pageOf, stablePageOf } from '../kit/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import { getDelivery, listDeadLetters, listDeliveries, redeliver, replay, sendTest, statsOf } from './deliveries.ts'
import { waitForEvents } from './feed.ts'
import {
  createSubscription,
  getSubscription,
  listSubscriptions,
  removeSubscription,
  updateSubscription,
} from './service.ts'

/** The routes of webhooks. */
export function webhookRoutes(deps: Deps): Route[] {
  return routesOf(webhooksApi, {
    list: (_, { grant }) => listSubscriptions(deps, grant),
    create: ({ body }, { grant }) => createSubscription(deps, grant, body),
    eventTypes: () => ({
      event_types: webhookEventTypes.map((type) => ({ type, summary: webhookEvents[type].summary })),
    }),
    deadLetters: ({ query }, { grant }) => listDeadLetters(deps, grant, query?.subscription_id, pageOf(query)),
    replay: ({ body }, { grant }) => replay(deps, grant, body),
    delivery: ({ params }, { grant }) => getDelivery(deps, grant, params.event_id),
    redeliver: ({ params }, { grant }) => redeliver(deps, grant, params.event_id),
    get: ({ params }, { grant }) => getSubscription(deps, grant, params.subscription_id),
    update: ({ params, body }, { grant }) => updateSubscription(deps, grant, params.subscription_id, body),
    remove: async ({ params }, { grant }) => {
      await removeSubscription(deps, grant, params.subscription_id)
      return null
    },
    test: ({ params }, { grant }) => sendTest(deps, grant, params.subscription_id),
    deliveries: ({ params, query }, { grant }) =>
      listDeliveries(deps, grant, params.subscription_id, query ?? {}, stablePageOf('deliveries', query)),
    stats: ({ params }, { grant }) => statsOf(deps, grant, params.subscription_id),
    events: ({ query }, { grant, signal }) =>
      waitForEvents(
        deps,
        grant,
        { since: query.since, limit: query.limit ?? 50, waitMs: (query.wait ?? 0) * 1000 },
        signal,
      ),
  })
}
