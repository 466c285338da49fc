/** Writes which news wait for which target. */
import { eq, inArray, isNull, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notificationSends, notificationTargets, projects } from '../../db/tables.gen.ts'
import type { NotificationPayload, NotificationType } from '../../src/api/notifications.ts'
import { inParts } from '../auth/door.ts'
import { scheduleBy } from '../schedule/door.ts'
import { nextDigest, usualSchedule } from './digest-time.ts'
import { alwaysInBell, passes, personalTypes, type ProjectFacts, usualBell } from './rules.ts'

/** What somebody is notified of. */
export interface Chosen {
  readonly type: NotificationType
  readonly payload: NotificationPayload
}

/** What reaches a person. */
export interface Reaching extends Chosen {
  /** Whether it is addressed to them: it reaches them from a project that they muted. */
  readonly isAddressed: boolean
}

/** Something that happened, and for whom it is news. */
export interface News {
  readonly event: { readonly id: string; readonly tenantId: string; readonly createdAt: string }
  readonly projectId: string | null
  readonly actorName: string | null
  /** By the id of a user who may view it. */
  readonly people: ReadonlyMap<string, Reaching>
  /** What the chats of the organization get; null: it is about single people. */
  readonly general: Chosen | null
}

type TargetRow = typeof notificationTargets.$inferSelect

async function targetsOf(read: Reader, tenantId: string, people: readonly string[]): Promise<TargetRow[]> {
  const rows: TargetRow[] = []
  for (const part of inParts([...people, '']))
    rows.push(
      ...(await read
        .select()
        .from(notificationTargets)
        .where(
          inTenant(
            notificationTargets,
            tenantId,
            or(
              inArray(notificationTargets.userId, part),
              // Those of the organization are read once, with the part that ends in no id.
              part.at(-1) === '' ? isNull(notificationTargets.userId) : undefined,
            ),
          ),
        )),
    )
  return rows
}

async function factsOf(read: Reader, tenantId: string, projectId: string | null): Promise<ProjectFacts | null> {
  if (projectId === null) return null
  const [row] = await read
    .select({ id: projects.id, tags: projects.tags })
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.id, projectId)))
  return row === undefined ? null : { id: row.id, tags: row.tags ?? [] }
}

const rowsPerInsert = 100

/**
 * Writes what waits for e-mail and chats, and puts the sending on the schedule.
 * @returns the people whose bell gets it
 */
export async function routeNews(tx: Transaction, news: News): Promise<ReadonlySet<string>> {
  const { event, projectId, people, general } = news
  const targets = await targetsOf(tx, event.tenantId, [...people.keys()])
  const bells = new Map(targets.filter(({ kind }) => kind === 'bell').map((row) => [row.userId, row.rules]))
  if (targets.length === 0) return new Set(people.keys())
  const project = await factsOf(tx, event.tenantId, projectId)
  const rings = ([userId, { type }]: [string, Chosen]): boolean =>
    alwaysInBell.has(type) || passes(bells.get(userId) ?? usualBell, type, project)
  const waiting = targets.flatMap((target) => {
    const ofOrganization =
      general === null || personalTypes.has(general.type) ? null : { ...general, isAddressed: false }
    const chosen = target.userId === null ? ofOrganization : (people.get(target.userId) ?? null)
    if (chosen === null || !target.active || target.kind === 'bell') return []
    return passes(target.rules, chosen.type, project) ? [{ target, chosen }] : []
  })
  const rows = waiting.map(({ target, chosen }) => ({
    id: newId(),
    tenantId: event.tenantId,
    targetId: target.id,
    eventId: event.id,
    type: chosen.type,
    payload: chosen.payload,
    isAddressed: chosen.isAddressed,
    actorName: news.actorName,
    projectId,
    createdAt: event.createdAt,
  }))
  for (const part of inParts(rows, rowsPerInsert)) await tx.insert(notificationSends).values(part).onConflictDoNothing()
  const now = Date.parse(event.createdAt)
  for (const { target } of waiting)
    // What failed before has its next attempt on the schedule.
    if (target.failures === 0)
      await scheduleBy(tx, 'news.send', {
        subjectId: target.id,
        tenantId: event.tenantId,
        at: nextDigest(target.schedule ?? usualSchedule, now),
      })
  return new Set([...people].filter(rings).map(([userId]) => userId))
}
