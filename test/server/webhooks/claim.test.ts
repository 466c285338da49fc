/** What a worker takes of what is due: fair between organizations, bounded for each. */
import { expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { isoOf } from '../../../db/clock.ts'
import { inTenant } from '../../../db/conditions.ts'
import { webhookDeliveries } from '../../../db/tables.gen.ts'
import { attemptsAtOnce, type Claim, claimDue, claimMs, giveBack, type Room } from '../../../server/webhooks/claim.ts'
import { failuresBeforePause } from '../../../server/webhooks/state.ts'
import { addReceiver, type Delivery, now } from '../../fixtures/deliveries.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const at = isoOf(now)

const due = (count: number): Delivery[] => Array.from({ length: count }, () => ({}))
const later = (ms: number): string => isoOf(now + ms)
const room = { want: () => 8, holds: () => 0, ofTenant: () => 100, all: 100 }
const sizeOf = (claims: readonly Claim[]): number => claims.reduce((sum, { deliveries }) => sum + deliveries.length, 0)

onBothEngines('claims of deliveries', (makeDb) => {
  test('an organization with many receivers leaves room for another one', async () => {
    const db = await makeDb()
    const many = await addTenant(db, 'many')
    const few = await addTenant(db, 'few')
    for (let n = 0; n < 5; n++) await addReceiver(db, many, due(4))
    const other = await addReceiver(db, few, due(4))
    const left = new Map([
      [many, 6],
      [few, 6],
    ])
    const take = async () => {
      const options = { want: () => 4, holds: () => 0, ofTenant: (id: string) => left.get(id) ?? 0, all: 12 }
      const claims = await claimDue(db, now, options)
      const sizes = claims.map(({ subscription, deliveries }) => {
        left.set(subscription.tenantId, (left.get(subscription.tenantId) ?? 0) - deliveries.length)
        return [subscription.tenantId === many ? 'many' : 'few', deliveries.length] as const
      })
      return { sizes, of: claims.map(({ subscription }) => subscription.id) }
    }
    const first = await take()
    expect(first.sizes.map(([slug, size]) => `${slug} ${size}`).toSorted()).toEqual(['few 4', 'many 2', 'many 4'])
    expect(first.of).toContain(other)
    // What is under way counts: nothing more is taken for it.
    expect((await take()).sizes).toEqual([])
    left.set(many, 1)
    expect((await take()).sizes).toEqual([['many', 1]])
  })

  test('a receiver has four attempts under way at once, whichever process makes them', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    const underWay = (count: number): Delivery[] =>
      Array.from({ length: count }, () => ({ status: 'delivering', claim: 'other', dueAt: later(1000) }))
    await addReceiver(db, acme, [...underWay(attemptsAtOnce), ...due(3)])
    expect(await claimDue(db, now, room)).toEqual([])
    // Those that the worker holds itself are its own affair.
    expect(sizeOf(await claimDue(db, now, { ...room, holds: () => 1 }))).toBe(3)
    await addReceiver(db, acme, [...underWay(attemptsAtOnce - 1), ...due(2)])
    expect(sizeOf(await claimDue(db, now, room))).toBe(2)
    // A claim that ran out holds no place, and what it held is taken over.
    await addReceiver(db, acme, [...underWay(attemptsAtOnce).map((it) => ({ ...it, dueAt: at })), ...due(2)])
    expect(sizeOf(await claimDue(db, now, room))).toBe(6)
  })

  test('a receiver that fails gets one attempt, and one that is paused or switched off gets none', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, due(3), { failures: failuresBeforePause })
    expect(sizeOf(await claimDue(db, now, room))).toBe(1)
    await addReceiver(db, acme, due(3), { failures: failuresBeforePause - 1 })
    expect(sizeOf(await claimDue(db, now + claimMs, { ...room, want: () => 3 }))).toBe(1 + 3)
    const other = await addTenant(db, 'other')
    await addReceiver(db, other, due(1), { active: false })
    await addReceiver(db, other, due(1), { pausedUntil: later(1) })
    const ofOther = { ...room, ofTenant: (id: string) => (id === other ? 100 : 0) }
    expect(await claimDue(db, now, ofOther)).toEqual([])
    expect(sizeOf(await claimDue(db, now + 1, ofOther))).toBe(1)
  })

  test('what is due longest is taken first, up to what there is room for, and nothing before its time', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [
      { id: '3', dueAt: later(-1000) },
      { id: '1', dueAt: later(-3000) },
      { id: '4', dueAt: later(1) },
      { id: '2', dueAt: later(-2000) },
    ])
    const idsOf = (claims: readonly Claim[]) => claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
    expect(await claimDue(db, now, { ...room, want: () => 0 })).toEqual([])
    expect(await claimDue(db, now, { ...room, ofTenant: () => 0 })).toEqual([])
    const taken = await claimDue(db, now, { ...room, want: () => 2 })
    expect([idsOf(taken), taken[0]?.until]).toEqual([['1', '2'], now + claimMs])
    expect(idsOf(await claimDue(db, now, { ...room, all: 1 }))).toEqual(['3'])
    expect(await claimDue(db, now, room)).toEqual([])
    expect(idsOf(await claimDue(db, now + 1, room))).toEqual(['4'])
  })

  test('room that one receiver uses is missing for the next one of its organization, and altogether', async () => {
    const db = await makeDb()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    for (const tenant of [acme, acme, other]) await addReceiver(db, tenant, due(4))
    const byTenant = (claims: readonly Claim[]) =>
      [acme, other].map((id) => sizeOf(claims.filter(({ subscription }) => subscription.tenantId === id)))
    const order: Room['order'] = (all) =>
      all.toSorted((a, b) => Number(b.tenantId === acme) - Number(a.tenantId === acme))
    const taken = await claimDue(db, now, { ...room, want: () => 4, ofTenant: () => 5, all: 7, order })
    expect(byTenant(taken)).toEqual([5, 2])
  })

  test('what has waited longest is served first, and a receiver with nothing due takes no room', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    const times = [-1000, -3000, 60_000, -2000]
    const ids = await Promise.all(
      times.map((ms) => addReceiver(db, acme, [{ dueAt: later(ms) }, { dueAt: later(ms) }])),
    )
    const inOrder: string[][] = []
    const order: Room['order'] = (all) => {
      const sorted = all.toSorted((a, b) => (a.since < b.since ? -1 : 1))
      inOrder.push(sorted.map(({ id }) => id))
      return sorted
    }
    const taken = await claimDue(db, now, { ...room, want: () => 1, all: 3, order })
    expect(inOrder).toEqual([[ids[1]!, ids[3]!, ids[0]!]])
    expect(sizeOf(taken)).toBe(3)
  })

  test('a receiver that fails and has its one attempt under way gets no other one', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, due(3), { failures: failuresBeforePause })
    expect(await claimDue(db, now, { ...room, want: () => 0 })).toEqual([])
    // Nor does room that was overdrawn become room for others.
    expect(await claimDue(db, now, { ...room, ofTenant: () => -1 })).toEqual([])
  })

  test('what is given back is as it was, unless another worker took it over', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [
      { id: '1' },
      { id: '2', attemptCount: 2, status: 'retrying' },
      { id: '3', attemptCount: 2, scheduledFrom: 2 },
      { id: '4' },
    ])
    const [claim] = await claimDue(db, now, room)
    if (claim === undefined) throw new Error('nothing was taken')
    await db.inTransaction(async (tx) => {
      const other = inTenant(webhookDeliveries, acme, eq(webhookDeliveries.id, '4'))
      await tx.update(webhookDeliveries).set({ claim: 'other' }).where(other)
      await giveBack(tx, claim, claim.deliveries, now + 5)
    })
    const rows = await db.read.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id))
    expect(rows.map((it) => [it.id, it.status, it.claim, it.dueAt])).toEqual([
      ['1', 'pending', null, later(5)],
      ['2', 'retrying', null, later(5)],
      ['3', 'pending', null, later(5)],
      ['4', 'delivering', 'other', later(claimMs)],
    ])
  })
})
