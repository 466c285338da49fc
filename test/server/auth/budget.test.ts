import { expect, test } from 'bun:test'
import { authAttempts } from '../../../db/tables.gen.ts'
import {
  assertAddress,
  spendAddress,
  spendBrowser,
  spendOnboarding,
  spendUserCode,
} from '../../../server/auth/budget.ts'
import { outcome, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noteLocks } from '../../fixtures/locks.ts'

const limited = (seconds: number) => ({ code: 'auth-rate-limited', retry_after: seconds })

onBothEngines('budgets of attempts', (makeDb) => {
  test('each has its number in its window, and says when the next attempt is free', async () => {
    const db = await makeDb()
    for (const [spend, max, windowMs] of [
      [(now: number) => spendAddress(db, '10.0.0.1', now), 10, 60_000],
      [(now: number) => spendBrowser(db, 'browser:ann', now), 10, 60_000],
      [(now: number) => spendUserCode(db, 'ann', now), 20, 60_000],
      [(now: number) => spendOnboarding(db, 'ann', now), 30, 60_000],
    ] as const) {
      for (let at = 0; at < max; at++) await spend(start + at)
      expect(await outcome(spend(start + max))).toEqual(limited(windowMs / 1000))
      expect(await outcome(spend(start + windowMs - 1))).toEqual(limited(1))
      // The first attempt leaves the window, and with it one place.
      await spend(start + windowMs)
      expect(await outcome(spend(start + windowMs))).toEqual(limited(1))
    }
  })

  test('of many attempts at the same time no more than the budget has go through', async () => {
    const db = await makeDb()
    const attempts = Array.from({ length: 25 }, () => outcome(spendAddress(db, '10.0.0.1', start)))
    const refused = (await Promise.all(attempts)).filter((it) => (it as { code?: string } | null)?.code !== undefined)
    expect(refused).toEqual(Array.from({ length: 15 }, () => limited(60)))
    expect((await db.read.select().from(authAttempts)).length).toBe(10)
  })

  test('networks and browsers do not share; calls in the process are not counted', async () => {
    const db = await makeDb()
    for (let at = 0; at < 10; at++) await spendAddress(db, '10.0.0.1', start)
    await spendAddress(db, '10.0.0.2', start)
    await spendBrowser(db, 'browser:ann', start)
    const stored = (await db.read.select().from(authAttempts)).length
    await spendAddress(db, null, start)
    await assertAddress(db, null, start)
    expect((await db.read.select().from(authAttempts)).length).toBe(stored)
    expect(stored).toBe(12)
  })

  test('an address that has spent its attempts is refused without taking one', async () => {
    const db = await makeDb()
    for (let at = 0; at < 9; at++) await spendAddress(db, '10.0.0.1', start)
    await assertAddress(db, '10.0.0.1', start)
    await spendAddress(db, '10.0.0.1', start)
    expect(await outcome(assertAddress(db, '10.0.0.1', start + 30_000))).toEqual(limited(30))
    await assertAddress(db, '10.0.0.2', start + 30_000)
    await assertAddress(db, '10.0.0.1', start + 60_000)
    expect((await db.read.select().from(authAttempts)).length).toBe(10)
  })

  test('who counts holds back the others meanwhile', async () => {
    const { db, locks } = noteLocks(await makeDb())
    await spendAddress(db, '10.0.0.1', start)
    expect(locks).toEqual(['auth-budget:address:10.0.0.1'])
  })
})
