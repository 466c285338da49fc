import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { draftBindings, syncCandidates } from '../../db/tables.gen.ts'
import { resolve } from '../../src/bindings/state.ts'
import type { BindingDetail } from '../../src/api/bindings.ts'
import { SvcError } from '../../src/errors.ts'
import type { ChosenSides } from '../../src/merge/merge.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { readContent } from '../../db/content.ts'
import { findVersion } from '../records/door.ts'
import { contentOf, keepDocument, prepareDocument, readBound, recordCandidate } from './candidates.ts'
import { boundOf, candidatesOf, toDetail, writeStatuses, type BindingRow, type CandidateRow } from './record.ts'
import type { Selection } from './selection.ts'
import { asRefusal, findActive, type VersionRefs } from './service.ts'
import { storedSubject } from './summary.ts'

const mostConflicts = 50

/**
 * Reads the ref of a binding, and records a candidate where it moved.
 * @throws SvcError `binding-not-found`, `binding-unchanged`, and what finding and reading refuse
 */
export async function checkBinding(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  signal: AbortSignal,
): Promise<BindingDetail> {
  const { row } = await findActive(deps, grant, refs)
  const unchanged = () =>
    new SvcError('binding-unchanged', {
      ref: row.ref,
      repository: row.repoFullName,
      commit: row.commitSha.slice(0, 12),
    })
  const read = await readBound(deps, row, signal, { since: row.commitSha }).catch((error: unknown) => {
    throw asRefusal(error, row.repoFullName)
  })
  if (read === null || read.commit === row.commitSha) throw unchanged()
  if (!(await recordCandidate(deps, row, read, 'check'))) throw unchanged()
  return toDetail(deps.db.read, row)
}

/** A candidate of a version, also of a binding that was released. */
async function findCandidate(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  id: string,
): Promise<{ readonly row: BindingRow; readonly candidate: CandidateRow }> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { version } = await findVersion(read, tenantId, refs.project, refs.version)
  const missing = new SvcError('candidate-not-found', { candidate: id })
  const [candidate] = await read
    .select()
    .from(syncCandidates)
    .where(inTenant(syncCandidates, tenantId, eq(syncCandidates.id, id)))
  if (!candidate) throw missing
  const own = inTenant(
    draftBindings,
    tenantId,
    eq(draftBindings.id, candidate.bindingId),
    eq(draftBindings.versionId, version.id),
  )
  const [row] = await read.select().from(draftBindings).where(own)
  if (!row) throw missing
  return { row, candidate }
}

const settled = ({ id, status }: CandidateRow) =>
  new SvcError('binding-candidate-resolved', { candidate: id, state: status })

/** Reads the source at the commit of a candidate again. @throws SvcError `candidate-commit-missing`, and what reading refuses */
async function readAgain(
  deps: Deps,
  row: BindingRow,
  candidate: CandidateRow,
  signal: AbortSignal,
): Promise<Selection> {
  const commit = candidate.toCommit
  const read = await readBound(deps, row, signal, { commit }).catch((error: unknown) => {
    throw asRefusal(error, row.repoFullName)
  })
  if (read === null)
    throw new SvcError('candidate-commit-missing', { repository: row.repoFullName, commit: commit.slice(0, 12) })
  return read
}

/**
 * Settles a candidate. Applying it reads the source again and advances the binding; the draft stays as it is.
 * @throws SvcError `candidate-not-found`, `binding-candidate-resolved`, `candidate-commit-missing`, and what finding and reading refuse
 */
export async function resolveCandidate(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  id: string,
  input: { readonly status: 'applied' | 'dismissed'; readonly note?: string | null },
  signal: AbortSignal,
): Promise<BindingDetail> {
  const { row, candidate } = await findCandidate(deps, grant, refs, id)
  if (candidate.status !== 'pending') throw settled(candidate)
  const read = input.status === 'applied' ? await readAgain(deps, row, candidate, signal) : null
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const by = actorOf(grant)
  const prepared = await prepareDocument(deps, tenantId, read?.document ?? null)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`binding ${row.id}`)
    const own = inTenant(draftBindings, tenantId, eq(draftBindings.id, row.id))
    const [current = row] = await tx.select().from(draftBindings).where(own)
    const before = await candidatesOf(tx, tenantId, [row.id])
    const to =
      read === null ? { status: 'dismissed' as const } : { status: 'applied' as const, digest: contentOf(read) }
    const next = resolve(boundOf(current, before), id, to)
    if (typeof next === 'string') throw settled(before.find((it) => it.id === id) ?? candidate)
    await writeStatuses(tx, before, next, { resolvedAt: at, resolvedBy: by })
    await tx
      .update(syncCandidates)
      .set({ note: input.note ?? null })
      .where(inTenant(syncCandidates, tenantId, eq(syncCandidates.id, id)))
    const advanced =
      read === null
        ? current
        : {
            ...current,
            commitSha: next.binding.commit,
            sourceDigest: read.digest,
            document: await keepDocument(tx, prepared, at),
            synchronizedAt: at,
            updatedAt: at,
          }
    if (read !== null) {
      const { commitSha, sourceDigest, document, synchronizedAt, updatedAt } = advanced
      await tx.update(draftBindings).set({ commitSha, sourceDigest, document, synchronizedAt, updatedAt }).where(own)
    }
    const { principal: actor } = grant
    const detail = { candidate: id, status: input.status, commit: candidate.toCommit }
    await recordAudit(tx, { tenantId, actor, action: 'binding.candidate-resolved', targetId: row.id, detail, at })
    return toDetail(tx, advanced)
  })
}

/**
 * Merges the draft with the document of a candidate; nothing is written.
 * @throws SvcError `candidate-not-found`, and what finding refuses
 */
export async function mergeCandidate(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  id: string,
  chosen: ChosenSides = {},
) {
  const { id: tenantId } = tenantOf(grant)
  const { row, candidate } = await findCandidate(deps, grant, refs, id)
  const { version } = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const unreadable = { state: 'unreadable' as const, conflicts: [], conflicts_total: 0, document: null, theirs: null }
  if (row.document === null || candidate.document === null) return unreadable
  const [base, theirs] = [row.document, candidate.document].map((it) => storedSubject(deps, tenantId, it))
  if (base === undefined || theirs === undefined) return unreadable
  const mine = deps.analysis.subjectOf(version)
  const { state, conflicts, text } = await deps.analysis.run(tenantId, 'merge', { wants: 'text', chosen }, [
    base,
    mine,
    theirs,
  ])
  const bytes = await readContent(deps.db, tenantId, candidate.document.digest)
  return {
    state,
    conflicts: conflicts.slice(0, mostConflicts).map((it) => ({ ...it })),
    conflicts_total: conflicts.length,
    document: text,
    theirs: new TextDecoder().decode(bytes),
  }
}
