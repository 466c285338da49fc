import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { integer, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/** Where a person left the onboarding wizard. */
export const wizardStates = pgTable('wizard_states', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  step: text('step', { enum: ['welcome', 'organization', 'summary', 'done'] }).notNull(),
  orgName: text('org_name'),
  slug: text('slug'),
  updatedAt: timestamp('updated_at').notNull(),
})

/** The funnel: one row for each event a wizard sent. */
export const onboardingEvents = pgTable(
  'onboarding_events',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    step: text('step').notNull(),
    event: text('event', { enum: ['reached', 'completed', 'abandoned'] }).notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [index('onboarding_events_user_idx').on(t.userId, t.createdAt)],
)

/** The plan attached to a tenant. No row: the limits of the free plan hold. */
export const licenses = pgTable('licenses', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  plan: text('plan').notNull(),
  status: text('status', { enum: ['active', 'cancelled'] }).notNull(),
  /** Seats bought beside the plan's own; null: as the plan says. */
  seats: integer('seats'),
  attachedAt: timestamp('attached_at').notNull(),
  renewsAt: timestamp('renews_at'),
})

/** Invitations by e-mail address. The token of the link is stored as SHA-256. */
export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    role: text('role', { enum: ['owner', 'admin', 'editor', 'viewer', 'guest'] }).notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedBy: text('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    acceptedAt: timestamp('accepted_at'),
    withdrawnAt: timestamp('withdrawn_at'),
  },
  (t) => [
    uniqueIndex('invitations_token_key').on(t.tokenHash),
    index('invitations_tenant_idx').on(t.tenantId, t.createdAt),
    index('invitations_email_idx').on(t.email),
  ],
)
