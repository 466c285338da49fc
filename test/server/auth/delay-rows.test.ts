/** What an attempt to sign in counts and what a success takes back, row by row; no password is compared. */
import { expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { signInDelays } from '../../../db/tables.gen.ts'
import type { Database } from '../../../db/database.ts'
import { admit, forgive, forgiveAccount, sweepDelays } from '../../../server/auth/delays.ts'
import { start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noteLocks } from '../../fixtures/locks.ts'

const slowMs = 60_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const iso = (time: number): string => new Date(time).toISOString()
const stranger = (account: string, source: string) => ({ account, source, isKnown: false })
const known = (account: string, source: string) => ({ account, source, isKnown: true })

/** All rows: where they count, when they are forgotten and when they let in, in minutes from the start. */
async function rowsOf(db: Database) {
  const minutes = (at: string | null) => (at === null ? null : (Date.parse(at) - start) / minuteMs)
  const rows = await db.read.select().from(signInDelays)
  return Object.fromEntries(
    rows
      .map((it) => [`${it.account} ${it.source}`, [minutes(it.clearAt), minutes(it.admitAt)]] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  )
}

onBothEngines('rows of delays', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    /** Tries targets from one network and answers how long they wait, in seconds; [] where all were tried. */
    const attempt = async (targets: Parameters<typeof admit>[1], network: string, now = start) => {
      const { admitted, waitMs } = await admit(db, targets, network, now)
      return { admitted: [...admitted], wait: waitMs / 1000 }
    }
    const put = (account: string, source: string, clearAt: number, admitAt: number | null) =>
      db.inTransaction((tx) =>
        tx
          .insert(signInDelays)
          .values({ account, source, clearAt: iso(clearAt), admitAt: admitAt === null ? null : iso(admitAt) }),
      )
    const succeed = (target: Parameters<typeof forgive>[1], network: string, isOnly = true, now = start) =>
      db.inTransaction((tx) => forgive(tx, target, { network, isOnly, now }))
    return { db, attempt, put, succeed }
  }

  test('a stranger counts for the account, the network and both together; who is known counts for one source only', async () => {
    const { db, attempt } = await setUp()
    await attempt([stranger('ann', 'n1')], 'n1')
    expect(await rowsOf(db)).toEqual({ ' n1': [3, null], 'ann ': [10, null], 'ann n1': [60, null] })
    await attempt([known('bob', 'n2')], 'n2')
    expect(await rowsOf(db)).toEqual({
      ' n1': [3, null],
      'ann ': [10, null],
      'ann n1': [60, null],
      'bob n2': [60, null],
    })
  })

  test('the fifth failure of a source, the tenth on an account and the twentieth of a network say when to come again', async () => {
    const { db, attempt, put } = await setUp()
    await put('ann', 'n1', start + 4 * hourMs, null)
    await put('ann', '', start + 9 * 10 * minuteMs, null)
    await put('', 'n1', start + 19 * 3 * minuteMs, null)
    await attempt([stranger('ann', 'n1')], 'n1')
    // The row of the account has no moment: each new source gets one of its own.
    expect(await rowsOf(db)).toEqual({ ' n1': [60, 1 / 60], 'ann ': [100, null], 'ann n1': [300, 0.5] })
    expect(await attempt([stranger('ann', 'n2')], 'n2')).toEqual({ admitted: [], wait: 1 })
  })

  test('of several accounts that wait, the first one says when to come again', async () => {
    const { attempt, put } = await setUp()
    await put('ann', 'n1', start + hourMs, start + 50_000)
    await put('bob', 'n1', start + hourMs, start + 20_000)
    const both = [stranger('ann', 'n1'), stranger('bob', 'n1')]
    expect(await attempt(both, 'n1')).toEqual({ admitted: [], wait: 20 })
    expect((await attempt(both, 'n1', start + 30_000)).admitted).toEqual(['bob'])
  })

  test('a success takes back its own attempt and nothing else', async () => {
    const { db, attempt, succeed } = await setUp()
    for (const network of ['n1', 'n2', 'n3']) await attempt([stranger('ann', network)], network)
    await attempt([stranger('ann', 'n4'), stranger('eva', 'n4')], 'n4')
    await succeed(stranger('ann', 'n1'), 'n1')
    // The attempt of n4 was a guess at another account too.
    await succeed(stranger('ann', 'n4'), 'n4', false)
    expect(await rowsOf(db)).toEqual({
      ' n1': [0, null],
      ' n2': [3, null],
      ' n3': [3, null],
      ' n4': [3, null],
      'ann ': [20, null],
      'ann n2': [60, null],
      'ann n3': [60, null],
      'eva ': [10, null],
      'eva n4': [60, null],
    })
    // Who is known has counted nothing for others.
    await attempt([known('ann', 'n2')], 'n2')
    await succeed(known('ann', 'n2'), 'n2')
    expect(await rowsOf(db)).toMatchObject({ ' n2': [3, null], 'ann ': [20, null], 'ann n3': [60, null] })
    expect(Object.keys(await rowsOf(db))).not.toContain('ann n2')
  })

  test('a network that has failed too often still waits after one success; below that it does not', async () => {
    const { db, put, succeed } = await setUp()
    await put('', 'n1', start + 21 * 3 * minuteMs, start + 2000)
    await succeed(stranger('ann', 'n1'), 'n1')
    expect(await rowsOf(db)).toEqual({ ' n1': [60, 2 / 60] })
    await succeed(stranger('ann', 'n1'), 'n1')
    expect(await rowsOf(db)).toEqual({ ' n1': [57, null] })
  })

  test('a success whose rows were removed meanwhile is one', async () => {
    const { db, succeed } = await setUp()
    await succeed(stranger('ann', 'n1'), 'n1')
    expect(await rowsOf(db)).toEqual({})
  })

  test('the operator forgives one account', async () => {
    const { db, attempt } = await setUp()
    await attempt([known('ann', 'n1')], 'n1')
    await attempt([known('ann', 'n2')], 'n2')
    await attempt([known('bob', 'n1')], 'n1')
    await db.inTransaction((tx) => forgiveAccount(tx, 'ann'))
    expect(await rowsOf(db)).toEqual({ 'bob n1': [60, null] })
  })

  test('accounts are locked in one order, and the network only where a source is not known', async () => {
    const { db, locks } = noteLocks(await makeDb())
    await admit(db, [known('eva', 'n1'), known('ann', 'n1')], 'n1', start)
    expect(locks).toEqual(['sign-in:ann', 'sign-in:eva'])
    locks.length = 0
    await admit(db, [known('eva', 'n1'), stranger('ann', 'n1')], 'n1', start)
    expect(locks).toEqual(['sign-in:ann', 'sign-in:eva', 'sign-in:n1'])
  })

  test('a row stays until its failures are forgotten and a quarter of an hour after it lets in', async () => {
    const { db, put } = await setUp()
    await put('ann', 'n1', start, null)
    await put('ann', 'n2', start + 1, null)
    await put('ann', 'n3', start, start - 15 * minuteMs)
    await put('ann', 'n4', start, start - 15 * minuteMs + 1)
    await db.inTransaction((tx) => sweepDelays(tx, start))
    expect(Object.keys(await rowsOf(db))).toEqual(['ann n2', 'ann n4'])
  })

  test(
    'each thousandth attempt removes the oldest rows where there are too many',
    async () => {
      const { db, put } = await setUp()
      /** Doubles one old row until there are more than a hundred thousand. */
      const flood = async () => {
        await put('flood', 'n', start - hourMs, null)
        for (let n = 0; n < 17; n++)
          await db.inTransaction((tx) =>
            tx
              .insert(signInDelays)
              .select(
                sql`select account, source || ${`.${n}`}, clear_at, admit_at from sign_in_delays where account = 'flood'`,
              ),
          )
      }
      const isFlooded = async () => {
        const flood = and(eq(signInDelays.account, 'flood'), eq(signInDelays.source, 'n'))
        return (await db.read.select().from(signInDelays).where(flood)).length > 0
      }
      /** How many attempts it takes until the old rows are gone. */
      const attemptsUntilTrimmed = async () => {
        await flood()
        for (let n = 1; n <= 1000; n++) {
          await admit(db, [], 'n1', start)
          if (!(await isFlooded())) return n
        }
        return null
      }
      const first = await attemptsUntilTrimmed()
      expect([first, await attemptsUntilTrimmed()]).toEqual([expect.any(Number), 1000])
    },
    slowMs,
  )
})
