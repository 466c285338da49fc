import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findFile, findRepository, refusalOf } from '../repositories/door.ts'
import { queueImport, refreshBranches } from './refresh.ts'
import { readNow } from './sync.ts'

export interface FileImportInput {
  readonly project_id?: string | null
  readonly project_slug?: string | null
  readonly version?: string | null
  readonly format?: string | null
  readonly auto_refresh?: boolean
}

/**
 * Queues the import of a file at the commit that is indexed.
 * @throws SvcError `repository-not-found`, `repository-file-not-found`, `repository-file-unreadable`, `jobs-exceeded`
 */
export async function importFile(deps: Deps, grant: Grant, id: string, fileId: string, input: FileImportInput) {
  const { repository, row, file } = await findFile(deps, grant, id, fileId)
  const { path } = file
  if (file.reason !== null && file.reason !== 'case-twin')
    throw new SvcError('repository-file-unreadable', {
      path,
      reason:
        file.reason === 'lfs-pointer' ? 'its content is in Git LFS, not in the repository' : `it is a ${file.reason}`,
    })
  const options = Object.fromEntries(
    Object.entries({
      project_id: input.project_id,
      project_slug: input.project_slug,
      version: input.version,
      format: input.format,
    }).filter(([, value]) => value !== null && value !== undefined),
  )
  const origin = {
    repositoryId: id,
    branch: row.branch,
    path,
    commit: row.commitSha,
    committedAt: row.committedAt,
    blob: file.oid,
    autoRefresh: input.auto_refresh ?? true,
    trigger: null,
    isBranched: false,
    fromCommit: null,
    startedAt: deps.clock.iso(),
  }
  const job = await deps.db.inTransaction((tx) =>
    queueImport(deps, tx, repository, { origin, options, actor: actorOf(grant), principal: grant.principal }),
  )
  return { success: true, job_id: job }
}

/**
 * Reads the repository and refreshes what was imported of it.
 * @throws SvcError `repository-not-found`, `import-spec-not-found`, `repository-unreadable`
 */
export async function refreshNow(
  deps: Deps,
  grant: Grant,
  id: string,
  only: { readonly path?: string | null; readonly branch?: string | null },
  signal: AbortSignal,
) {
  const row = await findRepository(deps.db.read, tenantOf(grant).id, id)
  const read = await readNow(deps, row, signal).catch((error: unknown) => {
    throw refusalOf(error, row.fullName)
  })
  const { enqueued, skipped, branches } = await refreshBranches(deps, row, read, 'manual', only)
  return { success: true, enqueued, skipped, branches: [...branches] }
}
