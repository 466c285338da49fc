import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import { type Refs, resolveRef } from '../hosting/door.ts'
import { notice, type NoticePlace, type RepositoryRow } from '../repositories/door.ts'
import { activeBindingsOf, candidatesOf, storedContentOf, type BindingRow } from './record.ts'
import { contentOf, readBound, recordCandidate } from './candidates.ts'

async function hasMoved(deps: Deps, row: BindingRow, refs: Refs): Promise<boolean> {
  const { commit } = resolveRef(refs, row.ref, row.repoFullName)
  if (commit === row.commitSha) return false
  const candidates = await candidatesOf(deps.db.read, row.tenantId, [row.id])
  if (candidates.some((it) => it.status === 'pending' && it.toCommit === commit)) return false
  // What a person dismissed last is not brought again until the ref moves on; a check of theirs does.
  const last = candidates.at(-1)
  return last?.status !== 'dismissed' || last.toCommit !== commit
}

/** The page of a candidate; its notice goes to who bound the draft too. */
async function placeOf(tx: Transaction, row: BindingRow, commit: string): Promise<NoticePlace> {
  const [at] = await tx
    .select({ project: projects.slug, version: versions.slug })
    .from(versions)
    .innerJoin(projects, inTenant(projects, row.tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, row.tenantId, eq(versions.id, row.versionId)))
  const waiting = await candidatesOf(tx, row.tenantId, [row.id])
  const candidate = waiting.find((it) => it.status === 'pending' && it.toCommit === commit)
  const also = [row.createdBy]
  return at === undefined
    ? { also }
    : { also, version: { ...at, ...(candidate === undefined ? {} : { candidate: candidate.id }) } }
}

/**
 * Does for the drafts that are bound to a registered repository what a check does, where the refs say that theirs moved.
 * What cannot be read of one of them delays no other.
 */
export async function checkBindings(
  deps: Deps,
  repository: RepositoryRow,
  refs: Refs,
  detectedBy: 'poll' | 'webhook',
  signal: AbortSignal,
): Promise<void> {
  for (const row of await activeBindingsOf(deps.db.read, repository)) {
    try {
      if (!(await hasMoved(deps, row, refs))) continue
      const read = await readBound(deps, row, signal, { since: row.commitSha })
      if (read === null || !(await recordCandidate(deps, row, read, detectedBy))) continue
      const changed =
        contentOf(read) === storedContentOf(row) ? 'without touching the selection' : 'and changed the selection'
      const title = `${row.ref} moved to ${read.commit.slice(0, 7)} ${changed}`
      await deps.db.inTransaction(async (tx) =>
        notice(deps, tx, repository, 'sync.candidate', title, await placeOf(tx, row, read.commit)),
      )
    } catch (error) {
      // A ref or a path that is not there any more is seen by who checks the binding.
      if (!(error instanceof SvcError) || error.status >= 500) throw error
    }
  }
}
