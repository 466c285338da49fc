import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { EngineKind } from '../../src/gateway/door.ts'
import { json, text, timestamp } from '../columns.ts'
import { environments } from './environments.ts'

/** Gateways that follow the policy of an environment, each with its key, of which only the SHA-256 is stored, and with what it reported last. */
export const gatewayEnforcers = pgTable(
  'gateway_enforcers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    label: text('label').notNull(),
    /** What kind of gateway it was created as: it decides which configuration it gets. */
    kind: text('kind').$type<EngineKind>().notNull(),
    keyPrefix: text('key_prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    /** When its key was replaced last. */
    rotatedAt: timestamp('rotated_at'),
    lastSeenAt: timestamp('last_seen_at'),
    /** When members were informed that it is silent; null again with its next request. */
    silentAt: timestamp('silent_at'),
    reportedState: text('reported_state', { enum: ['active', 'failed', 'starting'] }),
    reportedAt: timestamp('reported_at'),
    /** The release that it reported as active. */
    activeReleaseId: text('active_release_id'),
    /** The release that it could not use. */
    failedReleaseId: text('failed_release_id'),
    /** When it may begin as many rows of events as after a pause; null: now. All processes share it. */
    rowsFullAt: timestamp('rows_full_at'),
    /** When it may send as many lines as after a pause; null: now. All processes share it. */
    linesFullAt: timestamp('lines_full_at'),
    lastError: text('last_error'),
    engineKind: text('engine_kind'),
    engineVersion: text('engine_version'),
    crs: text('crs'),
    capabilities: json<readonly string[]>()('capabilities').notNull(),
  },
  (t) => [
    uniqueIndex('gateway_enforcers_hash_key').on(t.keyHash),
    index('gateway_enforcers_environment_idx').on(t.environmentId, t.createdAt),
    index('gateway_enforcers_seen_idx').on(t.lastSeenAt),
  ],
)

/** The keys that releases are signed with; the newest one signs. The private half is a stored secret. */
export const gatewaySigningKeys = pgTable('gateway_signing_keys', {
  id: text('id').primaryKey(),
  secretId: text('secret_id').notNull(),
  /** Ed25519, 32 bytes in base64. */
  publicKey: text('public_key').notNull(),
  createdAt: timestamp('created_at').notNull(),
})
