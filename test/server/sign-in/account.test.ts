/** A person's own account: their name, and where they are signed in. */
import { expect, test } from 'bun:test'
import { auditEvents } from '../../../db/tables.gen.ts'
import { issueRefreshToken } from '../../../server/auth/refresh.ts'
import { start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, brief, startIdentityService } from '../../fixtures/identity-service.ts'

const minute = 60_000
const list = 'GET /_app/sign-ins'
const others = 'POST /_app/sign-ins/end-others'

onBothEngines('the account of a person', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb())
    const ann = await addPerson(service.db, 'ann')
    const program = (userId: string) =>
      service.db.inTransaction((tx) => issueRefreshToken(tx, { userId, familyId: null, now: service.clock.now() }))
    const seen = async (headers: Record<string, string>) =>
      (await service.ask(list, { headers })).body.items as { id: string; kind: string; current: boolean }[]
    const audited = async () =>
      (await service.db.read.select().from(auditEvents)).map(({ action, detail }) => [action, detail])
    return { ...service, ann, program, seen, audited }
  }

  test('changes its name, and records the change once', async () => {
    const { ask, ann, browser, bearer, audited } = await setUp()
    const headers = await browser(ann)
    const body = { name: '  Ann Lee ' }
    expect((await ask('PATCH /_app/account', { headers, body })).body).toEqual({
      id: ann,
      email: 'ann@example.com',
      name: 'Ann Lee',
    })
    expect((await ask('PATCH /_app/account', { headers, body })).status).toBe(200)
    expect((await ask('GET /v1/auth/me', { headers })).body.user.name).toBe('Ann Lee')
    expect(await audited()).toEqual([['user.renamed', { from: 'ann', to: 'Ann Lee' }]])
    expect((await ask('PATCH /_app/account', { headers, body: { name: '  ' } })).status).toBe(422)
    const token = await bearer(ann)
    expect(brief(await ask('PATCH /_app/account', { headers: token, body }))).toEqual([403, 'browser-session-required'])
  })

  test('lists the session that asks first, then the last used, and nobody else', async () => {
    const { ask, ann, browser, program, seen, db, clock } = await setUp()
    const own = await browser(ann)
    clock.value = start + minute
    const other = await browser(ann)
    clock.value = start + 2 * minute
    await program(ann)
    const bob = await addPerson(db, 'bob')
    await browser(bob)
    await program(bob)
    expect((await ask(list, { headers: own })).body.items).toEqual([
      {
        id: expect.any(String),
        kind: 'browser',
        user_agent: 'test',
        created_at: '2026-05-05T12:00:00.000Z',
        last_seen_at: '2026-05-05T12:02:00.000Z',
        expires_at: '2026-06-04T12:00:00.000Z',
        current: true,
      },
      {
        id: expect.any(String),
        kind: 'program',
        user_agent: '',
        created_at: '2026-05-05T12:02:00.000Z',
        last_seen_at: '2026-05-05T12:02:00.000Z',
        expires_at: '2026-06-04T12:02:00.000Z',
        current: false,
      },
      {
        id: expect.any(String),
        kind: 'browser',
        user_agent: 'test',
        created_at: '2026-05-05T12:01:00.000Z',
        last_seen_at: '2026-05-05T12:01:00.000Z',
        expires_at: '2026-06-04T12:01:00.000Z',
        current: false,
      },
    ])
    // A session that nobody used for a week has ended.
    clock.value = start + minute + 7 * 24 * 60 * minute
    expect((await seen(await browser(ann))).map((it) => it.kind)).toEqual(['browser', 'browser', 'program'])
    expect((await ask(list, { headers: other })).status).toBe(401)
  })

  test('ends one sign-in of its own only', async () => {
    const { ask, ann, browser, program, seen, db, audited } = await setUp()
    const own = await browser(ann)
    const other = await browser(ann)
    const { token } = await program(ann)
    const bob = await addPerson(db, 'bob')
    const foreign = await browser(bob)
    const end = async (id: string) => brief(await ask(`DELETE /_app/sign-ins/${id}`, { headers: own }))
    const [theirs] = await seen(foreign)
    expect(await end(theirs?.id ?? '')).toEqual([404, 'sign-in-not-found'])
    for (const it of (await seen(own)).filter((it) => !it.current)) {
      expect(await end(it.id)).toEqual([204, null])
      expect(await end(it.id)).toEqual([404, 'sign-in-not-found'])
    }
    expect((await ask(list, { headers: other })).status).toBe(401)
    expect((await ask('POST /v1/auth/refresh', { body: { refresh_token: token } })).status).toBe(401)
    expect((await seen(own)).map((it) => it.current)).toEqual([true])
    expect((await seen(foreign)).map((it) => it.current)).toEqual([true])
    const recorded = (await audited()).filter(([action]) => action === 'user.sign-in-ended')
    expect(recorded.map(([, detail]) => (detail as { kind: string }).kind).toSorted()).toEqual(['browser', 'program'])
  })

  test('ends all others at once', async () => {
    const { ask, ann, browser, program, seen, db } = await setUp()
    const own = await browser(ann)
    await browser(ann)
    await program(ann)
    const foreign = await browser(await addPerson(db, 'bob'))
    expect(brief(await ask(others, { headers: own }))).toEqual([200, { ended: 2 }])
    expect((await seen(own)).map((it) => it.current)).toEqual([true])
    expect((await seen(foreign)).map((it) => it.current)).toEqual([true])
  })
})
