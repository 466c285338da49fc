import { and, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { draftBindings, syncCandidates, versions } from '../../db/tables.gen.ts'
import type { Bound } from '../../src/bindings/state.ts'
import type { Binding, BindingDetail, Candidate } from '../../src/api/bindings.ts'
import { SvcError } from '../../src/errors.ts'
import { describeActors } from '../auth/door.ts'
import { browseUrlOf } from '../repositories/door.ts'

export type BindingRow = typeof draftBindings.$inferSelect
export type CandidateRow = typeof syncCandidates.$inferSelect

/** The candidates of bindings, the oldest first. */
export async function candidatesOf(
  reader: Reader,
  tenantId: string,
  bindingIds: readonly string[],
): Promise<readonly CandidateRow[]> {
  if (bindingIds.length === 0) return []
  const own = inTenant(syncCandidates, tenantId, inArray(syncCandidates.bindingId, [...bindingIds]))
  return reader.select().from(syncCandidates).where(own).orderBy(asc(syncCandidates.detectedAt), asc(syncCandidates.id))
}

/** The active binding of a version; null where it is not bound. */
export async function activeBinding(reader: Reader, tenantId: string, versionId: string): Promise<BindingRow | null> {
  const active = and(eq(draftBindings.versionId, versionId), isNull(draftBindings.releasedAt))
  const [row] = await reader
    .select()
    .from(draftBindings)
    .where(inTenant(draftBindings, tenantId, active))
  return row ?? null
}

/** What a selection amounts to: its files, and the document that they and the files that they refer to make. */
export const storedContentOf = ({ sourceDigest, document }: Pick<BindingRow, 'sourceDigest' | 'document'>): string =>
  `${sourceDigest} ${document?.digest ?? ''}`.trim()

/** A binding with its candidates as the state machine has them. */
export const boundOf = (row: BindingRow, candidates: readonly CandidateRow[]): Bound => ({
  binding: {
    isActive: row.isActive,
    commit: row.commitSha,
    digest: storedContentOf(row),
    releaseReason: row.releaseReason,
  },
  candidates: candidates.map((candidate) => ({
    id: candidate.id,
    status: candidate.status,
    commit: candidate.toCommit,
    digest: storedContentOf(candidate),
  })),
})

/** The overlays of a bound document, where it has some. */
const lineageOf = ({ document }: Pick<BindingRow, 'document'>): Pick<Binding, 'lineage'> =>
  document?.lineage === undefined ? {} : { lineage: document.lineage }

export function toCandidate(row: CandidateRow): Candidate {
  return {
    id: row.id,
    binding_id: row.bindingId,
    status: row.status,
    from_commit: row.fromCommit,
    to_commit: row.toCommit,
    source_digest: row.sourceDigest,
    ...lineageOf(row),
    selection_changed: row.selectionChanged,
    changed_paths: row.changedPaths,
    detected_by: row.detectedBy,
    detected_at: row.detectedAt,
    summary: row.summary === null ? null : { ...row.summary, consumers: [...row.summary.consumers] },
    merge: { state: row.mergeState },
    resolved_at: row.resolvedAt,
    resolved_by: row.resolvedBy,
    note: row.note,
  }
}

const isGlob = (path: string): boolean => path === '' || /[*?{[]/.test(path)

/** Bindings as callers see them. */
export async function toBindings(reader: Reader, tenantId: string, rows: readonly BindingRow[]): Promise<Binding[]> {
  if (rows.length === 0) return []
  const names = await describeActors(
    reader,
    tenantId,
    rows.map(({ createdBy }) => createdBy),
  )
  const ids = [...new Set(rows.map(({ versionId }) => versionId))]
  const labels = new Map(
    (
      await reader
        .select({ id: versions.id, label: versions.label })
        .from(versions)
        .where(inTenant(versions, tenantId, inArray(versions.id, ids)))
    ).map(({ id, label }) => [id, label]),
  )
  const pending = new Map(
    (
      await reader
        .select({ id: syncCandidates.bindingId, n: count() })
        .from(syncCandidates)
        .where(
          inTenant(
            syncCandidates,
            tenantId,
            eq(syncCandidates.status, 'pending'),
            inArray(
              syncCandidates.bindingId,
              rows.map(({ id }) => id),
            ),
          ),
        )
        .groupBy(syncCandidates.bindingId)
    ).map(({ id, n }) => [id, n]),
  )
  return rows.map((row) => ({
    id: row.id,
    tenant_id: row.tenantId,
    project_id: row.projectId,
    version_id: row.versionId,
    version_label: labels.get(row.versionId) ?? null,
    repository_id: row.repositoryId,
    provider: row.provider,
    repo_full_name: row.repoFullName,
    repo_url: row.repoUrl,
    ref: row.ref,
    path: row.path,
    commit_sha: row.commitSha,
    source_digest: row.sourceDigest,
    ...lineageOf(row),
    synchronized_at: row.synchronizedAt,
    browse_url: isGlob(row.path) ? null : browseUrlOf(row.provider, row.repoUrl, row.commitSha, row.path),
    active: row.isActive,
    created_by: row.createdBy,
    created_by_name: row.createdBy === null ? null : (names.get(row.createdBy)?.name ?? null),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    released_at: row.releasedAt,
    released_by: row.releasedBy,
    release_reason: row.releaseReason,
    pending_candidate_count: pending.get(row.id) ?? 0,
  }))
}

/** A binding with its candidates as callers see it. */
export async function toDetail(reader: Reader, row: BindingRow): Promise<BindingDetail> {
  const [binding] = await toBindings(reader, row.tenantId, [row])
  if (binding === undefined) throw new SvcError('binding-not-found', { binding: row.id })
  const newestFirst = (await candidatesOf(reader, row.tenantId, [row.id])).toReversed().map(toCandidate)
  return {
    binding,
    pending: newestFirst.filter(({ status }) => status === 'pending'),
    history: newestFirst.filter(({ status }) => status !== 'pending'),
  }
}

/** The bindings of a version that were released, newest first. */
export async function earlierBindings(reader: Reader, tenantId: string, versionId: string): Promise<BindingRow[]> {
  const rows = await reader
    .select()
    .from(draftBindings)
    .where(inTenant(draftBindings, tenantId, eq(draftBindings.versionId, versionId)))
    .orderBy(desc(draftBindings.createdAt), desc(draftBindings.id))
  return rows.filter(({ isActive }) => !isActive)
}

/** Writes the statuses that a transition changed. */
export async function writeStatuses(
  tx: Transaction,
  before: readonly CandidateRow[],
  after: Bound,
  set: Partial<CandidateRow>,
): Promise<void> {
  for (const row of before) {
    const status = after.candidates.find(({ id }) => id === row.id)?.status
    if (status === undefined || status === row.status) continue
    await tx
      .update(syncCandidates)
      .set({ ...set, status })
      .where(inTenant(syncCandidates, row.tenantId, eq(syncCandidates.id, row.id)))
  }
}

/** The active bindings to a registered repository. */
export async function activeBindingsOf(
  reader: Reader,
  { id, tenantId }: { readonly id: string; readonly tenantId: string },
): Promise<readonly BindingRow[]> {
  const active = and(eq(draftBindings.repositoryId, id), eq(draftBindings.isActive, true))
  return reader
    .select()
    .from(draftBindings)
    .where(inTenant(draftBindings, tenantId, active))
}
