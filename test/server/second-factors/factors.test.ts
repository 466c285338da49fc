/** The second factors of a person: adding, replacing, removing, and the operator's way out. */
import { expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import {
  auditEvents,
  authenticatorApps,
  notifications,
  recoveryCodes,
  secrets,
  signInDelays,
  users,
} from '../../../db/tables.gen.ts'
import { findExternalUser } from '../../../server/sign-in/external-identity.ts'
import { resetFactors } from '../../../server/second-factors/factors.ts'
import { addMember, addTenant, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, brief, cheapHash, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'
import { addApp, addPersonWithApp, codeAt, ticketOf } from '../../fixtures/second-factors.ts'

const base = '/v1/auth/second-factors'
const login = 'POST /v1/auth/login'
const second = 'POST /v1/auth/login/second-factor'
const password = { current_password: goodPassword }

onBothEngines('second factors of a person', (makeDb) => {
  const open = async () => {
    const service = startIdentityService(await makeDb())
    const id = await addPerson(service.db, 'ann')
    const headers = await service.browser(id)
    const send = (line: string, body?: object) => {
      const [method, path] = line.split(' ')
      return service.ask(`${method} ${base}${path}`, { headers, ...(body === undefined ? {} : { body }) })
    }
    const audited = async () =>
      (await service.db.read.select().from(auditEvents).orderBy(desc(auditEvents.id)))
        .filter((it) => it.targetId === id && it.action !== 'user.signed-in')
        .map((it) => [it.action, it.means, it.detail])
        .toReversed()
    const count = async (table: typeof secrets | typeof authenticatorApps | typeof recoveryCodes) =>
      (await service.db.read.select().from(table)).length
    return { ...service, service, id, headers, send, audited, count }
  }

  test('an app is in use after its first code, and comes with recovery codes', async () => {
    const { send, clock, audited, count, db } = await open()
    const none = {
      has_password: true,
      enabled: false,
      authenticator_app: null,
      passkeys: [],
      recovery_codes: { left: 0, created_at: null },
    }
    expect((await send('GET ')).body).toEqual(none)
    const begun = await send('POST /app', password)
    expect([begun.status, begun.body.uri]).toEqual([
      201,
      `otpauth://totp/svc:ann%40example.com?secret=${begun.body.secret}&issuer=svc&algorithm=SHA1&digits=6&period=30`,
    ])
    expect((await send('GET ')).body).toEqual(none)
    const code = codeAt(begun.body.secret, clock.now())
    const other = code === '000000' ? '000001' : '000000'
    expect(brief(await send('POST /app/confirm', { code: other }))).toEqual([401, 'second-factor-wrong'])
    const confirmed = await send('POST /app/confirm', { code })
    expect([confirmed.status, confirmed.body.recovery_codes.length]).toEqual([200, 10])
    const at = clock.iso()
    expect((await send('GET ')).body).toEqual({
      has_password: true,
      enabled: true,
      authenticator_app: { added_at: at, last_used_at: null },
      passkeys: [],
      recovery_codes: { left: 10, created_at: at },
    })
    expect(await audited()).toEqual([['user.second-factor-added', 'web', { method: 'totp' }]])
    // Neither the secret nor a code is in the database as it was shown.
    const stored = JSON.stringify([
      await db.read.select().from(secrets),
      await db.read.select().from(authenticatorApps),
      await db.read.select().from(recoveryCodes),
      await db.read.select().from(auditEvents),
    ])
    expect([begun.body.secret, ...confirmed.body.recovery_codes].filter((it: string) => stored.includes(it))).toEqual(
      [],
    )
    expect(await count(secrets)).toBe(1)
  })

  test('every change but the first code takes the password', async () => {
    const { send, service, id } = await open()
    const wrong = { current_password: 'not the right one' }
    expect(brief(await send('POST /app', wrong))).toEqual([401, 'credentials-invalid'])
    await addApp(service, id, 'ann')
    for (const line of ['POST /app', 'POST /app/remove', 'POST /recovery-codes']) {
      expect([line, brief(await send(line, wrong))]).toEqual([line, [401, 'credentials-invalid']])
      expect([line, (await send(line, {})).status]).toEqual([line, 422])
    }
    expect((await send('GET ')).body.enabled).toBe(true)
  })

  test('a second app replaces the first one once it is confirmed; the codes stay', async () => {
    const { send, service, id, ask, clock, count } = await open()
    const ann = await addApp(service, id, 'ann')
    const credentials = { email: ann.email, password: goodPassword }
    const begun = await send('POST /app', password)
    const begunAgain = await send('POST /app', password)
    expect(await count(authenticatorApps)).toBe(2)
    const first = ticketOf(await ask(login, { body: credentials }))
    expect((await ask(second, { body: { ticket: first, code: ann.code() } })).status).toBe(200)
    // The secret that was shown first has ended with the second one.
    const ended = await send('POST /app/confirm', { code: codeAt(begun.body.secret, clock.now()) })
    expect(brief(ended)).toEqual([401, 'second-factor-wrong'])
    const confirmed = await send('POST /app/confirm', { code: codeAt(begunAgain.body.secret, clock.now()) })
    expect([confirmed.status, confirmed.body]).toEqual([200, { recovery_codes: null }])
    expect([await count(authenticatorApps), await count(secrets)]).toEqual([1, 1])
    clock.value += 30_000
    const ticket = ticketOf(await ask(login, { body: credentials }))
    expect(brief(await ask(second, { body: { ticket, code: ann.code() } }))).toEqual([401, 'second-factor-wrong'])
    const code = codeAt(begunAgain.body.secret, clock.now())
    expect((await ask(second, { body: { ticket, code } })).status).toBe(200)
  })

  test('a secret waits an hour for its first code', async () => {
    const { send, clock } = await open()
    const { secret } = (await send('POST /app', password)).body
    clock.value += 3_600_000
    const late = await send('POST /app/confirm', { code: codeAt(secret, clock.now()) })
    expect(brief(late)).toEqual([404, 'second-factor-not-found'])
  })

  test('removing the last one removes codes, secrets and sign-ins that wait for it', async () => {
    const { send, service, id, ask, audited, count } = await open()
    const ann = await addApp(service, id, 'ann')
    const credentials = { email: ann.email, password: goodPassword }
    const waiting = ticketOf(await ask(login, { body: credentials }))
    expect((await send('POST /app/remove', password)).status).toBe(204)
    expect([await count(secrets), await count(authenticatorApps), await count(recoveryCodes)]).toEqual([0, 0, 0])
    expect((await ask(login, { body: credentials })).status).toBe(200)
    const late = await ask(second, { body: { ticket: waiting, recovery_code: ann.recoveryCodes[0] } })
    expect(brief(late)).toEqual([401, 'sign-in-ticket-invalid'])
    expect(brief(await send('POST /app/remove', password))).toEqual([404, 'second-factor-not-found'])
    expect((await audited()).slice(1)).toEqual([['user.second-factor-removed', 'web', { method: 'totp' }]])
  })

  test('new recovery codes end the earlier ones, and there are none without a factor', async () => {
    const { send, service, id, ask, audited } = await open()
    expect(brief(await send('POST /recovery-codes', password))).toEqual([404, 'second-factor-not-found'])
    const ann = await addApp(service, id, 'ann')
    const credentials = { email: ann.email, password: goodPassword }
    const renewed = await send('POST /recovery-codes', password)
    const codes = renewed.body.recovery_codes as string[]
    expect([renewed.status, codes.length, codes.filter((it) => ann.recoveryCodes.includes(it))]).toEqual([201, 10, []])
    const ticket = ticketOf(await ask(login, { body: credentials }))
    const old = await ask(second, { body: { ticket, recovery_code: ann.recoveryCodes[0] } })
    expect(brief(old)).toEqual([401, 'second-factor-wrong'])
    expect((await ask(second, { body: { ticket, recovery_code: codes[0] } })).status).toBe(200)
    expect((await audited()).slice(1, 2)).toEqual([['user.recovery-codes-created', 'web', {}]])
  })

  test('people without a password need none', async () => {
    const { db, ask, browser } = await open()
    const headers = await browser(await addUser(db, 'iris'))
    expect((await ask(`GET ${base}`, { headers })).body.has_password).toBe(false)
    const refused = await ask(`POST ${base}/app`, { headers, body: password })
    expect(brief(refused)).toEqual([409, 'password-missing'])
  })

  test('the operator removes all of them; failures are forgotten with them', async () => {
    const { service, id, ask, identity, audited, count, db, clock } = await open()
    const refused = { code: 'second-factor-not-found', factor: 'second factor' }
    expect(await outcome(resetFactors(identity, 'ann@example.com'))).toEqual(refused)
    const [one, two] = [await addTenant(db, 'one'), await addTenant(db, 'two')]
    for (const tenant of [one, two]) await addMember(db, tenant, id, 'viewer')
    const ann = await addApp(service, id, 'ann')
    const credentials = { email: ann.email, password: goodPassword }
    const ticket = ticketOf(await ask(login, { body: credentials }))
    for (let at = 0; at < 6; at++) await ask(second, { body: { ticket, code: '000000' } })
    clock.value += 1
    expect((await resetFactors(identity, id)).email).toBe(ann.email)
    expect([await count(secrets), await count(authenticatorApps), await count(recoveryCodes)]).toEqual([0, 0, 0])
    expect((await db.read.select().from(signInDelays)).filter((it) => it.account.startsWith('second-factor'))).toEqual(
      [],
    )
    expect((await ask(login, { body: credentials })).status).toBe(200)
    expect((await audited()).slice(1)).toEqual([['user.second-factor-reset', null, {}]])
    const told = await db.read.select().from(notifications).where(eq(notifications.userId, id))
    const saidIn = told.map((it) => `${it.tenantId} ${it.type} ${it.actorId} ${it.payload.event}`)
    expect(saidIn.toSorted()).toEqual(
      [one, two].map((tenant) => `${tenant} account null user.second-factor-reset`).toSorted(),
    )
    expect(told[0]?.payload.title).toBe(
      'The operator removed your second factors: your password alone signs in. If you did not ask, change it now',
    )
    expect(await outcome(resetFactors(identity, 'nobody@example.com'))).toEqual({
      code: 'user-not-found',
      user: 'nobody@example.com',
    })
  })

  test('the owner of an address gets no factor of who made the account by an invitation', async () => {
    const { db, service, identity, count } = await open()
    const boundTo = await addTenant(db, 'evil')
    const id = await addUser(db, 'mia', await cheapHash(goodPassword), { boundTo })
    await addApp(service, id, 'mia')
    const person = { issuer: 'https://issuer.example', subject: 'mia', verifiedEmail: 'mia@example.com', name: null }
    expect((await findExternalUser(identity, person))?.id).toBe(id)
    const [row] = await db.read.select().from(users).where(eq(users.id, id))
    expect([row?.passwordHash, await count(authenticatorApps), await count(recoveryCodes)]).toEqual([null, 0, 0])
  })

  test('each person sees and changes their own', async () => {
    const { service, send, ask } = await open()
    const eve = await addPersonWithApp(service, 'eve')
    expect((await send('GET ')).body.enabled).toBe(false)
    expect(brief(await send('POST /app/remove', password))).toEqual([404, 'second-factor-not-found'])
    const still = await ask(`GET ${base}`, { headers: await service.bearer(eve.id) })
    expect(still.body.enabled).toBe(true)
  })
})
