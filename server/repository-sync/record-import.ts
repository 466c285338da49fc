import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { repositories, repositoryImports, repositoryRefreshes, versions } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import type { EndedFile } from '../imports/door.ts'
import type { FileFacts } from './file-facts.ts'
import { keyOf, notice } from '../repositories/door.ts'
import { specSchemaVersion } from './refresh.ts'

/** Records how the import of a repository file ended, in the transaction that ends the import. */
export async function recordFileImport(
  deps: Deps,
  tx: Transaction,
  ended: EndedFile,
  facts: FileFacts | null,
): Promise<void> {
  const { tenantId, origin, request, actor, stored, at } = ended
  const { repositoryId, branch, path } = origin
  const [row] = await tx
    .select()
    .from(repositories)
    .where(inTenant(repositories, tenantId, eq(repositories.id, repositoryId)))
  // The registration was removed while its file was imported.
  if (!row) return
  const id = keyOf(repositoryId, branch, path)
  const own = inTenant(repositoryImports, tenantId, eq(repositoryImports.id, id))
  const history = {
    id: newId(),
    repositoryId,
    tenantId,
    branch,
    path,
    trigger: origin.trigger ?? ('manual' as const),
    fromCommit: origin.fromCommit,
    toCommit: origin.commit,
    change: facts?.change ?? null,
    startedAt: origin.startedAt,
    finishedAt: at,
  }
  if (stored === null) {
    const error = ended.error ?? 'the gate of the import was not passed'
    await tx.update(repositoryImports).set({ refreshStatus: 'failed', updatedAt: at }).where(own)
    await tx.insert(repositoryRefreshes).values({ ...history, change: null, outcome: 'failed', versionId: null, error })
    if (origin.trigger !== null)
      await notice(deps, tx, row, 'refresh.failed', `${path} was not refreshed: ${error}`, { view: 'history' })
    return
  }
  const [version] = await tx
    .select({ digest: versions.digest })
    .from(versions)
    .where(inTenant(versions, tenantId, eq(versions.id, stored.version_id)))
  const { format, version: _label, project_id: _project, project_slug: _slug, bulk: _bulk, ...options } = request
  const set = {
    specSchemaVersion,
    formatOverride: format ?? null,
    contentType: /\.json$/i.test(path) ? 'application/json' : 'application/yaml',
    options: { ...options, ...(format === undefined ? {} : { format }) },
    projectId: stored.project_id,
    versionId: stored.version_id,
    commitSha: origin.commit,
    committedAt: origin.committedAt,
    blobSha: origin.blob,
    sources: facts?.sources ?? null,
    digest: version?.digest ?? '',
    refreshStatus: 'up-to-date' as const,
    divergedAt: null,
    autoRefresh: origin.autoRefresh,
    backfilled: false,
    updatedAt: at,
  }
  await tx
    .insert(repositoryImports)
    .values({ id, repositoryId, tenantId, branch, path, createdBy: actor, createdAt: at, ...set })
    .onConflictDoUpdate({ target: repositoryImports.id, set })
  const outcome = origin.isBranched ? ('branched' as const) : ('imported' as const)
  await tx.insert(repositoryRefreshes).values({ ...history, outcome, versionId: stored.version_id, error: null })
}
