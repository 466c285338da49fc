/** Passkeys: adding, as a second factor, alone, and everything that must be refused. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, factorTickets, passkeys, sessions } from '../../../db/tables.gen.ts'
import { setUserStatus } from '../../../server/users/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, brief, goodPassword, type Service, startIdentityService } from '../../fixtures/identity-service.ts'
import { type Misbehaviour, SoftPasskey } from '../../fixtures/passkey.ts'
import { ticketOf } from '../../fixtures/second-factors.ts'

const origin = 'https://svc.example'
const password = { current_password: goodPassword }
const login = 'POST /_app/login'
const finish = 'POST /_app/login/second-factor'
const refused = [403, 'passkey-refused']
const unknown = [401, 'sign-in-ticket-invalid']

interface Options {
  readonly challenge: string
  readonly [name: string]: unknown
}
interface Begun {
  readonly ticket: string
  readonly options: Options
}

/** Adds a passkey to an account, as its user does in a browser. */
async function addPasskey(
  { ask }: Service,
  headers: Record<string, string>,
  passkey: SoftPasskey,
  change: Misbehaviour & { readonly name?: string } = {},
) {
  const { ticket, options } = (await ask('POST /_app/passkeys/options', { headers, body: password })).body as Begun
  const { name = 'Laptop', ...more } = change
  return ask('POST /_app/passkeys', {
    headers,
    body: { ticket, name, passkey: passkey.register(options.challenge, more) },
  })
}

onBothEngines('passkeys', (makeDb) => {
  const open = async () => {
    const service = startIdentityService(await makeDb(), { publicUrl: () => origin })
    const person = async (name: string) => {
      const id = await addPerson(service.db, name)
      const headers = { ...(await service.browser(id)), origin }
      return { id, headers, credentials: { email: `${name}@example.com`, password: goodPassword } }
    }
    const ann = await person('ann')
    const passkey = new SoftPasskey(origin)
    const { ask } = service
    /** The first half of signing in with the password, and what the passkey is to sign. */
    const second = async (who = ann) => {
      const first = await ask(login, { body: who.credentials })
      const { body } = await ask('POST /_app/login/passkey', { body: { ticket: ticketOf(first) } })
      return body as Begun
    }
    const alone = async () => (await ask('POST /_app/login/passkey', { body: {} })).body as Begun
    const send = (ticket: string, answer: unknown) => ask(finish, { body: { ticket, passkey: answer } })
    const opened = async () => (await service.db.read.select().from(sessions)).length
    const audited = async (action: string) =>
      (
        await service.db.read
          .select()
          .from(auditEvents)
          .where(eq(auditEvents.action, action as 'user.created'))
      ).map((it) => it.detail)
    return { ...service, service, person, ann, passkey, second, alone, send, opened, audited }
  }

  test('are added in a browser, with the password, and come with recovery codes', async () => {
    const { ask, service, ann, passkey, audited } = await open()
    const begun = await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password })
    const { challenge, user, rp, excludeCredentials, attestation } = begun.body.options as Options
    expect([challenge.length, user, rp, excludeCredentials, attestation]).toEqual([
      43,
      { id: Buffer.from(ann.id).toString('base64url'), name: 'ann@example.com', displayName: 'ann' },
      { name: 'svc (svc.example)', id: 'svc.example' },
      [],
      'none',
    ])
    const added = await addPasskey(service, ann.headers, passkey, { name: ' Laptop ' })
    expect([added.status, added.body.recovery_codes.length]).toEqual([201, 10])
    const shown = (await ask('GET /v1/auth/second-factors', { headers: ann.headers })).body
    expect([shown.enabled, shown.passkeys]).toEqual([
      true,
      [{ id: shown.passkeys[0].id, name: 'Laptop', synced: false, added_at: service.clock.iso(), last_used_at: null }],
    ])
    expect(await audited('user.second-factor-added')).toEqual([{ method: 'passkey', name: 'Laptop' }])
    // The second one is not to be made on the same authenticator, and brings no new codes.
    const next = await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password })
    expect(next.body.options.excludeCredentials.map((it: { id: string }) => it.id)).toEqual([
      passkey.credentialId.toString('base64url'),
    ])
    expect((await addPasskey(service, ann.headers, new SoftPasskey(origin))).body).toEqual({ recovery_codes: null })
  })

  test('take the password, a browser session, and the page of the service', async () => {
    const { ask, ann, bearer } = await open()
    const begin = (headers: Record<string, string>, body: object = password) =>
      ask('POST /_app/passkeys/options', { headers, body })
    expect(brief(await begin(ann.headers, { current_password: 'not the right one' }))).toEqual([
      401,
      'credentials-invalid',
    ])
    expect(brief(await begin(await bearer(ann.id)))).toEqual([403, 'browser-session-required'])
    const elsewhere = await begin({ ...ann.headers, origin: 'https://other.example' })
    expect([brief(elsewhere), elsewhere.body.detail.message]).toEqual([
      [409, 'passkeys-unavailable'],
      'Passkeys cannot be used here: this page is open at https://other.example, and the service is reached at https://svc.example.',
    ])
  })

  test.each([
    ['', 'the service has no public address'],
    [
      'http://10.0.0.1:8080',
      'the public address http://10.0.0.1:8080 of the service is an IP address, and passkeys need a host name',
    ],
    [
      'https://[::1]',
      'the public address https://[::1] of the service is an IP address, and passkeys need a host name',
    ],
    [
      'http://svc.example',
      'browsers use them over https only, and the public address of the service is http://svc.example',
    ],
  ])('are refused with a reason at the public address "%s"', async (publicUrl, reason) => {
    const { ask } = startIdentityService(await makeDb(), { publicUrl: () => publicUrl })
    const answer = await ask('POST /_app/login/passkey', { body: {} })
    expect([brief(answer), answer.body.detail.reason]).toEqual([[409, 'passkeys-unavailable'], reason])
  })

  test('work on the own machine without https', async () => {
    const { ask } = startIdentityService(await makeDb(), { publicUrl: () => 'http://localhost:8080' })
    const answer = await ask('POST /_app/login/passkey', { body: {}, headers: { origin: 'http://localhost:8080' } })
    expect([answer.status, answer.body.options.rpId]).toEqual([200, 'localhost'])
  })

  test.each<[string, Misbehaviour]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of the host', { origin: 'https://svc.example:8443' }],
    ['a subdomain', { origin: 'https://a.svc.example' }],
    ['another relying party', { party: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['another kind of answer', { type: 'webauthn.get' }],
  ])('made for %s are not added, and the request is used up', async (_, change) => {
    const { service, ask, ann, passkey, db } = await open()
    const { ticket, options } = (await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password }))
      .body as Begun
    const add = (answer: unknown) =>
      ask('POST /_app/passkeys', { headers: ann.headers, body: { ticket, name: 'x', passkey: answer } })
    expect(brief(await add(passkey.register(options.challenge, change)))).toEqual(refused)
    expect(brief(await add(passkey.register(options.challenge)))).toEqual(unknown)
    expect((await db.read.select().from(passkeys)).length).toBe(0)
    expect(service.faults).toEqual([])
  })

  test('are added without a look at who made the authenticator: no certificate of a stranger is read', async () => {
    const { service, ann, passkey, second, send } = await open()
    const added = await addPasskey(service, ann.headers, passkey, { certificates: [Buffer.from('not a certificate')] })
    expect(added.status).toBe(201)
    const { ticket, options } = await second()
    expect((await send(ticket, passkey.answer(options.challenge))).status).toBe(200)
  })

  test('are added in the session that began, by the person who began, within five minutes', async () => {
    const { ask, ann, person, browser, clock, passkey } = await open()
    const eve = await person('eve')
    const other = { ...(await browser(ann.id)), origin }
    for (const headers of [eve.headers, other]) {
      const { ticket, options } = (await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password }))
        .body as Begun
      const body = { ticket, name: 'x', passkey: passkey.register(options.challenge) }
      expect(brief(await ask('POST /_app/passkeys', { headers, body }))).toEqual(unknown)
    }
    const { ticket, options } = (await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password }))
      .body as Begun
    clock.value += 300_000
    const late = { ticket, name: 'x', passkey: passkey.register(options.challenge) }
    expect(brief(await ask('POST /_app/passkeys', { headers: ann.headers, body: late }))).toEqual(unknown)
  })

  test('belong to one account, and an account has ten at most', async () => {
    const { service, ask, ann, person, passkey } = await open()
    await addPasskey(service, ann.headers, passkey)
    const eve = await person('eve')
    expect(brief(await addPasskey(service, eve.headers, passkey))).toEqual(refused)
    for (let at = 1; at < 10; at++) {
      service.clock.value += 10_000
      expect((await addPasskey(service, ann.headers, new SoftPasskey(origin))).status).toBe(201)
    }
    const eleventh = await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password })
    expect(brief(eleventh)).toEqual([409, 'passkeys-exceeded'])
  })

  test('are the second step after the password', async () => {
    const { service, ask, ann, passkey, second, send, audited, opened } = await open()
    await addPasskey(service, ann.headers, passkey)
    const first = await ask(login, { body: ann.credentials })
    expect(first.body.detail.methods).toEqual(['passkey', 'recovery-code'])
    const program = await ask('POST /v1/auth/login', { body: ann.credentials })
    expect(program.body.detail.methods).toEqual(['recovery-code'])
    const { ticket, options } = await second()
    expect([options['rpId'], options['userVerification'], options['allowCredentials']]).toEqual([
      'svc.example',
      'preferred',
      [{ id: passkey.credentialId.toString('base64url'), transports: ['internal'], type: 'public-key' }],
    ])
    const before = await opened()
    const done = await send(ticket, passkey.answer(options.challenge, { verifies: false }))
    expect([done.status, done.body.user.id, await opened()]).toEqual([200, ann.id, before + 1])
    expect(await audited('user.signed-in')).toEqual([{ second_factor: 'passkey' }])
    expect((await ask('GET /v1/auth/second-factors', { headers: ann.headers })).body.passkeys[0].last_used_at).toBe(
      service.clock.iso(),
    )
  })

  test.each<[string, Misbehaviour]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { party: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['another kind of answer', { type: 'webauthn.create' }],
    ['another person', { userHandle: Buffer.from('someone else').toString('base64url') }],
  ])('that sign for %s open nothing, and the challenge is used up', async (_, change) => {
    const { service, ann, passkey, second, send, opened } = await open()
    await addPasskey(service, ann.headers, passkey)
    const before = await opened()
    const { ticket, options } = await second()
    expect(brief(await send(ticket, passkey.answer(options.challenge, change)))).toEqual(refused)
    expect(brief(await send(ticket, passkey.answer(options.challenge)))).toEqual(unknown)
    expect([await opened(), service.faults]).toEqual([before, []])
  })

  test('sign the newest challenge of their own ticket, once', async () => {
    const { service, ask, ann, person, passkey, second, send } = await open()
    await addPasskey(service, ann.headers, passkey)
    const eve = await person('eve')
    const evePasskey = new SoftPasskey(origin)
    await addPasskey(service, eve.headers, evePasskey)
    const one = await second()
    const two = await second()
    // A challenge of another ticket, a passkey of another person, and a challenge that a newer one replaced.
    expect(brief(await send(one.ticket, passkey.answer(two.options.challenge)))).toEqual(refused)
    expect(brief(await send(two.ticket, evePasskey.answer(two.options.challenge)))).toEqual(refused)
    const three = await second()
    const again = (await ask('POST /_app/login/passkey', { body: { ticket: three.ticket } })).body as Begun
    expect(brief(await send(three.ticket, passkey.answer(three.options.challenge)))).toEqual(refused)
    service.clock.value += 60_000
    const four = (await ask('POST /_app/login/passkey', { body: { ticket: three.ticket } })).body as Begun
    expect(four.options.challenge).not.toBe(again.options.challenge)
    const answer = passkey.answer(four.options.challenge)
    expect((await send(three.ticket, answer)).status).toBe(200)
    expect(brief(await send(three.ticket, answer))).toEqual(unknown)
  })

  test('that count must count up: a copy is refused and written down', async () => {
    const { service, ann, passkey, second, send, audited, clock } = await open()
    passkey.counter = 7
    await addPasskey(service, ann.headers, passkey)
    const outcomes: unknown[] = []
    for (const counter of [8, 8, 7, 0, 9]) {
      clock.value += 3_600_000
      const { ticket, options } = await second()
      outcomes.push((await send(ticket, passkey.answer(options.challenge, { counter }))).status)
    }
    expect(outcomes).toEqual([200, 403, 403, 403, 200])
    expect(await audited('user.passkey-counter-refused')).toEqual([
      { name: 'Laptop' },
      { name: 'Laptop' },
      { name: 'Laptop' },
    ])
  })

  test('that were removed open nothing, and the last one takes the second step with it', async () => {
    const { service, ask, ann, passkey, second, send } = await open()
    await addPasskey(service, ann.headers, passkey)
    const { ticket, options } = await second()
    const [row] = await service.db.read.select().from(passkeys)
    const remove = (body: object) => ask(`POST /_app/passkeys/${row?.id}/remove`, { headers: ann.headers, body })
    expect(brief(await remove({ current_password: 'not the right one' }))).toEqual([401, 'credentials-invalid'])
    expect((await remove(password)).status).toBe(204)
    expect(brief(await send(ticket, passkey.answer(options.challenge)))).toEqual(unknown)
    expect(brief(await remove(password))).toEqual([404, 'second-factor-not-found'])
    expect((await ask(login, { body: ann.credentials })).status).toBe(200)
  })

  test('sign in alone where the authenticator verified the person', async () => {
    const { service, ann, passkey, alone, send, audited } = await open()
    await addPasskey(service, ann.headers, passkey)
    const { ticket, options } = await alone()
    expect([options['userVerification'], options['allowCredentials'] ?? []]).toEqual(['required', []])
    const userHandle = Buffer.from(ann.id).toString('base64url')
    expect(brief(await send(ticket, passkey.answer(options.challenge, { userHandle, verifies: false })))).toEqual(
      refused,
    )
    const next = await alone()
    const done = await send(next.ticket, passkey.answer(next.options.challenge, { userHandle }))
    expect([done.status, done.body.user.id, await audited('user.signed-in')]).toEqual([
      200,
      ann.id,
      [{ via: 'passkey' }],
    ])
    expect(brief(await send(next.ticket, passkey.answer(next.options.challenge)))).toEqual(unknown)
  })

  test('alone open nothing for strangers, disabled accounts, or with a code instead', async () => {
    const { service, ask, ann, passkey, alone, send, identity, opened } = await open()
    await addPasskey(service, ann.headers, passkey)
    const before = await opened()
    const stranger = await alone()
    expect(brief(await send(stranger.ticket, new SoftPasskey(origin).answer(stranger.options.challenge)))).toEqual(
      refused,
    )
    const withCode = await alone()
    expect(brief(await ask(finish, { body: { ticket: withCode.ticket, code: '000000' } }))).toEqual(unknown)
    await setUserStatus(identity, ann.id, 'disabled')
    const { ticket, options } = await alone()
    expect(brief(await send(ticket, passkey.answer(options.challenge)))).toEqual([401, 'credentials-invalid'])
    expect(await opened()).toBeLessThan(before)
  })

  test('a ticket of one kind does not pass for another', async () => {
    const { service, ask, ann, passkey, alone } = await open()
    const registration = (await ask('POST /_app/passkeys/options', { headers: ann.headers, body: password }))
      .body as Begun
    expect(brief(await ask(finish, { body: { ticket: registration.ticket, code: '000000' } }))).toEqual(unknown)
    expect(brief(await ask('POST /_app/login/passkey', { body: { ticket: registration.ticket } }))).toEqual(unknown)
    const begun = await alone()
    const body = { ticket: begun.ticket, name: 'x', passkey: passkey.register(begun.options.challenge) }
    expect(brief(await ask('POST /_app/passkeys', { headers: ann.headers, body }))).toEqual(unknown)
    expect(service.faults).toEqual([])
  })

  test('asking to sign is limited for each network, and leaves nothing behind', async () => {
    const { ask, db, clock, alone } = await open()
    const answers: unknown[] = []
    for (let at = 0; at < 12; at++)
      answers.push((await ask('POST /_app/login/passkey', { body: {}, address: '192.0.2.7' })).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 429, 429])
    clock.value += 300_001
    await alone()
    expect((await db.read.select().from(factorTickets)).length).toBe(1)
  })

  test('are renamed by their person alone', async () => {
    const { service, ask, ann, person, passkey, audited } = await open()
    await addPasskey(service, ann.headers, passkey)
    const [row] = await service.db.read.select().from(passkeys)
    const eve = await person('eve')
    const rename = (headers: Record<string, string>) =>
      ask(`PATCH /_app/passkeys/${row?.id}`, { headers, body: { name: ' Phone ' } })
    expect(brief(await rename(eve.headers))).toEqual([404, 'second-factor-not-found'])
    expect((await rename(ann.headers)).body.name).toBe('Phone')
    const remove = await ask(`POST /_app/passkeys/${row?.id}/remove`, { headers: eve.headers, body: password })
    expect(brief(remove)).toEqual([404, 'second-factor-not-found'])
    expect(await audited('user.passkey-renamed')).toEqual([{ name: 'Phone' }])
  })
})
