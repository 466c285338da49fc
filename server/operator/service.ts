import { and, asc, count, desc, eq, gt, gte, inArray, like, max, ne, or, sql, sum } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { statementsRunning } from '../../db/statements.ts'
import { contents, jobs, memberships, projects, tenants, versions } from '../../db/tables.gen.ts'
import type { Output } from '../../src/api/endpoint.ts'
import type { OrganizationUse, operatorApi, ServiceOverview } from '../../src/api/operator.ts'
import type { Deps, Store } from '../kit/door.ts'
import { readBacklog, requestTimes, type Waiting } from '../operations/door.ts'

const dayMs = 24 * 60 * 60 * 1000
const maxFailures = 20
const maxSlow = 20
/** Failures are counted by kind and error, of the newest so many. */
const maxFailedJobs = 2000

type Queue = ServiceOverview['queues'][number]

const queueOf = (
  queue: Queue['queue'],
  waiting: ReadonlyMap<string, Waiting>,
  running: ReadonlyMap<string, number> = new Map(),
): Queue[] =>
  [...new Set([...waiting.keys(), ...running.keys()])].toSorted().map((kind) => ({
    queue,
    kind,
    waiting: waiting.get(kind)?.count ?? 0,
    running: running.get(kind) ?? 0,
    oldest_seconds: Math.round(waiting.get(kind)?.oldest ?? 0),
  }))

const statesOf = (what: ServiceOverview['states'][number]['what'], all: ReadonlyMap<string, number>) =>
  [...all].map(([state, n]) => ({ what, state, count: n }))

/** Jobs that failed since an instant by kind and error, the most frequent first. */
async function failingJobs(read: Reader, since: string): Promise<ServiceOverview['failing_jobs']> {
  const rows = await read
    .select({ id: jobs.id, kind: jobs.kind, error: jobs.error, at: jobs.finishedAt, tenant: tenants.slug })
    .from(jobs)
    .innerJoin(tenants, eq(tenants.id, jobs.tenantId))
    .where(and(eq(jobs.status, 'failed'), gte(jobs.finishedAt, since)))
    .orderBy(desc(jobs.finishedAt), desc(jobs.id))
    .limit(maxFailedJobs)
  const alike = Map.groupBy(rows, ({ kind, error }) => `${kind} ${error?.code ?? 'unknown'}`)
  return [...alike.values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxFailures)
    .flatMap((all) => {
      const [last] = all
      if (last === undefined) return []
      const { kind, error, id, tenant, at } = last
      return {
        kind,
        code: error?.code ?? 'unknown',
        count: all.length,
        last: { job_id: id, tenant_slug: tenant, at: at ?? since },
      }
    })
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10

/** The service as a whole. Queues, states and failures are the same from every process; times are those of this one. */
export async function overviewOf({ db, clock }: Store, version: string): Promise<ServiceOverview> {
  const now = clock.now()
  const backlog = await readBacklog(db, now)
  const { deliveries, oldestDelivery } = backlog
  const due = (deliveries.get('pending') ?? 0) + (deliveries.get('retrying') ?? 0)
  return {
    version,
    started_at: new Date(now - Math.round(process.uptime() * 1000)).toISOString(),
    database: {
      engine: db.dialect,
      size_bytes: backlog.databaseBytes,
      statements_running: statementsRunning(),
    },
    queues: [
      ...queueOf('jobs', backlog.jobs, backlog.jobsRunning),
      ...queueOf('due-work', backlog.dueWork),
      ...queueOf('outbox', backlog.outbox),
      ...queueOf(
        'webhooks',
        new Map(due === 0 ? [] : [['delivery', { count: due, oldest: oldestDelivery }]]),
        new Map([['delivery', deliveries.get('delivering') ?? 0]]),
      ),
    ],
    states: [
      ...statesOf('webhook-subscriptions', backlog.subscriptions),
      ...statesOf('repositories', backlog.repositories),
      ...statesOf('gateways', backlog.gateways),
    ],
    failing_jobs: await failingJobs(db.read, new Date(now - dayMs).toISOString()),
    slow: requestTimes.slowest(maxSlow, now).map(({ operation, count: n, p50Ms, p95Ms, maxMs }) => ({
      operation,
      count: n,
      p50_ms: rounded(p50Ms),
      p95_ms: rounded(p95Ms),
      max_ms: rounded(maxMs),
    })),
  }
}

const byTenant = <T extends { readonly tenant: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.tenant, row]))

/** What each of these organizations uses; five reads, however many they are. */
async function usesOf(read: Reader, ids: readonly string[], since: string) {
  const wanted = [...ids]
  const [people, made, stored, contained, asked] = await Promise.all([
    read
      .select({ tenant: memberships.tenantId, n: count() })
      .from(memberships)
      .where(and(inArray(memberships.tenantId, wanted), ne(memberships.status, 'suspended')))
      .groupBy(memberships.tenantId),
    read
      .select({ tenant: projects.tenantId, n: count() })
      .from(projects)
      .where(inArray(projects.tenantId, wanted))
      .groupBy(projects.tenantId),
    read
      .select({ tenant: versions.tenantId, n: count(), last: max(versions.createdAt) })
      .from(versions)
      .where(inArray(versions.tenantId, wanted))
      .groupBy(versions.tenantId),
    read
      .select({ tenant: contents.tenantId, bytes: sum(contents.sizeBytes) })
      .from(contents)
      .where(inArray(contents.tenantId, wanted))
      .groupBy(contents.tenantId),
    read
      .select({ tenant: jobs.tenantId, n: count() })
      .from(jobs)
      .where(and(inArray(jobs.tenantId, wanted), gt(jobs.createdAt, since)))
      .groupBy(jobs.tenantId),
  ])
  return {
    members: byTenant(people),
    projects: byTenant(made),
    versions: byTenant(stored),
    contents: byTenant(contained),
    jobs: byTenant(asked),
  }
}

/** How much each organization uses, by name. */
export async function listOrganizations(
  { db, clock }: Deps,
  { limit, offset, q }: { readonly limit: number; readonly offset: number; readonly q: string | null },
): Promise<Output<typeof operatorApi.organizations>> {
  // What a pattern means otherwise is searched for as it is.
  const pattern = `%${(q ?? '').toLowerCase().replaceAll(/[%_\\]/g, '')}%`
  const chosen =
    q === null || q === '' ? undefined : or(like(tenants.slug, pattern), like(sql`lower(${tenants.name})`, pattern))
  const rows = await db.read
    .select({ id: tenants.id, slug: tenants.slug, name: tenants.name })
    .from(tenants)
    .where(chosen)
    .orderBy(asc(tenants.slug))
    .limit(limit)
    .offset(offset)
  const since = new Date(clock.now() - dayMs).toISOString()
  const uses = await usesOf(
    db.read,
    rows.map(({ id }) => id),
    since,
  )
  const items = rows.map(({ id, slug, name }): OrganizationUse => ({
    slug,
    name,
    members: uses.members.get(id)?.n ?? 0,
    projects: uses.projects.get(id)?.n ?? 0,
    versions: uses.versions.get(id)?.n ?? 0,
    storage_bytes: Number(uses.contents.get(id)?.bytes ?? 0),
    jobs: uses.jobs.get(id)?.n ?? 0,
    last_import_at: uses.versions.get(id)?.last ?? null,
  }))
  return { items, total: await db.read.$count(tenants, chosen), limit, offset }
}
