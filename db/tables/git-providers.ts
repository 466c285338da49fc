import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** OAuth clients that the operator registered at providers. Their secrets are in the vault. */
export const providerClients = pgTable(
  'provider_clients',
  {
    id: text('id').primaryKey(),
    provider: text('provider', { enum: ['github', 'gitlab', 'bitbucket'] }).notNull(),
    host: text('host').notNull(),
    clientId: text('client_id').notNull(),
    /** Of the vault. */
    secretId: text('secret_id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** Separated by blanks; null: what reading repositories needs. */
    scopes: text('scopes'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('provider_clients_host_key').on(t.provider, t.host)],
)

/** GitHub Apps that were made for the service, one at each host. Their keys and secrets are in the vault. */
export const gitApps = pgTable(
  'git_apps',
  {
    id: text('id').primaryKey(),
    host: text('host').notNull(),
    appId: text('app_id').notNull(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    htmlUrl: text('html_url').notNull(),
    /** The account at the provider that owns it. */
    ownerLogin: text('owner_login'),
    clientId: text('client_id').notNull(),
    clientSecretId: text('client_secret_id').notNull(),
    /** The private key that its tokens are asked for with. */
    keySecretId: text('key_secret_id').notNull(),
    keyFingerprint: text('key_fingerprint').notNull(),
    /** The last part of the address of its webhook; null: it reports nothing. */
    hookToken: text('hook_token'),
    hookSecretId: text('hook_secret_id'),
    lastDeliveryAt: timestamp('last_delivery_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [uniqueIndex('git_apps_host_key').on(t.host), uniqueIndex('git_apps_token_key').on(t.hookToken)],
)

/** Deliveries of Apps that were taken: one of the same id is not taken again within 72 hours. */
export const gitAppDeliveries = pgTable(
  'git_app_deliveries',
  {
    id: text('id').primaryKey(),
    appId: text('app_id')
      .notNull()
      .references(() => gitApps.id, { onDelete: 'cascade' }),
    deliveryId: text('delivery_id').notNull(),
    at: timestamp('at').notNull(),
  },
  (t) => [
    uniqueIndex('git_app_deliveries_key').on(t.appId, t.deliveryId),
    index('git_app_deliveries_age_idx').on(t.at),
  ],
)

/** What an authorization is begun for, beside who begins it. */
export interface AuthorizationDetail {
  /** The installation that the person made just now. */
  readonly installation?: string
  /** Whether reports on pull requests are to be permitted. */
  readonly reports?: boolean
  /** The last part of the address that an App will report to; absent: none. */
  readonly hookToken?: string
  /** The organization at the provider that will own an App. */
  readonly organization?: string
  /** What an App will be called. */
  readonly name?: string
}

/** Visits to a provider that were begun and not ended: each works once, for ten minutes. */
export const accountAuthorizations = pgTable(
  'account_authorizations',
  {
    /** SHA-256 of the state that travels with the browser. */
    stateHash: text('state_hash').primaryKey(),
    purpose: text('purpose', { enum: ['oauth', 'app', 'manifest'] }).notNull(),
    /** Null: of the service. */
    tenantId: text('tenant_id').references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the browser session that began it; null: it was begun with an access token. */
    sessionHash: text('session_hash'),
    /** With the state and the session, what the code verifier (RFC 7636) is made of. */
    salt: text('salt').notNull(),
    provider: text('provider', { enum: ['github', 'gitlab', 'bitbucket'] }).notNull(),
    host: text('host').notNull(),
    /** As `linked_accounts.owner`. */
    owner: text('owner').notNull(),
    returnTo: text('return_to').notNull(),
    detail: json<AuthorizationDetail>()('detail').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [index('account_authorizations_age_idx').on(t.expiresAt)],
)
