import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'

/** Accounts. An address may have several, of which at most one belongs to the owner of the address. */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    /** Argon2id; null for people who sign in through an issuer only. */
    passwordHash: text('password_hash'),
    status: text('status', { enum: ['active', 'disabled'] }).notNull(),
    /** When an issuer or the operator confirmed the address; null: someone typed it. */
    emailVerifiedAt: timestamp('email_verified_at'),
    /**
     * The organization whose invitation created the account; null where the operator or an issuer did. No foreign key: the
     * account must not become free when that organization is deleted.
     */
    boundTo: text('bound_to'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    index('users_email_idx').on(sql`lower(${t.email})`),
    uniqueIndex('users_verified_email_key')
      .on(sql`lower(${t.email})`)
      .where(sql`${t.emailVerifiedAt} is not null`),
    uniqueIndex('users_unverified_email_key')
      .on(sql`lower(${t.email})`, sql`coalesce(${t.boundTo}, '')`)
      .where(sql`${t.emailVerifiedAt} is null`),
  ],
)
