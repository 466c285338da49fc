/** What a person may choose of a webhook subscription beside its address, secret and severity. */
import { Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../kernel/shapes.ts'
import { webhookEventTypes } from './webhook-events.ts'

export const subscriptionName = Type.String({
  maxLength: 80,
  description: 'What people call it; the URL where it has none.',
})
export const eventTypes = Type.Array(oneOf(webhookEventTypes), {
  minItems: 1,
  maxItems: webhookEventTypes.length,
  description: 'Only events of these types, and tests; null: of all types.',
})
export const keepAnswers = Type.Boolean({
  description:
    'Keep the first 2,000 bytes of what the receiver answers with each attempt, for members who can view webhooks.',
})
/** What a subscription is called and limited to, where somebody chose it. */
export const subscriptionChoices = {
  name: Type.Optional(orNull(subscriptionName)),
  eventTypes: Type.Optional(orNull(eventTypes)),
  projects: Type.Optional(
    orNull(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        maxItems: 200,
        description:
          'Only events of these projects, by id or slug, and tests; null: all events, also those of no project.',
      }),
    ),
  ),
}
