import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, bool, bytes, json, text, timestamp } from '../columns.ts'
import { users } from './users.ts'

/** The authenticator app of a person (RFC 6238): at most one in use, and one that waits for its first code. */
export const authenticatorApps = pgTable(
  'authenticator_apps',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['waiting', 'active'] }).notNull(),
    /** The sealed secret that it shares with the app. */
    secretId: text('secret_id').notNull(),
    /** The time step of the code that was accepted last: none up to it is accepted again. */
    lastStep: big('last_step'),
    createdAt: timestamp('created_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.state] })],
)

/** The passkeys of a person (WebAuthn): the public half of each, and what is shown of it. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The id that the authenticator gave it, in base64url. */
    credentialId: text('credential_id').notNull(),
    /** COSE (RFC 9052). */
    publicKey: bytes('public_key').notNull(),
    /** How often the authenticator has signed with it; 0 where it does not count. */
    counter: big('counter').notNull(),
    transports: json<readonly string[]>()('transports').notNull(),
    /** Whether its authenticator may copy it to other devices. */
    isSynced: bool('is_synced').notNull(),
    name: text('name').notNull(),
    createdAt: timestamp('created_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
  },
  (t) => [uniqueIndex('passkeys_credential_key').on(t.credentialId), index('passkeys_user_idx').on(t.userId)],
)

/** Codes for people who lost their other factors: each is accepted once, and stored as SHA-256. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    createdAt: timestamp('created_at').notNull(),
    usedAt: timestamp('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/**
 * What continues a request of a person within minutes: a sign-in after its password, the challenge of a passkey. Tickets are stored
 * as SHA-256 and are accepted once.
 */
export const factorTickets = pgTable(
  'factor_tickets',
  {
    tokenHash: text('token_hash').primaryKey(),
    /** Null: someone who signs in with a passkey alone, and has not said who they are. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['sign-in', 'passkey-sign-in', 'passkey-registration'] }).notNull(),
    /** What a passkey has to sign, in base64url; null until it is asked for. */
    challenge: text('challenge'),
    /** SHA-256 of the session that it was issued in; null without one. */
    sessionHash: text('session_hash'),
    /** The invitation that the sign-in accepts; null: none. */
    invitationId: text('invitation_id'),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [
    index('factor_tickets_user_idx').on(t.userId, t.createdAt),
    index('factor_tickets_expires_idx').on(t.expiresAt),
  ],
)
