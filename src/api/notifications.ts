import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import { may, nextCursor, tenantParams, tenantPath, listed } from './kit.ts'

/** What notifications are about. Where one event has several for a person, the first of this list is the one that is sent. */
export const notificationTypes = [
  'mention',
  'review_requested',
  'review_decision',
  'thread_resolved',
  'version_published',
  'repository',
  'mcp_server',
  'gateway',
  'account',
] as const
export type NotificationType = (typeof notificationTypes)[number]

const Payload = titled(
  'NotificationPayload',
  Type.Object({
    title: Type.String({ description: 'What happened, in one line of text without markup.' }),
    url: Type.String({ description: 'Where to read about it in the application.' }),
    excerpt: Type.Optional(Type.String({ description: 'The beginning of the comment or note.' })),
    thread_id: Type.Optional(Type.String()),
    review_id: Type.Optional(Type.String()),
    decision: Type.Optional(oneOf(['approved', 'changes_requested'])),
    repository_id: Type.Optional(Type.String()),
    endpoint_id: Type.Optional(Type.String({ description: 'Of an MCP server.' })),
    environment_id: Type.Optional(Type.String({ description: 'Of gateways.' })),
    event: Type.Optional(Type.String({ description: 'Of a repository: what happened, such as "sync.diverged".' })),
  }),
)
export type NotificationPayload = Static<typeof Payload>

const Notification = titled(
  'Notification',
  Type.Object({
    id: Type.String(),
    type: oneOf(notificationTypes),
    payload: Payload,
    actor: orNull(
      Type.Object({
        id: Type.String({ description: 'Id of a user, or the kind and id of a key.' }),
        name: Type.String(),
      }),
    ),
    project_id: orNull(Type.String({ description: 'Null: it was deleted.' })),
    version_id: orNull(Type.String({ description: 'Null: it was deleted.' })),
    created_at: dateTime(),
    read_at: orNull(dateTime()),
  }),
)
export type NotificationRecord = Static<typeof Notification>

const UnreadCount = titled(
  'UnreadCount',
  Type.Object({
    total: Type.Integer(),
    by_type: Type.Object(
      {
        mention: Type.Integer(),
        review_requested: Type.Integer(),
        review_decision: Type.Integer(),
        thread_resolved: Type.Integer(),
        version_published: Type.Integer(),
        repository: Type.Integer(),
        mcp_server: Type.Integer(),
        gateway: Type.Integer(),
        account: Type.Integer(),
      },
      { description: 'Every type, also those without unread notifications.' },
    ),
  }),
)
export type UnreadCount = Static<typeof UnreadCount>

const base = `${tenantPath}/notifications`
// An inbox is the caller's own: being a member is enough. That of a key is empty.

/** Notifications: what happened that concerns the caller, in one organization. */
export const notificationsApi = {
  list: endpoint({
    id: 'notifications.list',
    origin: 'spec',
    method: 'GET',
    path: base,
    summary: 'List your notifications, newest first; nothing is marked as read',
    access: listed(may(null)),
    params: Type.Object(tenantParams),
    query: Type.Object({
      unread: Type.Optional(Type.Boolean({ description: 'Only unread notifications.' })),
      type: Type.Optional(oneOf(notificationTypes, 'Only this type.')),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
      cursor: stableQuery.cursor,
    }),
    response: titled(
      'NotificationListResponse',
      Type.Object({
        notifications: Type.Array(Notification),
        count: Type.Integer({ description: 'How many this page has.' }),
        limit: Type.Integer(),
        offset: Type.Integer(),
        total: Type.Integer(),
        next_cursor: nextCursor,
      }),
    ),
    errors: ['cursor-invalid'],
  }),
  markRead: endpoint({
    id: 'notifications.mark-read',
    origin: 'spec',
    method: 'POST',
    path: `${base}/read`,
    summary: 'Mark notifications as read, by id or all of them',
    access: listed({ ...may(null), writes: true }),
    params: Type.Object(tenantParams),
    body: titled(
      'MarkReadRequest',
      bodyOf({
        ids: Type.Optional(
          orNull(Type.Array(Type.String(), { maxItems: 1000, description: 'Ids that are not yours match nothing.' })),
        ),
        all: Type.Optional(Type.Boolean({ description: 'Mark all notifications as read.' })),
      }),
    ),
    bodyOptional: true,
    response: titled(
      'MarkReadResponse',
      Type.Object({
        updated: Type.Integer({ description: 'How many were unread and are read now.' }),
        unread: UnreadCount,
      }),
    ),
    errors: [],
  }),
  markUnread: endpoint({
    id: 'notifications.mark-unread',
    origin: 'own',
    method: 'POST',
    path: `${base}/unread`,
    summary: 'Mark notifications as unread again, by id',
    access: listed({ ...may(null), writes: true }),
    params: Type.Object(tenantParams),
    body: titled(
      'MarkUnreadRequest',
      bodyOf({
        ids: Type.Array(Type.String(), { maxItems: 1000, description: 'Ids that are not yours match nothing.' }),
      }),
    ),
    response: titled(
      'MarkUnreadResponse',
      Type.Object({
        updated: Type.Integer({ description: 'How many were read and are unread now.' }),
        unread: UnreadCount,
      }),
    ),
    errors: [],
  }),
  unreadCount: endpoint({
    id: 'notifications.unread-count',
    origin: 'spec',
    method: 'GET',
    path: `${base}/unread-count`,
    summary: 'Count your unread notifications by type; 304 if the count did not change',
    access: listed(may(null)),
    params: Type.Object(tenantParams),
    headers: Type.Object({
      'if-none-match': Type.Optional(Type.String({ description: 'ETag of the count that you have.' })),
    }),
    response: UnreadCount,
    answerHeaders: ['etag'],
    errors: [],
  }),
} as const
