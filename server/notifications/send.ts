import { notificationTypes } from '../../src/api/notifications.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notifications } from '../../db/tables.gen.ts'
import { describeActors, inParts, personIn, viewersOf } from '../auth/door.ts'
import type { OutboxEvent } from '../outbox/door.ts'
import { addressedTypes, type Chosen, type Reaching, routeNews, type Watchers, watchersOf } from '../news/door.ts'

// Both engines limit the parameters of one statement.
const rowsPerInsert = 100

/** People that an event concerns, in one way. */
export interface Audience extends Chosen {
  /** Ids of users. */
  readonly people: Iterable<string>
}

/** What an event is about, and the text for those who watch its project. */
export interface About {
  readonly actor: string | null
  readonly projectId: string | null
  readonly versionId: string | null
  /** The notification of those who watch the project, and of the chats of the organization; absent: none, as for what is addressed to one person. */
  readonly general?: Chosen
}

/** The notification of each person: the strongest type of theirs. The actor gets none. */
function chooseAudiences(
  { actor, general }: About,
  audiences: readonly Audience[],
  { watching, muted }: Watchers,
): ReadonlyMap<string, Reaching> {
  const self = personIn(actor)
  const ranked = audiences.toSorted((a, b) => notificationTypes.indexOf(a.type) - notificationTypes.indexOf(b.type))
  const reached = ranked.map(({ people, ...audience }) => ({
    people,
    ...audience,
    isAddressed: addressedTypes.has(audience.type),
  }))
  if (general !== undefined) reached.push({ ...general, people: watching, isAddressed: false })
  const chosen = new Map<string, Reaching>()
  for (const { people, ...reaching } of reached)
    for (const person of people)
      if (person !== self && !chosen.has(person) && (reaching.isAddressed || !muted.has(person)))
        chosen.set(person, reaching)
  return chosen
}

/**
 * Writes the notifications of an event, and what waits for e-mail and chats: one for each person that it concerns or who watches its project, of the strongest type (the order
 * of `notificationTypes`), none for the actor, for people who cannot view it, and for those who muted the project, unless it is addressed to
 * them. Rules of theirs decide whether it goes to the bell, to e-mail and to chats. An event that was reported before adds nothing.
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
  const viewers = await viewersOf(tx, event.tenantId, [...chosen.keys()], projectId)
  const by = actor === null ? null : ((await describeActors(tx, event.tenantId, [actor])).get(actor) ?? null)
  const people = new Map([...chosen].filter(([userId]) => viewers.has(userId)))
  const inBell = await routeNews(tx, {
    event,
    projectId,
    people,
    general: about.general ?? null,
    actorName: by?.name ?? null,
  })
  const rows = [...people].flatMap(([userId, { type, payload }]) =>
    inBell.has(userId)
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
