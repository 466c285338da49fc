import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, invitations, memberships, users } from '../../../db/tables.gen.ts'
import type { Role } from '../../../src/api/permissions.ts'
import { joinInvitation } from '../../../server/members/invitations.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addMember, addTenant, depsOver, outcome, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'

const base = '/v1/tenants/acme'

onBothEngines('members', (makeDb) => {
  const setUp = async (settings: Parameters<typeof startIdentityService>[1] = {}) => {
    const service = startIdentityService(await makeDb(), settings)
    const { db } = service
    const tenantId = await addTenant(db, 'acme', null)
    const people: Record<string, string> = {}
    for (const [name, role] of [
      ['olga', 'owner'],
      ['adam', 'admin'],
      ['eva', 'editor'],
      ['vic', 'viewer'],
    ] as const) {
      people[name] = await addPerson(db, name)
      await addMember(db, tenantId, people[name] ?? '', role)
    }
    const as = async (name: string, line: string, body?: unknown) =>
      service.ask(line, { headers: await service.bearer(people[name] ?? ''), ...(body === undefined ? {} : { body }) })
    const change = async (name: string, target: string, body: object) =>
      brief(await as(name, `PATCH ${base}/members/${people[target]}`, body))
    const trail = async () => (await db.read.select().from(auditEvents).orderBy(auditEvents.id)).map((it) => it.action)
    return { ...service, tenantId, people, as, change, trail }
  }

  test('an invitation that is gone when a second factor was shown adds nobody', async () => {
    const { db, clock, people } = await setUp()
    const [user] = await db.read
      .select()
      .from(users)
      .where(eq(users.id, people['vic'] ?? ''))
    if (user === undefined) throw new Error('there is no vic')
    expect(await outcome(joinInvitation(depsOver(db, clock), 'gone', user))).toEqual({ code: 'invitation-invalid' })
  })

  test('every member sees who belongs; the list is searched and paged', async () => {
    const { as, db, ask, tenantId } = await setUp()
    const list = await as('vic', `GET ${base}/members`)
    expect(
      list.body.items.map((it: { name: string; role: Role; status: string }) => [it.name, it.role, it.status]),
    ).toEqual([
      ['olga', 'owner', 'active'],
      ['adam', 'admin', 'active'],
      ['eva', 'editor', 'active'],
      ['vic', 'viewer', 'active'],
    ])
    const page = await as('vic', `GET ${base}/members?limit=1&offset=1&q=A`)
    expect([page.body.items.map((it: { name: string }) => it.name), page.body.total]).toEqual([['adam'], 4])
    const found = await as('vic', `GET ${base}/members?q=eva@`)
    expect([found.body.items.length, found.body.total]).toEqual([1, 1])
    const key = await addApiKey(db, tenantId)
    expect(brief(await ask(`GET ${base}/members`, { headers: { 'x-api-key': key } }))).toEqual([403, 'person-required'])
  })

  test('an Admin changes everybody but Owners, and makes nobody Owner', async () => {
    const { change, trail } = await setUp()
    expect(await change('adam', 'vic', { role: 'editor' })).toMatchObject([200, { role: 'editor' }])
    expect(await change('adam', 'vic', { role: 'owner' })).toEqual([403, 'owner-required'])
    expect(await change('adam', 'olga', { role: 'viewer' })).toEqual([403, 'owner-required'])
    expect(await change('adam', 'olga', { status: 'suspended' })).toEqual([403, 'owner-required'])
    expect(await change('eva', 'vic', { role: 'viewer' })).toEqual([403, 'permission-denied'])
    expect(await change('olga', 'adam', { role: 'owner' })).toMatchObject([200, { role: 'owner' }])
    expect(await change('olga', 'nobody', { role: 'owner' })).toEqual([404, 'member-not-found'])
    expect(await trail()).toEqual(['member.role-changed', 'member.role-changed'])
  })

  test('suspending is effective with the next request, and so is reinstating', async () => {
    const { as, change, trail } = await setUp()
    const reach = async () => brief(await as('eva', `GET ${base}/members`))
    expect(await reach()).toMatchObject([200, { total: 4 }])
    expect(await change('adam', 'eva', { status: 'suspended' })).toMatchObject([200, { status: 'suspended' }])
    expect(await reach()).toEqual([403, 'membership-suspended'])
    expect(await change('adam', 'eva', { status: 'active' })).toMatchObject([200, { status: 'active' }])
    expect(await reach()).toMatchObject([200, { total: 4 }])
    expect(await trail()).toEqual(['member.suspended', 'member.reinstated'])
  })

  test('the last Owner cannot leave, step down, or be suspended; two who go at once leave one', async () => {
    const { as, change, db, people } = await setUp()
    expect(brief(await as('olga', `DELETE ${base}/members/${people['olga']}`))).toEqual([409, 'last-owner'])
    expect(await change('olga', 'olga', { role: 'admin' })).toEqual([409, 'last-owner'])
    expect(await change('olga', 'olga', { status: 'suspended' })).toEqual([409, 'last-owner'])
    expect(await change('olga', 'adam', { role: 'owner' })).toMatchObject([200, { role: 'owner' }])
    const both = await Promise.all(['olga', 'adam'].map((name) => as(name, `DELETE ${base}/members/${people[name]}`)))
    expect(both.map((it) => it.status).sort((a, b) => a - b)).toEqual([204, 409])
    const owners = (await db.read.select().from(memberships)).filter((it) => it.role === 'owner')
    expect(owners).toHaveLength(1)
  })

  test('anyone may leave; removing others needs the permission', async () => {
    const { as, people, trail } = await setUp()
    const remove = async (name: string, target: string) =>
      brief(await as(name, `DELETE ${base}/members/${people[target]}`))
    expect(await remove('vic', 'eva')).toEqual([403, 'permission-denied'])
    expect(await remove('adam', 'olga')).toEqual([403, 'owner-required'])
    expect(await remove('vic', 'vic')).toEqual([204, null])
    expect(brief(await as('vic', `GET ${base}/members`))).toEqual([403, 'tenant-access-denied'])
    expect(await remove('adam', 'eva')).toEqual([204, null])
    expect(await remove('adam', 'eva')).toEqual([404, 'member-not-found'])
    expect(await trail()).toEqual(['member.left', 'member.removed'])
  })

  test('without any active Owner an Admin still manages the others', async () => {
    const { as, change, people, db } = await setUp()
    await db.inTransaction((tx) =>
      tx
        .update(memberships)
        .set({ status: 'suspended' })
        .where(eq(memberships.userId, people['olga'] ?? '')),
    )
    expect(await change('adam', 'vic', { role: 'editor' })).toMatchObject([200, { role: 'editor' }])
    expect((await as('adam', `DELETE ${base}/members/${people['vic']}`)).status).toBe(204)
  })

  test('a suspended Owner may be suspended no further: only the last active one is held back', async () => {
    const { change, people, db } = await setUp()
    await db.inTransaction((tx) =>
      tx
        .update(memberships)
        .set({ role: 'owner', status: 'suspended' })
        .where(eq(memberships.userId, people['adam'] ?? '')),
    )
    expect(await change('olga', 'olga', { role: 'admin' })).toEqual([409, 'last-owner'])
    expect(await change('olga', 'adam', { role: 'viewer' })).toMatchObject([200, { role: 'viewer' }])
  })

  test('the trail tells roles from and to, and whose membership was suspended', async () => {
    const { change, db } = await setUp()
    await change('olga', 'vic', { role: 'editor', status: 'suspended' })
    const trail = await db.read.select().from(auditEvents).orderBy(auditEvents.id)
    expect(trail.map((it) => [it.action, it.detail])).toEqual([
      ['member.role-changed', { from: 'viewer', to: 'editor' }],
      ['member.suspended', { email: 'vic@example.com' }],
    ])
  })

  test('an invitation makes an account and a membership, once', async () => {
    const { as, ask, db } = await setUp({ plans: plansWith({ seats: 10 }) })
    const made = await as('adam', `POST ${base}/invitations`, { email: 'New@Example.com', role: 'editor' })
    expect(made.status).toBe(201)
    const { token } = made.body
    expect(token).toMatch(/^svi_\w{43}$/)
    expect(made.body.link).toEndWith(`/app/invitation#token=${token}`)
    expect(JSON.stringify(await db.read.select().from(invitations))).not.toContain(token)
    const listed = await as('adam', `GET ${base}/invitations`)
    expect(listed.body.items.map((it: { email: string; token?: string }) => [it.email, it.token])).toEqual([
      ['new@example.com', undefined],
    ])
    expect((await ask('POST /_app/invitation', { body: { token } })).body).toEqual({
      email: 'new@example.com',
      tenant_name: 'Tenant acme',
      role: 'editor',
    })
    const acceptFrom = (address: string, password: string) =>
      ask('POST /_app/invitation/accept', { body: { token, name: 'New One', password }, address })
    for (let n = 0; n < 10; n++) expect(brief(await acceptFrom('192.0.2.9', 'weak'))).toEqual([400, 'password-weak'])
    expect(brief(await acceptFrom('192.0.2.9', 'weak'))).toEqual([429, 'auth-rate-limited'])
    const accept = () => acceptFrom('192.0.2.10', goodPassword)
    const answers = await Promise.all([accept(), accept()])
    expect(answers.map((it) => it.status).sort((a, b) => a - b)).toEqual([201, 403])
    const session = answers.find((it) => it.status === 201)
    expect(session?.body.user).toMatchObject({ email: 'new@example.com', name: 'New One' })
    expect(brief(await ask('POST /_app/invitation', { body: { token } }))).toEqual([403, 'invitation-invalid'])
    const signIn = { body: { email: 'new@example.com', password: goodPassword } }
    expect((await ask('POST /v1/auth/login', signIn)).status).toBe(200)
    // Looking at invitations is limited too: tokens could be guessed.
    const look = () => ask('POST /_app/invitation', { body: { token: 'svi_guess' }, address: '192.0.2.8' })
    for (let n = 0; n < 10; n++) expect((await look()).status).toBe(403)
    expect((await look()).status).toBe(429)
    const members = await as('olga', `GET ${base}/members?q=new@`)
    expect(members.body.items).toMatchObject([{ role: 'editor', status: 'active' }])
  })

  test('a person with an account becomes pending, and accepts with their password or by activating', async () => {
    const { as, ask, db, bearer, tenantId } = await setUp({ plans: plansWith({ seats: 10 }) })
    const kim = await addPerson(db, 'kim')
    const made = await as('olga', `POST ${base}/invitations`, { email: 'kim@example.com', role: 'admin' })
    expect(brief(await ask(`GET ${base}/members`, { headers: await bearer(kim) }))).toEqual([
      403,
      'tenant-access-denied',
    ])
    expect(brief(await as('olga', `PATCH ${base}/members/${kim}`, { status: 'active' }))).toEqual([
      404,
      'member-not-found',
    ])
    const body = { token: made.body.token, password: 'guess' }
    expect(brief(await ask('POST /_app/invitation/accept', { body }))).toEqual([401, 'credentials-invalid'])
    const activated = await ask('POST /v1/onboarding/membership-activation', {
      headers: await bearer(kim),
      body: { tenant_id: tenantId },
    })
    expect(activated.body.status).toBe('activated')
    expect((await as('olga', `GET ${base}/invitations`)).body.total).toBe(0)
    const late = { token: made.body.token, password: goodPassword }
    expect(brief(await ask('POST /_app/invitation/accept', { body: late }))).toEqual([403, 'invitation-invalid'])
  })

  test('invitations end: withdrawn, too old; members and open invitations are not invited twice', async () => {
    const { as, ask, db, clock, people, bearer } = await setUp({ plans: plansWith({ seats: 10 }) })
    const kim = await addPerson(db, 'kim')
    const invite = (email: string, role = 'viewer') => as('olga', `POST ${base}/invitations`, { email, role })
    expect(brief(await invite('vic@example.com'))).toEqual([409, 'member-exists'])
    expect(brief(await invite('nonsense'))).toEqual([400, 'email-invalid'])
    const first = await invite('kim@example.com')
    expect(brief(await invite('KIM@example.com'))).toEqual([409, 'member-exists'])
    expect(brief(await as('adam', `POST ${base}/invitations`, { email: 'x@example.com', role: 'owner' }))).toEqual([
      403,
      'owner-required',
    ])
    expect((await as('olga', `DELETE ${base}/invitations/${first.body.id}`)).status).toBe(204)
    expect(brief(await as('olga', `DELETE ${base}/invitations/${first.body.id}`))).toEqual([
      404,
      'invitation-not-found',
    ])
    const gone = { token: first.body.token, password: goodPassword }
    expect(brief(await ask('POST /_app/invitation/accept', { body: gone }))).toEqual([403, 'invitation-invalid'])
    expect((await db.read.select().from(memberships)).some((it) => it.userId === kim)).toBe(false)

    const second = await invite('kim@example.com')
    expect(second.status).toBe(201)
    clock.value = start + 7 * 24 * 3_600_000
    const late = { token: second.body.token, password: goodPassword }
    expect(brief(await ask('POST /_app/invitation/accept', { body: late }))).toEqual([403, 'invitation-invalid'])
    const olga = await bearer(people['olga'] ?? '')
    const again = await ask(`POST ${base}/invitations`, {
      headers: olga,
      body: { email: 'kim@example.com', role: 'editor' },
    })
    expect(again.status).toBe(201)
  })

  test('seats: promised ones count', async () => {
    const { as } = await setUp()
    const invite = async (email: string) =>
      brief(await as('olga', `POST ${base}/invitations`, { email, role: 'viewer' }))
    expect(await invite('one@example.com')).toMatchObject([201, { email: 'one@example.com' }])
    expect(await invite('two@example.com')).toEqual([403, 'quota-exceeded'])
  })

  test('seats: withdrawn, accepted and old invitations promise none; what is full is full when accepting too', async () => {
    const { as, ask, db, tenantId, clock, people } = await setUp()
    const invite = (email: string) => as('olga', `POST ${base}/invitations`, { email, role: 'viewer' })
    const withdrawn = await invite('one@example.com')
    expect((await as('olga', `DELETE ${base}/invitations/${withdrawn.body.id}`)).status).toBe(204)
    expect((await invite('old@example.com')).status).toBe(201)
    expect(brief(await invite('two@example.com'))).toEqual([403, 'quota-exceeded'])
    clock.value = start + 7 * 24 * 3_600_000
    const made = await invite('two@example.com')
    expect(made.status).toBe(201)
    await addMember(db, tenantId, await addPerson(db, 'fifth'), 'viewer')
    const body = { token: made.body.token, name: 'Two', password: goodPassword }
    expect(brief(await ask('POST /_app/invitation/accept', { body }))).toEqual([403, 'quota-exceeded'])
    expect((await as('olga', `DELETE ${base}/members/${people['vic']}`)).status).toBe(204)
    expect((await ask('POST /_app/invitation/accept', { body })).status).toBe(201)
    expect(brief(await invite('six@example.com'))).toEqual([403, 'quota-exceeded'])
  })

  test("another tenant's people are not found, and its tenant is refused", async () => {
    const { as, db, ask, bearer, people } = await setUp()
    const other = await addTenant(db, 'other')
    const eve = await addPerson(db, 'eve')
    await addMember(db, other, eve, 'owner')
    const headers = await bearer(eve)
    expect(brief(await ask(`GET ${base}/members`, { headers }))).toEqual([403, 'tenant-access-denied'])
    const body = { role: 'viewer' }
    const foreign = await ask(`PATCH /v1/tenants/other/members/${people['vic']}`, { headers, body })
    expect(brief(foreign)).toEqual([404, 'member-not-found'])
    expect(brief(await as('olga', `DELETE ${base}/members/${eve}`))).toEqual([404, 'member-not-found'])
  })

  test('older words for roles: administrators are Owners, what is unknown is an Editor', async () => {
    const { db, ask, bearer, tenantId, as, people } = await setUp()
    const legacy = await addPerson(db, 'legacy')
    const odd = await addPerson(db, 'odd')
    await addMember(db, tenantId, legacy, 'administrator' as 'owner')
    await addMember(db, tenantId, odd, 'wizard' as 'owner')
    const rolesOf = async (id: string) => {
      const headers = await bearer(id)
      const listed = (await ask('GET /v1/tenants/me', { headers })).body.items[0].role
      const me = (await ask('GET /v1/auth/me', { headers })).body.memberships[0]
      return [listed, me.role, me.permissions.includes('tenant:delete'), me.permissions.includes('projects:edit')]
    }
    expect(await rolesOf(legacy)).toEqual(['owner', 'owner', true, true])
    expect(await rolesOf(odd)).toEqual(['editor', 'editor', false, true])
    // A legacy administrator counts as another Owner, so that the one of today may leave.
    expect((await as('olga', `DELETE ${base}/members/${people.olga}`)).status).toBe(204)
  })
})
