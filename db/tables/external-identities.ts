import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { sessions } from './sessions.ts'
import { users } from './users.ts'

/** Who a person is at an issuer: from the first sign-in on the subject tells them, whatever becomes of the address. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('external_identities_user_idx').on(t.userId)],
)

/** Sign-ins on their way to an issuer and back. What must be secret is derived from a cookie and stored nowhere. */
export const oidcAttempts = pgTable(
  'oidc_attempts',
  {
    /** SHA-256 of the state. */
    stateHash: text('state_hash').primaryKey(),
    /** SHA-256 of the secret in the cookie of the browser that began it. */
    browserHash: text('browser_hash').notNull(),
    /** Path of the application to come back to. */
    returnTo: text('return_to').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [index('oidc_attempts_expires_idx').on(t.expiresAt)],
)

/** Which session at the issuer a browser session began with: it ends with that one. */
export const providerSessions = pgTable(
  'provider_sessions',
  {
    sessionId: text('session_id')
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    sid: text('sid'),
    /** A hint for signing out there; nothing accepts it as a credential. */
    idToken: text('id_token').notNull(),
  },
  (t) => [
    index('provider_sessions_sid_idx').on(t.issuer, t.sid),
    index('provider_sessions_subject_idx').on(t.issuer, t.subject),
  ],
)

/** Logout tokens that were used: each counts once. */
export const logoutTokens = pgTable(
  'logout_tokens',
  {
    /** SHA-256 of the issuer and the `jti`. */
    jtiHash: text('jti_hash').primaryKey(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [index('logout_tokens_expires_idx').on(t.expiresAt)],
)
