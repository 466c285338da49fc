import { queryOptions } from '@tanstack/react-query'
import { webhookEventTypes } from '../../../../src/api/webhook-events.ts'
import { type Delivery, deliveryStatuses, webhooksApi } from '../../../../src/api/webhooks.ts'
import { call } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'
import { instantOf } from '../../parts/time.ts'

export interface SubscriptionRef {
  readonly tenant: string
  readonly subscription: string
}

export const subscriptionParams = ({ tenant, subscription }: SubscriptionRef) => ({
  tenant_slug: tenant,
  subscription_id: subscription,
})

const webhooksKey = (tenant: string) => ['webhooks', tenant] as const

/** How often a delivery under way is read again, and a list with one, in milliseconds. */
const soon = 1500
const often = 3000

/** Whether a delivery changes by itself within seconds. */
const isUnderWay = ({ status, nextRetryAt }: Pick<Delivery, 'status' | 'nextRetryAt'>): boolean =>
  status === 'delivering' ||
  ((status === 'pending' || status === 'retrying') &&
    nextRetryAt !== null &&
    Date.parse(nextRetryAt) - Date.now() < 60_000)

export const subscriptionsQuery = (tenant: string) =>
  queryOptions({
    queryKey: [...webhooksKey(tenant), 'list'],
    queryFn: () => call(webhooksApi.list, { params: { tenant_slug: tenant } }),
  })

export const subscriptionQuery = (at: SubscriptionRef) =>
  queryOptions({
    queryKey: [...webhooksKey(at.tenant), 'one', at.subscription],
    queryFn: () => call(webhooksApi.get, { params: subscriptionParams(at) }),
  })

export const statsQuery = (at: SubscriptionRef) =>
  queryOptions({
    queryKey: [...webhooksKey(at.tenant), 'stats', at.subscription],
    queryFn: () => call(webhooksApi.stats, { params: subscriptionParams(at) }),
  })

export interface DeliveryFilter {
  readonly status: string
  readonly type: string
  /** A local time of a field, as "2026-11-21T10:15". */
  readonly since: string
}

/** A page of the deliveries of a subscription. While some are under way it is read again, and so is what follows from them. */
export const deliveriesQuery = (at: SubscriptionRef, { status, type, since }: DeliveryFilter, offset: number) => {
  const knownStatus = deliveryStatuses.find((it) => it === status)
  const knownType = webhookEventTypes.find((it) => it === type)
  const from = instantOf(since)
  const queryKey = [...webhooksKey(at.tenant), 'deliveries', at.subscription, status, type, since, offset]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const query = {
        limit: pageSize,
        offset,
        ...(knownStatus === undefined ? {} : { status: knownStatus }),
        ...(knownType === undefined ? {} : { type: knownType }),
        ...(from === null ? {} : { since: from }),
      }
      const { deliveries, ...page } = await call(webhooksApi.deliveries, { params: subscriptionParams(at), query })
      // What was counted follows: at once when the last delivery has ended, now and then while others are under way.
      const before = queryClient.getQueryData<{ readonly items: readonly Delivery[] }>(queryKey)
      const stale = deliveries.some(isUnderWay)
      const follows = before?.items.some(isUnderWay) === true ? [statsQuery(at), subscriptionQuery(at)] : []
      await Promise.all(follows.map((it) => queryClient.refetchQueries({ queryKey: it.queryKey, stale })))
      return { items: deliveries, ...page }
    },
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) === true ? often : false),
  })
}

export const deliveryQuery = (tenant: string, delivery: string) =>
  queryOptions({
    queryKey: [...webhooksKey(tenant), 'delivery', delivery],
    queryFn: () => call(webhooksApi.delivery, { params: { tenant_slug: tenant, event_id: delivery } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? soon : false),
  })

/** A page of dead letters, and whether there are more: the service does not count them. */
export const deadLettersQuery = (tenant: string, subscription: string, offset: number) =>
  queryOptions({
    queryKey: [...webhooksKey(tenant), 'dead-letters', subscription, offset],
    queryFn: async () => {
      const letters = await call(webhooksApi.deadLetters, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize + 1, offset, ...(subscription === '' ? {} : { subscription_id: subscription }) },
      })
      const items = letters.slice(0, pageSize)
      return { items, offset, limit: pageSize, total: null, more: letters.length > pageSize }
    },
    placeholderData: (before) => before,
  })

/** What is sent again: of one subscription or of all that are on, by the time of the events. */
export interface ReplayRange {
  readonly since: string
  readonly until: string | null
  readonly subscription_id: string | null
}

/** How many deliveries a replay would send; nothing is sent. */
export const replayCountQuery = (tenant: string, range: ReplayRange | null) =>
  queryOptions({
    queryKey: [...webhooksKey(tenant), 'replay', range],
    queryFn: () =>
      call(webhooksApi.replay, {
        params: { tenant_slug: tenant },
        body: { since: '', ...range, dry_run: true },
      }),
  })

/** Takes a deleted subscription out of the list that was read before, so that no page shows it until the list is read again. */
export const dropSubscription = ({ tenant, subscription }: SubscriptionRef): void => {
  queryClient.setQueryData(subscriptionsQuery(tenant).queryKey, (list) => list?.filter(({ id }) => id !== subscription))
}

/** Reads everything about the webhooks of an organization again. */
export const refreshWebhooks = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: webhooksKey(tenant) })
