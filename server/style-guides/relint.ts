import { and, asc, count, eq, gt, gte } from 'drizzle-orm'
import type { Output } from '../../src/api/endpoint.ts'
import type { styleGuidesApi } from '../../src/api/style-guides.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertJobRoom, defineJob, type JobHandler, waitForJob } from '../jobs/door.ts'
import { countByRule, writeRuleCounts } from '../search-index/door.ts'
import { lintVersion } from '../used-types/door.ts'
import type { VersionRow } from '../records/door.ts'
import { effectiveGuide } from './effective.ts'
import { countAssignments, defaultIdOf, findGuide, idOf } from './store.ts'

// So many versions are linted between two writes: what is kept of them, and how far the job is.
const batch = 25
const mostNamed = 100

type Relint = Output<typeof styleGuidesApi.relint>

/** What is linted again: all, the projects that a guide applies to, or one project. */
interface Scope {
  readonly guideId: string | null
  readonly projectId?: string | null
}

interface Payload extends Scope {
  /** Whether it follows from a change of a guide, not from a request. */
  readonly isFollowing?: boolean
}

const relintJob = defineJob<Payload, NonNullable<Relint['result']>>('relint')
/** A guide is often changed several times in a row: these wait for one another. */
const followMs = 1000

type RelintJob = NonNullable<Awaited<ReturnType<typeof relintJob.find>>>

interface Graded {
  readonly row: VersionRow
  readonly grade: VersionRow['grade']
  readonly scoreTenths: number | null
  readonly rules: ReadonlyMap<string, number>
}

const toRelint = (job: RelintJob): Relint => {
  const { error } = job
  return {
    jobId: job.id,
    status: job.status,
    progress: { done: job.progressDone, total: job.progressTotal },
    result: job.result,
    error: error && { code: error.code, message: error.message },
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
  }
}

/**
 * Queues the linting of all stored versions, or of those that a guide applies to.
 * @throws SvcError `style-guide-not-found`
 */
export async function startRelint(deps: Deps, grant: Grant, ref: string | null): Promise<Relint> {
  const { id: tenantId } = tenantOf(grant)
  const guideId = ref === null ? null : idOf(await findGuide(deps.db.read, tenantId, ref))
  return deps.db.inTransaction(async (tx) => {
    const { job } = await relintJob.enqueue(tx, { tenantId, payload: { guideId }, now: deps.clock.now() })
    await assertJobRoom(tx, tenantId)
    tx.afterCommit(() => deps.wake())
    return toRelint(job)
  })
}

/**
 * How far such a job is; it waits for its end as long as it is asked to.
 * @throws SvcError `job-not-found`
 */
export async function getRelint(
  deps: Deps,
  grant: Grant,
  id: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Relint> {
  const { id: tenantId } = tenantOf(grant)
  const find = async (): Promise<RelintJob> => {
    const job = await relintJob.find(deps.db.read, id)
    if (job?.tenantId !== tenantId) throw new SvcError('job-not-found', { job: id })
    return job
  }
  return toRelint(await waitForJob(deps, find, waitMs, signal))
}

/**
 * Queues the linting of what a change of a guide or of an assignment concerns, as a part of the transaction that changes it, so that
 * stored grades follow. One that waits for the same already is enough.
 */
export async function followGuide(deps: Deps, tx: Transaction, tenantId: string, scope: Scope): Promise<void> {
  if (scope.guideId !== null && !(await isApplied(tx, tenantId, scope.guideId))) return
  // One that was interrupted does not come back to what it has linted.
  const isWhole = (it: RelintJob): boolean => it.status === 'queued' && it.checkpoint === null
  const waiting = (await relintJob.unfinished(tx)).filter((it) => it.tenantId === tenantId && isWhole(it))
  const covers = ({ payload: { guideId, projectId = null } }: (typeof waiting)[number]): boolean =>
    (guideId === null && projectId === null) || (guideId === scope.guideId && projectId === (scope.projectId ?? null))
  if (waiting.some(covers)) return
  const now = deps.clock.now()
  const payload = { ...scope, isFollowing: true }
  await relintJob.enqueue(tx, { tenantId, payload, now, runAfter: now + followMs })
  tx.afterCommit(() => deps.wake())
}

/** Whether any project is linted under a guide. */
async function isApplied(read: Reader, tenantId: string, guideId: string): Promise<boolean> {
  if ((await defaultIdOf(read, tenantId)) === guideId) return true
  return ((await countAssignments(read, tenantId)).get(guideId) ?? 0) > 0
}

/** How far the jobs are that change stored grades: those of the organization that have not ended. */
export async function gradesUnderWay(read: Reader, tenantId: string) {
  const jobs = (await relintJob.unfinished(read)).filter((it) => it.tenantId === tenantId)
  return jobs.map(({ payload, progressDone, progressTotal }) => ({
    project_id: payload.projectId ?? null,
    done: progressDone,
    total: progressTotal,
  }))
}

async function write(tx: Transaction, tenantId: string, graded: readonly Graded[]): Promise<void> {
  for (const { row, grade, scoreTenths, rules } of graded) {
    // A draft whose document was replaced meanwhile has the grade of that one.
    const where = inTenant(versions, tenantId, and(eq(versions.id, row.id), eq(versions.digest, row.digest)))
    const [there] = await tx.update(versions).set({ grade, scoreTenths }).where(where).returning({ id: versions.id })
    if (there !== undefined) await writeRuleCounts(tx, row, rules)
  }
  await summarizeProjects(tx, [...new Set(graded.map(({ row }) => row.projectId))])
}

/** How far it is: what was counted, and the version that was the last one. It is written with the grades of the versions before it. */
interface Progress {
  readonly projectId: string
  readonly versionId: string
  readonly done: number
  readonly linted: number
  readonly changed: number
  readonly skipped: { project: string; version: string; reason: string }[]
}

const beginning: Progress = { projectId: '', versionId: '', done: 0, linted: 0, changed: 0, skipped: [] }

/** The projects that are not done with, in the order of their ids. */
async function* projectsOf(read: Reader, tenantId: string, only: string | null, from: string) {
  const rows = await read
    .select({ id: projects.id, slug: projects.slug })
    .from(projects)
    .where(inTenant(projects, tenantId, gte(projects.id, from), only === null ? undefined : eq(projects.id, only)))
    .orderBy(asc(projects.id))
  for (const row of rows) yield { ...row, ...(await effectiveGuide(read, tenantId, row.id)) }
}

/**
 * Lints stored versions under the guides that apply to their projects now, and keeps their new grades. What was interrupted continues
 * after the last versions whose grades were kept.
 */
export const relintHandler = (deps: Deps): JobHandler =>
  relintJob.handle(async (work) => {
    const { tenantId, checkpoint } = work.job
    const { read } = deps.db
    const { guideId, projectId = null } = work.job.payload
    const ofProject = projectId === null ? undefined : eq(versions.projectId, projectId)
    const [all] = await read
      .select({ n: count() })
      .from(versions)
      .where(inTenant(versions, tenantId, ofProject))
    const total = all?.n ?? 0
    const from = (checkpoint as Progress | null) ?? beginning
    let { done, linted, changed } = from
    const skipped = [...from.skipped]
    let last = { projectId: from.projectId, versionId: from.versionId }
    let waiting: Graded[] = []
    const settle = async (): Promise<void> => {
      const graded = waiting
      waiting = []
      const progress: Progress = { ...last, done, linted, changed, skipped }
      await work.commit({ phase: 'linting', done: Math.min(done, total), total, checkpoint: progress }, (tx) =>
        write(tx, tenantId, graded),
      )
    }
    for await (const { id, slug, guide } of projectsOf(read, tenantId, projectId, from.projectId)) {
      const own = await read
        .select()
        .from(versions)
        .where(
          inTenant(
            versions,
            tenantId,
            eq(versions.projectId, id),
            id === from.projectId ? gt(versions.id, from.versionId) : undefined,
          ),
        )
        .orderBy(asc(versions.id))
      for (const row of own) {
        work.signal.throwIfAborted()
        done += 1
        last = { projectId: id, versionId: row.id }
        if (guideId === null || guide.id === guideId)
          try {
            const { grade, findings } = await lintVersion(deps, read, row, guide)
            const scoreTenths = grade.score === null ? null : Math.round(grade.score * 10)
            linted += 1
            if (row.grade !== grade.grade) changed += 1
            waiting.push({ row, grade: grade.grade, scoreTenths, rules: countByRule(findings) })
          } catch (error) {
            // What cannot be linted is named, and keeps no other from it.
            if (!(error instanceof SvcError)) throw error
            if (skipped.length < mostNamed) skipped.push({ project: slug, version: row.label, reason: error.message })
          }
        if (done % batch === 0) await settle()
      }
    }
    await settle()
    return (tx) => {
      tx.afterCommit(() => deps.changed())
      const result = { linted, changed, skipped }
      return Promise.resolve({ status: skipped.length > 0 ? 'completed_with_warnings' : 'completed', result })
    }
  })
