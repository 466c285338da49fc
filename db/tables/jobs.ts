import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

export const jobStatuses = [
  'queued',
  'running',
  'completed',
  'completed_with_warnings',
  'blocked',
  'failed',
  'cancelled',
] as const
export type JobStatus = (typeof jobStatuses)[number]

/** Why a job failed: what an error of the service says, and what was in its way. */
export interface JobError {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly [context: string]: unknown
}

/** Slow work: a row is claimed with a lease by one worker at a time, and claimed again when the lease ran out. */
export const jobs = pgTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    status: text('status', { enum: jobStatuses }).notNull(),
    phase: text('phase'),
    progressDone: integer('progress_done').notNull(),
    progressTotal: integer('progress_total').notNull(),
    payload: json<unknown>()('payload').notNull(),
    result: json<unknown>()('result'),
    error: json<JobError>()('error'),
    /** How often it was done, without the times that ended with their process. */
    attempts: integer('attempts').notNull(),
    /** How often the process that did it ended; null: never. */
    interruptions: integer('interruptions'),
    /** Where it continues after an interruption, as the kind of job writes it; null: at its beginning. */
    checkpoint: json<unknown>()('checkpoint'),
    /** Not before this instant. */
    runAfter: timestamp('run_after').notNull(),
    leaseOwner: text('lease_owner'),
    leaseUntil: timestamp('lease_until'),
    idempotencyKey: text('idempotency_key'),
    requestDigest: text('request_digest'),
    /** The trace that asked for it (W3C Trace Context); null: none, or traces are off. */
    traceparent: text('traceparent'),
    createdAt: timestamp('created_at').notNull(),
    startedAt: timestamp('started_at'),
    finishedAt: timestamp('finished_at'),
  },
  (t) => [
    index('jobs_due_idx').on(t.status, t.runAfter),
    index('jobs_tenant_idx').on(t.tenantId, t.createdAt, t.id),
    uniqueIndex('jobs_idempotency_key')
      .on(t.tenantId, t.kind, t.idempotencyKey)
      .where(sql`${t.idempotencyKey} is not null`),
  ],
)
