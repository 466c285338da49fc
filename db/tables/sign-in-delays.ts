import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { users } from './users.ts'

/**
 * Failed sign-ins, as one row for each account and source, whatever their number. Where the source is "" it is all
 * unknown sources of the account together, where the account is "" all accounts that one network tried.
 */
export const signInDelays = pgTable(
  'sign_in_delays',
  {
    /** The id of an account, or "email:" and the SHA-256 of an address that has none. */
    account: text('account').notNull(),
    /** "network:" or "browser:" and a SHA-256. */
    source: text('source').notNull(),
    /** When the failures are forgotten: each one moves it away by a fixed time. */
    clearAt: timestamp('clear_at').notNull(),
    /** When the next attempt is let in; null where the source has not waited yet and need not. */
    admitAt: timestamp('admit_at'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.source] }),
    index('sign_in_delays_source_idx').on(t.source),
    index('sign_in_delays_clear_idx').on(t.clearAt),
  ],
)

/** Browsers and networks in which a person has signed in: failures of others elsewhere do not slow these down. */
export const knownSources = pgTable(
  'known_sources',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** "network:" or "browser:" and a SHA-256. */
    source: text('source').notNull(),
    seenAt: timestamp('seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.source] }),
    index('known_sources_source_idx').on(t.source),
    index('known_sources_seen_idx').on(t.seenAt),
  ],
)
