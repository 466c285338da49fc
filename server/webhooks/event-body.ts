import type { EventLinks } from '../../src/api/events/declare.ts'
import { type WebhookEventBody, webhookEvents } from '../../src/api/webhook-events.ts'
import type { PublicEvent } from '../outbox/door.ts'

/** The largest body: bodies are thin and lead to the rest by URLs. */
export const mostBodyBytes = 20_000

/** The body of an event as receivers get it, by its declaration in src/api/events. */
export function bodyOfEvent(event: PublicEvent, links: EventLinks): WebhookEventBody {
  // An event has the payload of its type, which TypeScript does not follow into a lookup by type.
  const dataOf = webhookEvents[event.type].dataOf as (payload: unknown, links: EventLinks) => WebhookEventBody['data']
  return { type: event.type, timestamp: event.createdAt, data: dataOf(event.payload, links) } as WebhookEventBody
}
