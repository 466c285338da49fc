import { customType, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { effectiveRole, type Role } from '../../src/api/permissions.ts'
import { bool, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** Every reader sees the current name of a role, so that no one has to remember the older ones. */
const role = customType<{ data: Role; driverData: string }>({ dataType: () => 'text', fromDriver: effectiveRole })

export const memberships = pgTable(
  'memberships',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: role('role').notNull(),
    status: text('status', { enum: ['pending', 'active', 'suspended'] }).notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** Rules of the identity provider's groups gave it, and take it again; false: it was given by hand. */
    managed: bool('managed').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.userId] }), index('memberships_user_idx').on(t.userId)],
)
