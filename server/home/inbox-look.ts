import { and, count, desc, eq, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { InboxItem } from '../../src/api/inbox.ts'
import type { NotificationType } from '../../src/api/notifications.ts'
import { inTenant } from '../../db/conditions.ts'
import { notifications } from '../../db/tables.gen.ts'
import { tenantOf } from '../auth/door.ts'
import { failingWebhooks } from '../webhooks/door.ts'
import { beginningOf, type InboxQuestion } from './inbox-decide.ts'

const givenUpWords = (n: number): string =>
  n === 1 ? 'A delivery was given up' : `${n.toLocaleString('en')} deliveries were given up`

/** Webhooks with dead letters, and those that the service switched off: one item for each, for who may do something about it. */
export async function failing({ read, grant, linkTo }: InboxQuestion): Promise<InboxItem[]> {
  if (!grant.permissions.has('webhooks:edit')) return []
  const rows = await failingWebhooks(read, tenantOf(grant).id)
  return rows.map(({ id, name, disabledReason, givenUp, lastError, at }) => ({
    id: `webhook:${id}`,
    kind: 'webhook',
    urgency: 'low',
    subject: name,
    what: givenUp === 0 ? 'The service switched the webhook off' : givenUpWords(givenUp),
    detail:
      [
        ...(lastError === null ? [] : [`The last one failed with ${lastError}.`]),
        ...(disabledReason === null || givenUp === 0 ? [] : ['The service switched the webhook off.']),
      ].join(' ') || null,
    who: null,
    since: at,
    ends_at: null,
    action: disabledReason === null ? 'Send again' : 'Switch on',
    url: linkTo('-', 'webhooks', id),
    notification_id: null,
  }))
}

/** Whether a notification is of this event of its type. Its payload is JSON, which the engines write with other spaces. */
const isEvent = (type: NotificationType, event: string): SQL =>
  and(eq(notifications.type, type), sql`cast(${notifications.payload} as text) like ${`%"${event}%`}`) as SQL

/** Unread notifications but those of what is listed as a decision anyway. */
function newsOf({ grant, person }: InboxQuestion): SQL {
  const { permissions } = grant
  const decided = [
    eq(notifications.type, 'review_requested'),
    isEvent('gateway', 'gateway.approval'),
    ...(permissions.has('mcp:govern') ? [isEvent('mcp_server', 'mcp.surface')] : []),
    ...(permissions.has('versions:edit') ? [isEvent('repository', 'sync.candidate')] : []),
  ]
  const unread = and(eq(notifications.userId, person), isNull(notifications.readAt), not(or(...decided) as SQL))
  return unread as SQL
}

const kindOf = (type: NotificationType) => (type === 'mention' ? ('mention' as const) : ('news' as const))

/** How many unread mentions and other news there are. */
export async function countNews(asked: InboxQuestion): Promise<{ mention: number; news: number }> {
  const rows = await asked.read
    .select({ type: notifications.type, n: count() })
    .from(notifications)
    .where(inTenant(notifications, tenantOf(asked.grant).id, newsOf(asked)))
    .groupBy(notifications.type)
  const counts = { mention: 0, news: 0 }
  for (const { type, n } of rows) counts[kindOf(type)] += n
  return counts
}

/**
 * Unread mentions and other news, newest first.
 * @param kind null: both
 * @param most how many at most
 */
export async function newsItems(
  asked: InboxQuestion,
  kind: 'mention' | 'news' | null,
  most: number,
): Promise<InboxItem[]> {
  if (most <= 0) return []
  const ofKind = kind === 'mention' ? eq(notifications.type, 'mention') : ne(notifications.type, 'mention')
  const rows = await asked.read
    .select()
    .from(notifications)
    .where(inTenant(notifications, tenantOf(asked.grant).id, newsOf(asked), kind === null ? undefined : ofKind))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(most)
  return rows.map(({ id, type, payload, actorId, actorName, createdAt }) => ({
    id: `${kindOf(type)}:${id}`,
    kind: kindOf(type),
    urgency: 'low',
    subject: payload.title,
    what: '',
    detail: beginningOf(payload.excerpt),
    who: actorId === null ? null : (actorName ?? actorId),
    since: createdAt,
    ends_at: null,
    action: 'Open',
    url: payload.url,
    notification_id: id,
  }))
}
