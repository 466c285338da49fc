/** How much a gateway may send. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { asc } from 'drizzle-orm'
import { isoOf } from '../../../db/clock.ts'
import { gatewayEnforcers } from '../../../db/tables.gen.ts'
import { KnownAllowances, takeFrom, takeLines, takeRows } from '../../../server/gateway/throttle.ts'
import { addGatewayKey, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const limit = { perSecond: 50, most: 100 }

test('a gateway has as many as its allowance holds, and more with time', () => {
  let fullAt = 0
  const take = (wanted: number, now: number): number => {
    const it = takeFrom(limit, fullAt, wanted, now)
    fullAt = it.fullAt
    return it.given
  }
  expect([take(80, 0), take(80, 0), take(80, 0), take(80, 500), take(200, 60_000), take(10, 60_000), take(10, 61_000)]).toEqual([
    80, 20, 0, 25, 100, 0, 10,
  ]) // prettier-ignore
  // What another process wrote with a clock that is far ahead counts as empty, not as closed for as long.
  expect([takeFrom(limit, 10_000_000, 5, 0), takeFrom(limit, 10_000_000, 5, 0).fullAt]).toEqual([
    { given: 0, fullAt: 2000 },
    2000,
  ])
})

test('over any time no more is given than the allowance and what filled it', () => {
  const asked = fc.array(fc.tuple(fc.nat(3000), fc.nat(150)), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(asked, (list) => {
      let [now, fullAt, total] = [0, 0, 0]
      for (const [pause, wanted] of list) {
        now += pause
        const it = takeFrom(limit, fullAt, wanted, now)
        fullAt = it.fullAt
        total += it.given
        expect(total).toBeLessThanOrEqual(limit.most + (now / 1000) * limit.perSecond)
      }
    }),
  )
})

onBothEngines('rows that a gateway may begin', (makeDb) => {
  test('what one took is missing for it, in every process, and for no other gateway', async () => {
    const db = await makeDb()
    const tenantId = await addTenant(db, 'acme')
    for (const label of ['one', 'two']) await addGatewayKey(db, tenantId, label)
    const stored = async () => await db.read.select().from(gatewayEnforcers).orderBy(asc(gatewayEnforcers.label))
    const [one, two] = await stored()
    if (one === undefined || two === undefined) throw new Error('there are no gateways')
    const take = (row: typeof one, wanted: number) =>
      db.inTransaction((tx) => takeRows(tx, row, limit, wanted, 1_000_000))
    const fullAt = async () => (await stored()).map(({ rowsFullAt }) => rowsFullAt)
    expect([await take(one, 0), await fullAt()]).toEqual([0, [null, null]])
    expect([await take(one, 80), await take(one, 80), await take(two, 80), await take(one, 1)]).toEqual([80, 20, 80, 0])
    expect(await fullAt()).toEqual([isoOf(1_002_000), isoOf(1_001_600)])
  })
})

test('of ten thousand gateways a process forgets the one that sent longest ago', () => {
  const known = new KnownAllowances()
  known.note('a', 9)
  for (let n = 1; n < 10_000; n++) known.note(`other ${n}`, 1)
  known.note('a', 10)
  known.note('one more', 1)
  expect([known.of('a', 5), known.of('other 1', 5), known.of('other 2', 5), known.of('never', 5)]).toEqual([
    10, 5, 1, 5,
  ])
})

onBothEngines('lines that a gateway may send', (makeDb) => {
  test('are taken all or not at all, for all processes together and for each gateway alone', async () => {
    const target = await makeDb.makeTarget()
    const [db, other] = [await makeDb.open(target), await makeDb.open(target)]
    const tenantId = await addTenant(db, 'acme')
    for (const label of ['one', 'three', 'two']) await addGatewayKey(db, tenantId, label)
    const [one, three, two] = await db.read.select().from(gatewayEnforcers).orderBy(asc(gatewayEnforcers.label))
    if (one === undefined || two === undefined || three === undefined) throw new Error('there are no gateways')
    const start = 1_000_000
    const process = (of: typeof db) => {
      const known = new KnownAllowances()
      return (row: typeof one, wanted: number, after = 0) => takeLines(of, row, { limit, known }, wanted, start + after)
    }
    const [first, second] = [process(db), process(other)]
    // 100 at most, 50 more each second: what the first process took is missing for the second one.
    expect([await first(one, 80), await second(one, 30), await second(one, 20), await first(one, 1)]).toEqual([
      0, 1, 0, 1,
    ])
    expect([
      await second(three, 100),
      await second(two, 100),
      await first(one, 100),
      await first(one, 60, 1000),
    ]).toEqual([0, 0, 2, 1])
    expect([await second(one, 60, 1200), await first(one, 1, 1200)]).toEqual([0, 1])
    // Many at once, in two processes: no more than what there is.
    const later = 10_000
    const waits = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second)(one, 10, later)),
    )
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
  })
})
