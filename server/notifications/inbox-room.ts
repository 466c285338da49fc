import { count, inArray, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { notifications } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { describeActors, inParts, namesBehind, personIn } from '../auth/door.ts'

/** How many unread notifications of one person another may cause, under all of their keys together. */
export const mostUnreadFromOne = 100

/**
 * Checks that one person does not fill the inbox of another.
 * @param actor who is about to cause a notification
 * @param people the members that it would reach
 * @throws SvcError `inbox-full` for the first who has too many unread ones from them
 */
export async function assertInboxRoom(
  read: Reader,
  tenantId: string,
  actor: string | null,
  people: readonly string[],
): Promise<void> {
  const names = await namesBehind(read, tenantId, actor)
  // A person is kept by their id alone.
  const actors = names.map((name) => personIn(name) ?? name)
  if (actors.length === 0) return
  for (const part of inParts(people)) {
    const rows = await read
      .select({ userId: notifications.userId, n: count() })
      .from(notifications)
      .where(
        inTenant(
          notifications,
          tenantId,
          inArray(notifications.userId, part),
          inArray(notifications.actorId, actors),
          isNull(notifications.readAt),
        ),
      )
      .groupBy(notifications.userId)
    const full = rows.find(({ n }) => n >= mostUnreadFromOne)
    if (full === undefined) continue
    const described = await describeActors(read, tenantId, [`user:${full.userId}`])
    throw new SvcError('inbox-full', {
      name: described.get(`user:${full.userId}`)?.name ?? full.userId,
      max: mostUnreadFromOne,
    })
  }
}
