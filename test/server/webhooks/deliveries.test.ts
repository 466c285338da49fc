/** What callers see of deliveries, and which are sent again. */
import { expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { clockOf, isoOf } from '../../../db/clock.ts'
import { auditEvents, webhookAttempts, webhookDeliveries } from '../../../db/tables.gen.ts'
import type { Grant } from '../../../server/auth/door.ts'
import {
  getDelivery,
  listDeadLetters,
  listDeliveries,
  redeliver,
  replay,
  type ReplayRequest,
  sendTest,
  statsOf,
} from '../../../server/webhooks/deliveries.ts'
import { SvcError } from '../../../src/errors.ts'
import { addTenant, depsOver } from '../../fixtures/accounts.ts'
import { addReceiver, type Delivery, now } from '../../fixtures/deliveries.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const later = 5 * 60_000
const minute = (n: number): string => isoOf(now + n * 60_000)
const page = { list: 'deliveries', limit: 10, offset: 0, firstReadAt: null }
const dead: Delivery = { status: 'dead_letter', dueAt: null, attemptCount: 10, lastError: 'http-500' }

/** The code of a refusal; null where there is none. */
const codeOf = async (work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof SvcError) return error.code
    throw error
  }
}

onBothEngines('deliveries of a subscription', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    let woken = 0
    const deps = depsOver(
      db,
      clockOf(() => now + later),
      { wakeReaders: () => (woken += 1) },
    )
    const grantOf = (id: string) => ({ principal: null, tenant: { id } }) as unknown as Grant
    const states = async () =>
      (await db.read.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id))).map(
        ({ id, status, attemptCount, scheduledFrom, dueAt }) => [id, status, attemptCount, scheduledFrom, dueAt],
      )
    const trail = async () =>
      (await db.read.select().from(auditEvents)).map(({ action, targetId, detail }) => ({ action, targetId, detail }))
    return { db, deps, acme, other, grant: grantOf(acme), theirs: grantOf(other), states, trail, woken: () => woken }
  }

  test('one that has ended is sent again with the schedule from its beginning, one that waits is the next; one under way is not', async () => {
    const { db, deps, acme, grant, theirs, states, trail, woken } = await setUp()
    const id = await addReceiver(db, acme, [
      { id: '1', ...dead },
      { id: '2', status: 'retrying', attemptCount: 1 },
      { id: '3', status: 'delivering', claim: 'one' },
      { id: '4', status: 'delivered', dueAt: null, attemptCount: 1 },
      { id: '5' },
      { id: '6', status: 'cancelled', dueAt: null },
    ])
    await addReceiver(db, acme, [{ id: '7', ...dead }], { active: false })
    expect((await redeliver(deps, grant, '1')).status).toBe('pending')
    expect(woken()).toBe(1)
    for (const one of ['2', '5']) await redeliver(deps, grant, one)
    const tried = []
    for (const one of ['3', '7', '8']) tried.push(await codeOf(() => redeliver(deps, grant, one)))
    tried.push(await codeOf(() => redeliver(deps, theirs, '4')))
    expect(tried).toEqual(['delivery-not-replayable', 'webhook-disabled', 'delivery-not-found', 'delivery-not-found'])
    for (const one of ['4', '6']) await redeliver(deps, grant, one)
    expect(await states()).toEqual([
      // Each is due before what was due before.
      ['1', 'pending', 10, 10, isoOf(now - 1)],
      ['2', 'retrying', 1, 0, isoOf(now - 2)],
      ['3', 'delivering', 0, 0, isoOf(now)],
      ['4', 'pending', 1, 1, isoOf(now - 4)],
      ['5', 'pending', 0, 0, isoOf(now - 3)],
      ['6', 'pending', 0, 0, isoOf(now - 5)],
      ['7', 'dead_letter', 10, 0, null],
    ])
    expect(await trail()).toEqual(
      Array.from({ length: 5 }, () => ({ action: 'webhook.redelivered', targetId: id, detail: { deliveries: 1 } })),
    )
  })

  test('a replay takes what was given up in a time, of one subscription or of all that are active', async () => {
    const { db, deps, acme, other, grant, states, trail, woken } = await setUp()
    const cancelled: Delivery = { status: 'cancelled', dueAt: null, lastError: 'subscription-inactive' }
    const id = await addReceiver(db, acme, [
      { id: '1', ...dead, createdAt: minute(1) },
      { id: '2', ...dead, createdAt: minute(2) },
      { id: '3', ...cancelled, createdAt: minute(3) },
      { id: '4', ...dead, createdAt: minute(4) },
      { id: '5', status: 'delivered', dueAt: null, createdAt: minute(2) },
      { id: '6', createdAt: minute(2) },
    ])
    const off = await addReceiver(db, acme, [{ id: '7', ...dead, createdAt: minute(2) }], { active: false })
    await addReceiver(db, acme, [{ id: '8', ...cancelled, createdAt: minute(2) }])
    await addReceiver(db, other, [{ id: '9', ...dead, createdAt: minute(2) }])
    const again = async (request: Partial<ReplayRequest>) => {
      const { replayed, remaining, dry_run: isDry } = await replay(deps, grant, { since: minute(2), ...request })
      const started = (await states()).filter(([, , , , dueAt]) => dueAt === isoOf(now + later)).map(([one]) => one)
      return [replayed, remaining, isDry, started.join(' ')]
    }
    expect(await codeOf(() => again({ subscription_id: off }))).toBe('webhook-disabled')
    expect(await codeOf(() => again({ subscription_id: 'none' }))).toBe('webhook-not-found')
    expect(await again({ dry_run: true })).toEqual([4, 0, true, ''])
    expect(await again({ subscription_id: id, since: minute(5) })).toEqual([0, 0, false, ''])
    expect([woken(), await trail()]).toEqual([0, []])
    // Both ends of the time belong to it, in any notation.
    expect(await again({ subscription_id: id, until: '2026-01-01T02:03:00+02:00' })).toEqual([2, 0, false, '2 3'])
    expect([woken(), await trail()]).toEqual([
      1,
      [
        {
          action: 'webhook.redelivered',
          targetId: id,
          detail: { deliveries: 2, since: minute(2), until: '2026-01-01T02:03:00+02:00' },
        },
      ],
    ])
    expect(await again({ subscription_id: null, until: null })).toEqual([2, 0, false, '2 3 4 8'])
    expect(await again({ since: minute(0) })).toEqual([1, 0, false, '1 2 3 4 8'])
    expect((await states()).filter(([one]) => one === '1' || one === '7' || one === '9')).toEqual([
      ['1', 'pending', 10, 10, isoOf(now + later)],
      ['7', 'dead_letter', 10, 0, null],
      ['9', 'dead_letter', 10, 0, null],
    ])
  })

  test('lists have what was asked for, of one organization', async () => {
    const { db, deps, acme, other, grant } = await setUp()
    const id = await addReceiver(db, acme, [
      { id: '1', ...dead, createdAt: minute(1), updatedAt: minute(9) },
      { id: '2', createdAt: minute(2) },
      { id: '3', createdAt: minute(3), eventType: 'version.published' },
    ])
    await addReceiver(db, acme, [{ id: '4', ...dead, createdAt: minute(4) }])
    const theirs = await addReceiver(db, other, [{ id: '5', ...dead }])
    const list = async (filter: Parameters<typeof listDeliveries>[3], of = id) =>
      (await listDeliveries(deps, grant, of, filter, page)).deliveries.map((one) => one.id).join(' ')
    expect([
      await list({}),
      await list({ status: 'pending' }),
      await list({ type: 'version.published' }),
      await list({ since: '2026-01-01T01:02:00+01:00' }),
      await codeOf(() => list({}, theirs)),
    ]).toEqual(['3 2 1', '3 2', '3', '3 2', 'webhook-not-found'])
    const letters = async (of?: string) => (await listDeadLetters(deps, grant, of, page)).map((one) => one.id)
    expect([await letters(), await letters(id)]).toEqual([['1', '4'], ['1']])
  })

  test('a delivery has its own attempts, and the numbers of a subscription are those of a day', async () => {
    const { db, deps, acme, grant } = await setUp()
    const id = await addReceiver(db, acme, [
      { id: '1', ...dead },
      { id: '2', status: 'retrying', dueAt: minute(8), attemptCount: 1 },
      { id: '3', status: 'delivering', dueAt: minute(6) },
      { id: '4', status: 'delivered', dueAt: null },
    ])
    await addReceiver(db, acme, [{ id: '5', dueAt: minute(1) }])
    const made: readonly [string, number, number, string | null, number][] = [
      ['1', 1, 400, 'http-500', 0],
      ['2', 2, 300, null, 0],
      ['2', 1, 100, 'timeout', 0],
      ['2', 3, 200, null, 0],
      // The moment a day before now belongs to the day; the one before it does not.
      ['4', 1, 250, null, later - 24 * 3_600_000],
      ['4', 2, 900, null, later - 24 * 3_600_000 - 1],
      ['5', 1, 5000, null, 0],
    ]
    await db.inTransaction((tx) =>
      tx.insert(webhookAttempts).values(
        made.map(([deliveryId, attempt, durationMs, errorClass, after]) => ({
          deliveryId,
          tenantId: acme,
          attempt,
          startedAt: isoOf(now + after),
          durationMs,
          statusCode: errorClass === null ? 200 : null,
          errorClass,
        })),
      ),
    )
    const { attempts, nextRetryAt } = await getDelivery(deps, grant, '2')
    expect(attempts.map(({ attempt, error_class: why }) => [attempt, why])).toEqual([
      [1, 'timeout'],
      [2, null],
      [3, null],
    ])
    expect([nextRetryAt, (await getDelivery(deps, grant, '3')).nextRetryAt]).toEqual([minute(8), null])
    const { deliveries, ...rest } = await statsOf(deps, grant, id)
    expect(deliveries).toEqual({ pending: 0, delivering: 1, retrying: 1, delivered: 1, dead_letter: 1, cancelled: 0 })
    expect(rest).toEqual({
      attempts: { total: 5, accepted: 3, p50_ms: 250, p95_ms: 400 },
      next_attempt_at: minute(8),
    })
    expect(await codeOf(() => statsOf(deps, grant, 'none'))).toBe('webhook-not-found')
  })

  test('a test event goes to an active subscription', async () => {
    const { db, deps, acme, grant, states, woken } = await setUp()
    const [on, off] = [await addReceiver(db, acme, []), await addReceiver(db, acme, [], { active: false })]
    const sent = await sendTest(deps, grant, on)
    expect([sent.eventType, sent.status, woken(), (await states()).length]).toEqual(['webhook.test', 'pending', 1, 1])
    expect(await codeOf(() => sendTest(deps, grant, off))).toBe('webhook-disabled')
  })
})
