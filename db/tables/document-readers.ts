import { index, pgTable } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { apiKeys } from './keys.ts'
import { tenants } from './tenants.ts'
import { versions } from './versions.ts'

/**
 * Browsers that opened the page of a private version with a key in the link: they hold a cookie in its place, for that one
 * version and a few hours. The cookie's value is stored only as its SHA-256; it is worth nothing once the key is not.
 */
export const documentReaders = pgTable(
  'document_readers',
  {
    tokenHash: text('token_hash').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (t) => [index('document_readers_expiry_idx').on(t.expiresAt)],
)
