import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { enqueueJob, findJob, type ClaimedJob, type Job, type NewJob } from '../../db/jobs.ts'
import { jobs } from '../../db/tables.gen.ts'
import type { JobHandler, JobWork, Persist } from './worker.ts'

/** A row of the queue whose payload and result have the types of its kind. */
export type JobOf<Payload, Result, Row extends Job = Job> = Omit<Row, 'payload' | 'result'> & {
  readonly payload: Payload
  /** Null until it has ended, and where it failed before it had one. */
  readonly result: Result | null
}

/** A kind of job: everything that queues, reads and runs its rows goes through here, so that their types hold. */
export interface JobKind<Payload, Result> {
  /**
   * Queues a job as a part of the transaction; `isNew` is false when the idempotency key found an earlier one.
   * @throws SvcError `idempotency-key-reused`
   */
  enqueue(
    tx: Transaction,
    it: Omit<NewJob, 'kind' | 'payload'> & { readonly payload: Payload },
  ): Promise<{ readonly job: JobOf<Payload, Result>; readonly isNew: boolean }>
  /** The job of an id; undefined where there is none, or one of another kind. */
  find(reader: Reader, id: string): Promise<JobOf<Payload, Result> | undefined>
  /** The jobs of all tenants that have not ended. */
  unfinished(reader: Reader): Promise<readonly JobOf<Payload, Result>[]>
  /** The handler of a worker: `run` does the slow part and answers the writing part. */
  handle(
    run: (work: JobWork<JobOf<Payload, Result, ClaimedJob>>) => Promise<Persist<Result>>,
    /** Writes what follows from the end of a job, in the transaction that ends it. */
    ended?: (tx: Transaction, job: JobOf<Payload, Result>) => Promise<void>,
  ): JobHandler
}

/**
 * Declares a kind of job.
 * @param kind how its rows name it: it must not change while rows of it are kept
 */
export function defineJob<Payload, Result>(kind: string): JobKind<Payload, Result> {
  // The only place that says what the columns hold: all rows of the kind were written by `enqueue` and `handle`.
  const typed = (row: Job) => row as JobOf<Payload, Result>
  return {
    async enqueue(tx, it) {
      const { job, isNew } = await enqueueJob(tx, { ...it, kind })
      return { job: typed(job), isNew }
    },
    async find(reader, id) {
      const job = await findJob(reader, id)
      return job?.kind === kind ? typed(job) : undefined
    },
    async unfinished(reader) {
      const open = and(eq(jobs.kind, kind), inArray(jobs.status, ['queued', 'running']))
      return (await reader.select().from(jobs).where(open)).map(typed)
    },
    handle: (run, ended) => ({
      kind,
      run: run as JobHandler['run'],
      ...(ended === undefined ? {} : { ended: (tx, job) => ended(tx, typed(job)) }),
    }),
  }
}
