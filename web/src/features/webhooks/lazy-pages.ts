/** The pages of this feature, which come over the wire together when the first of them is opened. */
export { DeadLettersView } from './dead-letters-view.tsx'
export { EventTypesView } from './event-types-view.tsx'
export { SignaturesView } from './signatures-view.tsx'
export { SubscriptionPage } from './subscription-page.tsx'
export { SubscriptionsView } from './subscriptions-view.tsx'
export { WebhooksPage } from './webhooks-page.tsx'
