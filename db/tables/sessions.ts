import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { users } from './users.ts'

/** Browser sessions of the application. The cookie's value is stored only as its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: timestamp('created_at').notNull(),
    lastSeenAt: timestamp('last_seen_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [uniqueIndex('sessions_token_key').on(t.tokenHash), index('sessions_user_idx').on(t.userId)],
)

/**
 * Refresh tokens, stored as SHA-256. Each is good once; the next one belongs to the same family. A family ends as a
 * whole: by logging out, by a new password, or because one of its used tokens turned up again.
 */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    id: text('id').primaryKey(),
    familyId: text('family_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    usedAt: timestamp('used_at'),
    revokedAt: timestamp('revoked_at'),
  },
  (t) => [
    uniqueIndex('refresh_tokens_token_key').on(t.tokenHash),
    index('refresh_tokens_family_idx').on(t.familyId),
    index('refresh_tokens_user_idx').on(t.userId),
  ],
)

/** When a person's password last changed: access tokens from before it are refused. */
export const passwordChanges = pgTable('password_changes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  changedAt: timestamp('changed_at').notNull(),
})

/** Links that work once: setting up the service (no tenant, no e-mail) and invitations. Tokens are stored as SHA-256. */
export const setupTokens = pgTable(
  'setup_tokens',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull(),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    usedAt: timestamp('used_at'),
  },
  (t) => [uniqueIndex('setup_tokens_token_key').on(t.tokenHash)],
)

/** Spent attempts of the sign-in budget: per address, and failures per account. */
export const authAttempts = pgTable(
  'auth_attempts',
  {
    id: text('id').primaryKey(),
    /** "address:…" or "account:" and the SHA-256 of the e-mail address. */
    bucket: text('bucket').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [index('auth_attempts_bucket_idx').on(t.bucket, t.createdAt)],
)
