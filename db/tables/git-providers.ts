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

/** What an authorization is begun for, beside who begins it. */
export interface AuthorizationDetail {
  /** Of the installation that the provider named, before the person proved access to it. */
  readonly installation?: string
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
