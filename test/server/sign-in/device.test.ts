/** Signing in on another device, as RFC 8628 says it, over the whole pipeline. */
import { expect, spyOn, test } from 'bun:test'
import { auditEvents, deviceCodes, memberships, users } from '../../../db/tables.gen.ts'
import { eq } from 'drizzle-orm'
import { deviceGrant } from '../../../src/api/device.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addMember, addTenant, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, startIdentityService } from '../../fixtures/identity-service.ts'

const minute = 60_000

onBothEngines('signing in on another device', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb(), { publicUrl: () => 'https://svc.example' })
    const ann = await addPerson(service.db, 'ann')
    const begin = async (body: object | undefined = { client_name: 'svc on laptop' }) =>
      (await service.ask('POST /v1/auth/device/code', body === undefined ? {} : { body })).body
    const poll = (code: string) => service.ask('POST /v1/auth/device/token', { body: { device_code: code } })
    const decide = async (userCode: string, body: object = {}, userId = ann) =>
      service.ask('POST /_app/device/decision', {
        headers: await service.browser(userId),
        body: { user_code: userCode, approve: true, ...body },
      })
    return { ...service, ann, begin, poll, decide }
  }

  test('from the code to tokens that work, once', async () => {
    const { ask, ann, begin, poll, decide, clock, browser, db } = await setUp()
    const code = await begin()
    expect(code).toEqual({
      device_code: expect.stringMatching(/^svd_[0-9A-Za-z]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://svc.example/app/device',
      verification_uri_complete: `https://svc.example/app/device?user_code=${code.user_code}`,
      expires_in: 900,
      interval: 5,
    })
    expect(brief(await poll(code.device_code))).toEqual([400, 'authorization_pending'])
    const typed = code.user_code.toLowerCase().replace('-', ' ')
    const seen = await ask('POST /_app/device', { headers: await browser(ann), body: { user_code: typed } })
    expect(seen.body).toEqual({
      user_code: code.user_code,
      client_name: 'svc on laptop',
      address: expect.stringMatching(/^10\./),
      created_at: '2026-05-05T12:00:00.000Z',
      expires_at: '2026-05-05T12:15:00.000Z',
    })
    expect(brief(await decide(typed))).toEqual([200, { status: 'approved' }])
    clock.value = start + 5000
    const given = await poll(code.device_code)
    expect([given.status, given.body.token_type, given.body.user.id, given.body.tenant]).toEqual([
      200,
      'Bearer',
      ann,
      null,
    ])
    const me = await ask('GET /v1/auth/me', { headers: { authorization: `Bearer ${given.body.access_token}` } })
    expect([me.status, me.body.user.email]).toEqual([200, 'ann@example.com'])
    const next = await ask('POST /v1/auth/refresh', { body: { refresh_token: given.body.refresh_token } })
    expect(next.status).toBe(200)
    expect(brief(await poll(code.device_code))).toEqual([400, 'invalid_grant'])
    const trail = await db.read.select().from(auditEvents).orderBy(auditEvents.id)
    expect(trail.map((it) => it.action)).toEqual(['user.device-approved', 'user.signed-in'])
    // Neither code is stored in clear.
    const stored = JSON.stringify(await db.read.select().from(deviceCodes))
    expect([stored.includes(code.device_code), stored.includes(code.user_code.replace('-', ''))]).toEqual([
      false,
      false,
    ])
  })

  test('refusals carry the words of OAuth beside those of the service; forms are taken as RFC 8628 writes them', async () => {
    const { begin, handle } = await setUp()
    const form = (fields: Record<string, string> | string[][]) =>
      handle(
        new Request('http://localhost/v1/auth/device/token', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        }),
      )
    const reasonOf = async (answer: Response) => ((await answer.json()) as { detail: { reason: string } }).detail.reason
    const { device_code } = await begin()
    const pending = await form({ grant_type: deviceGrant, device_code, client_id: 'svc', more: 'is passed over' })
    expect([pending.status, pending.headers.get('cache-control')]).toEqual([400, 'no-store'])
    expect(await pending.json()).toEqual({
      detail: {
        code: 'authorization_pending',
        message: 'The sign-in has not been approved yet.',
        hint: 'Wait for the interval, then ask again.',
      },
      error: 'authorization_pending',
      error_description: 'The sign-in has not been approved yet.',
    })
    expect((await form({ grant_type: 'password', device_code })).status).toBe(400)
    const missing = { detail: [{ loc: ['body', 'device_code'], msg: 'This property is required.', type: 'missing' }] }
    const withoutCode = await form({ grant_type: deviceGrant, device_code: '' })
    expect([withoutCode.status, await withoutCode.json()]).toEqual([422, missing])
    expect((await form({ device_code, client_id: 'c'.repeat(101) })).status).toBe(422)
    // A field without a value is none (RFC 6749, 3.1).
    const slowed = (await (await form({ grant_type: '', device_code })).json()) as { error: string }
    expect(slowed.error).toBe('slow_down')
    const repeated = [
      ['device_code', device_code],
      ['device_code', 'another'],
    ]
    expect(await reasonOf(await form(repeated))).toBe('the body gives the field "device_code" twice')
    expect(await reasonOf(await form({ device_code: 'a\0b' }))).toBe(
      'the body contains a NUL character (U+0000), which is not allowed',
    )
    const bare = await handle(new Request('http://localhost/v1/auth/device/code', { method: 'POST' }))
    expect([bare.status, ((await bare.json()) as { interval: number }).interval]).toEqual([200, 5])
  })

  test('who asks too soon is slowed down, each time by five seconds more', async () => {
    const { begin, poll, clock } = await setUp()
    const { device_code } = await begin()
    const at = async (seconds: number) => {
      clock.value = start + seconds * 1000
      const { body } = await poll(device_code)
      return [body.error, body.detail.interval ?? null]
    }
    expect(await at(0)).toEqual(['authorization_pending', null])
    expect(await at(4)).toEqual(['slow_down', 10])
    expect(await at(13)).toEqual(['slow_down', 15])
    expect(await at(28)).toEqual(['authorization_pending', null])
    expect(await at(42)).toEqual(['slow_down', 20])
    expect(await at(62)).toEqual(['authorization_pending', null])
  })

  test('a decision is about one code alone', async () => {
    const { begin, poll, decide } = await setUp()
    const [one, other] = [await begin(), await begin()]
    await decide(one.user_code)
    expect(brief(await poll(other.device_code))).toEqual([400, 'authorization_pending'])
  })

  test('a code that is already in use is generated again, up to three times', async () => {
    const { ask } = await setUp()
    const draws: number[] = []
    const real = crypto.getRandomValues.bind(crypto)
    // A user code is drawn from 16 bytes, and nothing else is.
    const drawn = spyOn(crypto, 'getRandomValues').mockImplementation((bytes: Uint8Array) =>
      bytes.length === 16 ? bytes.fill(draws.shift() ?? 19) : real(bytes),
    )
    try {
      const begin = async (...next: number[]) => {
        draws.splice(0, draws.length, ...next)
        const { status, body } = await ask('POST /v1/auth/device/code')
        return [status === 200 ? body.user_code : status, draws.length]
      }
      // A byte that would make some letters more frequent than others is left out.
      expect(await begin(240, 9)).toEqual(['MMMM-MMMM', 0])
      expect(await begin(0)).toEqual(['BBBB-BBBB', 0])
      expect(await begin(0, 0, 0, 7)).toEqual(['KKKK-KKKK', 0])
      expect(await begin(0, 0, 0, 0, 8)).toEqual([500, 1])
    } finally {
      drawn.mockRestore()
    }
  })

  test('denied, too old, unknown, decided twice', async () => {
    const { begin, poll, decide, clock, ask, browser, ann } = await setUp()
    const denied = await begin()
    expect(brief(await decide(denied.user_code, { approve: false }))).toEqual([200, { status: 'denied' }])
    expect(brief(await poll(denied.device_code))).toEqual([400, 'access_denied'])
    expect(brief(await decide(denied.user_code))).toEqual([404, 'device-code-unknown'])
    expect(brief(await poll(denied.device_code))).toEqual([400, 'access_denied'])
    expect(brief(await poll('svd_nothing'))).toEqual([400, 'invalid_grant'])
    expect(brief(await decide('AAAA-AAAA'))).toEqual([404, 'device-code-unknown'])
    const old = await begin()
    const late = await begin()
    expect((await decide(late.user_code)).status).toBe(200)
    clock.value = start + 15 * minute
    expect(brief(await poll(old.device_code))).toEqual([400, 'expired_token'])
    expect(brief(await poll(late.device_code))).toEqual([400, 'expired_token'])
    const seen = await ask('POST /_app/device', { headers: await browser(ann), body: { user_code: old.user_code } })
    expect(brief(seen)).toEqual([404, 'device-code-unknown'])
  })

  test('of two who decide at once one does, and of two who redeem at once one gets tokens', async () => {
    const { begin, poll, decide, db } = await setUp()
    const bob = await addPerson(db, 'bob')
    const { device_code, user_code } = await begin()
    const decisions = await Promise.all([decide(user_code), decide(user_code, { approve: true }, bob)])
    expect(decisions.map((it) => it.status).sort((a, b) => a - b)).toEqual([200, 404])
    const given = await Promise.all([poll(device_code), poll(device_code), poll(device_code)])
    expect(given.map((it) => it.status).sort((a, b) => a - b)).toEqual([200, 400, 400])
  })

  test('approving takes a browser session with its CSRF token; keys and access tokens cannot', async () => {
    const { begin, ask, ann, bearer, browser, db } = await setUp()
    const key = await addApiKey(db, await addTenant(db, 'acme'))
    const { user_code } = await begin()
    const body = { user_code, approve: true }
    const { cookie = '' } = await browser(ann)
    const line = 'POST /_app/device/decision'
    expect(brief(await ask(line, { body }))).toEqual([401, 'credentials-missing'])
    expect(brief(await ask(line, { body, headers: { 'x-api-key': key } }))).toEqual([403, 'person-required'])
    expect(brief(await ask(line, { body, headers: await bearer(ann) }))).toEqual([403, 'browser-session-required'])
    expect(brief(await ask(line, { body, headers: { cookie } }))).toEqual([403, 'csrf-token-invalid'])
    const crossSite = { ...(await browser(ann)), 'sec-fetch-site': 'cross-site' }
    expect(brief(await ask(line, { body, headers: crossSite }))).toEqual([403, 'csrf-token-invalid'])
  })

  test('the tenant that was chosen comes with the tokens; only one of the own can be chosen', async () => {
    const { begin, poll, decide, ann, db } = await setUp()
    const acme = await addTenant(db, 'acme')
    await addTenant(db, 'other')
    await addMember(db, acme, ann, 'viewer')
    const { device_code, user_code } = await begin()
    expect(brief(await decide(user_code, { tenant: 'other' }))).toEqual([403, 'tenant-access-denied'])
    expect(brief(await decide(user_code, { tenant: 'nowhere' }))).toEqual([403, 'tenant-access-denied'])
    await db.inTransaction((tx) => tx.update(memberships).set({ status: 'suspended' }))
    expect(brief(await decide(user_code, { tenant: 'acme' }))).toEqual([403, 'tenant-access-denied'])
    await db.inTransaction((tx) => tx.update(memberships).set({ status: 'active' }))
    expect(brief(await decide(user_code, { tenant: 'acme' }))).toEqual([200, { status: 'approved' }])
    expect((await poll(device_code)).body.tenant).toBe('acme')
  })

  test('an account that was disabled after approving gets nothing', async () => {
    const { begin, poll, decide, ann, db } = await setUp()
    const { device_code, user_code } = await begin()
    await decide(user_code)
    await db.inTransaction((tx) => tx.update(users).set({ status: 'disabled' }).where(eq(users.id, ann)))
    expect(brief(await poll(device_code))).toEqual([400, 'access_denied'])
  })

  test('budgets: beginning and unknown codes of an address, guesses of a person; waiting costs nothing', async () => {
    const { ask, ann, browser, begin, poll } = await setUp()
    const address = '192.0.2.7'
    const { device_code } = await begin()
    for (let n = 0; n < 30; n++) await ask('POST /v1/auth/device/token', { body: { device_code }, address })
    for (let n = 0; n < 10; n++)
      expect((await ask('POST /v1/auth/device/token', { body: { device_code: `x${n}` }, address })).status).toBe(400)
    const spent = await ask('POST /v1/auth/device/code', { address })
    expect([brief(spent), spent.headers.get('retry-after')]).toEqual([[429, 'auth-rate-limited'], '60'])
    expect(brief(await ask('POST /v1/auth/device/token', { body: { device_code: 'x' }, address }))).toEqual([
      429,
      'auth-rate-limited',
    ])
    const headers = await browser(ann)
    const guess = () => ask('POST /_app/device', { headers, body: { user_code: 'BCDF-GHJK' } })
    for (let n = 0; n < 20; n++) expect((await guess()).status).toBe(404)
    expect(brief(await guess())).toEqual([429, 'auth-rate-limited'])
    const decision = { headers, body: { user_code: 'BCDF-GHJK', approve: true } }
    expect(brief(await ask('POST /_app/device/decision', decision))).toEqual([429, 'auth-rate-limited'])
    expect((await poll(device_code)).status).toBe(400)
  })
})
