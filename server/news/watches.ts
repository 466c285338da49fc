/** Watching: which projects a person wants all news of, and which none. */
import { and, count, desc, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, projectWatches } from '../../db/tables.gen.ts'
import type { WatchedProject, WatchLevel } from '../../src/api/project-watches.ts'
import { type Grant, inParts, personOf, tenantOf } from '../auth/door.ts'
import { afterPage, type Deps, sincePage, type StablePage } from '../kit/door.ts'
import { findProject } from '../records/door.ts'

type Chosen = Exclude<WatchLevel, 'concerns_me'>

/** Who chose something about a project: those who watch it, and those who muted it. */
export interface Watchers {
  readonly watching: ReadonlySet<string>
  readonly muted: ReadonlySet<string>
}

/** @param projectId null: the news is of no project, which nobody can watch or mute */
export async function watchersOf(read: Reader, tenantId: string, projectId: string | null): Promise<Watchers> {
  if (projectId === null) return { watching: new Set(), muted: new Set() }
  const rows = await read
    .select({ userId: projectWatches.userId, level: projectWatches.level })
    .from(projectWatches)
    .where(inTenant(projectWatches, tenantId, eq(projectWatches.projectId, projectId)))
  const at = (level: Chosen) => new Set(rows.filter((row) => row.level === level).map(({ userId }) => userId))
  return { watching: at('everything'), muted: at('muted') }
}

/** Which of these projects a person muted. */
export async function mutedOf(
  read: Reader,
  tenantId: string,
  userId: string,
  projectIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const muted = new Set<string>()
  for (const part of inParts([...new Set(projectIds)])) {
    const mine = and(eq(projectWatches.userId, userId), inArray(projectWatches.projectId, part))
    const rows = await read
      .select({ id: projectWatches.projectId })
      .from(projectWatches)
      .where(inTenant(projectWatches, tenantId, and(mine, eq(projectWatches.level, 'muted'))))
    for (const { id } of rows) muted.add(id)
  }
  return muted
}

/** A page of the projects that the caller watches or muted, what was chosen last first. */
export async function listWatches(
  deps: Deps,
  grant: Grant,
  { level, ...page }: StablePage & { readonly level: Chosen | null },
) {
  const { read } = deps.db
  const order = [projectWatches.createdAt, projectWatches.projectId] as const
  const where = inTenant(
    projectWatches,
    tenantOf(grant).id,
    eq(projectWatches.userId, personOf(grant)),
    level === null ? undefined : eq(projectWatches.level, level),
    sincePage(projectWatches.createdAt, page, order),
  )
  const rows = await read
    .select({
      id: projects.id,
      slug: projects.slug,
      name: projects.name,
      level: projectWatches.level,
      since: projectWatches.createdAt,
    })
    .from(projectWatches)
    .innerJoin(projects, inTenant(projects, tenantOf(grant).id, eq(projects.id, projectWatches.projectId)))
    .where(where)
    .orderBy(...order.map((column) => desc(column)))
    .limit(page.limit)
    .offset(page.offset)
  const [counted] = await read.select({ n: count() }).from(projectWatches).where(where)
  const items = rows.map(({ id, slug, name, ...chosen }): WatchedProject => ({
    project: { id, slug, name },
    ...chosen,
  }))
  const [first] = rows
  const total = counted?.n ?? 0
  const now = deps.clock.iso()
  return {
    items,
    ...afterPage(page, { shown: rows.length, total, now, ...(first && { newest: [first.since, first.id] }) }),
  }
}

/**
 * How much of a project reaches the caller.
 * @throws SvcError `project-not-found`
 */
export async function getWatch(deps: Deps, grant: Grant, ref: string): Promise<{ level: WatchLevel }> {
  const { id: tenantId } = tenantOf(grant)
  const project = await findProject(deps.db.read, tenantId, ref)
  const mine = and(eq(projectWatches.userId, personOf(grant)), eq(projectWatches.projectId, project.id))
  const [row] = await deps.db.read
    .select({ level: projectWatches.level })
    .from(projectWatches)
    .where(inTenant(projectWatches, tenantId, mine))
  return { level: row?.level ?? 'concerns_me' }
}

/**
 * Watches or mutes a project for the caller, or forgets what they chose.
 * @throws SvcError `project-not-found`
 */
export async function setWatch(
  deps: Deps,
  grant: Grant,
  ref: string,
  level: WatchLevel,
): Promise<{ level: WatchLevel }> {
  const { id: tenantId } = tenantOf(grant)
  const userId = personOf(grant)
  return deps.db.inTransaction(async (tx) => {
    const { id: projectId } = await findProject(tx, tenantId, ref)
    const mine = and(eq(projectWatches.userId, userId), eq(projectWatches.projectId, projectId))
    if (level === 'concerns_me') await tx.delete(projectWatches).where(inTenant(projectWatches, tenantId, mine))
    else
      await tx
        .insert(projectWatches)
        .values({ tenantId, userId, projectId, level, createdAt: deps.clock.iso() })
        .onConflictDoUpdate({ target: [projectWatches.userId, projectWatches.projectId], set: { level } })
    return { level }
  })
}
