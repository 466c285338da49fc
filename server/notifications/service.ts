import { count, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { type NotificationRecord, type NotificationType, type UnreadCount } from '../../src/api/notifications.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { notifications } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { afterPage, type Deps, sincePage, type StablePage } from '../kit/door.ts'

/** The inbox of the caller; null for a key, which has none. */
const ownerOf = ({ principal }: Grant): string | null => (principal?.kind === 'user' ? principal.userId : null)

const isOf = (userId: string) => eq(notifications.userId, userId)

const toRecord = (row: typeof notifications.$inferSelect): NotificationRecord => ({
  id: row.id,
  type: row.type,
  payload: row.payload,
  actor: row.actorId === null ? null : { id: row.actorId, name: row.actorName ?? row.actorId },
  project_id: row.projectId,
  version_id: row.versionId,
  created_at: row.createdAt,
  read_at: row.readAt,
})

/** A page of the caller's notifications in one organization, newest first. Reading marks nothing as read. */
export async function listNotifications(
  deps: Deps,
  grant: Grant,
  { type, isUnread, ...page }: StablePage & { readonly isUnread: boolean; readonly type: NotificationType | null },
) {
  const userId = ownerOf(grant)
  const now = deps.clock.iso()
  const pageWith = (rows: readonly (typeof notifications.$inferSelect)[], total: number) => ({
    notifications: rows.map(toRecord),
    count: rows.length,
    ...afterPage(page, { shown: rows.length, total, now, ...(rows[0] && { newest: [rows[0].createdAt, rows[0].id] }) }),
  })
  if (userId === null) return pageWith([], 0)
  const { read } = deps.db
  const where = inTenant(
    notifications,
    tenantOf(grant).id,
    isOf(userId),
    isUnread ? isNull(notifications.readAt) : undefined,
    type === null ? undefined : eq(notifications.type, type),
    sincePage(notifications.createdAt, page, [notifications.createdAt, notifications.id]),
  )
  const rows = await read
    .select()
    .from(notifications)
    .where(where)
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(page.limit)
    .offset(page.offset)
  const [total] = await read.select({ n: count() }).from(notifications).where(where)
  return pageWith(rows, total?.n ?? 0)
}

async function unreadOf(read: Reader, tenantId: string, userId: string | null): Promise<UnreadCount> {
  const by_type: UnreadCount['by_type'] = {
    mention: 0,
    review_requested: 0,
    review_decision: 0,
    thread_resolved: 0,
    version_published: 0,
    repository: 0,
    mcp_server: 0,
    gateway: 0,
    account: 0,
  }
  if (userId === null) return { total: 0, by_type }
  const rows = await read
    .select({ type: notifications.type, n: count() })
    .from(notifications)
    .where(inTenant(notifications, tenantId, isOf(userId), isNull(notifications.readAt)))
    .groupBy(notifications.type)
  for (const { type, n } of rows) by_type[type] = n
  return { total: rows.reduce((sum, { n }) => sum + n, 0), by_type }
}

/** How many notifications the caller has not read, by type; a key has none. */
export const countUnread = (deps: Deps, grant: Grant): Promise<UnreadCount> =>
  unreadOf(deps.db.read, tenantOf(grant).id, ownerOf(grant))

/** Marks the caller's own notifications as read: those of the ids, or all. What is read already is not counted again. */
export async function markRead(
  deps: Deps,
  grant: Grant,
  { ids, all }: { readonly ids: readonly string[]; readonly all: boolean },
): Promise<{ updated: number; unread: UnreadCount }> {
  const userId = ownerOf(grant)
  const { id: tenantId } = tenantOf(grant)
  if (userId === null || (!all && ids.length === 0))
    return { updated: 0, unread: await unreadOf(deps.db.read, tenantId, userId) }
  return deps.db.inTransaction(async (tx) => {
    const chosen = all ? undefined : inArray(notifications.id, [...ids])
    const rows = await tx
      .update(notifications)
      .set({ readAt: deps.clock.iso() })
      .where(inTenant(notifications, tenantId, isOf(userId), isNull(notifications.readAt), chosen))
      .returning({ id: notifications.id })
    return { updated: rows.length, unread: await unreadOf(tx, tenantId, userId) }
  })
}

/** Marks the caller's own notifications as unread again. */
export async function markUnread(
  deps: Deps,
  grant: Grant,
  ids: readonly string[],
): Promise<{ updated: number; unread: UnreadCount }> {
  const userId = ownerOf(grant)
  const { id: tenantId } = tenantOf(grant)
  if (userId === null || ids.length === 0) return { updated: 0, unread: await unreadOf(deps.db.read, tenantId, userId) }
  return deps.db.inTransaction(async (tx) => {
    const chosen = inArray(notifications.id, [...ids])
    const rows = await tx
      .update(notifications)
      .set({ readAt: null })
      .where(inTenant(notifications, tenantId, isOf(userId), isNotNull(notifications.readAt), chosen))
      .returning({ id: notifications.id })
    return { updated: rows.length, unread: await unreadOf(tx, tenantId, userId) }
  })
}
