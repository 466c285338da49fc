import { type Static, Type } from '@sinclair/typebox'
import { candidateEvents } from './events/candidates.ts'
import { contractEvents } from './events/contracts.ts'
import { event } from './events/declare.ts'
import { gatewayEvents } from './events/gateway.ts'
import { importEvents } from './events/imports.ts'
import { mcpEvents } from './events/mcp.ts'
import { reviewEvents } from './events/reviews.ts'
import { versionEvents } from './events/versions.ts'

/** The events that features record and webhooks receive, by type. */
const recordedEvents = {
  ...versionEvents,
  ...contractEvents,
  ...importEvents,
  ...reviewEvents,
  ...candidateEvents,
  ...gatewayEvents,
  ...mcpEvents,
}

interface TestOfSubscription {
  readonly subscription_id: string
  readonly message: string
}

/** Every event that webhooks receive, by type; its schema, its meaning, an example, and how its data is made. */
export const webhookEvents = {
  ...recordedEvents,
  'webhook.test': event({
    type: 'webhook.test',
    title: 'WebhookTestEvent',
    summary: 'A test that a person asked for.',
    data: { subscription_id: Type.String(), message: Type.String() },
    example: { subscription_id: '01980c62-9a8b-7c6d-a5e4-f3b2c1d0e9f8', message: 'This is a test.' },
    dataOf: (payload: TestOfSubscription) => payload,
  }),
}

export type WebhookEventType = keyof typeof webhookEvents
export type WebhookEventBody = Static<(typeof webhookEvents)[WebhookEventType]['schema']>

/** What is recorded of each event that webhooks receive. */
export type RecordedPayloads = {
  readonly [T in keyof typeof recordedEvents]: Parameters<(typeof recordedEvents)[T]['dataOf']>[0]
}

export const recordedEventTypes = Object.keys(recordedEvents) as (keyof RecordedPayloads)[]
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[]
