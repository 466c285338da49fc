import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { integer, text, timestamp } from '../columns.ts'
import { users } from './users.ts'

/** Sign-ins that were begun on another device and wait for a person (RFC 8628). Both codes are stored as SHA-256. */
export const deviceCodes = pgTable(
  'device_codes',
  {
    id: text('id').primaryKey(),
    deviceCodeHash: text('device_code_hash').notNull(),
    userCodeHash: text('user_code_hash').notNull(),
    clientName: text('client_name').notNull(),
    /** Where it was begun, for the person to compare. */
    address: text('address'),
    status: text('status', { enum: ['pending', 'approved', 'denied', 'redeemed'] }).notNull(),
    /** Who decided. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Slug of the tenant the person chose for it. */
    chosenTenant: text('chosen_tenant'),
    intervalSeconds: integer('interval_seconds').notNull(),
    lastAskedAt: timestamp('last_asked_at'),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('device_codes_device_key').on(t.deviceCodeHash),
    uniqueIndex('device_codes_user_key').on(t.userCodeHash),
    index('device_codes_expires_idx').on(t.expiresAt),
  ],
)
