/** Links for lost passwords: who can create one for which member, and what becomes of one. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, passwordResets, users } from '../../../db/tables.gen.ts'
import { createReset } from '../../../server/users/password-reset.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'

const next = 'another long enough secret'

onBothEngines('lost passwords', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb())
    const { db, ask, bearer } = service
    const acme = await addTenant(db, 'acme', null)
    const people: Record<string, string> = {}
    for (const [name, role] of [
      ['olga', 'owner'],
      ['omar', 'owner'],
      ['adam', 'admin'],
      ['eva', 'editor'],
      ['vic', 'viewer'],
    ] as const) {
      people[name] = await addPerson(db, name)
      await addMember(db, acme, people[name] ?? '', role)
    }
    const idOf = (name: string): string => people[name] ?? name
    const bind = (name: string, boundTo: string | null) =>
      db.inTransaction((tx) =>
        tx
          .update(users)
          .set({ boundTo })
          .where(eq(users.id, idOf(name))),
      )
    for (const name of ['omar', 'eva', 'vic']) await bind(name, acme)
    const create = async (by: string, member: string) =>
      ask(`POST /v1/tenants/acme/members/${idOf(member)}/password-reset`, { headers: await bearer(idOf(by)) })
    const show = (token: string) => ask('POST /_app/password-reset', { body: { token } })
    const use = (token: string, password = next) => ask('POST /_app/password-reset/use', { body: { token, password } })
    const signIn = async (name: string, password: string) =>
      (await ask('POST /v1/auth/login', { body: { email: `${name}@example.com`, password } })).status
    return { ...service, acme, idOf, bind, create, show, use, signIn }
  }

  test('a link sets the password once, signs in, and ends every other session', async () => {
    const { create, show, use, signIn, idOf, ask, bearer, db, clock } = await setUp()
    const before = await bearer(idOf('eva'))
    const made = await create('adam', 'eva')
    expect([made.status, made.body.user_id, made.body.email]).toEqual([201, idOf('eva'), 'eva@example.com'])
    const { token } = made.body
    expect(token).toMatch(/^svw_\w{43}$/)
    expect(JSON.stringify(await db.read.select().from(passwordResets))).not.toContain(token)
    // Until it is used, nothing changes.
    expect([await signIn('eva', goodPassword), (await ask('GET /v1/auth/me', { headers: before })).status]).toEqual([
      200, 200,
    ])
    expect((await show(token)).body).toEqual({ email: 'eva@example.com' })
    expect(brief(await use(token, 'short'))).toEqual([400, 'password-weak'])
    clock.value += 2000
    const answers = await Promise.all([use(token), use(token)])
    expect(answers.map((it) => it.status).sort((a, b) => a - b)).toEqual([201, 403])
    expect(answers.find((it) => it.status === 201)?.body.user).toMatchObject({ email: 'eva@example.com' })
    expect([await signIn('eva', goodPassword), await signIn('eva', next)]).toEqual([401, 200])
    expect((await ask('GET /v1/auth/me', { headers: before })).status).toBe(401)
    expect(brief(await show(token))).toEqual([403, 'password-reset-invalid'])
    const trail = (await db.read.select().from(auditEvents).orderBy(auditEvents.id)).map((it) => [
      it.action,
      it.actorId,
    ])
    expect(trail.filter(([action]) => action !== 'user.signed-in')).toEqual([
      ['member.password-reset-created', idOf('adam')],
      ['user.password-changed', idOf('eva')],
    ])
  })

  test('who cannot create one, and for which members', async () => {
    const { create, db, idOf } = await setUp()
    expect(brief(await create('eva', 'vic'))).toEqual([403, 'permission-denied'])
    expect(brief(await create('adam', 'omar'))).toEqual([403, 'owner-required'])
    expect(brief(await create('adam', 'adam'))).toEqual([409, 'password-reset-self'])
    expect(brief(await create('adam', 'nobody'))).toEqual([404, 'member-not-found'])
    // The operator created this account: it is not the organization's.
    expect(brief(await create('olga', 'adam'))).toEqual([409, 'password-reset-elsewhere'])
    expect((await create('olga', 'omar')).status).toBe(201)
    // Who signs in at an identity provider has no password to lose.
    await db.inTransaction((tx) =>
      tx
        .update(users)
        .set({ passwordHash: null })
        .where(eq(users.id, idOf('vic'))),
    )
    expect(brief(await create('olga', 'vic'))).toEqual([409, 'password-reset-elsewhere'])
  })

  test('administrators never reach an account that is in another organization too', async () => {
    const { create, use, signIn, db, idOf } = await setUp()
    const { token } = (await create('adam', 'eva')).body
    const other = await addTenant(db, 'globex', null)
    await addMember(db, other, idOf('eva'), 'viewer')
    expect(brief(await create('adam', 'eva'))).toEqual([409, 'password-reset-elsewhere'])
    // The link from before has ended with that.
    expect(brief(await use(token))).toEqual([403, 'password-reset-invalid'])
    expect(await signIn('eva', goodPassword)).toBe(200)
  })

  test('a newer link, a new password and time end a link; the operator creates one for every account', async () => {
    const { create, use, identity, clock, idOf, ask, bearer } = await setUp()
    const first = (await create('adam', 'vic')).body.token
    const second = (await create('adam', 'vic')).body.token
    expect(brief(await use(first))).toEqual([403, 'password-reset-invalid'])
    const change = { headers: await bearer(idOf('vic')), body: { current_password: goodPassword, new_password: next } }
    expect((await ask('POST /v1/auth/password', change)).status).toBe(204)
    expect(brief(await use(second))).toEqual([403, 'password-reset-invalid'])
    const late = await createReset(identity, 'adam@example.com', 1)
    clock.value += 3_600_000
    expect(brief(await use(late.token))).toEqual([403, 'password-reset-invalid'])
    const { token } = await createReset(identity, idOf('adam'), 1)
    expect((await use(token)).status).toBe(201)
  })
})
