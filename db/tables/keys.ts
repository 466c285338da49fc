import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { KeyScope } from '../../src/api/permissions.ts'
import { bool, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** REST keys of a tenant. Only the SHA-256 of a key is stored; scopes are never changed. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    scopes: json<readonly KeyScope[]>()('scopes').notNull(),
    enabled: bool('enabled').notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    /** Null: never. */
    expiresAt: timestamp('expires_at'),
    lastUsedAt: timestamp('last_used_at'),
    /** The key that this one is to replace, once. */
    replacesId: text('replaces_id'),
  },
  (t) => [uniqueIndex('api_keys_hash_key').on(t.keyHash), index('api_keys_tenant_idx').on(t.tenantId, t.createdAt)],
)

/** Keys of agents: a toolset, an expiry, a revocation that keeps the row. */
export const agentKeys = pgTable(
  'agent_keys',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    label: text('label').notNull(),
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    toolset: text('toolset').notNull(),
    tools: json<readonly string[]>()('tools').notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
    revokedAt: timestamp('revoked_at'),
  },
  (t) => [uniqueIndex('agent_keys_hash_key').on(t.keyHash), index('agent_keys_tenant_idx').on(t.tenantId, t.createdAt)],
)

/** Keys of agent hosts for the MCP endpoint. */
export const mcpKeys = pgTable(
  'mcp_keys',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    label: text('label').notNull(),
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    /** "inherit": the tenant's defaults; "explicit": `tools`. */
    mode: text('mode', { enum: ['inherit', 'explicit'] }).notNull(),
    tools: json<readonly string[]>()('tools').notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
  },
  (t) => [uniqueIndex('mcp_keys_hash_key').on(t.keyHash), index('mcp_keys_tenant_idx').on(t.tenantId, t.createdAt)],
)

/** What MCP keys of a tenant may reach at most, and what those that inherit get. No row: every tool for both. */
export const mcpCapabilities = pgTable('mcp_capabilities', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  ceiling: json<readonly string[]>()('ceiling').notNull(),
  defaults: json<readonly string[]>()('defaults').notNull(),
  updatedAt: timestamp('updated_at').notNull(),
})
