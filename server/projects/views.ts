/** Saved views: filters of the list of projects that a member keeps, or that an organization shares. */
import { and, asc, eq, inArray, ne, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { projectViewDefaults, projectViews } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { mostViews, type ProjectView, type ViewFilter } from '../../src/api/project-views.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'

type ViewRow = typeof projectViews.$inferSelect
type Visibility = ProjectView['visibility']

/** The holder of views that the organization shares. */
const everybody = ''

const visibilityOf = ({ holder }: Pick<ViewRow, 'holder'>): Visibility => (holder === everybody ? 'shared' : 'private')

/** The caller as a holder of views; null for a key, which has none of its own. */
const selfOf = ({ principal }: Grant): string | null => (principal?.kind === 'user' ? principal.userId : null)

const visibleTo = (grant: Grant) =>
  inTenant(projectViews, tenantOf(grant).id, inArray(projectViews.holder, [everybody, selfOf(grant) ?? everybody]))

async function defaultIdOf(read: Reader, grant: Grant): Promise<string | null> {
  const self = selfOf(grant)
  if (self === null) return null
  const [row] = await read
    .select({ viewId: projectViewDefaults.viewId })
    .from(projectViewDefaults)
    .where(inTenant(projectViewDefaults, tenantOf(grant).id, eq(projectViewDefaults.userId, self)))
  return row?.viewId ?? null
}

const toView = (row: ViewRow, defaultId: string | null): ProjectView => ({
  id: row.id,
  name: row.name,
  visibility: visibilityOf(row),
  filter: row.filter,
  is_default: row.id === defaultId,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

/** Finds a view that the caller can see: by id, else by name, and of two with one name the caller's own. */
async function findView(read: Reader, grant: Grant, ref: string): Promise<ViewRow> {
  const rows = await read
    .select()
    .from(projectViews)
    .where(and(visibleTo(grant), or(eq(projectViews.id, ref), eq(projectViews.name, ref))))
  const found =
    rows.find(({ id }) => id === ref) ?? rows.find(({ holder }) => holder !== everybody) ?? rows.find(() => true)
  if (!found) throw new SvcError('project-view-not-found', { view: ref })
  return found
}

function assertMayShare(grant: Grant): void {
  const permission = 'projects:edit'
  if (!grant.permissions.has(permission)) throw new SvcError('permission-denied', { permission })
}

/** The holder of a view of this visibility that the caller writes. */
function holderFor(grant: Grant, visibility: Visibility): string {
  if (visibility === 'private') return personOf(grant)
  assertMayShare(grant)
  return everybody
}

async function assertViewRoom(tx: Transaction, tenantId: string, holder: string): Promise<void> {
  await tx.lock(`project-views:${tenantId}`)
  const used = await tx.$count(projectViews, inTenant(projectViews, tenantId, eq(projectViews.holder, holder)))
  const visibility = visibilityOf({ holder })
  const max = mostViews[visibility]
  if (used >= max) throw new SvcError('too-many-project-views', { max, visibility })
}

async function orTaken<T>(row: Pick<ViewRow, 'name' | 'holder'>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new SvcError('project-view-name-taken', { name: row.name, visibility: visibilityOf(row) })
    throw error
  }
}

/** What is shared is recorded; what members keep for themselves concerns them alone. */
async function recordShared(deps: Deps, grant: Grant, tx: Transaction, action: AuditAction, row: ViewRow) {
  const { tenantId, id: targetId, name } = row
  await recordAudit(tx, { tenantId, actor: grant.principal, action, targetId, detail: { name }, at: deps.clock.iso() })
}

/** The caller's own views and those that are shared, by name. */
export async function listViews(deps: Deps, grant: Grant): Promise<{ items: ProjectView[] }> {
  const { read } = deps.db
  const rows = await read
    .select()
    .from(projectViews)
    .where(visibleTo(grant))
    .orderBy(asc(projectViews.name), asc(projectViews.id))
  const defaultId = await defaultIdOf(read, grant)
  return { items: rows.map((row) => toView(row, defaultId)) }
}

/**
 * A view that the caller can see.
 * @throws SvcError `project-view-not-found`
 */
export async function getView(deps: Deps, grant: Grant, ref: string): Promise<ProjectView> {
  const { read } = deps.db
  return toView(await findView(read, grant, ref), await defaultIdOf(read, grant))
}

/**
 * Saves a view: private unless it says otherwise.
 * @throws SvcError `permission-denied`, `person-required`, `project-view-name-taken`, `too-many-project-views`
 */
export async function createView(
  deps: Deps,
  grant: Grant,
  input: { readonly name: string; readonly visibility?: Visibility; readonly filter: ViewFilter },
): Promise<ProjectView> {
  const { id: tenantId } = tenantOf(grant)
  const holder = holderFor(grant, input.visibility ?? 'private')
  const at = deps.clock.iso()
  const row: ViewRow = {
    id: newId(),
    tenantId,
    holder,
    name: input.name.trim(),
    filter: input.filter,
    createdBy: actorOf(grant),
    createdAt: at,
    updatedAt: at,
  }
  await deps.db.inTransaction(async (tx) => {
    await assertViewRoom(tx, tenantId, holder)
    await orTaken(row, () => tx.savepoint((inner) => inner.insert(projectViews).values(row)))
    if (holder === everybody) await recordShared(deps, grant, tx, 'project-view.saved', row)
  })
  return toView(row, null)
}

/**
 * Changes a view; what is omitted stays.
 * @throws SvcError `project-view-not-found`, `permission-denied`, `person-required`, `project-view-name-taken`, `too-many-project-views`
 */
export async function updateView(
  deps: Deps,
  grant: Grant,
  ref: string,
  input: { readonly name?: string; readonly visibility?: Visibility; readonly filter?: ViewFilter },
): Promise<ProjectView> {
  const { id: tenantId } = tenantOf(grant)
  const id = await deps.db.inTransaction(async (tx) => {
    const row = await findView(tx, grant, ref)
    if (row.holder === everybody) assertMayShare(grant)
    const holder = input.visibility === undefined ? row.holder : holderFor(grant, input.visibility)
    if (holder !== row.holder) await assertViewRoom(tx, tenantId, holder)
    const changed: ViewRow = {
      ...row,
      holder,
      name: input.name?.trim() ?? row.name,
      filter: input.filter ?? row.filter,
      updatedAt: deps.clock.iso(),
    }
    const { name, filter, updatedAt } = changed
    const same = inTenant(projectViews, tenantId, eq(projectViews.id, row.id))
    await orTaken(changed, () =>
      tx.savepoint((inner) => inner.update(projectViews).set({ holder, name, filter, updatedAt }).where(same)),
    )
    // The others do not see it any more, so it is not their default either.
    if (holder !== everybody)
      await tx
        .delete(projectViewDefaults)
        .where(
          inTenant(
            projectViewDefaults,
            tenantId,
            eq(projectViewDefaults.viewId, row.id),
            ne(projectViewDefaults.userId, holder),
          ),
        )
    if (holder === everybody || row.holder === everybody)
      await recordShared(deps, grant, tx, 'project-view.saved', changed)
    return row.id
  })
  return getView(deps, grant, id)
}

/**
 * Deletes a view; the list opens with all projects for those whose default it was.
 * @throws SvcError `project-view-not-found`, `permission-denied`
 */
export async function removeView(deps: Deps, grant: Grant, ref: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const row = await findView(tx, grant, ref)
    if (row.holder === everybody) {
      assertMayShare(grant)
      await recordShared(deps, grant, tx, 'project-view.deleted', row)
    }
    await tx.delete(projectViews).where(inTenant(projectViews, tenantId, eq(projectViews.id, row.id)))
  })
}

/**
 * Chooses the view with which the list of projects opens for the caller; null: with all projects.
 * @throws SvcError `project-view-not-found`, `person-required`
 */
export async function setDefaultView(
  deps: Deps,
  grant: Grant,
  ref: string | null,
): Promise<{ view: ProjectView | null }> {
  const { id: tenantId } = tenantOf(grant)
  const userId = personOf(grant)
  return deps.db.inTransaction(async (tx) => {
    if (ref === null) {
      await tx
        .delete(projectViewDefaults)
        .where(inTenant(projectViewDefaults, tenantId, eq(projectViewDefaults.userId, userId)))
      return { view: null }
    }
    const row = await findView(tx, grant, ref)
    await tx
      .insert(projectViewDefaults)
      .values({ tenantId, userId, viewId: row.id })
      .onConflictDoUpdate({
        target: [projectViewDefaults.tenantId, projectViewDefaults.userId],
        set: { viewId: row.id },
      })
    return { view: toView(row, row.id) }
  })
}
