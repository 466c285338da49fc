import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { JsonObject } from '../../src/kernel/json.ts'
import { bool, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** Tokens with which a directory sends its users and groups (SCIM). Only the SHA-256 of a token is stored. */
export const scimTokens = pgTable(
  'scim_tokens',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The first characters: what lists show. */
    prefix: text('prefix').notNull(),
    tokenHash: text('token_hash').notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
  },
  (t) => [
    uniqueIndex('scim_tokens_hash_key').on(t.tokenHash),
    index('scim_tokens_tenant_idx').on(t.tenantId, t.createdAt),
  ],
)

/** The users of a directory. Each is a person of the company; whose account it is shows a verified address. */
export const scimUsers = pgTable(
  'scim_users',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** The account; null: none has proven the address yet. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** In lower case. */
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    /** The main address in lower case; null: there is none. */
    email: text('email'),
    active: bool('active').notNull(),
    /** What the directory said, as far as it is kept. */
    attributes: json<JsonObject>()('attributes').notNull(),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('scim_users_name_key').on(t.tenantId, t.userName),
    uniqueIndex('scim_users_account_key')
      .on(t.tenantId, t.userId)
      .where(sql`${t.userId} is not null`),
    index('scim_users_external_idx').on(t.tenantId, t.externalId),
    index('scim_users_email_idx').on(t.email),
    index('scim_users_user_idx').on(t.userId),
  ],
)

/** The groups of a directory. */
export const scimGroups = pgTable(
  'scim_groups',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [index('scim_groups_name_idx').on(t.tenantId, t.displayName)],
)

/** Who is in a group of a directory. */
export const scimMembers = pgTable(
  'scim_members',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    groupId: text('group_id')
      .notNull()
      .references(() => scimGroups.id, { onDelete: 'cascade' }),
    userId: text('scim_user_id')
      .notNull()
      .references(() => scimUsers.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    index('scim_members_user_idx').on(t.userId),
    index('scim_members_tenant_idx').on(t.tenantId),
  ],
)
