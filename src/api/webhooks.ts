import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { pageQueryOptional, stableQuery } from './shapes.ts'
import { subscriptionChoices, keepAnswers, eventTypes, subscriptionName } from './webhook-choices.ts'
import { webhookEventTypes } from './webhook-events.ts'
import { countedStablePage, idParam, may, tenantParams } from './kit.ts'

const base = '/v1/push-webhook-subscriptions/{tenant_slug}'
const one = `${base}/{subscription_id}`
const oneParams = Type.Object({ ...tenantParams, subscription_id: idParam })
const deliveryParams = Type.Object({
  ...tenantParams,
  event_id: Type.String({ minLength: 1, description: 'The `webhook-id` of a delivery.' }),
})

const minSeverity = orNull(oneOf(['breaking', 'non-breaking', 'docs-only']))
const url = Type.String({ minLength: 1, description: 'https, without credentials and fragment.' })
const signingSecret = Type.String({
  minLength: 1,
  description:
    'Write-only. "whsec_" and base64 of 24 to 64 bytes, or any other text of at least 24 bytes, whose UTF-8 bytes are the key.',
  examples: ['a text of at least 24 bytes that nobody can guess'],
})

export const deliveryStatuses = ['pending', 'delivering', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
const deliveryStatus = oneOf(deliveryStatuses)

const Subscription = titled(
  'PushWebhookSubscriptionResponse',
  Type.Object({
    id: Type.String(),
    url: Type.String(),
    active: Type.Boolean(),
    signingSecretRef: Type.String({
      description:
        'How the secret was read ("whsec" or "raw") and a fingerprint of it; after a rotation also "previous:…@" and until when the previous one signs too.',
    }),
    minSeverity,
    name: orNull(subscriptionName),
    eventTypes: orNull(eventTypes),
    projects: orNull(
      Type.Array(Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }), {
        description: 'Those of the chosen projects that still exist; null: events are not limited to projects.',
      }),
    ),
    keepAnswers,
    disabledReason: orNull(
      oneOf(
        ['gone', 'receiver', 'failing'],
        'Why the service switched it off: the receiver answered 410 (gone), asked for it (receiver), or failed for 5 days (failing).',
      ),
    ),
    disabledAt: orNull(dateTime('Since when it is switched off, by a person or by the service.')),
    failingSince: orNull(dateTime('The first attempt that failed after the last one that was accepted.')),
    pausedUntil: orNull(dateTime('After 5 failures in a row no attempt is made before this instant.')),
    lastDelivery: orNull(
      Type.Object(
        { id: Type.String(), eventType: Type.String(), status: deliveryStatus, createdAt: dateTime() },
        { description: 'The delivery of the latest event; null where there is none.' },
      ),
    ),
    createdAt: orNull(dateTime()),
    updatedAt: orNull(dateTime()),
  }),
)
export type Subscription = Static<typeof Subscription>

const payload = Type.Record(Type.String(), Type.Unknown(), { description: 'The body that is sent.' })

const Delivery = titled(
  'PushWebhookDelivery',
  Type.Object({
    id: Type.String(),
    subscriptionId: Type.String(),
    eventType: Type.String(),
    status: deliveryStatus,
    payload,
    attemptCount: Type.Integer(),
    nextRetryAt: orNull(dateTime('When the next attempt is made at the earliest, pauses included.')),
    lastError: orNull(Type.String()),
    createdAt: orNull(dateTime()),
    updatedAt: orNull(dateTime()),
  }),
)
export type Delivery = Static<typeof Delivery>

const DeliveryDetail = titled(
  'PushWebhookDeliveryEventDetailResponse',
  Type.Object({
    ...Delivery.properties,
    attempts: Type.Array(
      titled(
        'PushWebhookDeliveryAttempt',
        Type.Object({
          attempt: Type.Integer(),
          started_at: dateTime(),
          duration_ms: Type.Integer(),
          status_code: orNull(Type.Integer()),
          error_class: orNull(Type.String()),
          answer: orNull(
            Type.String({ description: 'The beginning of the body that the receiver answered with; null: not kept.' }),
          ),
        }),
      ),
    ),
  }),
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

const DeadLetter = titled(
  'PushWebhookDeadLetterItem',
  Type.Object({
    id: Type.String(),
    subscriptionId: Type.String(),
    eventType: Type.String(),
    payload,
    attemptCount: Type.Integer(),
    lastError: orNull(Type.String()),
    createdAt: orNull(dateTime()),
    updatedAt: orNull(dateTime()),
  }),
)
export type DeadLetter = Static<typeof DeadLetter>

/** Push webhooks: the addresses that receive the events of an organization, and the deliveries to them. */
export const webhooksApi = {
  list: endpoint({
    id: 'webhooks.list',
    origin: 'spec',
    method: 'GET',
    path: base,
    summary: 'List the webhook subscriptions, newest first',
    access: may('webhooks:view'),
    params: Type.Object(tenantParams),
    response: Type.Array(Subscription),
    errors: [],
  }),
  create: endpoint({
    id: 'webhooks.create',
    origin: 'spec',
    method: 'POST',
    path: base,
    summary: 'Subscribe an https URL to events',
    access: may('webhooks:edit'),
    params: Type.Object(tenantParams),
    body: titled(
      'PushWebhookSubscriptionCreateRequest',
      bodyOf({
        url,
        signingSecret,
        active: Type.Optional(Type.Boolean({ default: true })),
        minSeverity: Type.Optional(minSeverity),
        ...subscriptionChoices,
        keepAnswers: Type.Optional(keepAnswers),
      }),
    ),
    response: Subscription,
    errors: [
      'webhook-url-invalid',
      'webhook-url-taken',
      'webhook-secret-weak',
      'project-not-found',
      'quota-exceeded',
      'secret-key-missing',
      'secret-key-unusable',
    ],
  }),
  eventTypes: endpoint({
    id: 'webhooks.event-types',
    origin: 'own',
    method: 'GET',
    path: `${base}/event-types`,
    summary: 'List the types of events; the API description has their bodies under webhooks',
    access: may('webhooks:view'),
    params: Type.Object(tenantParams),
    response: Type.Object({
      event_types: Type.Array(Type.Object({ type: oneOf(webhookEventTypes), summary: Type.String() })),
    }),
    errors: [],
  }),
  deadLetters: endpoint({
    id: 'webhooks.dead-letters',
    origin: 'spec',
    method: 'GET',
    path: `${base}/deliveries/dead-letter`,
    summary: 'List the deliveries that failed for good, newest first',
    access: may('webhooks:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({ subscription_id: Type.Optional(Type.String({ minLength: 1 })), ...pageQueryOptional }),
    response: Type.Array(DeadLetter),
    errors: [],
  }),
  replay: endpoint({
    id: 'webhooks.replay',
    origin: 'own',
    method: 'POST',
    path: `${base}/deliveries/dead-letter/replay`,
    summary: 'Send dead letters again, and events that were missed while a subscription was not active',
    description:
      'Takes at most 10,000 deliveries of active subscriptions, by the time of their event; each keeps its `webhook-id`. Repeat it while `remaining` is not 0.',
    access: may('webhooks:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      subscription_id: Type.Optional(orNull(Type.String({ minLength: 1 }))),
      since: dateTime('The first instant.'),
      until: Type.Optional(orNull(dateTime('The last instant; now when omitted.'))),
      dry_run: Type.Optional(Type.Boolean({ description: 'Count the deliveries and send nothing.', default: false })),
    }),
    response: Type.Object({
      replayed: Type.Integer({ description: 'Number of deliveries that are sent again, or would be with dry_run.' }),
      remaining: Type.Integer(),
      dry_run: Type.Boolean(),
    }),
    errors: ['webhook-not-found', 'webhook-disabled'],
  }),
  delivery: endpoint({
    id: 'webhooks.delivery',
    origin: 'spec',
    method: 'GET',
    path: `${base}/deliveries/{event_id}`,
    summary: 'Get a delivery with all of its attempts',
    access: may('webhooks:view'),
    params: deliveryParams,
    response: DeliveryDetail,
    errors: ['delivery-not-found'],
  }),
  redeliver: endpoint({
    id: 'webhooks.redeliver',
    origin: 'own',
    method: 'POST',
    path: `${base}/deliveries/{event_id}/redeliver`,
    summary: 'Send a delivery now, with the same `webhook-id`: again where it has ended, before others where it waits',
    description: 'A delivery that waits keeps its later attempts. A pause of the subscription ends.',
    access: may('webhooks:edit'),
    params: deliveryParams,
    response: DeliveryDetail,
    errors: ['delivery-not-found', 'delivery-not-replayable', 'webhook-disabled'],
  }),
  get: endpoint({
    id: 'webhooks.get',
    origin: 'spec',
    method: 'GET',
    path: one,
    summary: 'Get a webhook subscription',
    access: may('webhooks:view'),
    params: oneParams,
    response: Subscription,
    errors: ['webhook-not-found'],
  }),
  update: endpoint({
    id: 'webhooks.update',
    origin: 'spec',
    method: 'PATCH',
    path: one,
    summary: 'Change a webhook subscription, rotate its secret, switch it on or off',
    description:
      'What is omitted stays as it is, and so does what is null, except minSeverity, name, eventTypes and projects: null clears them. A new signingSecret rotates: both secrets sign for 24 hours. What was not sent when it is switched off is kept and can be replayed.',
    access: may('webhooks:edit'),
    params: oneParams,
    body: titled(
      'PushWebhookSubscriptionUpdateRequest',
      bodyOf({
        url: Type.Optional(orNull(url)),
        signingSecret: Type.Optional(orNull(signingSecret)),
        active: Type.Optional(orNull(Type.Boolean())),
        minSeverity: Type.Optional(minSeverity),
        ...subscriptionChoices,
        keepAnswers: Type.Optional(orNull(keepAnswers)),
      }),
    ),
    response: Subscription,
    errors: [
      'webhook-not-found',
      'webhook-url-invalid',
      'webhook-url-taken',
      'webhook-secret-weak',
      'project-not-found',
      'secret-key-missing',
      'secret-key-unusable',
    ],
  }),
  remove: endpoint({
    id: 'webhooks.delete',
    origin: 'own',
    method: 'DELETE',
    path: one,
    summary: 'Delete a webhook subscription with its deliveries and its secret',
    access: may('webhooks:edit'),
    params: oneParams,
    status: 204,
    response: Type.Null(),
    errors: ['webhook-not-found'],
  }),
  test: endpoint({
    id: 'webhooks.test',
    origin: 'own',
    method: 'POST',
    path: `${base}/subscriptions/{subscription_id}/test`,
    formerPath: `${one}/test`,
    summary: 'Send a test event to one subscription',
    access: may('webhooks:edit'),
    params: oneParams,
    response: DeliveryDetail,
    errors: ['webhook-not-found', 'webhook-disabled'],
  }),
  deliveries: endpoint({
    id: 'webhooks.deliveries',
    origin: 'own',
    method: 'GET',
    path: `${base}/subscriptions/{subscription_id}/deliveries`,
    formerPath: `${one}/deliveries`,
    summary: 'List the deliveries of a subscription, newest first',
    access: may('webhooks:view'),
    params: oneParams,
    query: Type.Object({
      status: Type.Optional(deliveryStatus),
      type: Type.Optional(oneOf(webhookEventTypes)),
      since: Type.Optional(dateTime('Only events from this instant on.')),
      ...stableQuery,
    }),
    response: Type.Object({
      deliveries: Type.Array(Delivery),
      ...countedStablePage,
    }),
    errors: ['webhook-not-found'],
  }),
  stats: endpoint({
    id: 'webhooks.stats',
    origin: 'own',
    method: 'GET',
    path: `${base}/subscriptions/{subscription_id}/stats`,
    formerPath: `${one}/stats`,
    summary: 'Count the deliveries of a subscription, and its attempts of the last 24 hours',
    description: 'Attempts are those of its 2,000 newest deliveries.',
    access: may('webhooks:view'),
    params: oneParams,
    response: Type.Object({
      deliveries: Type.Object({
        pending: Type.Integer(),
        delivering: Type.Integer(),
        retrying: Type.Integer(),
        delivered: Type.Integer(),
        dead_letter: Type.Integer(),
        cancelled: Type.Integer(),
      }),
      attempts: Type.Object({
        total: Type.Integer(),
        accepted: Type.Integer(),
        p50_ms: orNull(Type.Integer()),
        p95_ms: orNull(Type.Integer()),
      }),
      next_attempt_at: orNull(dateTime()),
    }),
    errors: ['webhook-not-found'],
  }),
  events: endpoint({
    id: 'webhooks.events',
    origin: 'own',
    method: 'GET',
    path: `${base}/events`,
    summary: 'Wait for events, for programs that webhooks cannot reach',
    description:
      'The events since an instant, oldest first, as webhooks receive them. Without any it waits up to `wait` seconds. An event may come twice: tell events apart by their id.',
    access: may('webhooks:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({
      since: dateTime('Only events from this instant on.'),
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, default: 0, description: 'Seconds.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    }),
    response: Type.Object({
      events: Type.Array(Type.Object({ id: Type.String(), payload })),
      now: dateTime('The clock of the service.'),
    }),
    errors: [],
  }),
} as const
