import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { DigestSchedule, StoredRule } from '../../src/api/notification-targets.ts'
import type { NotificationPayload, NotificationType } from '../../src/api/notifications.ts'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'

/**
 * Where news of an organization go, with the rules of what goes there. Of a person: the bell and e-mail, which have a row once somebody changed
 * something, and channels of chats; of the organization: channels of chats.
 */
export const notificationTargets = pgTable(
  'notification_targets',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    /** Null: of the organization. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['bell', 'email', 'chat'] }).notNull(),
    /** One for each type that goes there. */
    rules: json<readonly StoredRule[]>()('rules').notNull(),
    /** Of e-mail. */
    schedule: json<DigestSchedule | null>()('schedule'),
    /** Of e-mail: the address that its owner confirmed for this. */
    address: text('address'),
    /** Of e-mail: signs the links in it. Replaced, all links sent before are void. */
    linkKey: text('link_key'),
    /** Of chats. */
    name: text('name'),
    service: text('service', { enum: ['slack', 'teams', 'discord', 'mattermost'] }),
    /** The address of the incoming webhook, in the vault. */
    secretId: text('secret_id'),
    host: text('host'),
    active: bool('active').notNull(),
    /** Why the service stopped sending there, as a sentence; null: it did not. */
    stopped: text('stopped'),
    /** Attempts that failed since the last one that succeeded. */
    failures: integer('failures').notNull(),
    /** When the last attempt was made, and what was wrong, as a sentence; null: it succeeded. */
    lastAt: timestamp('last_at'),
    lastError: text('last_error'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('notification_targets_own_key')
      .on(t.tenantId, t.userId, t.kind)
      .where(sql`${t.kind} <> 'chat'`),
    index('notification_targets_owner_idx').on(t.tenantId, t.userId, t.createdAt),
    index('notification_targets_user_idx').on(t.userId),
  ],
)

/** News that wait to be sent to a target. They leave once they were sent. */
export const notificationSends = pgTable(
  'notification_sends',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    targetId: text('target_id')
      .notNull()
      .references(() => notificationTargets.id, { onDelete: 'cascade' }),
    /** The event that it reports. No foreign key: events are removed earlier. */
    eventId: text('event_id').notNull(),
    type: text('type').$type<NotificationType>().notNull(),
    payload: json<NotificationPayload>()('payload').notNull(),
    /** Whether it is addressed to the person: it is sent although they muted the project. */
    isAddressed: bool('is_addressed').notNull(),
    actorName: text('actor_name'),
    /** News of a project that is deleted are not sent. */
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    /** The message that it is part of, once an attempt was made: another attempt sends the same. */
    batchId: text('batch_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('notification_sends_event_key').on(t.targetId, t.eventId),
    index('notification_sends_waiting_idx').on(t.targetId, t.createdAt, t.id),
    index('notification_sends_project_idx').on(t.projectId),
    index('notification_sends_tenant_idx').on(t.tenantId),
  ],
)
