import { createRoute, redirect } from '@tanstack/react-router'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const WebhooksPage = later('the webhooks', async () => (await pages()).WebhooksPage)
const SubscriptionsView = later('the subscriptions', async () => (await pages()).SubscriptionsView)
const DeadLettersView = later('the dead letters', async () => (await pages()).DeadLettersView)
const EventTypesView = later('the event types', async () => (await pages()).EventTypesView)
const SignaturesView = later('the signatures', async () => (await pages()).SignaturesView)
const SubscriptionPage = later('the subscription', async () => (await pages()).SubscriptionPage)

const webhooksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/webhooks',
  staticData: {
    below: { section: 'Settings', name: 'Webhooks', permission: 'webhooks:view', isListed: true },
    actions: [
      { name: 'Create a webhook subscription', dialog: 'new', permission: 'webhooks:edit' },
      { name: 'Send missed webhook deliveries again', dialog: 'replay', permission: 'webhooks:edit' },
    ],
  },
  validateSearch: dialogWords,
  component: () => <WebhooksPage {...webhooksRoute.useParams()} />,
})

const subscriptionsRoute = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '/',
  staticData: { tab: { of: 'webhooks', name: 'Subscriptions' } },
  component: () => <SubscriptionsView {...webhooksRoute.useParams()} />,
})

const deadLettersRoute = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '/dead-letters',
  staticData: { tab: { of: 'webhooks', name: 'Dead letters' } },
  validateSearch: (search: Search) => ({ ...word(search, 'subscription'), ...number(search, 'offset') }),
  component: () => {
    const { subscription = '', offset = 0 } = deadLettersRoute.useSearch()
    return <DeadLettersView {...webhooksRoute.useParams()} subscription={subscription} offset={offset} />
  },
})

const eventTypesRoute = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '/event-types',
  staticData: { tab: { of: 'webhooks', name: 'Event types' } },
  validateSearch: (search: Search) => word(search, 'type'),
  component: () => <EventTypesView type={eventTypesRoute.useSearch().type ?? 'version.published'} />,
})

const signaturesRoute = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '/signatures',
  staticData: { tab: { of: 'webhooks', name: 'Signatures' } },
  validateSearch: (search: Search) => word(search, 'language'),
  component: () => <SignaturesView language={signaturesRoute.useSearch().language ?? ''} />,
})

const subscriptionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/webhooks/$subscription',
  validateSearch: (search: Search) => ({
    ...word(search, 'status'),
    ...word(search, 'type'),
    ...word(search, 'since'),
    ...word(search, 'delivery'),
    ...number(search, 'offset'),
    ...dialogWords(search),
  }),
  component: () => {
    const { status = '', type = '', since = '', delivery = null, offset = 0 } = subscriptionRoute.useSearch()
    const at = subscriptionRoute.useParams()
    return <SubscriptionPage at={at} given={{ status, type, since }} offset={offset} chosen={delivery} />
  },
})

/** Where a delivery had a page of its own: notifications and bookmarks lead there. */
const deliveryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/webhooks/$subscription/$delivery',
  beforeLoad: ({ params: { delivery, ...params } }) => {
    throw redirect({ to: '/t/$tenant/-/webhooks/$subscription', params, search: { delivery }, replace: true })
  },
})

export const webhookRoutes = [
  webhooksRoute.addChildren([subscriptionsRoute, deadLettersRoute, eventTypesRoute, signaturesRoute]),
  subscriptionRoute,
  deliveryRoute,
] as const
