/** Signing in with a second factor: every way in asks for it, and nothing is given out before it. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditEvents,
  factorTickets,
  knownSources,
  memberships,
  refreshTokens,
  sessions,
  signInDelays,
} from '../../../db/tables.gen.ts'
import { networkKey } from '../../../server/auth/door.ts'
import { createReset } from '../../../server/users/password-reset.ts'
import { setUserStatus } from '../../../server/users/accounts.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'
import { addPersonWithApp, codeAt, ticketOf } from '../../fixtures/second-factors.ts'

const login = 'POST /v1/auth/login'
const webLogin = 'POST /_app/login'
const second = 'POST /v1/auth/login/second-factor'
const webSecond = 'POST /_app/login/second-factor'
const asked = [401, 'second-factor-required']
const wrong = [401, 'second-factor-wrong']
const unknown = [401, 'sign-in-ticket-invalid']
const slowed = [429, 'auth-rate-limited']
const pairAsked = [401, 'next-code-required']
const times = (count: number, outcome: unknown): unknown[] => Array.from({ length: count }, () => outcome)

onBothEngines('the second step of signing in', (makeDb) => {
  const open = async () => {
    const service = startIdentityService(await makeDb())
    const ann = await addPersonWithApp(service, 'ann')
    const credentials = { email: ann.email, password: goodPassword }
    const begin = async (line = login) => ticketOf(await service.ask(line, { body: credentials }))
    const opened = async () => [
      (await service.db.read.select().from(sessions)).length,
      (await service.db.read.select().from(refreshTokens)).length,
    ]
    return { ...service, service, ann, credentials, begin, opened }
  }

  test('comes after the right password, for programs and browsers, and opens nothing before it', async () => {
    const { ask, ann, credentials, opened } = await open()
    const first = await ask(login, { body: credentials })
    expect([
      brief(first),
      first.body.detail.methods,
      first.body.detail.expires_in,
      first.headers.get('set-cookie'),
    ]).toEqual([asked, ['totp', 'recovery-code'], 300, null])
    expect(brief(await ask(webLogin, { body: credentials }))).toEqual(asked)
    expect(await opened()).toEqual([0, 0])
    const done = await ask(second, { body: { ticket: ticketOf(first), code: ann.code() } })
    expect([done.status, done.body.user.id, typeof done.body.refresh_token]).toEqual([200, ann.id, 'string'])
    expect(await opened()).toEqual([0, 1])
  })

  test('says nothing without the right password: an account with a factor answers as any other', async () => {
    const { ask, db, ann } = await open()
    await addPerson(db, 'bob')
    const answers = []
    for (const email of [ann.email, 'bob@example.com', 'nobody@example.com'])
      answers.push(await ask(login, { body: { email, password: 'not the right one' } }))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(answers.map(brief)[0]).toEqual([401, 'credentials-invalid'])
    expect((await db.read.select().from(factorTickets)).length).toBe(0)
  })

  test('is not asked of people without a factor, whose answers stay as they were', async () => {
    const { ask, db } = await open()
    const id = await addPerson(db, 'bob')
    const done = await ask(login, { body: { email: 'bob@example.com', password: goodPassword } })
    expect([done.status, Object.keys(done.body).toSorted(), done.body.user]).toEqual([
      200,
      ['access_token', 'expires_in', 'refresh_expires_in', 'refresh_token', 'token_type', 'user'],
      { id, email: 'bob@example.com', name: 'bob' },
    ])
    expect((await ask(webLogin, { body: { email: 'bob@example.com', password: goodPassword } })).status).toBe(200)
  })

  test('opens the session of a browser, and the trail says with what', async () => {
    const { ask, db, ann, begin } = await open()
    const done = await ask(webSecond, { body: { ticket: await begin(webLogin), code: ann.code() } })
    expect([done.status, done.body.user.id, done.headers.get('set-cookie')?.startsWith('svc_session=')]).toEqual([
      200,
      ann.id,
      true,
    ])
    const [row] = await db.read.select().from(auditEvents).where(eq(auditEvents.action, 'user.signed-in'))
    expect(row?.detail).toEqual({ second_factor: 'totp' })
  })

  test('takes a code once, a ticket once, and neither of another moment or person', async () => {
    const { ask, service, clock, ann, begin } = await open()
    const eve = await addPersonWithApp(service, 'eve')
    const [one, two] = [await begin(), await begin()]
    const code = ann.code()
    // The ticket of a person takes no code of another one.
    expect(brief(await ask(second, { body: { ticket: one, code: eve.code() } }))).toEqual(wrong)
    expect((await ask(second, { body: { ticket: one, code } })).status).toBe(200)
    expect(brief(await ask(second, { body: { ticket: two, code } }))).toEqual(wrong)
    clock.value += 30_000
    expect(brief(await ask(second, { body: { ticket: one, code: ann.code() } }))).toEqual([
      401,
      'sign-in-ticket-invalid',
    ])
    expect((await ask(second, { body: { ticket: two, code: ann.code() } })).status).toBe(200)
    for (const ticket of ['made-up', one, two])
      expect(brief(await ask(second, { body: { ticket, code: ann.code(1) } }))).toEqual(unknown)
  })

  test('of two requests with one ticket and one code at once one is let in', async () => {
    const { ask, ann, begin, opened } = await open()
    const body = { ticket: await begin(), code: ann.code() }
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(second, { body })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401])
    expect(await opened()).toEqual([0, 1])
  })

  test('accepts codes of the step before and after, by the clock of the service', async () => {
    const { ask, clock, ann, begin } = await open()
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
    ] as const) {
      // The first code confirmed the app: what comes before it is used up.
      clock.value += 10 * 60_000
      expect([steps, (await ask(second, { body: { ticket: await begin(), code: ann.code(steps) } })).status]).toEqual([
        steps,
        status,
      ])
    }
    clock.value += 10 * 60_000
    expect((await ask(second, { body: { ticket: await begin(), code: ann.code(1) } })).status).toBe(200)
  })

  test('has to come within five minutes, and 20 tickets of a person are kept', async () => {
    const { ask, db, clock, ann, begin } = await open()
    const ticket = await begin()
    clock.value += 300_000
    expect(brief(await ask(second, { body: { ticket, code: ann.code() } }))).toEqual(unknown)
    for (let made = 0; made < 25; made++) {
      clock.value += 1000
      await begin()
    }
    expect((await db.read.select().from(factorTickets)).length).toBe(20)
  })

  test('takes a recovery code once, in any letters', async () => {
    const { ask, db, ann, begin } = await open()
    const [one = '', two = ''] = ann.recoveryCodes
    expect([ann.recoveryCodes.length, new Set(ann.recoveryCodes).size]).toEqual([10, 10])
    expect(ann.recoveryCodes.filter((it) => !/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/.test(it))).toEqual([])
    expect((await ask(second, { body: { ticket: await begin(), recovery_code: one } })).status).toBe(200)
    expect(brief(await ask(second, { body: { ticket: await begin(), recovery_code: one } }))).toEqual(wrong)
    const written = ` ${two.toUpperCase().replaceAll('-', '')} `
    expect((await ask(second, { body: { ticket: await begin(), recovery_code: written } })).status).toBe(200)
    const used = await db.read.select().from(auditEvents).where(eq(auditEvents.action, 'user.recovery-code-used'))
    expect(used.map((it) => it.detail)).toEqual(expect.arrayContaining([{ left: 9 }, { left: 8 }]))
    for (const body of [{}, { code: ann.code(), recovery_code: ann.recoveryCodes[2] }])
      expect(brief(await ask(second, { body: { ticket: await begin(), ...body } }))).toEqual(wrong)
  })

  test('a reset of the password keeps the factor, and ends what the old password began', async () => {
    const { ask, identity, ann, begin, opened } = await open()
    const before = await begin()
    const { token } = await createReset(identity, ann.email, 1)
    const used = await ask('POST /_app/password-reset/use', { body: { token, password: 'another long secret' } })
    expect(brief(used)).toEqual(asked)
    expect(await opened()).toEqual([0, 0])
    expect(brief(await ask(second, { body: { ticket: before, code: ann.code() } }))).toEqual([
      401,
      'sign-in-ticket-invalid',
    ])
    expect((await ask(webSecond, { body: { ticket: ticketOf(used), code: ann.code() } })).status).toBe(200)
    const next = await ask(login, { body: { email: ann.email, password: 'another long secret' } })
    expect(brief(next)).toEqual(asked)
  })

  test('an invitation is accepted with an existing account after the second step, not before', async () => {
    const { ask, db, bearer, ann, opened } = await open()
    const acme = await addTenant(db, 'acme')
    const olga = await addPerson(db, 'olga')
    await addMember(db, acme, olga, 'owner')
    const invited = await ask('POST /v1/tenants/acme/invitations', {
      headers: await bearer(olga),
      body: { email: ann.email, role: 'editor' },
    })
    const joined = async () =>
      (await db.read.select().from(memberships).where(eq(memberships.userId, ann.id))).map((it) => it.status)
    const accept = () =>
      ask('POST /_app/invitation/accept', { body: { token: invited.body.token, password: goodPassword } })
    const first = await accept()
    expect([brief(first), await joined(), await opened()]).toEqual([asked, ['pending'], [0, 0]])
    const done = await ask(webSecond, { body: { ticket: ticketOf(first), code: ann.code() } })
    expect([done.status, await joined(), await opened()]).toEqual([200, ['active'], [1, 0]])
    expect(brief(await accept())).toEqual([403, 'invitation-invalid'])
  })

  test('a disabled account is not let in', async () => {
    const { ask, identity, ann, begin, opened } = await open()
    const ticket = await begin()
    await setUserStatus(identity, ann.email, 'disabled')
    expect(brief(await ask(second, { body: { ticket, code: ann.code() } }))).toEqual([401, 'credentials-invalid'])
    expect(await opened()).toEqual([0, 0])
  })

  test('a page of another site cannot finish a sign-in', async () => {
    const { ask, ann, begin } = await open()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const body = { ticket: await begin(webLogin), code: ann.code() }
    expect(brief(await ask(webSecond, { headers, body }))).toEqual([403, 'cross-site-request'])
    expect((await ask(webSecond, { body })).status).toBe(200)
  })

  test('a network is known once both steps were done in it', async () => {
    const { ask, db, ann, credentials } = await open()
    const known = async () => (await db.read.select().from(knownSources)).length
    const address = '198.51.100.7'
    const first = await ask(login, { body: credentials, address })
    expect(await known()).toBe(0)
    await ask(second, { body: { ticket: ticketOf(first), code: ann.code() }, address })
    expect(await known()).toBe(1)
  })
})

onBothEngines('guesses at the second factor', (makeDb) => {
  test('are slowed down together, wherever they come from, and never for the networks of the person', async () => {
    const service = startIdentityService(await makeDb())
    const { ask, db, clock } = service
    const ann = await addPersonWithApp(service, 'ann')
    const credentials = { email: ann.email, password: goodPassword }
    const home = '203.0.113.9'
    const first = await ask(login, { body: credentials, address: home })
    expect((await ask(second, { body: { ticket: ticketOf(first), code: ann.code() }, address: home })).status).toBe(200)
    clock.value += 30_000
    const ticket = ticketOf(await ask(login, { body: credentials }))
    const guesses: unknown[] = []
    for (let at = 0; at < 9; at++)
      guesses.push(brief(await ask(second, { body: { ticket, code: '000000' }, address: `198.51.${at}.1` })))
    expect(guesses).toEqual([...times(5, wrong), ...times(4, pairAsked)])
    // The right code alone is not let in elsewhere either, until the wait is over; at home it is.
    expect(brief(await ask(second, { body: { ticket, code: ann.code() }, address: '198.51.99.1' }))).toEqual(pairAsked)
    // Wrong recovery codes are counted by network: those of a stranger cost the person nothing.
    const stranger = { ticket, recovery_code: 'aaaa-aaaa-aaaa-aaaa' }
    const tried: unknown[] = []
    for (let at = 0; at < 7; at++) tried.push(brief(await ask(second, { body: stranger, address: '198.51.3.1' })))
    expect(tried).toEqual([...times(5, wrong), ...times(2, slowed)])
    const own = ticketOf(await ask(login, { body: credentials, address: '192.0.2.77' }))
    const [recovery] = ann.recoveryCodes
    const answer = await ask(second, { body: { ticket: own, recovery_code: recovery }, address: '192.0.2.77' })
    expect(answer.status).toBe(200)
    const rows = (await db.read.select().from(signInDelays)).filter((it) => it.account.startsWith('second-factor:'))
    expect(rows.map((it) => it.source).toSorted()).toEqual(['elsewhere', networkKey('198.51.3.1')].toSorted())
    const again = ticketOf(await ask(login, { body: credentials, address: home }))
    expect((await ask(second, { body: { ticket: again, code: ann.code() }, address: home })).status).toBe(200)
    clock.value += 31_000
    expect((await ask(second, { body: { ticket, code: ann.code() }, address: '198.51.99.1' })).status).toBe(200)
  })

  test('never keep the person out of a new place: two consecutive codes let them in there', async () => {
    const service = startIdentityService(await makeDb())
    const { ask, clock } = service
    const ann = await addPersonWithApp(service, 'ann')
    const begin = async (address: string) =>
      ticketOf(await ask(login, { body: { email: ann.email, password: goodPassword }, address }))
    const [stranger, cafe] = ['198.51.3.1', '192.0.2.77']
    const ticket = await begin('198.51.1.1')
    for (let at = 0; at < 6; at++) await ask(second, { body: { ticket, code: '000000' }, address: `198.51.${at}.1` })
    // The stranger guesses pairs as well, which costs nobody else anything.
    const pair = { ticket, code: '000000', next_code: '111111' }
    const guesses: unknown[] = []
    for (let at = 0; at < 7; at++) guesses.push(brief(await ask(second, { body: pair, address: stranger })))
    expect(guesses).toEqual([...times(5, wrong), ...times(2, slowed)])

    const own = await begin(cafe)
    const code = ann.code()
    const alone = await ask(second, { body: { ticket: own, code }, address: cafe })
    expect([brief(alone), alone.body.detail.retry_after > 0]).toEqual([pairAsked, true])
    const wrongPairs = [
      [code, '111111'],
      ['000000', ann.code(1)],
      [ann.code(1), code],
      [code, code],
    ]
    for (const [first, next] of wrongPairs)
      expect(brief(await ask(second, { body: { ticket: own, code: first, next_code: next }, address: cafe }))).toEqual(
        wrong,
      )
    clock.value += 30_000
    const body = { ticket: own, code, next_code: ann.code() }
    expect((await ask(second, { body, address: cafe })).status).toBe(200)
    // Both are used up; the place is known from now on, so that a single code is enough.
    const next = await begin(cafe)
    expect(brief(await ask(second, { body: { ...body, ticket: next }, address: cafe }))).toEqual(wrong)
    clock.value += 30_000
    expect((await ask(second, { body: { ticket: next, code: ann.code() }, address: cafe })).status).toBe(200)
  })

  test('the code after it comes with a code of the app only', async () => {
    const service = startIdentityService(await makeDb())
    const ann = await addPersonWithApp(service, 'ann')
    const { ask } = service
    const ticket = ticketOf(await ask(login, { body: { email: ann.email, password: goodPassword } }))
    const [recovery] = ann.recoveryCodes
    const answer = await ask(second, { body: { ticket, recovery_code: recovery, next_code: ann.code() } })
    expect([brief(answer), JSON.stringify(answer.body).includes('next_code')]).toEqual([wrong, true])
    expect((await ask(second, { body: { ticket, recovery_code: recovery } })).status).toBe(200)
  })

  test('do not keep a signed-in person from a new app', async () => {
    const service = startIdentityService(await makeDb())
    const { ask, bearer, clock } = service
    const ann = await addPersonWithApp(service, 'ann')
    const ticket = ticketOf(await ask(login, { body: { email: ann.email, password: goodPassword } }))
    for (let at = 0; at < 6; at++) await ask(second, { body: { ticket, code: '000000' }, address: `198.51.${at}.1` })
    const headers = await bearer(ann.id)
    const begun = await ask('POST /v1/auth/second-factors/app', {
      headers,
      body: { current_password: goodPassword },
      address: '192.0.2.77',
    })
    const code = codeAt(String(begun.body.secret), clock.now())
    const answer = await ask('POST /v1/auth/second-factors/app/confirm', {
      headers,
      body: { code },
      address: '192.0.2.77',
    })
    expect(answer.status).toBe(200)
  })

  test('a guessed ticket counts for its network', async () => {
    const service = startIdentityService(await makeDb())
    const answers: unknown[] = []
    for (let at = 0; at < 12; at++)
      answers.push(
        brief(await service.ask(second, { body: { ticket: `t${at}`, code: '000000' }, address: '192.0.2.4' })),
      )
    expect(answers).toEqual([...times(10, unknown), ...times(2, slowed)])
  })
})
