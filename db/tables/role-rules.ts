import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Role } from '../../src/api/permissions.ts'
import { text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** A rule of an organization: who has this value in this claim gets this role. */
export const roleRules = pgTable(
  'role_rules',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** The `iss` of the identity provider; "scim": the directory of the organization. */
    issuer: text('issuer').notNull(),
    /** Name or path of the claim. */
    claim: text('claim').notNull(),
    /** What a value of the claim must be: `*` is any text, `?` one character. */
    value: text('value').notNull(),
    role: text('role').$type<Role>().notNull(),
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('role_rules_value_key').on(t.tenantId, t.issuer, t.claim, t.value),
    index('role_rules_issuer_idx').on(t.issuer),
  ],
)

/** Which rules fit whom, as was decided last: a managed membership has the highest role of these. */
export const roleMatches = pgTable(
  'role_matches',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The id of the rule, or a digest of one of the operator's file. */
    ruleKey: text('rule_key').notNull(),
    issuer: text('issuer').notNull(),
    role: text('role').$type<Role>().notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.ruleKey] }),
    index('role_matches_rule_idx').on(t.tenantId, t.ruleKey),
    index('role_matches_user_idx').on(t.userId, t.issuer),
  ],
)
