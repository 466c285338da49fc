import { eq, gt, inArray, or } from 'drizzle-orm'
import type { BinEntryRow } from '../../db/bin/keep.ts'
import { isoOf } from '../../db/clock.ts'
import { contains, inTenant, isThere } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { binEntries } from '../../db/tables.gen.ts'
import { binPermissions, type BinEntry, type BinRestored } from '../../src/api/bin.ts'
import { binKindNames, binKinds, renamedKinds, type BinKind } from '../../src/api/bin-kinds.ts'
import { slugShape } from '../../src/api/shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { describeActors, type Described, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { queueBacklog, queueTypesBacklog } from '../embeddings/door.ts'
import { isBeingDeleted } from '../deletion/door.ts'
import { expire, forgetExpired } from './forget.ts'
import type { Restorers } from './restoring.ts'

interface ListQuery {
  readonly kind: BinKind | null
  readonly q: string | null
  readonly page: StablePage
}

const toEntry = (row: BinEntryRow, people: ReadonlyMap<string, Described>): BinEntry => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  ref: row.ref,
  project_id: row.projectId,
  project_slug: row.projectSlug,
  counts: { ...row.counts },
  size_bytes: row.sizeBytes,
  deleted_by: row.deletedBy === null ? null : (people.get(row.deletedBy) ?? null),
  deleted_at: row.deletedAt,
  expires_at: row.expiresAt,
})

/** What the caller may restore, newest first. */
export async function listBin(deps: Deps, grant: Grant, { kind, q, page }: ListQuery) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const kinds = binKinds.filter((it) => grant.permissions.has(binPermissions[it]) && (kind === null || it === kind))
  const named = q === null ? undefined : or(contains(binEntries.name, q), contains(binEntries.ref, q))
  const where = inTenant(
    binEntries,
    tenantId,
    inArray(binEntries.kind, kinds),
    gt(binEntries.expiresAt, deps.clock.iso()),
    named,
  )
  const { rows, page: counts } = await readStablePage(read, binEntries, {
    where,
    order: [binEntries.deletedAt, binEntries.id],
    page,
    added: binEntries.deletedAt,
    now: deps.clock.iso(),
  })
  const people = await describeActors(
    read,
    tenantId,
    rows.map((row) => row.deletedBy),
  )
  return { items: rows.map((row) => toEntry(row, people)), ...counts }
}

/** @throws SvcError `bin-entry-not-found` */
async function findEntry(read: Reader, tenantId: string, id: string, now: number): Promise<BinEntryRow> {
  const [row] = await read
    .select()
    .from(binEntries)
    .where(inTenant(binEntries, tenantId, eq(binEntries.id, id), gt(binEntries.expiresAt, isoOf(now))))
  if (!row) throw new SvcError('bin-entry-not-found', { entry: id })
  return row
}

const slugPattern = new RegExp(slugShape.pattern ?? '')

/** Another name for what is restored. @throws SvcError `bin-name-invalid` */
function newRef(kind: BinKind, text: string): string {
  const name = text.trim()
  const refuse = (reason: string): never => {
    throw new SvcError('bin-name-invalid', { kind: binKindNames[kind], name, reason })
  }
  if (!(renamedKinds as readonly BinKind[]).includes(kind)) return refuse(`a ${binKindNames[kind]} keeps its name`)
  if (name === '') return refuse('it is empty')
  const isSlug = kind === 'project' || kind === 'consumer'
  if (isSlug && (name.length > 100 || !slugPattern.test(name)))
    return refuse('a slug has at most 100 lower-case letters and digits, with single hyphens or dots between them')
  return name
}

/**
 * Restores what was deleted, with all that was deleted with it, in one transaction.
 * @param restorers how each kind comes back
 * @param as another slug, label, handle or name; null for its own
 * @throws SvcError `bin-entry-not-found`, `bin-entry-unfinished`, `permission-denied`, `bin-name-taken`, `bin-name-invalid`, `bin-project-missing`,
 *   `version-label-invalid`, `quota-exceeded`
 */
export async function restoreFromBin(
  deps: Deps,
  restorers: Restorers,
  grant: Grant,
  id: string,
  as: string | null,
): Promise<BinRestored> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const restored = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`bin ${id}`)
    const entry = await findEntry(tx, tenantId, id, deps.clock.now())
    const { kind, name } = entry
    const permission = binPermissions[kind]
    if (!grant.permissions.has(permission)) throw new SvcError('permission-denied', { permission })
    if (await isBeingDeleted(tx, id)) throw new SvcError('bin-entry-unfinished', { kind: binKindNames[kind], name })
    const ref = as === null ? entry.ref : newRef(kind, as)
    const taken = new SvcError('bin-name-taken', { kind: binKindNames[kind], name: ref })
    const notes: string[] = []
    try {
      await tx.savepoint((inner) => restorers[kind]({ deps, grant, tx: inner, entry, ref, taken, notes }))
    } catch (error) {
      // Someone else took the name between the question and the write.
      if (isUniqueViolation(error)) throw taken
      throw error
    }
    await tx.delete(binEntries).where(inTenant(binEntries, tenantId, eq(binEntries.id, id)))
    const detail = { kind, name, ref, ...(ref === entry.ref ? {} : { before: entry.ref }) }
    await recordAudit(tx, { tenantId, actor: grant.principal, action: 'bin.restored', targetId: id, detail, at })
    tx.afterCommit(deps.changed)
    tx.afterCommit(deps.wake)
    return { id, kind, name, ref, project_slug: entry.projectSlug, notes }
  })
  const { embedder } = deps
  if (embedder !== null) {
    // Vectors are not kept: those that nothing uses are forgotten meanwhile.
    await queueBacklog(deps.db, embedder.model, deps.clock.now())
    await queueTypesBacklog(deps.db, embedder.model, deps.clock.now())
  }
  return restored
}

/**
 * Deletes an entry for ever.
 * @throws SvcError `bin-entry-not-found`, `bin-entry-unfinished`
 */
export async function removeFromBin(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`bin ${id}`)
    const entry = await findEntry(tx, tenantId, id, now)
    const { kind, name, ref } = entry
    if (await isBeingDeleted(tx, id)) throw new SvcError('bin-entry-unfinished', { kind: binKindNames[kind], name })
    await expire(tx, entry, now)
    const detail = { kind, name, ref }
    await recordAudit(tx, { tenantId, actor: grant.principal, action: 'bin.deleted', targetId: id, detail, at })
  })
  await forgetExpired(deps.db, deps.vault, now, tenantId)
}

/** Deletes everything in the bin for ever, but what is still being put into it. */
export async function emptyBin(deps: Deps, grant: Grant): Promise<{ deleted: number }> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const now = deps.clock.now()
  const deleted = await deps.db.inTransaction(async (tx) => {
    const isLeft = inTenant(binEntries, tenantId, gt(binEntries.expiresAt, at), isThere(binEntries.id))
    const count = await tx.$count(binEntries, isLeft)
    if (count === 0) return 0
    await tx.update(binEntries).set({ expiresAt: at }).where(isLeft)
    const detail = { entries: count }
    await recordAudit(tx, { tenantId, actor: grant.principal, action: 'bin.emptied', detail, at })
    return count
  })
  await forgetExpired(deps.db, deps.vault, now, tenantId)
  return { deleted }
}
