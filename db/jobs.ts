/**
 * Slow work as rows. A worker claims a job with a lease and keeps it by heartbeats; when it dies the lease runs out and
 * another worker claims the job again. Each claim has its own owner, so whoever lost a lease can write nothing more.
 */
import { and, asc, eq, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { SvcError } from '../src/errors.ts'
import { isoOf } from './clock.ts'
import type { Database, Reader, Transaction } from './database.ts'
import { newId } from './id.ts'
import { type JobError, jobs } from './tables/jobs.ts'

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
// What took a worker with it may take the next: it gets one more chance, for whoever stopped a worker by force.
const mostWorkers = 2

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
export async function enqueueJob(tx: Transaction, it: NewJob): Promise<{ job: Job; isNew: boolean }> {
  if (it.idempotency) {
    const earlier = await findByIdempotencyKey(tx, it, it.idempotency)
    if (earlier) return { job: earlier, isNew: false }
  }
  const job: Job = {
    id: newId(),
    tenantId: it.tenantId,
    kind: it.kind,
    status: 'queued',
    phase: null,
    progressDone: 0,
    progressTotal: 0,
    payload: it.payload,
    result: null,
    error: null,
    attempts: 0,
    runAfter: isoOf(it.runAfter ?? it.now),
    leaseOwner: null,
    leaseUntil: null,
    idempotencyKey: it.idempotency?.key ?? null,
    requestDigest: it.idempotency?.digest ?? null,
    createdAt: isoOf(it.now),
    startedAt: null,
    finishedAt: null,
  }
  await tx.insert(jobs).values(job)
  return { job, isNew: true }
}

async function findByIdempotencyKey(tx: Transaction, it: NewJob, { key, digest }: { key: string; digest: string }) {
  await tx.lock(`job-idempotency ${it.tenantId} ${it.kind} ${key}`)
  const same = and(eq(jobs.tenantId, it.tenantId), eq(jobs.kind, it.kind), eq(jobs.idempotencyKey, key))
  const [earlier] = await tx.select().from(jobs).where(same)
  if (!earlier) return undefined
  if (earlier.createdAt < isoOf(it.now - idempotencyMs)) {
    await tx.update(jobs).set({ idempotencyKey: null, requestDigest: null }).where(eq(jobs.id, earlier.id))
    return undefined
  }
  if (earlier.requestDigest !== digest) throw new SvcError('idempotency-key-reused', { key })
  return earlier
}

/** A job by its id, whatever its tenant: the caller checks that. */
export async function findJob(reader: Reader, id: string): Promise<Job | undefined> {
  const [job] = await reader.select().from(jobs).where(eq(jobs.id, id))
  return job
}

export interface ClaimOptions {
  readonly kinds: readonly string[]
  readonly workerId: string
  readonly leaseMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

const isDue = ({ kinds, now }: ClaimOptions): SQL | undefined =>
  and(
    inArray(jobs.kind, [...kinds]),
    or(
      and(eq(jobs.status, 'queued'), lte(jobs.runAfter, isoOf(now))),
      and(eq(jobs.status, 'running'), lte(jobs.leaseUntil, isoOf(now))),
    ),
  )

/** Claims the job that is due longest; undefined when none is. Any number of workers may call it at once. */
export async function claimJob(db: Database, options: ClaimOptions): Promise<ClaimedJob | undefined> {
  const { now, leaseMs, workerId } = options
  for (;;) {
    // A plain read first: an idle worker takes no lock.
    const due = await db.read.select({ id: jobs.id }).from(jobs).where(isDue(options)).limit(1)
    if (due.length === 0) return undefined
    const claim = await db.inTransaction(async (tx) => {
      const [job] = await tx
        .select()
        .from(jobs)
        .where(isDue(options))
        .orderBy(asc(jobs.runAfter), asc(jobs.id))
        .limit(1)
        .for('update', { skipLocked: true })
      if (!job) return undefined
      const isAbandoned = job.status === 'running' && job.attempts >= mostWorkers
      const change = isAbandoned
        ? { ...ending(now), status: 'failed' as const, error: abandoned(job) }
        : {
            status: 'running' as const,
            attempts: job.attempts + 1,
            leaseOwner: `${workerId} ${newId()}`,
            leaseUntil: isoOf(now + leaseMs),
            startedAt: job.startedAt ?? isoOf(now),
          }
      const [row] = await tx.update(jobs).set(change).where(eq(jobs.id, job.id)).returning()
      return row
    })
    if (!claim) return undefined
    if (claim.leaseOwner !== null) return { ...claim, leaseOwner: claim.leaseOwner }
  }
}

const abandoned = ({ attempts }: Job): JobError => ({
  code: 'internal',
  message: `The job failed: the service stopped while running it, in ${attempts} attempts. Nothing of it was stored; check the document before you try again.`,
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

/** Whether the job is still this worker's; it is not once somebody cancelled it. */
export async function isStillHeld(reader: Reader, job: ClaimedJob): Promise<boolean> {
  const held = await reader.select({ id: jobs.id }).from(jobs).where(isHeld(job)).limit(1)
  return held.length > 0
}

export interface JobProgress {
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** Tells readers of the job how far it is. False when the lease is lost. */
export async function reportProgress(db: Database, job: ClaimedJob, it: JobProgress): Promise<boolean> {
  const written = await db.inTransaction((tx) =>
    tx
      .update(jobs)
      .set({ phase: it.phase, progressDone: it.done, progressTotal: it.total })
      .where(isHeld(job))
      .returning({ id: jobs.id }),
  )
  return written.length > 0
}

async function changeHeld(tx: Transaction, job: ClaimedJob, change: PgUpdateSetSource<typeof jobs>): Promise<void> {
  const changed = await tx.update(jobs).set(change).where(isHeld(job)).returning({ id: jobs.id })
  if (changed.length === 0) throw new LeaseLostError(job.id)
}

/**
 * Shows how far a job is, in a transaction that writes a part of what it makes.
 * @throws LeaseLostError which undoes that transaction
 */
export async function advanceJob(tx: Transaction, job: ClaimedJob, it: JobProgress): Promise<void> {
  await changeHeld(tx, job, { phase: it.phase, progressDone: it.done, progressTotal: it.total })
}

/**
 * Finishes a job in the transaction that writes what it made, so that both are there or neither.
 * @throws LeaseLostError which undoes that transaction
 */
export async function completeJob(tx: Transaction, job: ClaimedJob, outcome: JobOutcome, now: number): Promise<void> {
  const { status, result = null, error = null } = outcome
  // A job that did what it was asked has done all of it, also where it needed fewer phases than it has.
  const whole = error === null && status !== 'failed' ? { progressDone: jobs.progressTotal } : {}
  await changeHeld(tx, job, { ...ending(now), ...whole, status, result, error })
}

/**
 * Ends an attempt that failed. Where `retry` holds and attempts are left the job is queued again after a growing pause.
 * @throws LeaseLostError
 */
export async function failJob(
  tx: Transaction,
  job: ClaimedJob,
  failure: { readonly error: JobError; readonly retry: boolean; readonly now: number; readonly maxAttempts?: number },
): Promise<void> {
  const { error, retry, now, maxAttempts = defaultMaxAttempts } = failure
  const again = retry && job.attempts < maxAttempts
  await changeHeld(tx, job, {
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
export async function removeFinishedJobs(tx: Transaction, before: number): Promise<number> {
  const removed = await tx
    .delete(jobs)
    .where(lt(jobs.finishedAt, isoOf(before)))
    .returning({ id: jobs.id })
  return removed.length
}
