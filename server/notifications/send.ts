import { notificationTypes, type NotificationPayload, type NotificationType } from '../../src/api/notifications.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notifications } from '../../db/tables.gen.ts'
import { describeActors, inParts, personIn, viewersOf } from '../auth/door.ts'
import type { OutboxEvent } from '../outbox/door.ts'
import { type Watchers, watchersOf } from './watches.ts'

// Both engines limit the parameters of one statement.
const rowsPerInsert = 100

/** People that an event concerns, in one way. */
export interface Audience {
  readonly type: NotificationType
  /** Ids of users. */
  readonly people: Iterable<string>
  readonly payload: NotificationPayload
}

/** What an event is about, and the text for those who watch its project. */
export interface About {
  readonly actor: string | null
  readonly projectId: string | null
  readonly versionId: string | null
  /** The notification of those who watch the project; absent: none, as for what is addressed to one person. */
  readonly general?: Omit<Audience, 'people'>
}

/** News of these types are addressed to the person: they arrive from a project that the person muted. */
export const addressedTypes: ReadonlySet<NotificationType> = new Set(['mention', 'review_requested'])

/** The notification of each person: the strongest type of theirs. The actor gets none. */
function chooseAudiences(
  { actor, general }: About,
  audiences: readonly Audience[],
  { watching, muted }: Watchers,
): ReadonlyMap<string, Omit<Audience, 'people'>> {
  const self = personIn(actor)
  const ranked = audiences.toSorted((a, b) => notificationTypes.indexOf(a.type) - notificationTypes.indexOf(b.type))
  const all = general === undefined ? ranked : [...ranked, { ...general, people: watching }]
  const chosen = new Map<string, Omit<Audience, 'people'>>()
  for (const audience of all)
    for (const person of audience.people)
      if (person !== self && !chosen.has(person) && (addressedTypes.has(audience.type) || !muted.has(person)))
        chosen.set(person, audience)
  return chosen
}

/**
 * Writes the notifications of an event: one for each person that it concerns or who watches its project, of the strongest type (the order
 * of `notificationTypes`), none for the actor, for people who cannot view it, and for those who muted the project, unless it is addressed to
 * them. An event that was reported before adds nothing.
 */
export async function sendNotifications(
  tx: Transaction,
  event: Pick<OutboxEvent, 'id' | 'tenantId' | 'createdAt'>,
  about: About,
  audiences: readonly Audience[],
): Promise<void> {
  const { actor, projectId, versionId } = about
  const watchers = await watchersOf(tx, event.tenantId, projectId)
  const chosen = chooseAudiences(about, audiences, watchers)
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
