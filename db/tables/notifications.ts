import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { NotificationPayload, NotificationType } from '../../src/api/notifications.ts'
import { json, text, timestamp } from '../columns.ts'
import { projects } from './projects.ts'
import { tenants } from './tenants.ts'
import { users } from './users.ts'
import { versions } from './versions.ts'

/** The inboxes of people: one row for each recipient of an event. */
export const notifications = pgTable(
  'notifications',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The event that it reports. No foreign key: events are removed earlier. */
    eventId: text('event_id').notNull(),
    type: text('type').$type<NotificationType>().notNull(),
    payload: json<NotificationPayload>()('payload').notNull(),
    /** The id of a user, or "api-key:ID" and the like; null: the service itself. */
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'set null' }),
    versionId: text('version_id').references(() => versions.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at').notNull(),
    readAt: timestamp('read_at'),
  },
  (t) => [
    uniqueIndex('notifications_recipient_key').on(t.userId, t.eventId),
    index('notifications_inbox_idx').on(t.userId, t.tenantId, t.createdAt, t.id),
    // Asked every minute by every open page.
    index('notifications_unread_idx')
      .on(t.userId, t.tenantId, t.type)
      .where(sql`${t.readAt} is null`),
    index('notifications_age_idx').on(t.createdAt),
    index('notifications_project_idx').on(t.projectId),
    index('notifications_version_idx').on(t.versionId),
  ],
)
