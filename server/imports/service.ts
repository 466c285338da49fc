import type { ImportJob, ImportRequest } from '../../src/api/imports.ts'
import { SvcError } from '../../src/errors.ts'
import type { Transaction } from '../../db/database.ts'
import { cancelJob, enqueueJob, findJob, type Job } from '../../db/jobs.ts'
import { actorOf } from '../auth/actor.ts'
import type { Grant, GrantedTenant } from '../auth/grant.ts'
import type { Principal } from '../auth/principal.ts'
import { isoNow, type Deps } from '../deps.ts'
import { assertStorageRoom } from '../license/quota.ts'
import { digestOf, storeContent } from '../versions/content.ts'

/** What the job's row keeps of the request; the text itself is stored as content first. */
export interface ImportPayload {
  readonly request: Omit<ImportRequest, 'source'>
  readonly source:
    | { readonly kind: 'stored'; readonly name: string; readonly digest: string }
    | { readonly kind: 'url'; readonly url: string }
  readonly tenant: GrantedTenant
  /** For created_by. */
  readonly actor: string | null
  /** For the audit trail. */
  readonly principal: Principal | null
}

/** What the run of a job leaves in its row. */
export type ImportOutcome = Pick<
  ImportJob,
  'result' | 'plan' | 'lint' | 'gate' | 'warnings' | 'findings' | 'findings_total'
>

const nothingYet: ImportOutcome = {
  result: null,
  plan: null,
  lint: null,
  gate: null,
  warnings: [],
  findings: [],
  findings_total: 0,
}

/** An import job as the contract shows it. */
export function toImportJob(job: Job): ImportJob {
  const payload = job.payload as ImportPayload
  const error = job.error as { code: string; message: string; hint?: string } | null
  return {
    job_id: job.id,
    kind: 'import',
    format: payload.request.format ?? 'auto',
    source: payload.source.kind === 'url' ? payload.source.url : payload.source.name,
    dry_run: payload.request.dry_run ?? false,
    status: job.status,
    phase: job.phase as ImportJob['phase'],
    progress: { done: job.progressDone, total: job.progressTotal },
    created_at: job.createdAt,
    started_at: job.startedAt,
    finished_at: job.finishedAt,
    ...nothingYet,
    items: [],
    summary: null,
    ...(job.result as ImportOutcome | null),
    error: error === null ? null : { code: error.code, message: error.message, hint: error.hint ?? '' },
  }
}

function assertAllowed(request: ImportRequest, grant: Grant): void {
  if (request.publish !== undefined && !grant.permissions.has('versions:publish'))
    throw new SvcError('permission-denied', { permission: 'versions:publish' })
  if (request.force !== true) return
  if (request.publish === undefined)
    throw new SvcError('usage', { reason: 'Force means nothing without publish: it skips publish gates.' })
  if (!grant.permissions.has('versions:publish_force'))
    throw new SvcError('permission-denied', { permission: 'versions:publish_force' })
}

/**
 * Stores an import as a job; what is acknowledged survives a crash. The same idempotency key gives the same job.
 * Raises `permission-denied`, `usage`, `idempotency-key-reused`.
 */
export async function createImport(
  deps: Deps,
  input: {
    readonly tenant: GrantedTenant
    readonly grant: Grant
    readonly request: ImportRequest
    readonly idempotencyKey: string | null
  },
): Promise<ImportJob> {
  const { tenant, grant, request } = input
  assertAllowed(request, grant)
  const { source, ...options } = request
  const digest = digestOf(new TextEncoder().encode(JSON.stringify(request)))
  const idempotency = input.idempotencyKey === null ? {} : { idempotency: { key: input.idempotencyKey, digest } }
  const store = async (tx: Transaction): Promise<ImportPayload['source']> => {
    if (source.kind === 'url') return source
    if (source.kind !== 'inline')
      throw new SvcError('source-refused', {
        source: source.kind,
        reason: 'this service imports single documents only',
      })
    const bytes = new TextEncoder().encode(source.content)
    await assertStorageRoom(tx, deps.plans, tenant.id, bytes.byteLength)
    return { kind: 'stored', name: source.name ?? '-', digest: await storeContent(tx, tenant.id, bytes, isoNow(deps)) }
  }
  const job = await deps.db.inTransaction(async (tx) => {
    const payload: ImportPayload = {
      request: options,
      source: await store(tx),
      tenant,
      actor: actorOf(grant),
      principal: grant.principal,
    }
    const queued = await enqueueJob(tx, {
      kind: 'import',
      tenantId: tenant.id,
      payload,
      now: deps.now(),
      ...idempotency,
    })
    tx.afterCommit(() => deps.wake())
    return queued.job
  })
  return toImportJob(job)
}

/** Tells whether a tenant is one the caller belongs to. */
export type Reaches = (tenantId: string) => Promise<boolean>

async function findImport(deps: Deps, id: string, reaches: Reaches): Promise<Job> {
  const job = await findJob(deps.db.read, id)
  if (!job || job.kind !== 'import' || !(await reaches(job.tenantId)))
    throw new SvcError('import-job-not-found', { job: id })
  return job
}

const hasEnded = (job: Job): boolean => job.finishedAt !== null

/** The state of a job; with `waitMs` it answers when the job has ended, at the latest then. Raises `import-job-not-found`. */
export async function getImport(
  deps: Deps,
  id: string,
  reaches: Reaches,
  waitMs: number,
  signal: AbortSignal,
): Promise<ImportJob> {
  const deadline = performance.now() + waitMs
  let job = await findImport(deps, id, reaches)
  // Another replica may run the job, so its row is what tells; a short pause costs less than a late answer.
  for (
    let pauseMs = 2;
    !hasEnded(job) && !signal.aborted && performance.now() < deadline;
    pauseMs = Math.min(pauseMs * 2, 250)
  ) {
    await Bun.sleep(pauseMs)
    job = await findImport(deps, id, reaches)
  }
  return toImportJob(job)
}

/** Cancels a job that has not ended; an ended one stays as it is. Raises `import-job-not-found`. */
export async function cancelImport(deps: Deps, id: string, reaches: Reaches): Promise<ImportJob> {
  const job = await findImport(deps, id, reaches)
  await deps.db.inTransaction((tx) => cancelJob(tx, job.id, deps.now()))
  return getImport(deps, id, reaches, 0, AbortSignal.abort())
}
