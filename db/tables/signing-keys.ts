import { pgTable } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'

/** The public half of a signing key as a JWK (RFC 7517, RFC 8037). */
export interface StoredPublicKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
}

/** Public halves of the keys that sign access tokens; the private halves stay in the processes that made them. */
export const signingKeys = pgTable('signing_keys', {
  /** RFC 7638 thumbprint. */
  kid: text('kid').primaryKey(),
  publicKey: json<StoredPublicKey>()('public_key').notNull(),
  createdAt: timestamp('created_at').notNull(),
  /** No token signed with it is good after this. */
  expiresAt: timestamp('expires_at').notNull(),
})
