import { and, eq, inArray } from 'drizzle-orm'
import { notificationTypes, type NotificationPayload, type NotificationType } from '../../src/api/notifications.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { apiKeys, memberships, notifications, users } from '../../db/tables.gen.ts'
import type { OutboxEvent } from '../outbox/events.ts'

// Both engines limit the parameters of one statement.
const rowsPerStatement = 100

const chunksOf = <T>(all: readonly T[]): T[][] => {
  const chunks: T[][] = []
  for (let from = 0; from < all.length; from += rowsPerStatement) chunks.push(all.slice(from, from + rowsPerStatement))
  return chunks
}

/** The id of the person behind "user:ID"; null for a key and for the service. */
export const personIn = (actor: string | null): string | null =>
  actor?.startsWith('user:') === true ? actor.slice('user:'.length) : null

/** Who of these people may view what the organization has: the active members. */
export async function viewersOf(read: Reader, tenantId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found: string[] = []
  for (const part of chunksOf([...new Set(ids)])) {
    const rows = await read
      .select({ id: users.id })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(
          inTenant(memberships, tenantId, eq(memberships.status, 'active'), inArray(memberships.userId, part)),
          eq(users.status, 'active'),
        ),
      )
    found.push(...rows.map(({ id }) => id))
  }
  return new Set(found)
}

/** Who an actor is, as notifications and comments show it. */
export async function describeActor(
  read: Reader,
  tenantId: string,
  actor: string | null,
): Promise<{ readonly id: string; readonly name: string } | null> {
  if (actor === null) return null
  const person = personIn(actor)
  if (person !== null) {
    const [row] = await read.select({ name: users.name }).from(users).where(eq(users.id, person))
    return { id: person, name: row?.name ?? 'A former user' }
  }
  const keyId = actor.slice(actor.indexOf(':') + 1)
  const [key] = await read
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(inTenant(apiKeys, tenantId, eq(apiKeys.id, keyId)))
  return { id: actor, name: key === undefined ? 'A former key' : `Key "${key.name}"` }
}

/** People that an event concerns, in one way. */
export interface Audience {
  readonly type: NotificationType
  /** Ids of users. */
  readonly people: Iterable<string>
  readonly payload: NotificationPayload
}

/**
 * Writes the notifications of an event: one for each person, of the strongest type (the order of `notificationTypes`),
 * none for the actor and none for people who cannot view it. An event that was reported before adds nothing.
 */
export async function sendNotifications(
  tx: Transaction,
  event: Pick<OutboxEvent, 'id' | 'tenantId' | 'createdAt'>,
  about: { readonly actor: string | null; readonly projectId: string; readonly versionId: string },
  audiences: readonly Audience[],
): Promise<void> {
  const { actor, projectId, versionId } = about
  const self = personIn(actor)
  const ranked = audiences.toSorted((a, b) => notificationTypes.indexOf(a.type) - notificationTypes.indexOf(b.type))
  const chosen = new Map<string, Audience>()
  for (const audience of ranked)
    for (const person of audience.people) if (person !== self && !chosen.has(person)) chosen.set(person, audience)
  const viewers = await viewersOf(tx, event.tenantId, [...chosen.keys()])
  const by = await describeActor(tx, event.tenantId, actor)
  const rows = [...chosen].flatMap(([userId, { type, payload }]) =>
    viewers.has(userId)
      ? [
          {
            id: newId(),
            tenantId: event.tenantId,
            userId,
            eventId: event.id,
            type,
            payload,
            actorId: by?.id ?? null,
            actorName: by?.name ?? null,
            projectId,
            versionId,
            createdAt: event.createdAt,
            readAt: null,
          },
        ]
      : [],
  )
  for (const part of chunksOf(rows)) await tx.insert(notifications).values(part).onConflictDoNothing()
}
