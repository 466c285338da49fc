import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    /** Argon2id; null for people who sign in through an issuer only. */
    passwordHash: text('password_hash'),
    status: text('status', { enum: ['active', 'disabled'] }).notNull(),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`)],
)
