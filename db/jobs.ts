/**
 * Slow work as rows. A worker claims a job with a lease and keeps it by heartbeats; when it dies the lease runs out and
 * another worker claims the job again. Each claim has its own owner, so anyone who lost a lease can write nothing more.
 */
import { and, asc, count, eq, gt, inArray, isNull, lt, lte, min, or, type SQL } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { SvcError } from '../src/errors.ts'
import { isoOf } from './clock.ts'
import type { Database, Reader, Transaction } from './database.ts'
import { newId } from './id.ts'
import { removeWhere } from './remove-where.ts'
import { type JobError, jobs } from './tables/jobs.ts'
import { traceHere } from '../src/kernel/span.ts'
import { compareText } from '../src/kernel/order.ts'

export type Job = typeof jobs.$inferSelect

/** A job that this worker holds. */
export type ClaimedJob = Job & { readonly leaseOwner: string }

/** What a finished job leaves: `error` only with "failed". */
export interface JobOutcome<Result = unknown> {
  readonly status: 'completed' | 'completed_with_warnings' | 'blocked' | 'failed'
  readonly result?: Result
  readonly error?: JobError
}

/** The lease ran out or the job was cancelled: what was being written is undone. */
export class LeaseLostError extends Error {
  constructor(job: string) {
    super(`The lease of job ${job} was lost.`)
    this.name = 'LeaseLostError'
  }
}

const idempotencyMs = 24 * 60 * 60 * 1000
const defaultMaxAttempts = 5
/**
 * A process that ends is not the fault of what it did, yet what ends one may end the next: it is done again at once, and then after
 * growing pauses, which leave the others an hour in which nothing ends them.
 */
const mostInterruptions = 15

/** How long to wait before attempt n+1: 1, 2, 4 … seconds, 5 minutes at most. */
export const backoffMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 300_000)

export interface NewJob {
  readonly kind: string
  readonly tenantId: string
  readonly payload: unknown
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Not to be started before (milliseconds since the epoch); at once when omitted. */
  readonly runAfter?: number
  /** A repeated request with the same key and digest within 24 hours gets the first one's job. */
  readonly idempotency?: { readonly key: string; readonly digest: string }
}

/**
 * Puts a job into the queue as a part of the transaction. `isNew` is false when the idempotency key found an earlier one.
 * @throws SvcError `idempotency-key-reused` for a key that was used for another request
 */
export async function enqueueJob(tx: Transaction, newJob: NewJob): Promise<{ job: Job; isNew: boolean }> {
  if (newJob.idempotency) {
    const earlier = await findByIdempotencyKey(tx, newJob, newJob.idempotency)
    if (earlier) return { job: earlier, isNew: false }
  }
  const job: Job = {
    id: newId(),
    tenantId: newJob.tenantId,
    kind: newJob.kind,
    status: 'queued',
    phase: null,
    progressDone: 0,
    progressTotal: 0,
    payload: newJob.payload,
    result: null,
    error: null,
    attempts: 0,
    interruptions: null,
    checkpoint: null,
    runAfter: isoOf(newJob.runAfter ?? newJob.now),
    leaseOwner: null,
    leaseUntil: null,
    idempotencyKey: newJob.idempotency?.key ?? null,
    requestDigest: newJob.idempotency?.digest ?? null,
    traceparent: traceHere(),
    createdAt: isoOf(newJob.now),
    startedAt: null,
    finishedAt: null,
  }
  await tx.insert(jobs).values(job)
  return { job, isNew: true }
}

async function findByIdempotencyKey(tx: Transaction, job: NewJob, { key, digest }: { key: string; digest: string }) {
  await tx.lock(`job-idempotency ${job.tenantId} ${job.kind} ${key}`)
  const same = and(eq(jobs.tenantId, job.tenantId), eq(jobs.kind, job.kind), eq(jobs.idempotencyKey, key))
  const [earlier] = await tx.select().from(jobs).where(same)
  if (!earlier) return undefined
  if (earlier.createdAt < isoOf(job.now - idempotencyMs)) {
    await tx.update(jobs).set({ idempotencyKey: null, requestDigest: null }).where(eq(jobs.id, earlier.id))
    return undefined
  }
  if (earlier.requestDigest !== digest) throw new SvcError('idempotency-key-reused', { key })
  return earlier
}

/** How many jobs of a tenant have not ended, of these kinds. */
export async function countUnfinished(reader: Reader, tenantId: string, kinds: readonly string[]): Promise<number> {
  const unfinished = inArray(jobs.status, ['queued', 'running'])
  const [row] = await reader
    .select({ n: count() })
    .from(jobs)
    .where(and(eq(jobs.tenantId, tenantId), inArray(jobs.kind, [...kinds]), unfinished))
  return row?.n ?? 0
}

/** A job by its id, whatever its tenant: the caller checks that. */
export async function findJob(reader: Reader, id: string): Promise<Job | undefined> {
  const [job] = await reader.select().from(jobs).where(eq(jobs.id, id))
  return job
}

/** Jobs of one tenant and kind that are due. */
export interface DueJobs {
  readonly tenantId: string
  readonly kind: string
  /** When the first of them became due. */
  readonly since: string
  /** How many jobs of the tenant run, and how many of them are of that kind, in all processes together. */
  readonly running: number
  readonly runningOfKind: number
}

export interface ClaimOptions {
  readonly kinds: readonly string[]
  readonly workerId: string
  readonly leaseMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Called in the transaction that gives a job up which many processes ended with. */
  readonly onGivenUp?: (tx: Transaction, job: Job) => Promise<void>
  /** Puts what is due in the order in which it is claimed, and leaves out what is not; `fairly` when omitted. */
  readonly order?: (due: readonly DueJobs[]) => readonly DueJobs[]
}

/** Orders organizations by their running jobs, fewest first; equal ones by the running jobs of the kind. Waiting time comes after that. */
export const byLoad = (a: DueJobs, b: DueJobs): number => a.running - b.running || a.runningOfKind - b.runningOfKind

/** In the order of `byLoad`, and then who waits longest. */
const fairly = (due: readonly DueJobs[]): readonly DueJobs[] =>
  due.toSorted((a, b) => byLoad(a, b) || compareText(a.since, b.since))

const isDue = ({ kinds, now }: ClaimOptions): SQL | undefined =>
  and(
    inArray(jobs.kind, [...kinds]),
    or(
      and(eq(jobs.status, 'queued'), lte(jobs.runAfter, isoOf(now))),
      and(eq(jobs.status, 'running'), lte(jobs.leaseUntil, isoOf(now))),
    ),
  )

async function dueJobs(read: Reader, options: ClaimOptions): Promise<DueJobs[]> {
  const rows = await read
    .select({ tenantId: jobs.tenantId, kind: jobs.kind, since: min(jobs.runAfter) })
    .from(jobs)
    .where(isDue(options))
    .groupBy(jobs.tenantId, jobs.kind)
  // An idle worker asks no more than that.
  if (rows.length === 0) return []
  const running = await read
    .select({ tenantId: jobs.tenantId, kind: jobs.kind, n: count() })
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), gt(jobs.leaseUntil, isoOf(options.now))))
    .groupBy(jobs.tenantId, jobs.kind)
  const sum = (fits: (row: { tenantId: string; kind: string }) => boolean): number =>
    running.filter(fits).reduce((total, { n }) => total + n, 0)
  return rows.map(({ tenantId, kind, since }) => ({
    tenantId,
    kind,
    since: since ?? '',
    running: sum((it) => it.tenantId === tenantId),
    runningOfKind: sum((it) => it.tenantId === tenantId && it.kind === kind),
  }))
}

/** Claims the next job in a fair order between tenants and kinds; undefined when none is due. Any number of workers may call it at once. */
export async function claimJob(db: Database, options: ClaimOptions): Promise<ClaimedJob | undefined> {
  const { order = fairly } = options
  for (const due of order(await dueJobs(db.read, options)))
    for (;;) {
      const taken = await claimOf(db, options, due)
      // Another worker was faster: the next tenant's may still be there.
      if (taken === undefined) break
      if (taken.leaseOwner !== null) return { ...taken, leaseOwner: taken.leaseOwner }
    }
  return undefined
}

function claimOf(db: Database, options: ClaimOptions, { tenantId, kind }: DueJobs): Promise<Job | undefined> {
  const { now, leaseMs, workerId } = options
  return db.inTransaction(async (tx) => {
    const [job] = await tx
      .select()
      .from(jobs)
      .where(and(isDue(options), eq(jobs.tenantId, tenantId), eq(jobs.kind, kind)))
      .orderBy(asc(jobs.runAfter), asc(jobs.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!job) return undefined
    const isInterrupted = job.status === 'running'
    const interruptions = (job.interruptions ?? 0) + (isInterrupted ? 1 : 0)
    const taken = {
      status: 'running' as const,
      // What a crash interrupted is the same attempt.
      attempts: isInterrupted ? job.attempts : job.attempts + 1,
      interruptions,
      leaseOwner: `${workerId} ${newId()}`,
      leaseUntil: isoOf(now + leaseMs),
      startedAt: job.startedAt ?? isoOf(now),
    }
    const change = isInterrupted ? (afterInterruption(job, interruptions, now) ?? taken) : taken
    const [row] = await tx.update(jobs).set(change).where(eq(jobs.id, job.id)).returning()
    if (row?.status === 'failed') await options.onGivenUp?.(tx, row)
    return row
  })
}

/** What becomes of a job whose process ended, where it is not done again at once. */
function afterInterruption({ attempts }: Job, interruptions: number, now: number) {
  if (interruptions > mostInterruptions)
    return { ...ending(now), status: 'failed' as const, interruptions, error: abandoned(interruptions) }
  if (interruptions < 2) return null
  const runAfter = isoOf(now + backoffMs(interruptions - 1))
  const isFree = { leaseOwner: null, leaseUntil: null }
  return { ...isFree, status: 'queued' as const, attempts: attempts - 1, interruptions, runAfter }
}

const abandoned = (interruptions: number): JobError => ({
  code: 'internal',
  message: `The job failed: the service stopped while running it, ${interruptions} times. Nothing of it was stored; check the document before you try again.`,
})

const ending = (now: number) => ({ leaseOwner: null, leaseUntil: null, finishedAt: isoOf(now) })

const isHeld = (job: ClaimedJob): SQL | undefined => and(eq(jobs.id, job.id), eq(jobs.leaseOwner, job.leaseOwner))

/** Prolongs the lease. False when it is lost: the work must stop. */
export async function heartbeat(db: Database, job: ClaimedJob, leaseMs: number, now: number): Promise<boolean> {
  const kept = await db.inTransaction((tx) =>
    tx
      .update(jobs)
      .set({ leaseUntil: isoOf(now + leaseMs) })
      .where(isHeld(job))
      .returning({ id: jobs.id }),
  )
  return kept.length > 0
}

/** Whether the job is still this worker's; it is not once someone cancelled it. */
export async function isStillHeld(reader: Reader, job: ClaimedJob): Promise<boolean> {
  const held = await reader.select({ id: jobs.id }).from(jobs).where(isHeld(job)).limit(1)
  return held.length > 0
}

export interface JobProgress {
  readonly phase: string
  readonly done: number
  readonly total: number
  /** Where the job continues after an interruption; where it is left out it stays as it was. */
  readonly checkpoint?: unknown
}

/** Tells readers of the job how far it is. False when the lease is lost. */
export async function reportProgress(db: Database, job: ClaimedJob, progress: JobProgress): Promise<boolean> {
  const written = await db.inTransaction((tx) =>
    tx
      .update(jobs)
      .set({ phase: progress.phase, progressDone: progress.done, progressTotal: progress.total })
      .where(isHeld(job))
      .returning({ id: jobs.id }),
  )
  return written.length > 0
}

async function changeHeld(tx: Transaction, job: ClaimedJob, change: PgUpdateSetSource<typeof jobs>): Promise<Job> {
  const [changed] = await tx.update(jobs).set(change).where(isHeld(job)).returning()
  if (changed === undefined) throw new LeaseLostError(job.id)
  return changed
}

/**
 * Shows how far a job is, in a transaction that writes a part of what it makes.
 * @throws LeaseLostError which undoes that transaction
 */
export async function advanceJob(tx: Transaction, job: ClaimedJob, it: JobProgress): Promise<void> {
  const kept = it.checkpoint === undefined ? {} : { checkpoint: it.checkpoint }
  await changeHeld(tx, job, { phase: it.phase, progressDone: it.done, progressTotal: it.total, ...kept })
}

/**
 * Finishes a job in the transaction that writes what it made, so that both are there or neither.
 * @returns the row as it is then
 * @throws LeaseLostError which undoes that transaction
 */
export async function completeJob(tx: Transaction, job: ClaimedJob, outcome: JobOutcome, now: number): Promise<Job> {
  const { status, result = null, error = null } = outcome
  // A job that did what it was asked has done all of it, also where it needed fewer phases than it has.
  const whole = error === null && status !== 'failed' ? { progressDone: jobs.progressTotal } : {}
  return changeHeld(tx, job, { ...ending(now), ...whole, status, result, error })
}

/**
 * Ends an attempt that failed. Where `retry` holds and attempts are left the job is queued again after a growing pause.
 * @returns the row as it is then
 * @throws LeaseLostError
 */
export async function failJob(
  tx: Transaction,
  job: ClaimedJob,
  failure: { readonly error: JobError; readonly retry: boolean; readonly now: number; readonly maxAttempts?: number },
): Promise<Job> {
  const { error, retry, now, maxAttempts = defaultMaxAttempts } = failure
  const again = retry && job.attempts < maxAttempts
  return changeHeld(tx, job, {
    ...ending(now),
    error,
    ...(again
      ? { status: 'queued', runAfter: isoOf(now + backoffMs(job.attempts)), finishedAt: null }
      : { status: 'failed' }),
  })
}

/** Gives a job back untouched, so that another worker may take it at once: for a worker that shuts down. */
export async function releaseJob(tx: Transaction, job: ClaimedJob, now: number): Promise<void> {
  await changeHeld(tx, job, {
    status: 'queued',
    attempts: job.attempts - 1,
    runAfter: isoOf(now),
    leaseOwner: null,
    leaseUntil: null,
  })
}

/** Cancels a job that has not finished; its worker loses the lease. False when it had finished already. */
export async function cancelJob(tx: Transaction, id: string, now: number): Promise<boolean> {
  const cancelled = await tx
    .update(jobs)
    .set({ ...ending(now), status: 'cancelled' })
    .where(and(eq(jobs.id, id), inArray(jobs.status, ['queued', 'running']), isNull(jobs.finishedAt)))
    .returning({ id: jobs.id })
  return cancelled.length > 0
}

/** Removes jobs that finished before the instant. */
export const removeFinishedJobs = (db: Database, before: number): Promise<number> =>
  // Each takes its items with it, and what was uploaded.
  removeWhere(db, jobs, lt(jobs.finishedAt, isoOf(before)), 20)
