import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** Accounts of git providers. Their tokens are in the vault. */
export const linkedAccounts = pgTable(
  'linked_accounts',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** The id of a user; "tenant" where it belongs to the organization. */
    owner: text('owner').notNull(),
    provider: text('provider', { enum: ['github', 'gitlab', 'bitbucket'] }).notNull(),
    host: text('host').notNull(),
    kind: text('kind', { enum: ['app', 'oauth', 'token'] }).notNull(),
    login: text('login').notNull(),
    /** Needed beside an API token of Bitbucket. */
    email: text('email'),
    scopes: json<string[]>()('scopes').notNull(),
    /** Of the vault; null: tokens of an App are made when they are needed. */
    secretId: text('secret_id'),
    /** The token that the next one is asked for with (RFC 6749, 6), of the vault. */
    refreshSecretId: text('refresh_secret_id'),
    /** When the token has to be renewed; null: never. */
    tokenExpiresAt: timestamp('token_expires_at'),
    /** Until when one process renews the token, and no other one does. */
    renewingUntil: timestamp('renewing_until'),
    /** Of an App: its installation at the provider. */
    installationId: text('installation_id'),
    /** What the last verification said; that it expires is decided when it is read. */
    status: text('status', { enum: ['active', 'revoked', 'error'] }).notNull(),
    expiresAt: timestamp('expires_at'),
    lastVerifiedAt: timestamp('last_verified_at'),
    lastError: text('last_error'),
    /** How many days before its end the last notice was sent. */
    noticedDays: integer('noticed_days'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('linked_accounts_login_key').on(t.tenantId, t.owner, t.host, t.login),
    index('linked_accounts_tenant_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)
