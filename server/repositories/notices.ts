import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { repositories, repositoryImports, repositoryNotices, tenants } from '../../db/tables.gen.ts'
import { repositoryNoticeTypes, type RepositoryNoticeType } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { administratorsOf, type Grant, personIn, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { sendNotifications } from '../notifications/door.ts'
import { findRepository, type RepositoryRow } from './record.ts'

/** One notice an hour for each repository and type. */
export const throttleSeconds = 3600

type NoticeRow = typeof repositoryNotices.$inferSelect

/** What is sent where no one set it: scans that worked are not reported. */
const isOnByDefault = (type: RepositoryNoticeType): boolean => type !== 'scan.completed'

async function noticesOf(reader: Reader, row: RepositoryRow): Promise<ReadonlyMap<string, NoticeRow>> {
  const own = inTenant(repositoryNotices, row.tenantId, eq(repositoryNotices.repositoryId, row.id))
  return new Map((await reader.select().from(repositoryNotices).where(own)).map((it) => [it.eventType, it]))
}

/** When the next notice of a type may be sent; null: at once. */
function nextAllowed(notice: NoticeRow | undefined, now: number): string | null {
  if (notice === undefined || notice.lastSentAt === null) return null
  const next = Date.parse(notice.lastSentAt) + throttleSeconds * 1000
  return next > now ? isoOf(next) : null
}

async function show(deps: Deps, reader: Reader, row: RepositoryRow) {
  const kept = await noticesOf(reader, row)
  return {
    success: true,
    repositoryId: row.id,
    throttleWindowSeconds: throttleSeconds,
    preferences: repositoryNoticeTypes.map((eventType) => {
      const notice = kept.get(eventType)
      return {
        eventType,
        enabled: notice?.enabled ?? isOnByDefault(eventType),
        throttle: {
          lastSentAt: notice?.lastSentAt ?? null,
          nextAllowedAt: nextAllowed(notice, deps.clock.now()),
          heldBack: notice?.heldBack ?? 0,
        },
      }
    }),
  }
}

/** @throws SvcError `repository-not-found` */
export const getPreferences = async (deps: Deps, grant: Grant, id: string) =>
  show(deps, deps.db.read, await findRepository(deps.db.read, tenantOf(grant).id, id))

/** @throws SvcError `repository-not-found`, `preferences-duplicate`, `preference-unknown` */
export async function setPreferences(
  deps: Deps,
  grant: Grant,
  id: string,
  preferences: readonly { readonly eventType: string; readonly enabled: boolean }[],
) {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    const row = await findRepository(tx, tenantId, id)
    if (!(await keep(tx, row))) throw new SvcError('repository-not-found', { repository: id })
    const seen = new Set<string>()
    for (const { eventType } of preferences) {
      if (!(repositoryNoticeTypes as readonly string[]).includes(eventType))
        throw new SvcError('preference-unknown', { event_type: eventType.slice(0, 100) })
      if (seen.has(eventType)) throw new SvcError('preferences-duplicate', { event_type: eventType })
      seen.add(eventType)
    }
    for (const { eventType, enabled } of preferences)
      await tx
        .insert(repositoryNotices)
        .values({ repositoryId: id, tenantId, eventType, enabled, lastSentAt: null, heldBack: 0 })
        .onConflictDoUpdate({ target: [repositoryNotices.repositoryId, repositoryNotices.eventType], set: { enabled } })
    return show(deps, tx, row)
  })
}

/** Who is notified: administrators, and those who registered the repository or imported from it. */
async function audienceOf(tx: Transaction, row: RepositoryRow): Promise<readonly string[]> {
  const importers = await tx
    .selectDistinct({ by: repositoryImports.createdBy })
    .from(repositoryImports)
    .where(inTenant(repositoryImports, row.tenantId, eq(repositoryImports.repositoryId, row.id)))
  const admins = await administratorsOf(tx, row.tenantId)
  return [...admins, ...[row.createdBy, ...importers.map(({ by }) => by)].flatMap((by) => personIn(by) ?? [])]
}

/** Where a notice leads to, a page of the repository or what waits at a version, and who gets it besides the audience. */
export interface NoticePlace {
  /** References of actors. */
  readonly also?: readonly (string | null)[]
  readonly view?: 'history' | 'webhook'
  /** How many times it happened since it was noticed last; once where it is left out. */
  readonly times?: number
  readonly version?: { readonly project: string; readonly version: string; readonly candidate?: string }
}

async function pathOf(tx: Transaction, row: RepositoryRow, { view, version }: NoticePlace): Promise<string> {
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, row.tenantId))
  const parts =
    version === undefined
      ? ['-', 'repositories', row.id, ...(view === undefined ? [] : [view])]
      : [
          version.project,
          version.version,
          'repository',
          ...(version.candidate === undefined ? [] : [version.candidate]),
        ]
  return ['t', tenant?.slug ?? '', ...parts].map(encodeURIComponent).join('/')
}

/** Keeps a repository from being removed until the transaction ends. False: it is gone already. */
async function keep(tx: Transaction, { tenantId, id }: Pick<RepositoryRow, 'tenantId' | 'id'>): Promise<boolean> {
  const { id: column } = repositories
  const own = inTenant(repositories, tenantId, eq(column, id))
  return (await tx.select({ id: column }).from(repositories).where(own).for('key share')).length > 0
}

/** Notifies people about a repository, at most once in an hour of each type; what is held back is counted. */
export async function notice(
  deps: Deps,
  tx: Transaction,
  row: RepositoryRow,
  type: RepositoryNoticeType,
  title: string,
  place: NoticePlace = {},
): Promise<void> {
  // What is noticed about it may end after someone removed it.
  if (!(await keep(tx, row))) return
  const kept = (await noticesOf(tx, row)).get(type)
  if (!(kept?.enabled ?? isOnByDefault(type))) return
  const now = deps.clock.now()
  const isHeld = nextAllowed(kept, now) !== null
  const set = isHeld
    ? { heldBack: (kept?.heldBack ?? 0) + (place.times ?? 1), lastSentAt: kept?.lastSentAt ?? null }
    : { heldBack: 0, lastSentAt: isoOf(now) }
  await tx
    .insert(repositoryNotices)
    .values({
      repositoryId: row.id,
      tenantId: row.tenantId,
      eventType: type,
      enabled: true,
      ...set,
    })
    .onConflictDoUpdate({ target: [repositoryNotices.repositoryId, repositoryNotices.eventType], set })
  if (isHeld) return
  const more = kept !== undefined && kept.heldBack > 0 ? ` (${kept.heldBack} more since ${kept.lastSentAt ?? ''})` : ''
  const payload = {
    title: `${row.fullName}: ${title}${more}`,
    url: `${deps.publicUrl()}/app/${await pathOf(tx, row, place)}`,
    event: type,
    repository_id: row.id,
  }
  const event = { id: newId(), tenantId: row.tenantId, createdAt: isoOf(now) }
  const general = { type: 'repository', payload } as const
  const about = { actor: null, projectId: null, versionId: null, general }
  const people = [...(await audienceOf(tx, row)), ...(place.also ?? []).flatMap((by) => personIn(by) ?? [])]
  await sendNotifications(tx, event, about, [{ ...general, people }])
}
