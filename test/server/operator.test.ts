/** What the operator sees of the service as a whole. */
import { expect, test } from 'bun:test'
import { enqueueJob } from '../../db/jobs.ts'
import { eq } from 'drizzle-orm'
import { contents, jobs, tenants } from '../../db/tables.gen.ts'
import { listOrganizations, overviewOf } from '../../server/operator/service.ts'
import { addMember, addTenant, addUser, depsOver } from '../fixtures/accounts.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { RequestTimes } from '../../server/operations/request-times.ts'

const at = Date.parse('2026-05-05T00:00:00Z')

test('times are off by a sixth at most, and ordered by what they took together', () => {
  const times = new RequestTimes(at)
  const taken = Array.from({ length: 1000 }, (_, index) => index + 1)
  for (const ms of taken) times.note('GET /v1/specs', ms, at)
  for (let n = 0; n < 10; n++) times.note('POST /v1/import', 5, at)
  times.note('GET /slow', 3_000_000, at)
  const [slow, specs, importing] = times.slowest(20, at)
  expect([slow?.operation, specs?.operation, importing?.operation]).toEqual([
    'GET /slow',
    'GET /v1/specs',
    'POST /v1/import',
  ])
  for (const [found, exact] of [
    [specs?.p50Ms, 500],
    [specs?.p95Ms, 950],
  ] as const)
    expect([Number(found) >= exact, Number(found) <= exact * (7 / 6)]).toEqual([true, true])
  expect([specs?.count, specs?.maxMs, importing?.p95Ms]).toEqual([1000, 1000, 5])
  expect(times.slowest(1, at)).toHaveLength(1)
})

test('times of the present half hour and the one before count, older ones do not', () => {
  const times = new RequestTimes(at)
  const minutes = (n: number) => at + n * 60_000
  times.note('GET /a', 1, at)
  times.note('GET /b', 1, minutes(31))
  expect(
    times
      .slowest(9, minutes(59))
      .map(({ operation }) => operation)
      .toSorted(),
  ).toEqual(['GET /a', 'GET /b'])
  expect(times.slowest(9, minutes(62)).map(({ operation }) => operation)).toEqual(['GET /b'])
  expect(times.slowest(9, minutes(300))).toEqual([])
})

onBothEngines('the service as a whole', (makeDb) => {
  test('queues, failures of a day by kind and error, and what each organization uses', async () => {
    const db = await makeDb()
    const clock = { now: () => at, iso: () => new Date(at).toISOString() }
    const deps = depsOver(db, clock)
    const acme = await addTenant(db, 'acme')
    const other = await addTenant(db, 'other')
    await addMember(db, acme, await addUser(db, 'ada@example.com'), 'owner')
    await addMember(db, acme, await addUser(db, 'bob@example.com'), 'viewer')
    const add = async (tenantId: string, failedAs: string | null, hoursAgo: number) => {
      const now = at - hoursAgo * 3_600_000
      const made = await db.inTransaction((tx) => enqueueJob(tx, { kind: 'import', tenantId, payload: {}, now }))
      if (failedAs === null) return
      const error = { code: failedAs, message: `It failed: ${failedAs}.` }
      const finishedAt = new Date(now).toISOString()
      await db.inTransaction((tx) =>
        tx.update(jobs).set({ status: 'failed', error, finishedAt }).where(eq(jobs.id, made.job.id)),
      )
    }
    await add(acme, null, 0.25)
    await add(acme, 'fetch-failed', 1)
    await add(other, 'fetch-failed', 2)
    await add(other, 'internal', 3)
    await add(other, 'internal', 25)
    const overview = await overviewOf(deps, '1.2.3')
    expect(overview.version).toBe('1.2.3')
    expect(overview.queues.filter(({ queue }) => queue === 'jobs')).toEqual([
      { queue: 'jobs', kind: 'import', waiting: 1, running: 0, oldest_seconds: 900 },
    ])
    expect(overview.failing_jobs.map(({ kind, code, count, last }) => [kind, code, count, last.tenant_slug])).toEqual([
      ['import', 'fetch-failed', 2, 'acme'],
      ['import', 'internal', 1, 'other'],
    ])
    // A message may quote what an organization sent.
    expect(JSON.stringify(overview)).not.toContain('It failed')
    expect(overview.database.engine).toBe(db.dialect)
    const listed = await listOrganizations(deps, { limit: 50, offset: 0, q: null })
    expect(listed.items.map(({ slug, members, jobs: n }) => [slug, members, n])).toEqual([
      ['acme', 2, 2],
      ['other', 0, 2],
    ])
    const [first] = await db.read.select({ n: tenants.name }).from(tenants).where(eq(tenants.slug, 'acme'))
    const found = await listOrganizations(deps, { limit: 50, offset: 0, q: first?.n.toUpperCase() ?? '' })
    expect([found.total, found.items.map(({ slug }) => slug)]).toEqual([1, ['acme']])
    const second = await listOrganizations(deps, { limit: 1, offset: 1, q: '' })
    expect([second.total, second.items.map(({ slug }) => slug)]).toEqual([2, ['other']])
    expect(await db.read.$count(contents)).toBe(0)
  })
})
