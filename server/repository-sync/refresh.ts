import { and, count, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { repositoryImports, repositoryRefreshes, tenants, versions } from '../../db/tables.gen.ts'
import { refreshHistoryVersion } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps, Page } from '../kit/door.ts'
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
  page: Page,
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
  const rows = await read
    .select()
    .from(repositoryRefreshes)
    .where(own)
    .orderBy(desc(repositoryRefreshes.finishedAt), desc(repositoryRefreshes.id))
    .limit(page.limit)
    .offset(page.offset)
  const [all] = await read.select({ n: count() }).from(repositoryRefreshes).where(own)
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
    pagination: { total: all?.n ?? 0, ...page },
  }
}

async function writeHistory(tx: Transaction, row: Omit<RefreshRow, 'id' | 'change'>): Promise<void> {
  await tx.insert(repositoryRefreshes).values({ id: newId(), change: null, ...row })
}

type Decision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'fail'; readonly error: string }
  /** `keepAs`: the label of a draft that keeps what was edited here; null: nothing was. */
  | { readonly kind: 'import'; readonly label: string; readonly isBranched: boolean; readonly keepAs: string | null }

/**
 * What happens to a file that was imported: base is the last import, mine the draft, theirs the file in the repository.
 * - theirs is as it was: nothing
 * - mine is as it was: theirs is taken, whatever the policy
 * - both changed: by the policy
 */
export function decideRefresh(entry: {
  readonly isTheirsSame: boolean
  readonly version: Pick<VersionRow, 'status' | 'digest' | 'label'> | null
  readonly importedDigest: string
  readonly policy: 'overwrite' | 'hold-for-review' | 'new-branch'
  readonly commit: string
}): Decision {
  const { version, commit } = entry
  if (entry.isTheirsSame) return { kind: 'keep' }
  if (version === null) return { kind: 'fail', error: 'the version that it was imported to was deleted' }
  const aside = `${version.label}-${commit.slice(0, 7)}`
  // What was published stays: a change of the file is a new draft.
  if (version.status !== 'draft') return { kind: 'import', label: aside, isBranched: true, keepAs: null }
  const isMineSame = version.digest === entry.importedDigest
  const inPlace = { kind: 'import', label: version.label, isBranched: false } as const
  if (isMineSame) return { ...inPlace, keepAs: null }
  if (entry.policy === 'overwrite') return { ...inPlace, keepAs: `${version.label}-before-${commit.slice(0, 7)}` }
  return entry.policy === 'new-branch'
    ? { kind: 'import', label: aside, isBranched: true, keepAs: null }
    : { kind: 'hold' }
}

/** Queues the import of a file of a repository. @throws SvcError `jobs-exceeded` */
export async function queueImport(
  deps: Deps,
  tx: Transaction,
  row: RepositoryRow,
  entry: {
    readonly origin: FileOrigin
    readonly options: Record<string, unknown>
    readonly actor: string | null
    readonly principal: Grant['principal']
  },
): Promise<string> {
  const [tenant] = await tx.select().from(tenants).where(eq(tenants.id, row.tenantId))
  if (!tenant) throw new Error('the organization of a repository is gone')
  const { origin } = entry
  const { job } = await importJob.enqueue(tx, {
    tenantId: row.tenantId,
    payload: {
      request: entry.options,
      source: { kind: 'git', url: row.cloneUrl, ref: origin.commit, path: origin.path, account: row.linkedAccountId },
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name, plan: null },
      actor: entry.actor,
      principal: entry.principal,
      origin,
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

/** Refreshes one file; whether an import of it was queued. */
async function refreshFile(
  deps: Deps,
  row: RepositoryRow,
  spec: ImportRow,
  branch: IndexedBranch | undefined,
  trigger: Trigger,
): Promise<boolean> {
  const at = deps.clock.iso()
  const own = inTenant(repositoryImports, spec.tenantId, eq(repositoryImports.id, spec.id))
  if (spec.refreshStatus !== 'refreshing') await keepMine(deps, row, spec, branch)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`repository-import ${spec.id}`)
    const [current] = await tx.select().from(repositoryImports).where(own)
    if (!current || current.refreshStatus === 'refreshing') return false
    const { repositoryId, tenantId, path } = spec
    const about = { repositoryId, tenantId, branch: spec.branch, path, trigger, fromCommit: spec.commitSha }
    const times = { startedAt: at, finishedAt: at }
    const settle = async (refreshStatus: ImportRow['refreshStatus'], set: Partial<ImportRow> = {}) => {
      await tx
        .update(repositoryImports)
        .set({ refreshStatus, updatedAt: at, ...set })
        .where(own)
    }
    const blob = branch === undefined ? null : objectOf(branch, path)
    if (branch === undefined || blob === null) {
      const error = branch === undefined ? 'the branch is not there any more' : 'the file is not there any more'
      if (current.refreshStatus === 'failed' && trigger === 'poll') return false
      await settle('failed')
      await writeHistory(tx, {
        ...about,
        toCommit: branch?.commit ?? spec.commitSha,
        outcome: 'failed',
        versionId: spec.versionId,
        error,
        ...times,
      })
      await notice(deps, tx, row, 'refresh.failed', `${path} was not refreshed: ${error}`, { view: 'history' })
      return false
    }
    const [version = null] = await tx
      .select()
      .from(versions)
      .where(inTenant(versions, tenantId, eq(versions.id, current.versionId)))
    const decision = decideRefresh({
      isTheirsSame: isAsImported(current, branch),
      version,
      importedDigest: current.digest,
      policy: await policyOf(tx, row, spec.id),
      commit: branch.commit,
    })
    const done = { ...about, toCommit: branch.commit, versionId: current.versionId, ...times }
    switch (decision.kind) {
      case 'keep':
        await settle('up-to-date', { divergedAt: null })
        if (trigger === 'manual') await writeHistory(tx, { ...done, outcome: 'up-to-date', error: null })
        return false
      case 'fail':
        if (current.refreshStatus === 'failed' && trigger === 'poll') return false
        await settle('failed')
        await writeHistory(tx, { ...done, outcome: 'failed', error: decision.error })
        await notice(deps, tx, row, 'refresh.failed', `${path} was not refreshed: ${decision.error}`, {
          view: 'history',
        })
        return false
      case 'hold':
        // It is reported once for each change of it.
        if (current.refreshStatus === 'diverged' && current.divergedAt === stateOn(current, branch)) return false
        await settle('diverged', { divergedAt: stateOn(current, branch) })
        await writeHistory(tx, { ...done, outcome: 'diverged', error: null })
        await notice(deps, tx, row, 'sync.diverged', `${path} was edited here and in the repository`, {
          view: 'history',
        })
        if (version !== null) await reportHeld(deps, tx, version, row, { ...done, detectedBy: detections[trigger], at })
        return false
      case 'import': {
        await settle('refreshing')
        const origin: FileOrigin = {
          repositoryId,
          branch: spec.branch,
          path,
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
        return true
      }
    }
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
