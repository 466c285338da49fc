import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { roles } from '../../src/api/permissions.ts'
import { text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

export const memberships = pgTable(
  'memberships',
  {
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: roles }).notNull(),
    status: text('status', { enum: ['pending', 'active', 'suspended'] }).notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.userId] }), index('memberships_user_idx').on(t.userId)],
)
