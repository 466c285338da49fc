/** How many polls an organization may make in an hour. */
import { expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { isoOf } from '../../../db/clock.ts'
import { pollingQuotas, repositoryPolls } from '../../../db/tables.gen.ts'
import { allowedPolls, beginPoll, recordPoll } from '../../../server/repositories/quota.ts'
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
})
