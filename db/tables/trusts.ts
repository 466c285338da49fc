import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { KeyScope } from '../../src/api/permissions.ts'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** Token issuers whose tokens a tenant takes from pipelines, and what a token must say. */
export const trusts = pgTable(
  'trusts',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Exactly as the issuer writes itself in `iss`. */
    issuer: text('issuer').notNull(),
    /** Where its keys are; null: where its discovery document says. */
    jwksUri: text('jwks_uri'),
    audience: text('audience').notNull(),
    /** A pattern for each claim; all must fit. */
    conditions: json<Readonly<Record<string, string>>>()('conditions').notNull(),
    scopes: json<readonly KeyScope[]>()('scopes').notNull(),
    lifetimeSeconds: integer('lifetime_seconds').notNull(),
    /** A token of the issuer is exchanged once only. */
    singleUse: bool('single_use').notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
  },
  (t) => [
    uniqueIndex('trusts_name_key').on(t.tenantId, t.name),
    index('trusts_tenant_idx').on(t.tenantId, t.createdAt),
  ],
)

/** Tokens that pipelines got for those of their issuers. Only the SHA-256 of a token is stored. */
export const trustTokens = pgTable(
  'trust_tokens',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    trustId: text('trust_id')
      .notNull()
      .references(() => trusts.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    /** The `jti` of a token that is exchanged once only. */
    jti: text('jti'),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    /** Until then the row is kept: a token that is exchanged once only may live longer than what it was exchanged for. */
    keptUntil: timestamp('kept_until').notNull(),
  },
  (t) => [
    uniqueIndex('trust_tokens_hash_key').on(t.tokenHash),
    uniqueIndex('trust_tokens_jti_key').on(t.trustId, t.jti),
    index('trust_tokens_tenant_idx').on(t.tenantId),
    index('trust_tokens_kept_idx').on(t.keptUntil),
  ],
)
