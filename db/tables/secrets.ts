import { index, pgTable } from 'drizzle-orm/pg-core'
import { bytes, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/**
 * Secrets that must be read back: signing secrets, tokens of providers. Encrypted with a key that is not in the database;
 * only `server/vault` reads and writes them.
 */
export const secrets = pgTable(
  'secrets',
  {
    id: text('id').primaryKey(),
    /** Null: of the service itself. */
    tenantId: text('tenant_id').references(() => tenants.id, { onDelete: 'cascade' }),
    /** What it is used for: "webhook-signing" … */
    purpose: text('purpose').notNull(),
    /** The key it is encrypted with. */
    keyId: text('key_id').notNull(),
    nonce: bytes('nonce').notNull(),
    /** With the authentication tag at its end. */
    ciphertext: bytes('ciphertext').notNull(),
    /** Eight hexadecimal digits by which equal secrets are recognized, without any way back. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** When it was encrypted again with another key. */
    rotatedAt: timestamp('rotated_at'),
  },
  (t) => [index('secrets_key_idx').on(t.keyId, t.id), index('secrets_tenant_idx').on(t.tenantId, t.id)],
)
