/** How many polls an organization may make in an hour. */
import { expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { isoOf } from '../../../db/clock.ts'
import { auditEvents, pollingQuotas, repositoryPolls } from '../../../db/tables.gen.ts'
import { newId } from '../../../db/id.ts'
import type { Grant } from '../../../server/auth/door.ts'
import {
  allowedPolls,
  beginPoll,
  getQuota,
  getTelemetry,
  recordPoll,
  setQuota,
  sweepPolls,
} from '../../../server/repositories/quota.ts'
import { SvcError } from '../../../src/errors.ts'
import { addRepository, addTenant, depsOver } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const minute = 60_000
const begin = Date.UTC(2026, 0, 1)

test('the own quota holds within that of the plan; 0 and none are as many as the plan allows', () => {
  const cases: [number | undefined, number | null, number | null][] = [
    [undefined, null, null],
    [0, null, null],
    [5, null, 5],
    [undefined, 10, 10],
    [0, 10, 10],
    [5, 10, 5],
    [20, 10, 10],
  ]
  for (const [own, max, allowed] of cases) expect([own, max, allowedPolls(own, max)]).toEqual([own, max, allowed])
})

onBothEngines('polls of an hour', (makeDb) => {
  test('one over the quota waits until the first one of the hour is over; waiting counts for nothing', async () => {
    const db = await makeDb()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    const repository = { id: await addRepository(db, acme, 'shop'), tenantId: acme }
    const theirs = { id: await addRepository(db, other, 'shop'), tenantId: other }
    let now = begin
    const deps = depsOver(db, { now: () => now, iso: () => isoOf(now) })
    const at = isoOf(now)
    await db.inTransaction((tx) =>
      tx.insert(pollingQuotas).values([acme, other].map((tenantId) => ({ tenantId, pollsPerHour: 2, updatedAt: at }))),
    )
    const poll = async (of = repository) => {
      const begun = await beginPoll(deps, of)
      return 'id' in begun ? 'polled' : begun.allowedAt - begin
    }
    const first = await beginPoll(deps, repository)
    now = begin + 10 * minute
    expect(await poll()).toBe('polled')
    now = begin + 20 * minute
    expect([await poll(), await poll(), await poll()]).toEqual([60 * minute, 60 * minute, 60 * minute])
    expect(await poll(theirs)).toBe('polled')
    now = begin + 60 * minute
    // Exactly an hour later the first one does not count any more.
    expect([await poll(), await poll()]).toEqual(['polled', 70 * minute])
    if (!('id' in first)) throw new Error('the first poll was refused')
    await db.inTransaction(async (tx) => {
      await recordPoll(tx, other, first.id, 'failed')
      await recordPoll(tx, acme, first.id, 'changed')
    })
    const rows = await db.read.select().from(repositoryPolls).orderBy(asc(repositoryPolls.at), asc(repositoryPolls.id))
    expect(rows.filter((it) => it.tenantId === acme).map((it) => it.outcome)).toEqual([
      'changed',
      'unchanged',
      'throttled',
      'throttled',
      'throttled',
      'unchanged',
      'throttled',
    ])
  })
  const setUp = async (plan = 'team') => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme', plan)
    const other = await addTenant(db, 'other')
    const deps = depsOver(db, { now: () => begin, iso: () => isoOf(begin) })
    const grant = { principal: null, tenant: { id: acme } } as unknown as Grant
    const shop = await addRepository(db, acme, 'shop')
    const zoo = await addRepository(db, acme, 'zoo')
    const theirs = await addRepository(db, other, 'shop')
    type Outcome = (typeof repositoryPolls.$inferSelect)['outcome']
    /** Writes polls: repository, minutes before now, outcome. */
    const polled = (tenantId: string, polls: readonly (readonly [string, number, Outcome])[]) =>
      db.inTransaction(async (tx) => {
        for (const [repositoryId, minutes, outcome] of polls)
          await tx
            .insert(repositoryPolls)
            .values({ id: newId(), tenantId, repositoryId, at: isoOf(begin - minutes * minute), outcome })
      })
    return { db, acme, other, deps, grant, shop, zoo, theirs, polled }
  }

  test('a quota within the plan is kept, and says what is left; one beyond it, or none, is refused', async () => {
    const { db, acme, other, deps, grant, shop, theirs, polled } = await setUp()
    await polled(acme, [
      [shop, 0, 'unchanged'],
      [shop, 59, 'failed'],
      [shop, 30, 'throttled'],
      [shop, 60, 'changed'],
    ])
    await polled(other, [[theirs, 1, 'unchanged']])
    const { success, quota } = await getQuota(deps, grant)
    const max = quota.pollsPerHour
    expect([success, max > 2]).toEqual([true, true])
    const known = { used: 2, windowStartedAt: isoOf(begin - 60 * minute), plan: 'team' }
    expect((await getQuota(deps, grant)).quota).toEqual({ ...known, pollsPerHour: max, remaining: max - 2 })
    const refusal = { quota: 'polls_per_hour', used: 2, max }
    for (const wanted of [0, max + 1]) {
      const refused = await setQuota(deps, grant, wanted).catch((error: unknown) => error)
      expect(refused instanceof SvcError && [refused.code, refused.detail]).toEqual(['quota-exceeded', refusal])
    }
    expect((await setQuota(deps, grant, max)).quota).toEqual({ ...known, pollsPerHour: max, remaining: max - 2 })
    expect((await setQuota(deps, grant, 1)).quota).toEqual({ ...known, pollsPerHour: 1, remaining: 0 })
    expect((await setQuota(deps, grant, 3)).quota).toEqual({ ...known, pollsPerHour: 3, remaining: 1 })
    const trail = await db.read.select().from(auditEvents)
    expect(trail.map(({ action, detail }) => [action, detail])).toEqual(
      [max, 1, 3].map((n) => ['repository.polling-quota-set', { polls_per_hour: n }]),
    )
  })

  test('a plan without a limit takes any quota, and none is no limit', async () => {
    const { acme, deps, grant, shop } = await setUp('local')
    expect(await setQuota(deps, grant, 0)).toMatchObject({ success: true, quota: { pollsPerHour: 0, remaining: null } })
    expect((await setQuota(deps, grant, 100_000)).quota).toMatchObject({ pollsPerHour: 100_000, remaining: 100_000 })
    await setQuota(deps, grant, 0)
    const repository = { id: shop, tenantId: acme }
    for (let n = 0; n < 3; n++) expect(Object.keys(await beginPoll(deps, repository))).toEqual(['id'])
  })

  test('the polls of a day are counted by the hour and by repository, without those that had to wait', async () => {
    const { acme, other, deps, grant, shop, zoo, theirs, polled } = await setUp()
    await polled(acme, [
      [shop, 24 * 60, 'changed'],
      [shop, 24 * 60 - 1, 'changed'],
      [shop, 61, 'failed'],
      [zoo, 60, 'unchanged'],
      [zoo, 59, 'throttled'],
      [zoo, 2, 'throttled'],
      [zoo, 1, 'changed'],
      [shop, 1, 'unchanged'],
    ])
    await polled(other, [[theirs, 1, 'unchanged']])
    const { success, telemetry } = await getTelemetry(deps, grant)
    expect(success).toBe(true)
    const none = { polls: 0, changed: 0, throttled: 0, failed: 0 }
    expect(telemetry.buckets).toEqual([
      { ...none, at: isoOf(begin - 24 * 60 * minute), polls: 1, changed: 1 },
      { ...none, at: isoOf(begin - 120 * minute), polls: 1, failed: 1 },
      { ...none, at: isoOf(begin - 60 * minute), polls: 3, changed: 1, throttled: 2 },
    ])
    expect(telemetry.byRepository).toEqual([
      { repository_id: shop, full_name: 'shop/specs', polls: 3 },
      { repository_id: zoo, full_name: 'zoo/specs', polls: 2 },
    ])
  })

  test('what is older than two days is removed', async () => {
    const { db, acme, shop, polled } = await setUp()
    await polled(acme, [
      [shop, 2 * 24 * 60, 'unchanged'],
      [shop, 2 * 24 * 60 + 1, 'unchanged'],
      [shop, 5, 'unchanged'],
    ])
    await sweepPolls(db, begin)
    const left = await db.read.select({ at: repositoryPolls.at }).from(repositoryPolls).orderBy(asc(repositoryPolls.at))
    expect(left.map(({ at }) => at)).toEqual([isoOf(begin - 2 * 24 * 60 * minute), isoOf(begin - 5 * minute)])
  })
})
