/** Guessing gets slower and slower, and the owner of the account is let in all the same. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { knownSources, signInDelays } from '../../../db/tables.gen.ts'
import {
  admit,
  delayOf,
  forgive,
  perAccount,
  perNetwork,
  perSource,
  sweepDelays,
  trimDelays,
} from '../../../server/auth/delays.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addTenant, addUser, start } from '../../fixtures/accounts.ts'
import { addPerson, type Ask, brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'

/** Passwords are slow on purpose. */
const slowMs = 60_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const home = '198.51.100.7'

test('what failures cost: nothing at first, then twice as much each time, up to a limit', () => {
  const seconds = (rule: typeof perSource, upTo: number) =>
    Array.from({ length: upTo + 1 }, (_, n) => delayOf(n, rule) / 1000)
  expect(seconds(perSource, 12)).toEqual([0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
  expect(seconds(perAccount, 18).slice(9)).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60])
  expect(seconds(perNetwork, 32).slice(19)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
})

onBothEngines('delays of signing in', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb())
    const { ask, db, clock } = service
    const ann = await addPerson(db, 'ann')
    const login = (password: string, given: Omit<Ask, 'body'> = {}, email = 'ann@example.com') =>
      ask('POST /_app/login', { body: { email, password }, ...given })
    /** The status, with the seconds to wait where it is a refusal. */
    const tell = async (answer: ReturnType<typeof login>) => {
      const { status, headers } = await answer
      return status === 429 ? Number(headers.get('retry-after')) : status
    }
    const guess = (address?: string, email?: string) =>
      tell(login('a wrong guess', address === undefined ? {} : { address }, email))
    /** Fails from many networks until a new one has to wait for a minute. */
    const besiege = async () => {
      const network = () => `10.9.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
      const target = () => ({ account: ann, source: `network:${network()}`, isKnown: false })
      for (let n = 0; n < 22; n++) {
        const it = target()
        await admit(db, [it], it.source, clock.now())
        await admit(db, [it], it.source, clock.now() + minuteMs)
      }
    }
    const browserOf = (answer: { headers: Headers }) =>
      answer.headers
        .getSetCookie()
        .map((it) => it.split(';')[0] ?? '')
        .find((it) => it.startsWith('svc_browser=')) ?? ''
    return { ...service, ann, login, tell, guess, besiege, browserOf }
  }

  test(
    'grow with each failure of one network on one account; asking meanwhile costs nothing; a success ends them',
    async () => {
      const { clock, guess, login, tell } = await setUp()
      const told: number[] = []
      for (let round = 0; told.length < 16; round++) {
        const answer = await guess(home)
        told.push(answer)
        if (answer === 401) continue
        // Asking again while it waits changes nothing.
        clock.value += 1000
        expect(await guess(home)).toBe(answer - 1)
        clock.value += (answer - 1) * 1000
      }
      expect(told).toEqual([401, 401, 401, 401, 401, 30, 401, 60, 401, 120, 401, 240, 401, 480, 401, 900])
      expect(await tell(login(goodPassword, { address: home }))).toBe(200)
      for (let n = 0; n < 5; n++) {
        clock.value += 10_000
        expect(await guess(home)).toBe(401)
      }
      expect(await tell(login(goodPassword, { address: home }))).toBe(30)
      // Forgotten one by one, an hour each.
      clock.value += 3 * 60 * minuteMs
      expect([await guess(home), await guess(home), await guess(home)]).toEqual([401, 401, 401])
      expect(await guess(home)).toBe(30)
    },
    slowMs,
  )

  test(
    'the owner signs in with a browser or from a network that is known, however much is guessed elsewhere',
    async () => {
      const { ann, db, clock, login, tell, guess, besiege, browserOf } = await setUp()
      const browser = browserOf(await login(goodPassword, { address: home }))
      expect(browser).toMatch(/^svc_browser=\w{43}$/)
      await besiege()
      expect(await guess('203.0.113.1')).toBe(60)
      const elsewhere = { address: '203.0.113.2', headers: { cookie: browser } }
      expect(await tell(login(goodPassword, elsewhere))).toBe(200)
      expect(await tell(login(goodPassword, { address: home }))).toBe(200)
      // Own failures slow down here alone.
      clock.value += 61_000
      for (let n = 0; n < 5; n++) expect(await tell(login('mistyped', elsewhere))).toBe(401)
      expect(await tell(login(goodPassword, elsewhere))).toBe(30)
      expect(await tell(login(goodPassword, { address: home }))).toBe(200)
      const stored = JSON.stringify(await db.read.select().from(knownSources).where(eq(knownSources.userId, ann)))
      expect(stored).not.toContain(browser.split('=')[1] ?? '')
      expect(stored).not.toContain(home)
    },
    slowMs,
  )

  test(
    'a new device in a new network waits a minute at most, once, although the guessing goes on',
    async () => {
      const { login, tell, clock, besiege } = await setUp()
      await besiege()
      const owner = () => tell(login(goodPassword, { address: home }))
      expect(await owner()).toBe(60)
      clock.value += 30_000
      await besiege()
      expect(await owner()).toBe(30)
      clock.value += 30_000
      await besiege()
      expect(await owner()).toBe(200)
      await besiege()
      expect(await owner()).toBe(200)
    },
    slowMs,
  )

  test(
    'a known browser signs in from a network in which another person guesses',
    async () => {
      const { login, tell, guess, clock, browserOf } = await setUp()
      const browser = browserOf(await login(goodPassword))
      for (let n = 0; n < 10; n++) await guess(home, `guess${n}@example.com`)
      expect(await tell(login(goodPassword, { address: home }))).toBe(60)
      const known = { address: home, headers: { cookie: browser } }
      expect(await tell(login(goodPassword, known))).toBe(200)
      // Ten attempts a minute are those of this browser too.
      const told: number[] = []
      for (let n = 0; n < 10; n++) told.push(await tell(login(goodPassword, known)))
      expect(told).toEqual([...Array<number>(9).fill(200), 60])
      clock.value += minuteMs
      expect(await tell(login(goodPassword, known))).toBe(200)
    },
    slowMs,
  )

  test(
    'one network that tries many accounts is slowed as a whole; those who know it are not',
    async () => {
      const { db, clock, login, tell, guess } = await setUp()
      expect(await tell(login(goodPassword, { address: home }))).toBe(200)
      const told: number[] = []
      for (let n = 0; told.length < 32; n++) {
        // Ten a minute are never reached.
        clock.value += 7000
        const answer = await guess(home, `guess${n}@example.com`)
        told.push(answer)
        if (answer !== 401) clock.value += answer * 1000
      }
      // The first delays are over within the seven seconds; a refusal is followed by an attempt that waited. One failure
      // is forgotten every three minutes.
      expect(told).toEqual([...Array<number>(23).fill(401), 1, 401, 9, 401, 9, 401, 25, 401, 57])
      clock.value += minuteMs
      expect(await tell(login(goodPassword, { address: home }))).toBe(200)
      const rows = await db.read.select().from(signInDelays).where(eq(signInDelays.account, ''))
      expect(rows).toHaveLength(1)
    },
    slowMs,
  )

  test(
    'addresses of one /64 count together; a cookie of another person, a forged one and a planted one do not help',
    async () => {
      const { db, login, tell, guess, besiege, browserOf } = await setUp()
      const told: number[] = []
      for (let n = 0; n < 15; n++) told.push(await guess(`2001:db8:0:7:${n}::1`, `guess${n}@example.com`))
      expect(told).toEqual([...Array<number>(10).fill(401), ...Array<number>(5).fill(60)])
      expect(await guess('2001:db8:0:8::1', 'guess@example.com')).toBe(401)

      await addPerson(db, 'mallory')
      const mallorys = browserOf(await login(goodPassword, {}, 'mallory@example.com'))
      await besiege()
      for (const cookie of [mallorys, `svc_browser=${'x'.repeat(43)}`, 'svc_browser=x', 'svc_browser='])
        expect([cookie, await tell(login(goodPassword, { headers: { cookie } }))]).toEqual([cookie, 60])
      // An attacker who planted a value that no account signed in with does not share the browser afterwards.
      const planted = `svc_browser=${'p'.repeat(43)}`
      const fresh = browserOf(await login(goodPassword, { headers: { cookie: planted } }, 'mallory@example.com'))
      expect([fresh === planted, fresh.length]).toEqual([false, planted.length])
      const kept = browserOf(await login(goodPassword, { headers: { cookie: fresh } }, 'mallory@example.com'))
      expect(kept).toBe(fresh)
    },
    slowMs,
  )

  test(
    'at both servers at once five guesses pass, and one row counts them',
    async () => {
      const target = await makeDb.makeTarget()
      const [one, two] = [await makeDb.open(target), await makeDb.open(target)]
      const services = [startIdentityService(one), startIdentityService(two)]
      const ann = await addPerson(one, 'ann')
      const body = { email: 'ann@example.com', password: 'a wrong guess' }
      const answers = await Promise.all(
        Array.from({ length: 10 }, async (_, n) =>
          services[n % 2]?.ask('POST /v1/auth/login', { body, address: home }),
        ),
      )
      expect(answers.map((it) => String(it?.status)).sort()).toEqual([
        ...Array<string>(5).fill('401'),
        ...Array<string>(5).fill('429'),
      ])
      const rows = await one.read.select().from(signInDelays).where(eq(signInDelays.account, ann))
      expect(rows.map((it) => it.source.replace(/:.*/, '')).sort()).toEqual(['', 'network'])
    },
    slowMs,
  )

  test(
    'accounts that do not exist are slowed alike, and so is the owner of an address by a namesake',
    async () => {
      const { db, clock, login, tell, guess, ann } = await setUp()
      const unknown: number[] = []
      for (let n = 0; n < 7; n++) unknown.push(await guess(home, 'Ghost@example.com'))
      expect(unknown).toEqual([401, 401, 401, 401, 401, 30, 30])
      // Mallory has an account of the same address: signing in to it forgives no guess at the other one.
      const hash = await Bun.password.hash('the password of mallory', 'argon2id')
      const evil = await addTenant(db, 'evil')
      await addUser(db, 'ann', hash, { emailVerifiedAt: null, boundTo: evil })
      const cafe = '203.0.113.9'
      for (let n = 0; n < 4; n++) {
        clock.value += 20_000
        expect(await tell(login('the password of mallory', { address: cafe }))).toBe(200)
        expect(await guess(cafe)).toBe(401)
      }
      const rows = await db.read.select().from(signInDelays).where(eq(signInDelays.account, ann))
      expect(rows.some((it) => it.admitAt !== null)).toBe(true)
      // Her own account opens, the right password of the other one is not even looked at.
      expect(brief(await login(goodPassword, { address: cafe }))).toEqual([401, 'credentials-invalid'])
      expect(await tell(login('the password of mallory', { address: cafe }))).toBe(200)
      expect(await tell(login(goodPassword, { address: '203.0.113.10' }))).toBe(200)
    },
    slowMs,
  )

  test(
    'what one network can guess in a day: about a hundred on one account, a few hundred on all',
    async () => {
      const { db, ann } = await setUp()
      /** Guesses as fast as the delays let it, without the limit of ten a minute. */
      const guessesIn = async (network: string, accountOf: (n: number) => string) => {
        let guesses = 0
        for (let now = start; now < start + dayMs;) {
          const target = { account: accountOf(guesses), source: network, isKnown: false }
          const { admitted, waitMs } = await admit(db, [target], network, now)
          guesses += admitted.size
          now += admitted.size > 0 ? 1 : waitMs
        }
        return guesses
      }
      expect([await guessesIn('network:1', () => ann), await guessesIn('network:2', () => ann)]).toEqual([104, 104])
      const sprayed = await guessesIn('network:3', (n) => `account ${n}`)
      expect([sprayed > 400, sprayed < 600]).toEqual([true, true])
    },
    slowMs,
  )

  test(
    'rows are few: one for each account and network, gone when forgotten, and never more than a number',
    async () => {
      const { db, ann } = await setUp()
      const attempt = (n: number, now = start) => {
        const network = `network:${n}`
        return admit(db, [{ account: ann, source: network, isKnown: false }], network, now)
      }
      for (let n = 0; n < 4; n++) await attempt(1)
      await attempt(2)
      expect(await db.read.$count(signInDelays)).toBe(5)
      const count = async (work: (tx: Parameters<typeof trimDelays>[0]) => Promise<unknown>) => {
        await db.inTransaction(work)
        return db.read.$count(signInDelays)
      }
      // The first to be forgotten go: those of the networks, then that of the single guess.
      expect(await count((tx) => trimDelays(tx, 3))).toBe(3)
      expect(await count((tx) => sweepDelays(tx, start + 61 * minuteMs))).toBe(1)
      expect(await count((tx) => sweepDelays(tx, start + 4 * 60 * minuteMs))).toBe(0)
      await attempt(3)
      const target = { account: ann, source: 'network:3', isKnown: false }
      await db.inTransaction((tx) => forgive(tx, target, { network: 'network:3', isOnly: true, now: start }))
      expect(await count((tx) => sweepDelays(tx, start))).toBe(0)
    },
    slowMs,
  )
})
