import { expect, test } from 'bun:test'
import { authAttempts, signInDelays } from '../../../db/tables.gen.ts'
import { checkPassword } from '../../../server/users/check-password.ts'
import { browserKey, rememberBrowser, type Source } from '../../../server/auth/source.ts'
import { addTenant, addUser, handClock, outcome, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, goodPassword } from '../../fixtures/identity-service.ts'

const home = '198.51.100.7'
const ofHome = `address:${home}`
const made = 'm'.repeat(43)

onBothEngines('checking a password', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const ann = await addPerson(db, 'ann')
    const clock = handClock()
    /** The id of the account that the password opens, or what is refused. */
    const check = async (password: string, source: Source) => {
      const given = { email: 'ann@example.com', preferredTenant: null, password, source }
      const answer = (await outcome(checkPassword({ db, clock }, given))) as { id?: string; code?: string }
      return answer.id ?? answer.code
    }
    const buckets = async () => (await db.read.select().from(authAttempts)).map((it) => it.bucket)
    /** The value of the cookie that an account gets after signing in with a browser. */
    const signInBrowser = async (userId: string) => {
      const facts = { now: start, secure: false }
      const cookie = await db.inTransaction((tx) =>
        rememberBrowser(tx, userId, { address: home, browser: null }, facts),
      )
      return /=(\w+)/.exec(cookie)?.[1] ?? ''
    }
    return { db, ann, check, buckets, signInBrowser }
  }

  test('in-process nothing is counted, and a wrong password is refused all the same', async () => {
    const { db, ann, check, buckets } = await setUp()
    const inProcess = { address: null, browser: null }
    expect(await check('not it', inProcess)).toBe('credentials-invalid')
    expect(await check(goodPassword, inProcess)).toBe(ann)
    expect([await buckets(), await db.read.select().from(signInDelays)]).toEqual([[], []])
  })

  test('a browser that one of the accounts of the address knows has attempts of its own', async () => {
    const { db, ann, check, buckets, signInBrowser } = await setUp()
    const browser = await signInBrowser(ann)
    await addUser(db, 'ann', null, { emailVerifiedAt: null, boundTo: await addTenant(db, 'evil') })
    expect(await check(goodPassword, { address: home, browser })).toBe(ann)
    expect(await buckets()).toEqual([browserKey(browser)])
  })

  test('without a cookie, with a made-up one or with that of another person an attempt is one of its address', async () => {
    const { db, check, buckets, signInBrowser } = await setUp()
    const mallorys = await signInBrowser(await addUser(db, 'mallory'))
    for (const browser of [null, made, mallorys])
      expect(await check('not it', { address: home, browser })).toBe('credentials-invalid')
    expect(await buckets()).toEqual([ofHome, ofHome, ofHome])
  })
})
