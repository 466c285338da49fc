/** Runs jobs from the queue until it is stopped. Any number of workers, in any number of processes, share a queue. */
import {
  advanceJob,
  byLoad,
  type ClaimedJob,
  claimJob,
  completeJob,
  failJob,
  type Job,
  heartbeat,
  isStillHeld,
  type JobOutcome,
  type JobProgress,
  LeaseLostError,
  releaseJob,
  reportProgress,
} from '../../db/jobs.ts'
import type { Clock } from '../../db/clock.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { JobError } from '../../db/tables/jobs.ts'
import { yieldToEventLoop } from '../../db/yield.ts'
import { runLoop, Share, type Worker } from '../loop/door.ts'
import { SvcError } from '../../src/errors.ts'

/** What a handler gets to do its work with. */
export interface JobWork<Row = ClaimedJob> {
  readonly job: Row
  /** Aborted when the job is cancelled, its lease is lost, or the worker must stop now. */
  readonly signal: AbortSignal
  /** Shows how far the work is. @throws LeaseLostError when it is someone else's by now */
  progress(it: JobProgress): Promise<void>
  /** Writes a part of the work for good, before the job ends. @throws LeaseLostError when it is someone else's by now */
  commit<T>(it: JobProgress, write: (tx: Transaction) => Promise<T>): Promise<T>
}

/** Writes all that the job made and says how it ended, in the transaction that also finishes the job. */
export type Persist<Result = unknown> = (tx: Transaction) => Promise<JobOutcome<Result>>

/** Runs the jobs of one kind; `defineJob(…).handle` makes it. */
export interface JobHandler {
  readonly kind: string
  /**
   * Does the slow part and answers the writing part. It may run again after a crash, so all that it writes belongs into
   * the answer. A thrown `SvcError` below 500 fails the job; anything else is tried again.
   */
  readonly run: (work: JobWork) => Promise<Persist>
  /** Writes what follows from the end of a job, however it ended, in the transaction that ends it; not of one that was cancelled. */
  readonly ended?: (tx: Transaction, job: Job) => Promise<void>
}

export interface WorkerOptions {
  readonly db: Database
  readonly handlers: readonly JobHandler[]
  /** Ends the worker: it takes no further job, lets running ones finish for `drainMs`, then gives them back. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Pause between looks at an empty queue; `wake` ends it early. */
  readonly pollMs?: number
  readonly leaseMs?: number
  readonly drainMs?: number
  /** Jobs run at the same time, of which one tenant has half at most: 4 when omitted. */
  readonly concurrency?: number
  /** Called with every failure that is a bug of the program. */
  readonly onFault?: (error: unknown, job: ClaimedJob | undefined) => void
  /** Called with every job that ended here, once that is written. */
  readonly onEnded?: (ended: EndedJob) => void
}

/** A job that ended, and how long it took since it was begun for the first time. */
export interface EndedJob {
  readonly kind: string
  readonly outcome: Job['status']
  readonly seconds: number
}

const endedOf = ({ kind, status, startedAt, finishedAt }: Job): EndedJob => ({
  kind,
  outcome: status,
  seconds: startedAt === null || finishedAt === null ? 0 : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000,
})

type Settings = Required<Pick<WorkerOptions, 'db' | 'clock' | 'handlers' | 'leaseMs' | 'onFault' | 'onEnded'>> & {
  readonly workerId: string
  readonly share: Share
  /** Aborted when it takes no further job. */
  readonly ending: AbortSignal
}

function describeFailure(error: unknown, job: ClaimedJob): { error: JobError; retry: boolean; isFault: boolean } {
  if (error instanceof SvcError)
    return {
      error: { ...error.detail, code: error.code, message: error.message },
      retry: error.status >= 500,
      isFault: error.code === 'internal',
    }
  const internal = new SvcError('internal', { request_id: job.id })
  return {
    error: { ...internal.detail, code: internal.code, message: internal.message },
    retry: true,
    isFault: true,
  }
}

const watchEveryMs = 1000

/** Keeps the lease of a running job; `stop` ends it. */
function keepLease(settings: Settings, job: ClaimedJob, lose: () => void): { stop: () => void } {
  const beat = async () => {
    try {
      if (!(await heartbeat(settings.db, job, settings.leaseMs, settings.clock.now()))) lose()
    } catch (error) {
      // The database may be back before the lease runs out.
      settings.onFault(error, job)
    }
  }
  // A cancelled job ends soon, wherever it was cancelled: asking costs less than prolonging.
  const watch = async () => {
    try {
      if (!(await isStillHeld(settings.db.read, job))) lose()
    } catch (error) {
      settings.onFault(error, job)
    }
  }
  const timers = [setInterval(() => void beat(), settings.leaseMs / 3), setInterval(() => void watch(), watchEveryMs)]
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) }
}

/** What is worked at, or the reason why no one waits for it any more: what then still continues can write nothing. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function runJob(settings: Settings, job: ClaimedJob, cutOff: AbortSignal): Promise<void> {
  const lost = new AbortController()
  const lease = keepLease(settings, job, () => lost.abort(new LeaseLostError(job.id)))
  const signal = AbortSignal.any([lost.signal, cutOff])
  const work: JobWork = {
    job,
    signal,
    async progress(progress) {
      await yieldToEventLoop()
      signal.throwIfAborted()
      if (!(await reportProgress(settings.db, job, progress))) throw new LeaseLostError(job.id)
    },
    async commit(progress, write) {
      await yieldToEventLoop()
      signal.throwIfAborted()
      return settings.db.inTransaction(async (tx) => {
        await advanceJob(tx, job, progress)
        return write(tx)
      })
    },
  }
  try {
    const handler = settings.handlers.find(({ kind }) => kind === job.kind)
    if (!handler) throw new Error(`No handler for jobs of the kind ${job.kind}.`)
    const persist = await orAborted(handler.run(work), signal)
    await settings.db.inTransaction(async (tx) =>
      follow(settings, tx, await completeJob(tx, job, await persist(tx), settings.clock.now())),
    )
  } catch (error) {
    await endAttempt(settings, job, cutOff, error)
  } finally {
    lease.stop()
  }
}

/** Lets the handler write what follows, where the job has ended. */
async function follow({ handlers, onEnded }: Settings, tx: Transaction, job: Job): Promise<void> {
  if (job.finishedAt === null) return
  await handlers.find(({ kind }) => kind === job.kind)?.ended?.(tx, job)
  tx.afterCommit(() => onEnded(endedOf(job)))
}

async function endAttempt(settings: Settings, job: ClaimedJob, cutOff: AbortSignal, error: unknown): Promise<void> {
  if (error instanceof LeaseLostError) return
  try {
    const failure = describeFailure(error, job)
    // What a worker that ends could not finish is not a failure of the job.
    if (cutOff.aborted || (settings.ending.aborted && failure.retry)) {
      await settings.db.inTransaction((tx) => releaseJob(tx, job, settings.clock.now()))
      return
    }
    if (failure.isFault) settings.onFault(error, job)
    await settings.db.inTransaction(async (tx) =>
      follow(settings, tx, await failJob(tx, job, { ...failure, now: settings.clock.now() })),
    )
  } catch (second) {
    // Without a database the lease runs out by itself and the job is claimed again.
    if (!(second instanceof LeaseLostError)) settings.onFault(second, job)
  }
}

/** The next job, in a fair order between organizations and kinds; undefined where none is due. */
function claimNext(settings: Settings): Promise<ClaimedJob | undefined> {
  const { db, handlers, workerId, leaseMs, share } = settings
  return claimJob(db, {
    kinds: handlers.map(({ kind }) => kind),
    workerId,
    leaseMs,
    now: settings.clock.now(),
    order: (due) => share.order(due, byLoad),
    onGivenUp: (tx, job) => follow(settings, tx, job),
  })
}

/** Starts working at the queue. It never throws: failures end in the job's row, faults also in `onFault`. */
export function startWorker(options: WorkerOptions): Worker {
  const { signal, concurrency = 4, pollMs = 1000, drainMs = 10_000, leaseMs = 60_000 } = options
  const { onFault = () => {}, onEnded = () => {} } = options
  const share = new Share(concurrency)
  const { db, clock, handlers } = options
  const settings = { db, clock, handlers, leaseMs, onFault, onEnded, share, workerId: newId(), ending: signal }
  return runLoop(
    {
      share,
      pollMs,
      drainMs,
      onFault: (fault) => onFault(fault, undefined),
      claim: async (begin) => {
        const job = await claimNext(settings)
        if (job === undefined) return 0
        begin(job.tenantId, `job ${job.kind}`, (cutOff) => runJob(settings, job, cutOff), job.traceparent)
        return 1
      },
    },
    signal,
  )
}
