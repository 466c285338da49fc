import { expect, test } from 'bun:test'
import { sessions } from '../../../db/tables.gen.ts'
import { beginSession, endSessionsOf, readSession, sessionTokenOf } from '../../../server/auth/session.ts'
import { addUser, requestWith, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const dayMs = 24 * 3_600_000

onBothEngines('browser sessions', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const userId = await addUser(db, 'ann')
    const begin = async (now = start): Promise<Request> => {
      const { cookie } = await db.inTransaction((tx) =>
        beginSession(tx, { userId, userAgent: 'b', now, secure: false }),
      )
      return requestWith({ cookie: cookie.split(';')[0] ?? '' })
    }
    const seen = async () =>
      (await db.read.select({ at: sessions.lastSeenAt }).from(sessions))
        .map((it) => Date.parse(it.at) - start)
        .toSorted((a, b) => a - b)
    return { db, userId, begin, seen }
  }

  test('one ends after a week in which nobody used it, and after 30 days however much it was used', async () => {
    const { db, userId, begin } = await setUp()
    const idle = await begin()
    expect(await readSession(db, idle, start + 7 * dayMs - 1)).toBe(userId)
    const used = await begin()
    expect(await readSession(db, used, start + 7 * dayMs)).toBeNull()
    const long = await begin()
    for (let day = 6; day < 30; day += 6) expect(await readSession(db, long, start + day * dayMs)).toBe(userId)
    expect(await readSession(db, long, start + 30 * dayMs - 1)).toBe(userId)
    expect(await readSession(db, long, start + 30 * dayMs)).toBeNull()
  })

  test('its use is noted at most once a minute, and for no other session', async () => {
    const { db, begin, seen } = await setUp()
    const [one] = [await begin(), await begin()]
    for (const [after, noted] of [
      [59_999, [0, 0]],
      [60_000, [0, 60_000]],
      [119_999, [0, 60_000]],
      [120_000, [0, 120_000]],
    ] as const) {
      await readSession(db, one, start + after)
      expect(await seen()).toEqual([...noted])
    }
  })

  test('ending the sessions of a person leaves the one that asks', async () => {
    const { db, userId, begin } = await setUp()
    const [one, two] = [await begin(), await begin()]
    await db.inTransaction((tx) => endSessionsOf(tx, userId, sessionTokenOf(one)))
    expect([await readSession(db, one, start), await readSession(db, two, start)]).toEqual([userId, null])
    await db.inTransaction((tx) => endSessionsOf(tx, userId, null))
    expect(await readSession(db, one, start)).toBeNull()
  })
})
