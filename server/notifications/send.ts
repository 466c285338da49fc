import { notificationTypes, type NotificationPayload, type NotificationType } from '../../src/api/notifications.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notifications } from '../../db/tables.gen.ts'
import { describeActors, inParts, personIn, viewersOf } from '../auth/door.ts'
import type { OutboxEvent } from '../outbox/door.ts'

// Both engines limit the parameters of one statement.
const rowsPerInsert = 100

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
  about: { readonly actor: string | null; readonly projectId: string | null; readonly versionId: string | null },
  audiences: readonly Audience[],
): Promise<void> {
  const { actor, projectId, versionId } = about
  const self = personIn(actor)
  const ranked = audiences.toSorted((a, b) => notificationTypes.indexOf(a.type) - notificationTypes.indexOf(b.type))
  const chosen = new Map<string, Audience>()
  for (const audience of ranked)
    for (const person of audience.people) if (person !== self && !chosen.has(person)) chosen.set(person, audience)
  const viewers = await viewersOf(tx, event.tenantId, [...chosen.keys()])
  const by = actor === null ? null : ((await describeActors(tx, event.tenantId, [actor])).get(actor) ?? null)
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
  for (const part of inParts(rows, rowsPerInsert)) await tx.insert(notifications).values(part).onConflictDoNothing()
}
