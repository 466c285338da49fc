/** Runs jobs from the queue until it is stopped. Any number of workers, in any number of processes, share a queue. */
import {
  advanceJob,
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
import { Doorbell } from './doorbell.ts'
import { Turns } from './turns.ts'
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
}

export interface Worker {
  /** Makes it look at the queue now: call it after a job was queued (`tx.afterCommit(worker.wake)`). */
  readonly wake: () => void
  /** Gives running jobs back now instead of letting them finish; they start again elsewhere, or here the next time. */
  readonly giveBack: () => void
  /** Resolves when the worker has ended after its signal. */
  readonly done: Promise<void>
}

type Settings = Required<Omit<WorkerOptions, 'signal'>> & {
  readonly workerId: string
  readonly turns: Turns
  /** Aborted when it takes no further job. */
  readonly ending: AbortSignal
  /** Aborted when draining took too long. */
  readonly cutOff: AbortSignal
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
function keepLease(it: Settings, job: ClaimedJob, lose: () => void): { stop: () => void } {
  const beat = async () => {
    try {
      if (!(await heartbeat(it.db, job, it.leaseMs, it.clock.now()))) lose()
    } catch (error) {
      // The database may be back before the lease runs out.
      it.onFault(error, job)
    }
  }
  // A cancelled job ends soon, wherever it was cancelled: asking costs less than prolonging.
  const watch = async () => {
    try {
      if (!(await isStillHeld(it.db.read, job))) lose()
    } catch (error) {
      it.onFault(error, job)
    }
  }
  const timers = [setInterval(() => void beat(), it.leaseMs / 3), setInterval(() => void watch(), watchEveryMs)]
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

async function runJob(it: Settings, job: ClaimedJob): Promise<void> {
  const lost = new AbortController()
  const lease = keepLease(it, job, () => lost.abort(new LeaseLostError(job.id)))
  const signal = AbortSignal.any([lost.signal, it.cutOff])
  const work: JobWork = {
    job,
    signal,
    async progress(progress) {
      await yieldToEventLoop()
      signal.throwIfAborted()
      if (!(await reportProgress(it.db, job, progress))) throw new LeaseLostError(job.id)
    },
    async commit(progress, write) {
      await yieldToEventLoop()
      signal.throwIfAborted()
      return it.db.inTransaction(async (tx) => {
        await advanceJob(tx, job, progress)
        return write(tx)
      })
    },
  }
  try {
    const handler = it.handlers.find(({ kind }) => kind === job.kind)
    if (!handler) throw new Error(`No handler for jobs of the kind ${job.kind}.`)
    const persist = await orAborted(handler.run(work), signal)
    await it.db.inTransaction(async (tx) =>
      follow(it, tx, await completeJob(tx, job, await persist(tx), it.clock.now())),
    )
  } catch (error) {
    await endAttempt(it, job, error)
  } finally {
    lease.stop()
  }
}

/** Lets the handler write what follows, where the job has ended. */
async function follow({ handlers }: Settings, tx: Transaction, job: Job): Promise<void> {
  if (job.finishedAt !== null) await handlers.find(({ kind }) => kind === job.kind)?.ended?.(tx, job)
}

async function endAttempt(it: Settings, job: ClaimedJob, error: unknown): Promise<void> {
  if (error instanceof LeaseLostError) return
  try {
    const failure = describeFailure(error, job)
    // What a worker that ends could not finish is not a failure of the job.
    if (it.cutOff.aborted || (it.ending.aborted && failure.retry)) {
      await it.db.inTransaction((tx) => releaseJob(tx, job, it.clock.now()))
      return
    }
    if (failure.isFault) it.onFault(error, job)
    await it.db.inTransaction(async (tx) => follow(it, tx, await failJob(tx, job, { ...failure, now: it.clock.now() })))
  } catch (second) {
    // Without a database the lease runs out by itself and the job is claimed again.
    if (!(second instanceof LeaseLostError)) it.onFault(second, job)
  }
}

async function claimSafely(it: Settings): Promise<ClaimedJob | undefined> {
  try {
    const { db, handlers, workerId, leaseMs } = it
    const kinds = handlers.map(({ kind }) => kind)
    const onGivenUp = (tx: Transaction, job: Job) => follow(it, tx, job)
    return await claimJob(db, { kinds, workerId, leaseMs, now: it.clock.now(), order: it.turns.order, onGivenUp })
  } catch (error) {
    it.onFault(error, undefined)
    return undefined
  }
}

async function claimNext(it: Settings): Promise<{ readonly job: ClaimedJob; readonly end: () => void } | undefined> {
  const job = it.ending.aborted ? undefined : await claimSafely(it)
  return job === undefined ? undefined : { job, end: it.turns.begin(job.tenantId) }
}

/** Starts working at the queue. It never throws: failures end in the job's row, faults also in `onFault`. */
export function startWorker(options: WorkerOptions): Worker {
  const { signal, concurrency = 4 } = options
  const cutOff = new AbortController()
  const bells: Doorbell[] = []
  const it: Settings = {
    pollMs: 1000,
    leaseMs: 60_000,
    drainMs: 10_000,
    concurrency,
    onFault: () => {},
    ...options,
    workerId: newId(),
    turns: new Turns(concurrency),
    ending: signal,
    cutOff: cutOff.signal,
  }
  const wake = () => bells.forEach((bell) => bell.ring())
  // One loop after the other, so that each knows what the others just took.
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = (settings: Settings) => {
    const mine = before.then(() => claimNext(settings))
    before = mine
    return mine
  }
  const loop = async (bell: Doorbell) => {
    while (!signal.aborted) {
      const claim = await inTurn(it)
      if (claim) {
        await runJob(it, claim.job).finally(claim.end)
        // What had to wait for this tenant may begin.
        wake()
        await yieldToEventLoop()
      } else if (!signal.aborted) await bell.wait(it.pollMs)
    }
  }
  const loops = Array.from({ length: it.concurrency }, () => {
    const bell = new Doorbell()
    bells.push(bell)
    return loop(bell)
  })
  const drain = async () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      wake()
      timer = setTimeout(() => cutOff.abort(new Error('The worker stops.')), it.drainMs)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    await Promise.all(loops)
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
  const giveBack = () => cutOff.abort(new Error('The worker stops.'))
  return { wake, giveBack, done: drain() }
}
