import { and, count, gt, inArray, isNotNull, lte, min, sql } from 'drizzle-orm'
import type { Database, Reader } from '../../db/database.ts'
import {
  dueWork,
  gatewayEnforcers,
  jobs,
  outboxTasks,
  repositories,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../db/tables.gen.ts'
import { silentMs } from '../../src/gateway/gateway-state.ts'
import type { Metrics } from './metrics.ts'

/** How many wait, and for how long the oldest does, in seconds. */
export interface Waiting {
  readonly count: number
  readonly oldest: number
}

/** What waits and what fails, as the database says it: every process of a service answers the same. */
interface Backlog {
  readonly jobsRunning: ReadonlyMap<string, number>
  readonly jobs: ReadonlyMap<string, Waiting>
  readonly dueWork: ReadonlyMap<string, Waiting>
  readonly outbox: ReadonlyMap<string, Waiting>
  readonly deliveries: ReadonlyMap<string, number>
  /** The age of the oldest delivery whose attempt is due. */
  readonly oldestDelivery: number
  readonly subscriptions: ReadonlyMap<string, number>
  readonly repositories: ReadonlyMap<string, number>
  readonly gateways: ReadonlyMap<string, number>
  readonly databaseBytes: number
}

const ageOf = (at: string | null, now: number): number => (at === null ? 0 : Math.max(0, (now - Date.parse(at)) / 1000))

const waitingOf = (
  rows: readonly { readonly name: string; readonly n: number; readonly at: string | null }[],
  now: number,
): ReadonlyMap<string, Waiting> => new Map(rows.map(({ name, n, at }) => [name, { count: n, oldest: ageOf(at, now) }]))

/** How many of all are of a kind; the others are the rest. */
const split = (names: readonly [string, string], part: number, all: number): ReadonlyMap<string, number> =>
  new Map([
    [names[0], part],
    [names[1], all - part],
  ])

async function jobsIn(read: Reader, now: number, at: string) {
  const { kind: name, runAfter } = jobs
  const queued = await read
    .select({ name, n: count(), at: min(runAfter) })
    .from(jobs)
    .where(and(inArray(jobs.status, ['queued']), lte(runAfter, at)))
    .groupBy(name)
  const running = await read
    .select({ name, n: count() })
    .from(jobs)
    .where(inArray(jobs.status, ['running']))
    .groupBy(name)
  return { jobs: waitingOf(queued, now), jobsRunning: new Map(running.map((it) => [it.name, it.n])) }
}

async function webhooksIn(read: Reader, now: number, at: string) {
  const { status, dueAt } = webhookDeliveries
  // Those that were delivered are many, and wait for nothing.
  const open = ['pending', 'delivering', 'retrying', 'dead_letter'] as const
  const rows = await read
    .select({ status, n: count() })
    .from(webhookDeliveries)
    .where(inArray(status, [...open]))
    .groupBy(status)
  const found = new Map<string, number>(rows.map((it) => [it.status, it.n]))
  const [due] = await read
    .select({ at: min(dueAt) })
    .from(webhookDeliveries)
    .where(and(inArray(status, ['pending', 'retrying']), isNotNull(dueAt), lte(dueAt, at)))
  const all = await read.$count(webhookSubscriptions)
  const active = await read.$count(webhookSubscriptions, sql`${webhookSubscriptions.active}`)
  return {
    deliveries: new Map(open.map((it) => [it, found.get(it) ?? 0])),
    oldestDelivery: ageOf(due?.at ?? null, now),
    subscriptions: split(['active', 'off'], active, all),
  }
}

async function gatewaysIn(read: Reader, now: number): Promise<ReadonlyMap<string, number>> {
  const { lastSeenAt, reportedState } = gatewayEnforcers
  const heard = gt(lastSeenAt, new Date(now - silentMs).toISOString())
  const all = await read.$count(gatewayEnforcers)
  const seen = await read.$count(gatewayEnforcers, isNotNull(lastSeenAt))
  const present = await read.$count(gatewayEnforcers, heard)
  const failed = await read.$count(gatewayEnforcers, and(heard, inArray(reportedState, ['failed'])))
  return new Map([
    ['connected', present - failed],
    ['failed', failed],
    ['silent', seen - present],
    ['never-seen', all - seen],
  ])
}

const sizes = {
  sqlite: sql<number | string>`(select page_count * page_size from pragma_page_count(), pragma_page_size())`,
  // A bigint comes as a text.
  postgres: sql<number | string>`pg_database_size(current_database())`,
}

/** @param now milliseconds since the epoch */
export async function readBacklog(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  now: number,
): Promise<Backlog> {
  const at = new Date(now).toISOString()
  const due = await read
    .select({ name: dueWork.kind, n: count(), at: min(dueWork.dueAt) })
    .from(dueWork)
    .where(lte(dueWork.dueAt, at))
    .groupBy(dueWork.kind)
  const tasks = await read
    .select({ name: outboxTasks.reader, n: count(), at: min(outboxTasks.dueAt) })
    .from(outboxTasks)
    .where(lte(outboxTasks.dueAt, at))
    .groupBy(outboxTasks.reader)
  const failing = await read.$count(repositories, gt(repositories.failures, 0))
  const [size] = await read.select({ bytes: sizes[dialect] }).from(sql`(select 1) as one`)
  return {
    ...(await jobsIn(read, now, at)),
    ...(await webhooksIn(read, now, at)),
    dueWork: waitingOf(due, now),
    outbox: waitingOf(tasks, now),
    repositories: split(['failing', 'healthy'], failing, await read.$count(repositories)),
    gateways: await gatewaysIn(read, now),
    databaseBytes: Number(size?.bytes ?? 0),
  }
}

/** So long what was read is shown: one look for all metrics of an answer. */
const freshMs = 2000

/** Metrics are read above all while something is wrong: a database that does not answer must not keep the others back. */
const patienceMs = 2000

function inTime<T>(work: Promise<T>, waitMs: number): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs, null)
    work.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer))
  })
}

/**
 * Shows the backlog in the metrics.
 * @param read null where there is none to show; where it fails or takes longer than `waitMs` nothing is shown
 */
export function showBacklog(metrics: Metrics, read: () => Promise<Backlog | null>, waitMs = patienceMs): void {
  let last: { readonly at: number; readonly backlog: Promise<Backlog | null> } | null = null
  const now = (): Promise<Backlog | null> => {
    if (last === null || performance.now() - last.at > freshMs)
      last = { at: performance.now(), backlog: inTime(read(), waitMs) }
    return last.backlog
  }
  const show = (
    name: string,
    help: string,
    label: string | null,
    of: (backlog: Backlog) => ReadonlyMap<string, number> | number,
  ): void =>
    metrics.gauge(name, help, label, async () => {
      const backlog = await now()
      const value = backlog === null ? new Map<string, number>() : of(backlog)
      return typeof value === 'number' ? new Map([['', value]]) : value
    })
  const counts = (all: ReadonlyMap<string, Waiting>) => new Map([...all].map(([name, it]) => [name, it.count]))
  const ages = (all: ReadonlyMap<string, Waiting>) => new Map([...all].map(([name, it]) => [name, it.oldest]))
  const queue = (
    name: string,
    what: string,
    label: string,
    of: (it: Backlog) => ReadonlyMap<string, Waiting>,
  ): void => {
    show(`svc_${name}_waiting`, `${what} that could begin now and wait.`, label, (it) => counts(of(it)))
    show(`svc_${name}_oldest_seconds`, `How long the oldest of them has waited.`, label, (it) => ages(of(it)))
  }
  show('svc_jobs_running', 'Background jobs under way.', 'kind', (it) => it.jobsRunning)
  queue('jobs', 'Background jobs', 'kind', (it) => it.jobs)
  queue('due_work', 'Pieces of due work', 'kind', (it) => it.dueWork)
  queue('outbox', 'Events of the outbox', 'reader', (it) => it.outbox)
  show('svc_webhook_deliveries', 'Webhook deliveries that are not done.', 'state', (it) => it.deliveries)
  show(
    'svc_webhook_oldest_seconds',
    'How long the oldest delivery whose next attempt is due has waited for it.',
    null,
    (it) => it.oldestDelivery,
  )
  show('svc_webhook_subscriptions', 'Webhook subscriptions.', 'state', (it) => it.subscriptions)
  show('svc_repositories', 'Registered repositories: failing where the last poll or scan failed.', 'state', (it) => {
    return it.repositories
  })
  show('svc_gateways', 'Gateways that follow a policy.', 'state', (it) => it.gateways)
  show('svc_database_size_bytes', 'Size of the database in bytes.', null, (it) => it.databaseBytes)
}
