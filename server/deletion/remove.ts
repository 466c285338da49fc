import { eq } from 'drizzle-orm'
import { Keeper } from '../../db/bin/keep.ts'
import { type Batches, removePart } from '../../db/bin/remove.ts'
import { isoOf } from '../../db/clock.ts'
import { inTenantToTheEnd } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import { deletions } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { schedule } from '../schedule/door.ts'
import { removalKinds, removalNamed, type RemovalKind } from './kinds.ts'

/** How long one part keeps other writers waiting. */
const partMs = 40
/** Another process goes on with what the process that began it has not finished by then. */
const takenOverAfterMs = 5000

/** What is deleted. */
export interface Removal {
  readonly kind: RemovalKind
  readonly tenantId: string
  readonly id: string
}

/** Whether something is being deleted and parts of it are left. */
export async function isBeingDeleted(read: Reader, id: string): Promise<boolean> {
  return (await read.$count(deletions, eq(deletions.subjectId, id))) > 0
}

interface PartOptions {
  readonly keeper: Keeper | null
  readonly budgetMs: number
  readonly batches?: Batches
}

async function part(tx: Transaction, { kind, tenantId, id }: Removal, { keeper, ...how }: PartOptions) {
  const { root, leftOut = [], counted = {}, summarized } = removalKinds[kind]
  const [row] =
    summarized === undefined ? [] : await tx.select({ projectId: summarized }).from(root).where(eq(root.id, id))
  const isDone = await removePart(root, id, { tx, tenantId, keeper, leftOut, ...how })
  await keeper?.close(counted)
  if (isDone && row !== undefined) await summarizeProjects(tx, [row.projectId as string])
  return isDone
}

/**
 * Removes a first part in the transaction of the deletion; small things are removed whole. What is left is hidden from now on, and its
 * name is free. An entry of the bin with its id takes what is removed.
 */
export async function removeFirst(deps: Pick<Deps, 'clock'>, tx: Transaction, removal: Removal): Promise<void> {
  const { kind, tenantId, id } = removal
  const { root, vacated } = removalKinds[kind]
  const keeper = await Keeper.of(tx, tenantId, id)
  if (keeper !== null) await keeper.keepRows(root, await tx.select().from(root).where(eq(root.id, id)))
  const budgetMs = vacated === undefined ? Number.POSITIVE_INFINITY : partMs
  if (await part(tx, removal, { keeper, budgetMs })) return
  const now = deps.clock.now()
  await tx.insert(deletions).values({ subjectId: id, tenantId, kind, begunAt: isoOf(now) })
  const names = vacated?.(id) ?? {}
  if (Object.keys(names).length > 0) await tx.update(root).set(names).where(eq(root.id, id))
  // It belongs to no organization: that of an organization would vanish with it.
  await schedule(tx, 'deletion', { subjectId: id, tenantId: null, at: now + takenOverAfterMs })
}

/**
 * Removes the next part of what is being deleted, in a transaction of its own.
 * @param batches what the parts before it learned of the size of rows
 * @returns whether something is left
 */
export async function removeNext({ db }: Pick<Deps, 'db'>, id: string, batches: Batches): Promise<boolean> {
  if (!(await isBeingDeleted(db.read, id))) return false
  return db.inTransaction(async (tx) => {
    await tx.lock(`deletion ${id}`)
    const [row] = await tx.select().from(deletions).where(eq(deletions.subjectId, id))
    // A kind of a later version of the program is left to that.
    if (row === undefined || removalNamed(row.kind) === undefined) return false
    const { tenantId } = row
    const kind = row.kind as RemovalKind
    const keeper = await Keeper.of(tx, tenantId, id)
    if (!(await part(tx, { kind, tenantId, id }, { keeper, budgetMs: partMs, batches }))) return true
    await tx.delete(deletions).where(eq(deletions.subjectId, id))
    // What was being deleted in an organization went with it.
    if (kind === 'tenant') await tx.delete(deletions).where(inTenantToTheEnd(deletions, id))
    return false
  })
}
