import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { draftBindings, repositories, syncCandidates, versions } from '../../db/tables.gen.ts'
import type { BoundDocument } from '../../db/tables/bindings.ts'
import { check } from '../../src/bindings/state.ts'
import type { Deps } from '../kit/door.ts'
import { remoteOf } from '../repositories/door.ts'
import { reportCandidate } from './report.ts'
import { digestOf, prepareContent, type PreparedContent, storeContent } from '../../db/content.ts'
import type { VersionRow } from '../records/door.ts'
import { boundOf, candidatesOf, storedContentOf, type BindingRow, type CandidateRow } from './record.ts'
import { readSelection, type Selection } from './selection.ts'
import { mergeWith, storedSubject, summaryOf } from './summary.ts'

/** The account that reads a binding: its own, else that of the repository. */
export async function accountOf(
  deps: Deps,
  row: Pick<BindingRow, 'tenantId' | 'repositoryId' | 'linkedAccountId'>,
): Promise<string | null> {
  if (row.linkedAccountId !== null || row.repositoryId === null) return row.linkedAccountId
  const own = inTenant(repositories, row.tenantId, eq(repositories.id, row.repositoryId))
  const [repository] = await deps.db.read
    .select({ account: repositories.linkedAccountId })
    .from(repositories)
    .where(own)
  return repository?.account ?? null
}

/**
 * Reads what a binding selects, at its ref or at a commit.
 * @throws Unreadable; SvcError as `readSelection`
 */
export async function readBound(
  deps: Deps,
  row: BindingRow,
  signal: AbortSignal,
  more: { readonly commit?: string; readonly since?: string } = {},
): Promise<Selection | null> {
  const { tenantId, repoUrl: cloneUrl } = row
  const remote = await remoteOf(deps, { tenantId, cloneUrl, linkedAccountId: await accountOf(deps, row) })
  return readSelection(
    deps,
    { remote, tenantId, shown: row.repoFullName, ref: row.ref === '' ? null : row.ref, path: row.path, ...more },
    signal,
  )
}

/** The document of a selection that a transaction may store; null where it selects none. */
type PreparedDocument = { readonly document: BoundDocument; readonly contents: readonly PreparedContent[] } | null

/**
 * Makes the document of a selection ready to be stored, with what its overlays made it of.
 * @throws SvcError `storage-unavailable`
 */
export async function prepareDocument(
  { db }: Pick<Deps, 'db'>,
  tenantId: string,
  document: Selection['document'],
): Promise<PreparedDocument> {
  if (document === null) return null
  const { bytes, path, syntax, lineage } = document
  const contents: PreparedContent[] = []
  for (const text of [...(lineage?.texts ?? []), bytes]) contents.push(await prepareContent(db, tenantId, text))
  const record = lineage === null ? {} : { lineage: lineage.record }
  return { document: { digest: digestOf(bytes), path, syntax, ...record }, contents }
}

/** Stores the document of a selection. */
export async function keepDocument(
  tx: Transaction,
  prepared: PreparedDocument,
  at: string,
): Promise<BoundDocument | null> {
  for (const content of prepared?.contents ?? []) await storeContent(tx, content, at)
  return prepared?.document ?? null
}

/** What a selection amounts to, as `storedContentOf`. */
export function contentOf({ digest: sourceDigest, document }: Selection): string {
  if (document === null) return storedContentOf({ sourceDigest, document })
  const { bytes, path, syntax } = document
  return storedContentOf({ sourceDigest, document: { digest: digestOf(bytes), path, syntax } })
}

/**
 * Records that the ref of a binding moved to what was read.
 * @returns false where it did not move
 */
export async function recordCandidate(
  deps: Deps,
  row: BindingRow,
  read: Selection,
  detectedBy: CandidateRow['detectedBy'],
): Promise<boolean> {
  const { tenantId } = row
  const at = deps.clock.iso()
  const [version] = await deps.db.read
    .select()
    .from(versions)
    .where(inTenant(versions, tenantId, eq(versions.id, row.versionId)))
  if (!version) return false
  const content = contentOf(read)
  const isChanged = content !== storedContentOf(row)
  const decided = await decisionOf(deps, version, row, read, isChanged)
  const prepared = await prepareDocument(deps, tenantId, read.document)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`binding ${row.id}`)
    const [current] = await tx
      .select()
      .from(draftBindings)
      .where(inTenant(draftBindings, tenantId, eq(draftBindings.id, row.id)))
    if (!current) return false
    const before = await candidatesOf(tx, tenantId, [row.id])
    const id = newId()
    const next = check(boundOf(current, before), { commit: read.commit, digest: content }, id)
    if (typeof next === 'string') return false
    const document = await keepDocument(tx, prepared, at)
    for (const it of next.candidates) {
      const known = before.find((one) => one.id === it.id)
      if (known !== undefined && known.toCommit === it.commit) continue
      const found = {
        toCommit: it.commit,
        sourceDigest: read.digest,
        selectionChanged: isChanged,
        changedPaths: [...read.changedPaths],
        detectedBy,
        detectedAt: at,
        document,
        ...decided,
      }
      if (known === undefined) {
        const candidate = { id, tenantId, bindingId: row.id, fromCommit: current.commitSha, ...found }
        const open = { status: 'pending', resolvedAt: null, resolvedBy: null, note: null } as const
        await tx.insert(syncCandidates).values({ ...candidate, ...open })
        await reportCandidate(deps, tx, version, current, candidate)
      } else
        await tx
          .update(syncCandidates)
          .set(found)
          .where(inTenant(syncCandidates, tenantId, eq(syncCandidates.id, known.id)))
    }
    return true
  })
}

/** What a person needs to decide. */
async function decisionOf(
  deps: Deps,
  version: VersionRow,
  row: BindingRow,
  read: Selection,
  isChanged: boolean,
): Promise<Pick<CandidateRow, 'summary' | 'mergeState'>> {
  const base = row.document === null ? null : storedSubject(deps, row.tenantId, row.document)
  const theirs = isChanged ? (read.document?.analysis.subject ?? null) : base
  return {
    summary: await summaryOf(deps, version, row.document, read.document),
    mergeState: (await mergeWith(deps, version, { base, theirs }, 'state'))?.state ?? 'unreadable',
  }
}
