/** What an attempt changes: its delivery while the claim holds, the health of its receiver, and nothing once another worker has it. */
import { expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { isoOf } from '../../../db/clock.ts'
import { inTenant } from '../../../db/conditions.ts'
import type { Database } from '../../../db/database.ts'
import { auditEvents, webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../../db/tables.gen.ts'
import { type Claim, claimDue, type DeliveryRow } from '../../../server/webhooks/claim.ts'
import { type Made, recordAttempts } from '../../../server/webhooks/record-attempt.ts'
import { defaultSchedule, failuresBeforePause, type Outcome } from '../../../server/webhooks/state.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { addReceiver, now } from '../../fixtures/deliveries.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const accepted: Outcome = { isAccepted: true, errorClass: null, retryAfterMs: null, request: null }
const failed: Outcome = { ...accepted, isAccepted: false, errorClass: 'http-500' }
const ended = now + 1000
const rules = () => ({ schedule: defaultSchedule, now: ended, random: 0.5 })
const room = { want: () => 10, holds: () => 0, ofTenant: () => 100, all: 100 }

const madeOf = (claim: Claim, delivery: DeliveryRow, outcome: Outcome): Made => ({
  claim,
  delivery,
  attempt: { startedAt: now, durationMs: 20, statusCode: outcome.isAccepted ? 200 : 500, outcome, answer: null },
})

onBothEngines('what follows from attempts', (makeDb) => {
  const deliveriesOf = async (db: Database) =>
    (await db.read.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id))).map((row) => [
      row.id,
      row.status,
      row.attemptCount,
      row.dueAt,
      row.lastError,
      row.claim,
    ])
  const attemptsOf = async (db: Database) =>
    (await db.read.select().from(webhookAttempts).orderBy(asc(webhookAttempts.deliveryId))).map((row) => [
      row.deliveryId,
      row.attempt,
      row.statusCode,
      row.errorClass,
    ])
  const oneReceiver = async (db: Database) => {
    const [it] = await db.read.select().from(webhookSubscriptions)
    if (it === undefined) throw new Error('there is no receiver')
    return it
  }

  test('an accepted delivery ends, a failed one waits for the next attempt, and one that another worker took changes nothing', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }, { id: '5' }])
    const [claim] = await claimDue(db, now, room)
    if (claim === undefined) throw new Error('nothing was taken')
    const set = (id: string, change: Partial<DeliveryRow>) =>
      db.inTransaction((tx) =>
        tx
          .update(webhookDeliveries)
          .set(change)
          .where(inTenant(webhookDeliveries, acme, eq(webhookDeliveries.id, id))),
      )
    await set('3', { claim: 'other' })
    await set('4', { claim: null, status: 'cancelled', dueAt: null })
    const outcomes = [accepted, failed, failed, accepted]
    const made = claim.deliveries.slice(0, 4).map((row, at) => madeOf(claim, row, outcomes[at] ?? failed))
    const next = await db.inTransaction((tx) => recordAttempts(tx, made, rules))
    const until = isoOf(claim.until)
    expect(await deliveriesOf(db)).toEqual([
      ['1', 'delivered', 1, null, null, null],
      ['2', 'retrying', 1, isoOf(ended + 5000), 'http-500', null],
      ['3', 'delivering', 0, until, null, 'other'],
      ['4', 'cancelled', 0, null, null, null],
      ['5', 'delivering', 0, until, null, claim.id],
    ])
    expect(await attemptsOf(db)).toEqual([
      ['1', 1, 200, null],
      ['2', 1, 500, 'http-500'],
    ])
    expect(next).toBe(ended + 5000)
    const { active, failures, failingSince, pausedUntil } = await oneReceiver(db)
    expect({ active, failures, failingSince, pausedUntil }).toEqual({
      active: true,
      failures: 1,
      failingSince: isoOf(ended),
      pausedUntil: null,
    })
  })

  test('the first of the next attempts is told, of all receivers', async () => {
    const db = await makeDb()
    for (const [slug, attemptCount] of [
      ['acme', 1],
      ['other', 0],
      ['third', 2],
    ] as const)
      await addReceiver(db, await addTenant(db, slug), [{ attemptCount }])
    const claims = await claimDue(db, now, room)
    const made = claims.flatMap((claim) => claim.deliveries.map((row) => madeOf(claim, row, failed)))
    expect(await db.inTransaction((tx) => recordAttempts(tx, made, rules))).toBe(ended + 5000)
    const done = claims.flatMap((claim) => claim.deliveries.map((row) => madeOf(claim, row, accepted)))
    // All of it was recorded: the claims do not hold any more.
    expect(await db.inTransaction((tx) => recordAttempts(tx, done, rules))).toBeNull()
    expect((await db.read.select().from(webhookAttempts)).length).toBe(3)
  })

  test('failures in a row pause a receiver, and one that is accepted ends the pause', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [{ id: '1' }, { id: '2' }], { failures: failuresBeforePause - 2 })
    const [claim] = await claimDue(db, now, room)
    if (claim === undefined) throw new Error('nothing was taken')
    const [first, second] = claim.deliveries.map((row) => madeOf(claim, row, failed))
    await db.inTransaction((tx) => recordAttempts(tx, [first!, second!], rules))
    const paused = await oneReceiver(db)
    expect([paused.failures, paused.pausedUntil, paused.updatedAt, paused.disabledAt, paused.deadLetterAt]).toEqual([
      failuresBeforePause,
      isoOf(ended + 5 * 60_000),
      isoOf(now),
      null,
      null,
    ])
    const [again] = await claimDue(db, ended + 5 * 60_000, room)
    await db.inTransaction((tx) => recordAttempts(tx, [madeOf(again!, again!.deliveries[0]!, accepted)], rules))
    const { failures, pausedUntil, failingSince } = await oneReceiver(db)
    expect({ failures, pausedUntil, failingSince }).toEqual({ failures: 0, pausedUntil: null, failingSince: null })
  })

  test('the last attempt of the schedule leaves a dead letter', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [{ id: '1', attemptCount: 9 }])
    const [claim] = await claimDue(db, now, room)
    const next = await db.inTransaction((tx) =>
      recordAttempts(tx, [madeOf(claim!, claim!.deliveries[0]!, failed)], rules),
    )
    expect([next, await deliveriesOf(db)]).toEqual([null, [['1', 'dead_letter', 10, null, 'http-500', null]]])
    expect((await oneReceiver(db)).deadLetterAt).toBe(isoOf(ended))
  })

  test('a dead letter is kept although the next delivery, recorded with it, is accepted', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(db, acme, [{ id: '1', attemptCount: 9 }, { id: '2' }])
    const [claim] = await claimDue(db, now, room)
    const made = claim!.deliveries.map((row) => madeOf(claim!, row, row.id === '1' ? failed : accepted))
    expect(await db.inTransaction((tx) => recordAttempts(tx, made, rules))).toBeNull()
    const { failures, failingSince, deadLetterAt } = await oneReceiver(db)
    expect({ failures, failingSince, deadLetterAt }).toEqual({
      failures: 0,
      failingSince: null,
      deadLetterAt: isoOf(ended),
    })
  })

  test('a receiver that is gone is switched off, what waits for it is cancelled, and the audit trail says so', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    const id = await addReceiver(db, acme, [
      { id: '1' },
      { id: '2', dueAt: isoOf(now + 60_000) },
      { id: '3', dueAt: isoOf(now + 60_000), status: 'retrying' },
      { id: '4', dueAt: null, status: 'delivered' },
    ])
    const other = await addReceiver(db, acme, [{ id: '5', dueAt: isoOf(now + 60_000) }])
    const [claim] = await claimDue(db, now, room)
    const gone = { ...failed, request: 'gone' as const, errorClass: 'http-410' }
    const record = () =>
      db.inTransaction((tx) => recordAttempts(tx, [madeOf(claim!, claim!.deliveries[0]!, gone)], rules))
    expect(await record()).toBeNull()
    expect(await deliveriesOf(db)).toEqual([
      ['1', 'cancelled', 1, null, 'http-410', null],
      ['2', 'cancelled', 0, null, 'subscription-inactive', null],
      ['3', 'cancelled', 0, null, 'subscription-inactive', null],
      ['4', 'delivered', 0, null, null, null],
      ['5', 'pending', 0, isoOf(now + 60_000), null, null],
    ])
    const rows = await db.read.select().from(webhookSubscriptions).orderBy(asc(webhookSubscriptions.id))
    expect(rows.map((it) => [it.id, it.active, it.disabledReason, it.disabledAt, it.updatedAt])).toEqual([
      [id, false, 'gone', isoOf(ended), isoOf(ended)],
      [other, true, null, null, isoOf(now)],
    ])
    const trail = async () =>
      (await db.read.select().from(auditEvents)).map(({ action, targetId, detail }) => [action, targetId, detail])
    const disabled = [['webhook.disabled', id, { url: `https://example.com/${id}`, reason: 'gone' }]]
    expect(await trail()).toEqual(disabled)
    await record()
    expect(await trail()).toEqual(disabled)
  })
})
