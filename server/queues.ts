import type { Deps } from './kit/deps.ts'
import { embedHandler, queueBacklog } from './embeddings/index-versions.ts'
import { embedTypesHandler, queueTypesBacklog } from './embeddings/index-types.ts'
import { startOutbox } from './outbox/worker.ts'
import { importHandler } from './imports/run.ts'
import { fileImports } from './repository-sync/file-imports.ts'
import type { Reach } from './sources/reach.ts'
import type { Network } from './egress/address.ts'
import { defaultSchedule } from './webhooks/state.ts'
import { startDeliveries } from './webhooks/worker.ts'
import { startSchedule } from './schedule/worker.ts'
import { queueReindex, reindexHandler } from './specs/reindex.ts'
import { assessmentsHandler } from './home/drafts.ts'
import { impactHandler } from './primitives/ask-impact.ts'
import { dueKinds, outboxReaders } from './registries.ts'
import { relintHandler } from './style-guides/relint.ts'
import { type EndedJob, startWorker } from './jobs/worker.ts'
import type { Worker } from './loop/door.ts'

export interface QueueOptions {
  readonly deps: Deps
  readonly reach: Reach
  /** Whether this process embeds what is published, and reads events. True when omitted. */
  readonly follows?: boolean
  /** Networks beside the public internet that may be reached. */
  readonly egressAllow: readonly Network[]
  /** The pause before each attempt of a webhook delivery, in milliseconds; the usual one when omitted. */
  readonly webhookSchedule?: readonly number[]
  /** How long running jobs may continue when it stops, before they are given back. */
  readonly jobDrainMs?: number
  readonly onFault: (fault: unknown, where: string) => void
  /** Called with every job that ended in this process. */
  readonly onJobEnded?: (ended: EndedJob) => void
}

/**
 * Starts the queues of a process: one for imports, relints and what is evaluated of drafts, the schedule, the readers of events, the deliveries of webhooks, one for versions that are to be indexed again, one for embeddings where there is a
 * provider. They take no further work once the signal aborts.
 */
export function startQueues({ deps, reach, ...options }: QueueOptions, signal: AbortSignal): readonly Worker[] {
  const { db, clock, embedder } = deps
  const shared = {
    db,
    signal,
    clock,
    ...(options.onJobEnded === undefined ? {} : { onEnded: options.onJobEnded }),
    ...(options.jobDrainMs === undefined ? {} : { drainMs: options.jobDrainMs }),
    onFault: (fault: unknown, job: { readonly id: string } | undefined) => options.onFault(fault, job?.id ?? 'worker'),
  }
  const handlers = [
    importHandler(deps, reach, fileImports(deps)),
    relintHandler(deps),
    impactHandler(deps),
    assessmentsHandler(deps),
  ]
  const { onFault } = options
  const started = [
    startWorker({ ...shared, handlers }),
    startSchedule({ deps, kinds: Object.values(dueKinds), onFault }, signal),
  ]
  if (options.follows === false) return started
  const { egressAllow: allow, webhookSchedule: schedule = defaultSchedule } = options
  started.push(
    startOutbox({ deps, readers: Object.values(outboxReaders), onFault }, signal),
    startDeliveries({ deps, allow, schedule, onFault }, signal),
  )
  // A queue of its own for what only makes more findable: it must not keep imports waiting.
  started.push(startWorker({ ...shared, handlers: [reindexHandler(deps)], concurrency: 1 }))
  queueReindex(db, clock.now())
    .then((queued) => queued > 0 && deps.wake())
    .catch((fault: unknown) => options.onFault(fault, 'worker'))
  if (embedder) {
    // A queue of its own: a backlog of embeddings must not keep imports waiting.
    started.push(
      startWorker({
        ...shared,
        handlers: [embedHandler(deps, embedder), embedTypesHandler(deps, embedder)],
        concurrency: 1,
      }),
    )
    Promise.all([queueBacklog(db, embedder.model, clock.now()), queueTypesBacklog(db, embedder.model, clock.now())])
      .then((queued) => queued.some((n) => n > 0) && deps.wake())
      .catch((fault: unknown) => options.onFault(fault, 'worker'))
  }
  return started
}
