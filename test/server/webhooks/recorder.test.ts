/** Attempts that end at the same time are written in one transaction, and each caller gets the result of its own. */
import { expect, spyOn, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { webhookDeliveries } from '../../../db/tables.gen.ts'
import { claimDue } from '../../../server/webhooks/claim.ts'
import type { Made } from '../../../server/webhooks/record-attempt.ts'
import { Recorder } from '../../../server/webhooks/recorder.ts'
import { defaultSchedule, type Outcome } from '../../../server/webhooks/state.ts'
import { addTenant } from '../../fixtures/accounts.ts'
import { addReceiver, now } from '../../fixtures/deliveries.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const accepted: Outcome = { isAccepted: true, errorClass: null, retryAfterMs: null, request: null }
const failed: Outcome = { ...accepted, isAccepted: false, errorClass: 'http-500' }
const room = { want: () => 10, holds: () => 0, ofTenant: () => 100, all: 100 }
// The first two waits of the schedule, without chance.
const rules = () => ({ schedule: defaultSchedule, now, random: 0.5 })

onBothEngines('the recorder', (makeDb) => {
  /** Three deliveries that were taken, each with the outcome of its attempt. */
  const open = async (outcomes: readonly Outcome[]) => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    await addReceiver(
      db,
      acme,
      outcomes.map((_, at) => ({ id: String(at), attemptCount: at })),
    )
    const [claim] = await claimDue(db, now, room)
    if (claim === undefined) throw new Error('nothing was taken')
    const made = outcomes.map((outcome, at): Made => {
      const delivery = claim.deliveries.find(({ id }) => id === String(at))
      if (delivery === undefined) throw new Error(`delivery ${at} was not taken`)
      return { claim, delivery, attempt: { startedAt: now, durationMs: 1, statusCode: 200, outcome, answer: null } }
    })
    const retries: number[] = []
    return { db, made, retries, recorder: new Recorder(db, rules, (dueAt) => retries.push(dueAt)) }
  }
  const statusesOf = async (db: Database) =>
    (await db.read.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id))).map(({ status }) => status)
  const dueOf = async (db: Database, id: string) => {
    const rows = await db.read.select().from(webhookDeliveries)
    return Date.parse(rows.find((row) => row.id === id)?.dueAt ?? '')
  }

  test('writes what ended within a moment in one transaction, and says when the first of what failed is due', async () => {
    const { db, made, retries, recorder } = await open([failed, failed, accepted])
    const transactions = spyOn(db, 'inTransaction')
    await Promise.all(made.map((one) => recorder.write(one)))
    expect(transactions).toHaveBeenCalledTimes(1)
    expect(await statusesOf(db)).toEqual(['retrying', 'retrying', 'delivered'])
    const [first, second] = [await dueOf(db, '0'), await dueOf(db, '1')]
    expect(first).toBeLessThan(second)
    expect(retries).toEqual([first])
  })

  test('says nothing of a next attempt where all were accepted', async () => {
    const { db, made, retries, recorder } = await open([accepted, accepted])
    await Promise.all(made.map((one) => recorder.write(one)))
    expect([await statusesOf(db), retries]).toEqual([['delivered', 'delivered'], []])
  })

  test('gathers what ends while others are written, and fails only with what failed', async () => {
    const { db, made, recorder } = await open([accepted, accepted, accepted])
    const started: string[] = []
    const held = Promise.withResolvers<never>()
    const transactions = spyOn(db, 'inTransaction').mockImplementationOnce(() => {
      started.push('first')
      return held.promise
    })
    const [one, two, three] = made
    if (one === undefined || two === undefined || three === undefined) throw new Error('three were taken')
    const first = recorder.write(one)
    const outcome = first.then(
      () => 'written',
      (error: unknown) => String(error),
    )
    while (started.length === 0) await Bun.sleep(1)
    const later = Promise.all([recorder.write(two), recorder.write(three)])
    // Longer than attempts are gathered: the second transaction waits for the first.
    await Bun.sleep(60)
    expect(transactions).toHaveBeenCalledTimes(1)
    held.reject(new Error('the disk is full'))
    expect(await outcome).toBe('Error: the disk is full')
    await later
    expect(transactions).toHaveBeenCalledTimes(2)
    expect(await statusesOf(db)).toEqual(['delivering', 'delivered', 'delivered'])
  })
})
