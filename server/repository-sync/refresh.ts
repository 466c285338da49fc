import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { repositoryImports, repositoryRefreshes, tenants, versions } from '../../db/tables.gen.ts'
import { refreshHistoryVersion } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { type Deps, type StablePage, readStablePage } from '../kit/door.ts'
import { type FileOrigin, importJob } from '../imports/door.ts'
import { assertJobRoom } from '../jobs/door.ts'
import { createVersion } from '../versions/door.ts'
import type { VersionRow } from '../records/door.ts'
import { isAsImported, objectOf, stateOn } from './file-facts.ts'
import type { IndexedBranch } from './index-branches.ts'
import {
  findRepository,
  keyOf,
  namesIn,
  notice,
  policyOf,
  type RepositoryRow,
  versionNames,
} from '../repositories/door.ts'
import { type Decision, decideRefresh, settledBy } from './refresh-decision.ts'
import { reportHeld } from './report-held.ts'

export type ImportRow = typeof repositoryImports.$inferSelect
type RefreshRow = typeof repositoryRefreshes.$inferSelect
export type Trigger = RefreshRow['trigger']

/** The present shape of what is kept of an import. */
export const specSchemaVersion = 1

/** Raises `import-spec-not-found`. */
const missing = (branch: string, path: string) => new SvcError('import-spec-not-found', { branch, path })

/**
 * What is kept of the import of a file.
 * @throws SvcError `repository-not-found`, `import-spec-not-found`
 */
export async function getImportSpec(deps: Deps, grant: Grant, id: string, branch: string, path: string) {
  const { read } = deps.db
  const { tenantId } = await findRepository(read, tenantOf(grant).id, id)
  const [row] = await read
    .select()
    .from(repositoryImports)
    .where(inTenant(repositoryImports, tenantId, eq(repositoryImports.id, keyOf(id, branch, path))))
  if (!row) throw missing(branch, path)
  return {
    // What an older version of the program wrote is answered in the present shape.
    spec_schema_version: specSchemaVersion,
    source_kind: 'repository',
    format_override: row.formatOverride,
    content_type: row.contentType,
    options: row.options,
    last_imported_commit_sha: row.commitSha,
    last_imported_committed_at: row.committedAt,
    last_imported_blob_sha: row.blobSha,
    refresh_status: row.refreshStatus,
    backfilled: row.backfilled,
    project_id: row.projectId,
    version_id: row.versionId,
    auto_refresh: row.autoRefresh,
  }
}

/** A page of what became of refreshes, newest first. @throws SvcError `repository-not-found` */
export async function listRefreshes(
  deps: Deps,
  grant: Grant,
  id: string,
  query: { readonly branch?: string; readonly path?: string },
  page: StablePage,
) {
  const { read } = deps.db
  const { tenantId } = await findRepository(read, tenantOf(grant).id, id)
  const own = inTenant(
    repositoryRefreshes,
    tenantId,
    eq(repositoryRefreshes.repositoryId, id),
    query.branch === undefined ? undefined : eq(repositoryRefreshes.branch, query.branch),
    query.path === undefined ? undefined : eq(repositoryRefreshes.path, query.path),
  )
  const { rows, page: counts } = await readStablePage(read, repositoryRefreshes, {
    where: own,
    order: [repositoryRefreshes.finishedAt, repositoryRefreshes.id],
    page,
    added: repositoryRefreshes.finishedAt,
    now: deps.clock.iso(),
  })
  const names = await versionNames(
    read,
    tenantId,
    rows.map(({ versionId }) => versionId),
  )
  return {
    schemaVersion: refreshHistoryVersion,
    items: rows.map((row) => ({
      id: row.id,
      branch: row.branch,
      path: row.path,
      trigger: row.trigger,
      from_commit: row.fromCommit,
      to_commit: row.toCommit,
      outcome: row.outcome,
      change: row.change,
      version_id: row.versionId,
      ...namesIn(names, row.versionId),
      error: row.error,
      started_at: row.startedAt,
      finished_at: row.finishedAt,
    })),
    pagination: counts,
  }
}

async function writeHistory(tx: Transaction, row: Omit<RefreshRow, 'id' | 'change'>): Promise<void> {
  await tx.insert(repositoryRefreshes).values({ id: newId(), change: null, ...row })
}

/** Queues the import of a file of a repository, or of several as one job. @throws SvcError `jobs-exceeded` */
export async function queueImport(
  deps: Deps,
  tx: Transaction,
  row: RepositoryRow,
  entry: {
    readonly origin: FileOrigin | readonly [FileOrigin, ...FileOrigin[]]
    readonly options: Record<string, unknown>
    readonly actor: string | null
    readonly principal: Grant['principal']
  },
): Promise<string> {
  const [tenant] = await tx.select().from(tenants).where(eq(tenants.id, row.tenantId))
  if (!tenant) throw new Error('the organization of a repository is gone')
  const { origin } = entry
  const git = { kind: 'git', url: row.cloneUrl, account: row.linkedAccountId } as const
  const source =
    'path' in origin ? { ...git, ref: origin.commit, path: origin.path } : { ...git, ref: origin[0].commit }
  const { job } = await importJob.enqueue(tx, {
    tenantId: row.tenantId,
    payload: {
      request: entry.options,
      source,
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name, plan: null },
      actor: entry.actor,
      principal: entry.principal,
      ...('path' in origin ? { origin } : { origins: origin }),
    },
    now: deps.clock.now(),
  })
  await assertJobRoom(tx, row.tenantId)
  tx.afterCommit(deps.wake)
  return job.id
}

/** Keeps a draft that was edited here, as a draft of its own beside the one that is overwritten. */
async function keepMine(
  deps: Deps,
  row: RepositoryRow,
  spec: ImportRow,
  branch: IndexedBranch | undefined,
): Promise<void> {
  if (branch === undefined || objectOf(branch, spec.path) === null) return
  const { read } = deps.db
  const own = inTenant(versions, row.tenantId, eq(versions.id, spec.versionId))
  const [version = null] = await read.select().from(versions).where(own)
  const decision = decideRefresh({
    isTheirsSame: isAsImported(spec, branch),
    version,
    importedDigest: spec.digest,
    policy: await policyOf(read, row, spec.id),
    commit: branch.commit,
  })
  if (version === null || decision.kind !== 'import' || decision.keepAs === null) return
  const [tenant] = await read.select().from(tenants).where(eq(tenants.id, row.tenantId))
  if (!tenant) return
  const service: Grant = {
    principal: null,
    tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name, plan: null },
    role: null,
    permissions: new Set(),
  }
  try {
    await createVersion(deps, service, spec.projectId, { label: decision.keepAs, from: spec.versionId })
  } catch (error) {
    // It was kept by an attempt before this one.
    if (!(error instanceof SvcError) || error.code !== 'version-exists') throw error
  }
}

const detections = { manual: 'check', webhook: 'webhook', poll: 'poll', retry: 'poll' } as const

/** Marks what changed and is not refreshed by itself. */
async function markStale(deps: Deps, spec: ImportRow, branch: IndexedBranch | undefined): Promise<void> {
  if (branch === undefined || objectOf(branch, spec.path) === null || isAsImported(spec, branch)) return
  const current = and(eq(repositoryImports.id, spec.id), eq(repositoryImports.refreshStatus, 'up-to-date'))
  await deps.db.inTransaction((tx) =>
    tx
      .update(repositoryImports)
      .set({ refreshStatus: 'stale', updatedAt: deps.clock.iso() })
      .where(inTenant(repositoryImports, spec.tenantId, current)),
  )
}

/** A file that is refreshed, as it is stored now, and what the repository has of it; undefined: the branch is gone. */
interface RefreshedFile {
  readonly row: RepositoryRow
  readonly current: ImportRow
  readonly branch: IndexedBranch | undefined
  readonly version: VersionRow | null
  readonly trigger: Trigger
  readonly at: string
}

async function decisionOn(tx: Transaction, { row, current, branch, version }: RefreshedFile): Promise<Decision> {
  if (branch === undefined) return { kind: 'fail', error: 'the branch is not there any more' }
  if (objectOf(branch, current.path) === null) return { kind: 'fail', error: 'the file is not there any more' }
  return decideRefresh({
    isTheirsSame: isAsImported(current, branch),
    version,
    importedDigest: current.digest,
    policy: await policyOf(tx, row, current.id),
    commit: branch.commit,
  })
}

const setImport = (tx: Transaction, { current, at }: RefreshedFile, set: Partial<ImportRow>) =>
  tx
    .update(repositoryImports)
    .set({ updatedAt: at, ...set })
    .where(inTenant(repositoryImports, current.tenantId, eq(repositoryImports.id, current.id)))

/** Writes the result of a refresh that imports nothing, and notifies the people it concerns. */
async function settle(
  deps: Deps,
  tx: Transaction,
  file: RefreshedFile,
  decision: Exclude<Decision, { readonly kind: 'import' }>,
): Promise<void> {
  const { row, current, branch, version, trigger, at } = file
  const { path } = current
  const state = branch === undefined ? null : stateOn(current, branch)
  const settled = settledBy(decision, current, { path, trigger, state })
  if (settled === null) return
  const { status: refreshStatus, divergedAt } = settled
  await setImport(tx, file, { refreshStatus, ...(divergedAt === undefined ? {} : { divergedAt }) })
  const done = {
    repositoryId: current.repositoryId,
    tenantId: current.tenantId,
    branch: current.branch,
    path,
    trigger,
    fromCommit: current.commitSha,
    toCommit: branch?.commit ?? current.commitSha,
    versionId: current.versionId,
    startedAt: at,
    finishedAt: at,
  }
  if (settled.history !== null) await writeHistory(tx, { ...done, ...settled.history })
  if (settled.notice !== null)
    await notice(deps, tx, row, settled.notice.event, settled.notice.text, { view: 'history' })
  if (decision.kind === 'hold' && version !== null)
    await reportHeld(deps, tx, version, row, { ...done, detectedBy: detections[trigger], at })
}

/** Queues the import of what the repository has. */
async function importAgain(
  deps: Deps,
  tx: Transaction,
  file: RefreshedFile,
  decision: Extract<Decision, { readonly kind: 'import' }>,
): Promise<void> {
  const { row, current, branch, trigger, at } = file
  const blob = branch === undefined ? null : objectOf(branch, current.path)
  if (branch === undefined || blob === null) throw new Error('what is imported is in the repository')
  await setImport(tx, file, { refreshStatus: 'refreshing' })
  const origin: FileOrigin = {
    repositoryId: current.repositoryId,
    branch: current.branch,
    path: current.path,
    commit: branch.commit,
    committedAt: branch.committedAt,
    blob,
    autoRefresh: current.autoRefresh,
    trigger,
    isBranched: decision.isBranched,
    fromCommit: current.commitSha,
    startedAt: at,
  }
  const options = { ...current.options, project_id: current.projectId, version: decision.label }
  await queueImport(deps, tx, row, { origin, options, actor: current.createdBy, principal: null })
}

/** Refreshes one file; whether an import of it was queued. */
async function refreshFile(
  deps: Deps,
  row: RepositoryRow,
  spec: ImportRow,
  branch: IndexedBranch | undefined,
  trigger: Trigger,
): Promise<boolean> {
  const at = deps.clock.iso()
  const { tenantId } = spec
  if (spec.refreshStatus !== 'refreshing') await keepMine(deps, row, spec, branch)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`repository-import ${spec.id}`)
    const [current] = await tx
      .select()
      .from(repositoryImports)
      .where(inTenant(repositoryImports, tenantId, eq(repositoryImports.id, spec.id)))
    if (!current || current.refreshStatus === 'refreshing') return false
    const [version = null] = await tx
      .select()
      .from(versions)
      .where(inTenant(versions, tenantId, eq(versions.id, current.versionId)))
    const file = { row, current, branch, version, trigger, at }
    const decision = await decisionOn(tx, file)
    if (decision.kind !== 'import') {
      await settle(deps, tx, file, decision)
      return false
    }
    await importAgain(deps, tx, file, decision)
    return true
  })
}

/** Refreshes the imported files of branches that were read. */
export async function refreshBranches(
  deps: Deps,
  row: RepositoryRow,
  read: readonly IndexedBranch[],
  trigger: Trigger,
  only: { readonly branch?: string | null; readonly path?: string | null } = {},
): Promise<{ readonly enqueued: number; readonly skipped: number; readonly branches: readonly string[] }> {
  const specs = await deps.db.read
    .select()
    .from(repositoryImports)
    .where(
      inTenant(
        repositoryImports,
        row.tenantId,
        and(
          eq(repositoryImports.repositoryId, row.id),
          typeof only.branch === 'string' ? eq(repositoryImports.branch, only.branch) : undefined,
          typeof only.path === 'string' ? eq(repositoryImports.path, only.path) : undefined,
        ),
      ),
    )
  const isWanted = (spec: ImportRow) => trigger === 'manual' || (spec.autoRefresh && row.autoRefreshEnabled)
  const wanted = specs.filter(isWanted)
  for (const spec of specs)
    if (!isWanted(spec))
      await markStale(
        deps,
        spec,
        read.find(({ branch }) => branch === spec.branch),
      )
  if (wanted.length === 0 && typeof only.path === 'string') throw missing(only.branch ?? '', only.path)
  let enqueued = 0
  for (const spec of wanted) {
    const branch = read.find((it) => it.branch === spec.branch)
    if (await refreshFile(deps, row, spec, branch, trigger)) enqueued++
  }
  return {
    enqueued,
    skipped: wanted.length - enqueued,
    branches: [...new Set(wanted.map(({ branch }) => branch))].toSorted(),
  }
}
