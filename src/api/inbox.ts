import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { may, tenantParams, tenantPath, listed } from './kit.ts'

/** What waits for a person: first what is to be decided, then what is to be looked at. */
export const inboxKinds = [
  'review',
  'gateway_change',
  'gateway_release',
  'mcp_surface',
  'candidate',
  'webhook',
  'mention',
  'news',
] as const
export type InboxKind = (typeof inboxKinds)[number]

/** high: it ends within a day, or something is in use that nobody approved. normal: it is to be decided. low: it is to be looked at. */
export const urgencies = ['high', 'normal', 'low'] as const
export type Urgency = (typeof urgencies)[number]

const InboxItem = titled(
  'InboxItem',
  Type.Object({
    id: Type.String({ description: 'Stays the same while it waits.' }),
    kind: oneOf(inboxKinds),
    urgency: oneOf(
      urgencies,
      'high: it ends within a day, or something is in use that nobody approved. normal: decide. low: look at it.',
    ),
    subject: Type.String({
      description: 'What it is about, such as a version or an environment; of news what happened.',
    }),
    what: Type.String({ description: 'What is asked, in one line of text without markup; empty for news.' }),
    detail: orNull(Type.String({ description: 'The beginning of a note or comment.' })),
    who: orNull(Type.String({ description: 'Who asked or caused it; null: the service.' })),
    since: dateTime(),
    ends_at: orNull(dateTime('When it cannot be decided any more.')),
    action: Type.String({ description: 'What one does about it first, in a word or two.' }),
    url: Type.String({ description: 'Where one does it, in the application.' }),
    notification_id: orNull(
      Type.String({ description: 'Of news: it leaves the inbox when this notification is marked as read.' }),
    ),
  }),
)
export type InboxItem = Static<typeof InboxItem>

const InboxCounts = titled(
  'InboxCounts',
  Type.Object({
    total: Type.Integer(),
    decide: Type.Integer({ description: 'How many are to be decided.' }),
    by_kind: Type.Object(
      {
        review: Type.Integer(),
        gateway_change: Type.Integer(),
        gateway_release: Type.Integer(),
        mcp_surface: Type.Integer(),
        candidate: Type.Integer(),
        webhook: Type.Integer(),
        mention: Type.Integer(),
        news: Type.Integer(),
      },
      { description: 'Every kind, whole: also what this page does not list.' },
    ),
  }),
)
export type InboxCounts = Static<typeof InboxCounts>

const mostListed = 200

/** The inbox: everything that waits for the caller in one organization. */
export const inboxApi = {
  list: endpoint({
    id: 'inbox.list',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/inbox`,
    summary: 'List what waits for you: what you are to decide, the urgent first, then what you should look at',
    description:
      'Reviews, changes of gateway policies, gateway releases, MCP servers, changes of repositories, webhooks that fail, mentions and other unread notifications. What you may not act on is not listed. A key has no inbox.',
    access: listed(may(null)),
    params: Type.Object(tenantParams),
    query: Type.Object({
      kind: Type.Optional(oneOf(inboxKinds, 'Only this kind; all are counted.')),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: mostListed, default: 50, description: '0: only the counts.' }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
    }),
    response: titled(
      'InboxResponse',
      Type.Object({
        items: Type.Array(InboxItem),
        counts: InboxCounts,
        total: Type.Integer({ description: 'How many there are of the kind that was asked for.' }),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
    ),
    errors: [],
  }),
} as const
