import { asc, count, desc, eq, or } from 'drizzle-orm'
import type { VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import type { VersionStatus } from '../../db/tables/versions.ts'
import { operations, versions } from '../../db/tables.gen.ts'
import { type Grant, type GrantedTenant, recordAudit, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import { afterPage, type Deps, sincePage, type StablePage } from '../kit/door.ts'
import { findProject, findVersion, type FoundVersion, toVersionRecord, type VersionRow } from '../records/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'

export const recordOf = (deps: Deps, tenant: GrantedTenant, { project, version }: FoundVersion): VersionRecord =>
  toVersionRecord(version, project.slug, tenant.slug, deps.publicUrl())

/**
 * A page of a project's versions, newest first.
 * @throws SvcError `project-not-found`
 */
export async function listVersions(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  page: StablePage & { readonly status: VersionStatus | null },
): Promise<ReturnType<typeof afterPage> & { items: VersionRecord[] }> {
  const now = deps.clock.iso()
  const tenant = tenantOf(grant)
  const project = await findProject(deps.db.read, tenant.id, projectRef)
  const status = page.status === null ? undefined : eq(versions.status, page.status)
  const there = sincePage(versions.createdAt, page, [versions.createdAt, versions.id])
  const where = inTenant(versions, tenant.id, eq(versions.projectId, project.id), status, there)
  const rows = await deps.db.read
    .select()
    .from(versions)
    .where(where)
    .orderBy(desc(versions.createdAt), desc(versions.id))
    .limit(page.limit)
    .offset(page.offset)
  const [total] = await deps.db.read.select({ n: count() }).from(versions).where(where)
  const items = rows.map((version) => recordOf(deps, tenant, { project, version }))
  const newest = rows[0] && { newest: [rows[0].createdAt, rows[0].id] }
  return { items, ...afterPage(page, { shown: items.length, total: total?.n ?? 0, now, ...newest }) }
}

/**
 * One version as the contract shows it.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function getVersion(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  versionRef: string,
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  return recordOf(deps, tenant, await findVersion(deps.db.read, tenant.id, projectRef, versionRef))
}

/**
 * Deletes a draft; it can be restored from the bin.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-published`
 */
export async function removeVersion(deps: Deps, grant: Grant, projectRef: string, versionRef: string): Promise<void> {
  const tenant = tenantOf(grant)
  const removedId = await deps.db.inTransaction(async (tx) => {
    const { project, version } = await findVersion(tx, tenant.id, projectRef, versionRef)
    if (version.status !== 'draft') throw new SvcError('version-published', { version: version.label })
    const { id, label, slug, title: name } = version
    const { guide } = await effectiveGuide(tx, tenant.id, project.id)
    const kept = { guide: guide.digest, slug }
    await putInBin(deps, grant, tx, { kind: 'version', id, name, ref: label, project, detail: kept })
    await removeFirst(deps, tx, { kind: 'version', tenantId: tenant.id, id })
    await summarizeProjects(tx, [project.id])
    const { principal: actor } = grant
    const detail = { label, project: project.slug }
    const at = deps.clock.iso()
    await recordAudit(tx, { tenantId: tenant.id, actor, action: 'version.deleted', targetId: id, detail, at })
    return id
  })
  await removeInParts(deps, removedId)
}

/**
 * A page of a version's operations in the order of the document.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function listOperations(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  versionRef: string,
  page: { readonly limit: number; readonly offset: number; readonly q: string | null; readonly tag: string | null },
) {
  const tenant = tenantOf(grant)
  const { version } = await findVersion(deps.db.read, tenant.id, projectRef, versionRef)
  const matches =
    page.q === null
      ? undefined
      : or(
          contains(operations.ref, page.q),
          contains(operations.summary, page.q),
          contains(operations.operationId, page.q),
        )
  const where = inTenant(operations, tenant.id, eq(operations.versionId, version.id), matches)
  const toItem = (row: typeof operations.$inferSelect) => ({
    ref: row.ref,
    method: row.method,
    path: row.path,
    operation_id: row.operationId,
    summary: row.summary,
    tags: [...row.tags],
    deprecated: row.deprecated,
  })
  const inOrder = deps.db.read.select().from(operations).where(where).orderBy(asc(operations.ordinal))
  const { limit, offset, tag } = page
  if (tag !== null) {
    // Tags are a list in a column, which the two databases search in different ways: the rows of one document are few.
    const tagged = (await inOrder).filter(({ tags }) => (tag === '' ? tags.length === 0 : tags.includes(tag)))
    return { items: tagged.slice(offset, offset + limit).map(toItem), total: tagged.length, limit, offset }
  }
  const rows = await inOrder.limit(limit).offset(offset)
  const [total] = await deps.db.read.select({ n: count() }).from(operations).where(where)
  return { items: rows.map(toItem), total: total?.n ?? 0, limit, offset }
}

/** The error for a version that cannot get another status. */
export const transitionError = ({ label, status }: VersionRow, to: VersionStatus): SvcError<'version-transition'> => {
  const state = status === to ? `already ${to}` : `${status} and cannot become ${to}`
  return new SvcError('version-transition', { version: label, from: status, to, state })
}

/** Moves a version from one status to another within a transaction. @throws SvcError `version-transition` */
export async function move(
  deps: Deps,
  tx: Transaction,
  tenant: GrantedTenant,
  found: FoundVersion,
  step: { readonly from: readonly VersionStatus[]; readonly to: VersionStatus; readonly set: Partial<VersionRow> },
): Promise<VersionRow> {
  const { version } = found
  if (!step.from.includes(version.status)) throw transitionError(version, step.to)
  const [row] = await tx
    .update(versions)
    .set({ ...step.set, status: step.to })
    .where(inTenant(versions, tenant.id, eq(versions.id, version.id), eq(versions.status, version.status)))
    .returning()
  // Someone else moved it between the two statements.
  if (!row) throw transitionError(version, step.to)
  await summarizeProjects(tx, [row.projectId])
  tx.afterCommit(deps.changed)
  return row
}

/**
 * Publishes a draft within a transaction.
 * @throws SvcError `version-transition`
 */
export async function markPublished(
  deps: Deps,
  tx: Transaction,
  tenant: GrantedTenant,
  found: FoundVersion,
  set: Pick<VersionRow, 'visibility' | 'grade' | 'scoreTenths'>,
  at: string,
): Promise<VersionRow> {
  return move(deps, tx, tenant, found, {
    from: ['draft'],
    to: 'published',
    set: { ...set, publishedAt: at, updatedAt: at },
  })
}
