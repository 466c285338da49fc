import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { bool, json, text, timestamp } from '../columns.ts'
import { repositories } from './repositories.ts'
import { tenants } from './tenants.ts'

export const hookOutcomes = [
  'accepted',
  'duplicate',
  'bad-signature',
  'ip-blocked',
  'ip-warned',
  'too-large',
  'too-slow',
  'ignored',
] as const

/** Where providers send pushes of a repository to. */
export const repositoryHooks = pgTable(
  'repository_hooks',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: ['github', 'gitlab', 'bitbucket'] }).notNull(),
    /** The last part of its address. */
    token: text('token').notNull(),
    /** Of the vault. */
    secretId: text('secret_id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** The secret before the last rotation verifies too until then. */
    previousSecretId: text('previous_secret_id'),
    previousFingerprint: text('previous_fingerprint'),
    /** True while the present secret was made by the service and was not read: it can be read once. */
    secretUnread: bool('secret_unread'),
    graceUntil: timestamp('grace_until'),
    /** pending: nothing arrived yet. */
    state: text('state', { enum: ['pending', 'active', 'failing'] }).notNull(),
    /** Null: it was made at the provider by hand. */
    providerHookId: text('provider_hook_id'),
    lastDeliveryAt: timestamp('last_delivery_at'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('repository_hooks_repository_key').on(t.repositoryId),
    uniqueIndex('repository_hooks_token_key').on(t.token),
  ],
)

/** What arrived for a hook, and what became of it. */
export const hookEvents = pgTable(
  'hook_events',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    hookId: text('hook_id')
      .notNull()
      .references(() => repositoryHooks.id, { onDelete: 'cascade' }),
    at: timestamp('at').notNull(),
    event: text('event').notNull(),
    deliveryId: text('delivery_id'),
    /** The id of a delivery that was taken, for as long as it is not taken again. */
    takenId: text('taken_id'),
    outcome: text('outcome', { enum: hookOutcomes }).notNull(),
    ref: text('ref'),
  },
  (t) => [
    uniqueIndex('hook_events_taken_key').on(t.hookId, t.takenId),
    index('hook_events_hook_idx').on(t.tenantId, t.hookId, t.at, t.id),
    index('hook_events_age_idx').on(t.at),
  ],
)

/** Whether an organization checks the addresses that hooks come from. */
export const hookPolicies = pgTable('hook_policies', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  isEnforced: bool('is_enforced').notNull(),
  bypassReason: text('bypass_reason'),
  updatedAt: timestamp('updated_at').notNull(),
})

/** Networks that an organization takes hooks from. */
export const hookEntries = pgTable(
  'hook_entries',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    cidr: text('cidr').notNull(),
    description: text('description'),
    isEnabled: bool('is_enabled').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('hook_entries_cidr_key').on(t.tenantId, t.cidr)],
)

/** The networks that the clouds of providers send from, as they were read last. */
export const providerRanges = pgTable('provider_ranges', {
  provider: text('provider').primaryKey(),
  ranges: json<string[]>()('ranges').notNull(),
  /** Null: they were never read. */
  fetchedAt: timestamp('fetched_at'),
  lastError: text('last_error'),
})
