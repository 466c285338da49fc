import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, bool, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

export const minSeverities = ['breaking', 'non-breaking', 'docs-only'] as const
export type MinSeverity = (typeof minSeverities)[number]

/** Why a subscription is not active without anyone having switched it off. */
export const disabledReasons = ['gone', 'receiver', 'failing'] as const

/** Where events of an organization are sent to. */
export const webhookSubscriptions = pgTable(
  'webhook_subscriptions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** As it was given. */
    url: text('url').notNull(),
    /** Normalised: equal for addresses that mean the same. */
    urlKey: text('url_key').notNull(),
    active: bool('active').notNull(),
    /** What people call it; null: its URL. */
    name: text('name'),
    /** Only events of these types; null: of all. */
    eventTypes: json<readonly string[] | null>()('event_types'),
    /** Only events of the projects with these ids; null: all events, also those of no project. */
    projectIds: json<readonly string[] | null>()('project_ids'),
    /** Whether the beginning of what the receiver answers is kept with each attempt; null: no. */
    keepsAnswers: bool('keeps_answers'),
    /** Null: every publication. */
    minSeverity: text('min_severity', { enum: minSeverities }),
    /** Of the vault. */
    secretId: text('secret_id').notNull(),
    /** "whsec:1a2b3c4d" or "raw:1a2b3c4d". */
    secretRef: text('secret_ref').notNull(),
    /** The secret before the last rotation signs too until then. */
    previousSecretId: text('previous_secret_id'),
    previousSecretRef: text('previous_secret_ref'),
    previousUntil: timestamp('previous_until'),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    disabledAt: timestamp('disabled_at'),
    /** Attempts that failed since the last one that succeeded. */
    failures: integer('failures').notNull(),
    failingSince: timestamp('failing_since'),
    /** No attempt before this instant: too many failed in a row. */
    pausedUntil: timestamp('paused_until'),
    deadLetterAt: timestamp('dead_letter_at'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('webhook_subscriptions_url_key').on(t.tenantId, t.urlKey),
    index('webhook_subscriptions_tenant_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)

export const deliveryStatuses = ['pending', 'delivering', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One event for one subscription. Its id is the `webhook-id` of all attempts. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => webhookSubscriptions.id, { onDelete: 'cascade' }),
    /** Of the outbox; a test has an id of its own. The event itself may be gone. */
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    status: text('status', { enum: deliveryStatuses }).notNull(),
    /** The text that is sent, the same for every attempt. */
    body: text('body').notNull(),
    attemptCount: integer('attempt_count').notNull(),
    /** How many attempts were made before the schedule began (again). */
    scheduledFrom: integer('scheduled_from').notNull(),
    /** When the next attempt is due; while one is under way, when another worker may take it over. Null: nothing is due. */
    dueAt: timestamp('due_at'),
    /** Who makes the attempt that is under way. */
    claim: text('claim'),
    lastError: text('last_error'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_event_key').on(t.subscriptionId, t.eventId),
    index('webhook_deliveries_due_idx')
      .on(t.subscriptionId, t.dueAt, t.id)
      .where(sql`${t.dueAt} is not null`),
    // The last columns are there so that deliveries are counted without reading their rows.
    index('webhook_deliveries_subscription_idx').on(t.tenantId, t.subscriptionId, t.createdAt, t.id, t.eventType),
    index('webhook_deliveries_status_idx').on(t.tenantId, t.status, t.updatedAt, t.id, t.subscriptionId),
    index('webhook_deliveries_age_idx').on(t.status, t.updatedAt),
  ],
)

/** What became of each attempt. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** 1 for the first. */
    attempt: integer('attempt').notNull(),
    startedAt: timestamp('started_at').notNull(),
    durationMs: big('duration_ms').notNull(),
    /** Null: no answer came. */
    statusCode: integer('status_code'),
    /** Null: it was accepted. */
    errorClass: text('error_class'),
    /** The beginning of the body of the answer, where the subscription keeps it; null: nothing is kept. */
    answer: text('answer'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.attempt] })],
)
