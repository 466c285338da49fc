import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { users } from './users.ts'

/** Links that set a new password once: one for each account at most. The token is stored as SHA-256. */
export const passwordResets = pgTable(
  'password_resets',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    /** The organization whose administrator created the link; null: the operator did. */
    madeIn: text('made_in'),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [uniqueIndex('password_resets_token_key').on(t.tokenHash)],
)
