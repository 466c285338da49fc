import type { PrimitiveImpact, PrimitiveImpactJob } from '../../src/api/primitive-impact-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertJobRoom, defineJob, type JobHandler, waitForJob } from '../jobs/door.ts'
import { findImpact, type NewSchema } from './impact.ts'
import { findPrimitive, isRow, readSchema } from './service.ts'
import { countUnread, draftsOf, publishedUsing } from './using-versions.ts'

/** So many versions are compared while the caller waits. */
const mostAtOnce = 200

const impactJob = defineJob<NewSchema, PrimitiveImpact>('primitive-impact')

type ImpactJob = NonNullable<Awaited<ReturnType<typeof impactJob.find>>>

const toJob = (job: ImpactJob): PrimitiveImpactJob => ({
  job_id: job.id,
  status: job.status,
  progress: { done: job.progressDone, total: job.progressTotal },
  impact: job.result,
  error: job.error && { code: job.error.code, message: job.error.message },
  created_at: job.createdAt,
  finished_at: job.finishedAt,
})

/**
 * What a new schema of a type would break; nothing is stored. Where many versions use it a job calculates it.
 * @throws SvcError `primitive-not-found`, `primitive-schema-invalid`, `primitive-too-large`, `jobs-exceeded`, `analysis-stopped`
 */
export async function askImpact(
  deps: Deps,
  grant: Grant,
  id: string,
  schema: Readonly<Record<string, unknown>> | boolean,
  signal: AbortSignal,
): Promise<{ readonly impact: PrimitiveImpact } | { readonly job: PrimitiveImpactJob }> {
  const tenantId = tenantOf(grant).id
  const { read } = deps.db
  const found = await findPrimitive(read, tenantId, id)
  const { edges, schema: after } = await readSchema(deps, grant, found.ref, schema)
  const asked: NewSchema = {
    tenantId,
    id: isRow(found) ? found.id : found.ref,
    ref: found.ref,
    schemaId: found.schemaId,
    revision: isRow(found) ? found.revision : 1,
    before: isRow(found) ? found.schema : JSON.stringify(found.schema),
    after,
    edges,
  }
  const published = await publishedUsing(read, tenantId, asked.id)
  // A draft that was not read yet may use it too.
  const unread = countUnread(deps, await draftsOf(read, tenantId))
  if (published.length + unread <= mostAtOnce)
    return { impact: await findImpact(deps, asked, { signal, progress: async () => {} }) }
  return deps.db.inTransaction(async (tx) => {
    const { job } = await impactJob.enqueue(tx, { tenantId, payload: asked, now: deps.clock.now() })
    await assertJobRoom(tx, tenantId)
    tx.afterCommit(() => deps.wake())
    return { job: toJob(job) }
  })
}

/**
 * How far such a job is; it waits for its end as long as it is asked to.
 * @throws SvcError `job-not-found`
 */
export async function getImpact(
  deps: Deps,
  grant: Grant,
  id: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<PrimitiveImpactJob> {
  const tenantId = tenantOf(grant).id
  const find = async (): Promise<ImpactJob> => {
    const job = await impactJob.find(deps.db.read, id)
    if (job?.tenantId !== tenantId) throw new SvcError('job-not-found', { job: id })
    return job
  }
  return toJob(await waitForJob(deps, find, waitMs, signal))
}

/** Calculates what new schemas of types break where many versions use them. */
export const impactHandler = (deps: Deps): JobHandler =>
  impactJob.handle(async (work) => {
    const progress = (done: number, total: number) => work.progress({ phase: 'comparing', done, total })
    const result = await findImpact(deps, work.job.payload, { signal: work.signal, progress })
    const status = result.not_considered.length > 0 ? 'completed_with_warnings' : 'completed'
    return () => Promise.resolve({ status, result })
  })
