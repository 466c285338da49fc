import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { ListedFile } from '../hosting/door.ts'
import { type FileOrigin, importJob, listItems } from '../imports/door.ts'
import { type BranchRow, findFile, findFiles, findRepository, refusalOf } from '../repositories/door.ts'
import { queueImport, refreshBranches } from './refresh.ts'
import { readNow } from './sync.ts'

export interface FileImportInput {
  readonly project_id?: string | null
  readonly project_slug?: string | null
  readonly version?: string | null
  readonly format?: string | null
  readonly auto_refresh?: boolean
}

/** What an import keeps of a file. @throws SvcError `repository-file-unreadable` */
function originOf(
  { row, repositoryId, autoRefresh, at }: { row: BranchRow; repositoryId: string; autoRefresh: boolean; at: string },
  { path, oid, reason }: ListedFile,
): FileOrigin {
  if (reason !== null && reason !== 'case-twin')
    throw new SvcError('repository-file-unreadable', {
      path,
      reason: reason === 'lfs-pointer' ? 'its content is in Git LFS, not in the repository' : `it is a ${reason}`,
    })
  return {
    repositoryId,
    branch: row.branch,
    path,
    commit: row.commitSha,
    committedAt: row.committedAt,
    blob: oid,
    autoRefresh,
    trigger: null,
    isBranched: false,
    fromCommit: null,
    startedAt: at,
  }
}

/**
 * Queues the import of a file at the commit that is indexed.
 * @throws SvcError `repository-not-found`, `repository-file-not-found`, `repository-file-unreadable`, `jobs-exceeded`
 */
export async function importFile(deps: Deps, grant: Grant, id: string, fileId: string, input: FileImportInput) {
  const { repository, row, file } = await findFile(deps, grant, id, fileId)
  const options = Object.fromEntries(
    Object.entries({
      project_id: input.project_id,
      project_slug: input.project_slug,
      version: input.version,
      format: input.format,
    }).filter(([, value]) => value !== null && value !== undefined),
  )
  const about = { row, repositoryId: id, autoRefresh: input.auto_refresh ?? true, at: deps.clock.iso() }
  const origin = originOf(about, file)
  const job = await deps.db.inTransaction((tx) =>
    queueImport(deps, tx, repository, { origin, options, actor: actorOf(grant), principal: grant.principal }),
  )
  return { success: true, job_id: job }
}

export interface FilesImportInput {
  readonly file_ids?: readonly string[]
  readonly planned?: string
  readonly dry_run?: boolean
  readonly auto_refresh?: boolean
}

/** The files that a dry run did not refuse, as it read them. @throws SvcError `job-not-found`, `usage` */
async function plannedOrigins(deps: Deps, tenantId: string, id: string, jobId: string): Promise<readonly FileOrigin[]> {
  const { read } = deps.db
  const job = await importJob.find(read, jobId)
  const origins = job?.payload.origins
  if (!job || job.tenantId !== tenantId || job.payload.request.dry_run !== true)
    throw new SvcError('job-not-found', { job: jobId })
  if (origins === undefined || origins.some(({ repositoryId }) => repositoryId !== id))
    throw new SvcError('job-not-found', { job: jobId })
  if (job.finishedAt === null) throw new SvcError('usage', { reason: 'The dry run has not ended yet' })
  const items = await listItems(read, tenantId, jobId)
  const refused = new Set(items.filter(({ item }) => !item.status.startsWith('completed')).map(({ item }) => item.path))
  return origins.filter(({ path }) => !refused.has(path))
}

/**
 * Queues the import of several files of a branch as one job, at the commit that is indexed, or at that of the dry run that is named.
 * @throws SvcError `repository-not-found`, `repository-file-not-found`, `repository-file-unreadable`, `job-not-found`, `jobs-exceeded`, `usage`
 */
export async function importFiles(deps: Deps, grant: Grant, id: string, input: FilesImportInput) {
  const { file_ids: fileIds, planned, dry_run: isDry = false, auto_refresh: autoRefresh = true } = input
  // Who does not see the repository hears nothing about the body.
  const repository = await findRepository(deps.db.read, tenantOf(grant).id, id)
  if ((fileIds === undefined) === (planned === undefined))
    throw new SvcError('usage', { reason: 'Name files in file_ids, or a dry run in planned' })
  const at = deps.clock.iso()
  let origins: readonly FileOrigin[]
  if (planned !== undefined) {
    const before = await plannedOrigins(deps, repository.tenantId, id, planned)
    origins = before.map((origin) => ({ ...origin, autoRefresh, startedAt: at }))
  } else {
    const { row, files } = await findFiles(deps, grant, id, fileIds ?? [])
    origins = files.map((file) => originOf({ row, repositoryId: id, autoRefresh, at }, file))
  }
  const [first, ...others] = origins
  if (first === undefined) throw new SvcError('usage', { reason: 'The dry run refused every file' })
  const options = { bulk: true, ...(isDry ? { dry_run: true } : {}) }
  const origin = [first, ...others] as const
  const job = await deps.db.inTransaction((tx) =>
    queueImport(deps, tx, repository, {
      origin: [...origin],
      options,
      actor: actorOf(grant),
      principal: grant.principal,
    }),
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
