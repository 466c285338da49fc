/** An organization that requires a second factor of its members: who is kept out, where, and who is not. */
import { wholeOf } from '../../../server/auth/grant.ts'
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, tenants } from '../../../db/tables.gen.ts'
import { asLocalOwner } from '../../../server/auth/local-owner.ts'
import { tenantsClosedTo } from '../../../server/auth/second-factor.ts'
import { assertOperator } from '../../../server/auth/operator.ts'
import { viewerOf } from '../../../server/specs/viewer.ts'
import { resetFactors } from '../../../server/second-factors/factors.ts'
import { addApiKey, addMember, addTenant, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'
import { addApp } from '../../fixtures/second-factors.ts'

const path = '/v1/tenants/acme/second-factor'
const kept = [403, 'second-factor-setup-required']

onBothEngines('an organization that requires a second factor', (makeDb) => {
  const open = async (slug = 'acme') => {
    const service = startIdentityService(await makeDb())
    const { db, ask, bearer } = service
    const acme = await addTenant(db, slug)
    const [olga, bob] = [await addPerson(db, 'olga'), await addPerson(db, 'bob')]
    await addMember(db, acme, olga, 'owner')
    await addMember(db, acme, bob, 'editor')
    const set = async (who: string, required: boolean) =>
      ask(`PUT /v1/tenants/${slug}/second-factor`, { headers: await bearer(who), body: { required } })
    const get = async (who: string, line = 'GET /v1/tenants/acme') => ask(line, { headers: await bearer(who) })
    return { ...service, service, acme, olga, bob, set, get }
  }

  test('is set by who has one, counts who has none, and is in the audit trail', async () => {
    const { service, db, acme, olga, set, get } = await open()
    const iris = await addUser(db, 'iris')
    await addMember(db, acme, iris, 'viewer')
    expect((await get(olga, `GET ${path}`)).body).toEqual({ required: false, members_without: 2 })
    const refused = await set(olga, true)
    expect(brief(refused)).toEqual([409, 'second-factor-own-missing'])
    await addApp(service, olga, 'olga')
    expect((await set(olga, true)).body).toEqual({ required: true, members_without: 1 })
    expect((await set(olga, true)).body).toEqual({ required: true, members_without: 1 })
    expect((await set(olga, false)).body).toEqual({ required: false, members_without: 1 })
    const rows = await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, acme))
    expect(rows.map((it) => [it.action, it.detail])).toEqual([
      ['tenant.second-factor-changed', { required: true }],
      ['tenant.second-factor-changed', { required: false }],
    ])
  })

  test('is no matter of editors', async () => {
    const { bob, set, get } = await open()
    expect(brief(await set(bob, false))).toEqual([403, 'permission-denied'])
    expect(brief(await get(bob, `GET ${path}`))).toEqual([403, 'permission-denied'])
  })

  test('keeps members without one out, who can add one and are in from then on', async () => {
    const { service, ask, browser, bearer, olga, bob, set, get } = await open()
    await addApp(service, olga, 'olga')
    expect((await get(bob)).status).toBe(200)
    await set(olga, true)
    const refused = await get(bob)
    expect([brief(refused), refused.body.detail.message]).toEqual([
      kept,
      'The organization Tenant acme requires a second factor, and your account has none.',
    ])
    expect(brief(await ask('GET /v1/tenants/acme/members', { headers: await browser(bob) }))).toEqual(kept)
    const me = await ask('GET /v1/auth/me', { headers: await bearer(bob) })
    expect(me.body.memberships).toMatchObject([{ slug: 'acme', permissions: [], second_factor_missing: true }])
    expect(Object.keys((await get(olga, 'GET /v1/auth/me')).body.memberships[0])).not.toContain('second_factor_missing')
    await addApp(service, bob, 'bob')
    expect((await get(bob)).status).toBe(200)
  })

  test('keeps the last factor of a member, until they leave it or add another one', async () => {
    const { service, ask, bearer, olga, bob, set } = await open()
    await addApp(service, olga, 'olga')
    await addApp(service, bob, 'bob')
    await set(olga, true)
    const body = { current_password: goodPassword }
    const remove = async () => ask('POST /v1/auth/second-factors/app/remove', { headers: await bearer(bob), body })
    const refused = await remove()
    expect([brief(refused), refused.body.detail.tenants]).toEqual([[409, 'second-factor-enforced'], ['Tenant acme']])
    const still = await ask('GET /v1/auth/second-factors', { headers: await bearer(bob) })
    expect([still.body.enabled, still.body.recovery_codes.left]).toEqual([true, 10])
    expect((await ask(`DELETE /v1/tenants/acme/members/${bob}`, { headers: await bearer(bob) })).status).toBe(204)
    expect((await remove()).status).toBe(204)
  })

  test('keeps out who the operator removed the factor of', async () => {
    const { service, identity, olga, bob, set, get } = await open()
    await addApp(service, olga, 'olga')
    await addApp(service, bob, 'bob')
    await set(olga, true)
    await resetFactors(identity, 'bob@example.com')
    expect(brief(await get(bob))).toEqual(kept)
  })

  test('lets in keys, people without a password, and the owner of the machine; other organizations are not concerned', async () => {
    const { service, db, ask, identity, acme, olga, bob, set, get } = await open()
    const [iris, key] = [await addUser(db, 'iris'), await addApiKey(db, acme)]
    await addMember(db, acme, iris, 'viewer')
    await addMember(db, await addTenant(db, 'other'), bob, 'owner')
    await addApp(service, olga, 'olga')
    await set(olga, true)
    expect((await get(iris)).status).toBe(200)
    expect((await ask('GET /v1/tenants/acme', { headers: { 'x-api-key': key } })).status).toBe(200)
    expect((await get(bob, 'GET /v1/tenants/other')).status).toBe(200)
    const local = asLocalOwner(new Request('http://localhost/v1/x'), bob)
    const principal = await identity.gatekeeper.authenticate(local)
    const access = { credentials: ['user'], permission: null } as const
    expect((await identity.gatekeeper.authorize(principal, access, wholeOf('acme'))).role).toBe('editor')
    const [row] = await tenantsClosedTo(db.read, bob)
    expect(row).toEqual({ id: acme, name: 'Tenant acme' })
  })

  test('shows a member without one no more than everybody sees, where no credentials are needed', async () => {
    const { service, identity, olga, bob, set } = await open()
    await addApp(service, olga, 'olga')
    await set(olga, true)
    const access = { anonymous: true, reason: 'test', credentials: 'optional' } as const
    const grantOf = async (userId: string) => {
      const { permissions, role } = await identity.gatekeeper.authorize(
        { kind: 'user', userId, via: 'jwt' },
        access,
        wholeOf('acme'),
      )
      return [permissions.size > 0, role]
    }
    expect(await Promise.all([grantOf(bob), grantOf(olga)])).toEqual([
      [false, null],
      [true, 'owner'],
    ])
  })

  test('keeps its private specifications from agents of members without one', async () => {
    const { service, db, acme, olga, bob, set } = await open()
    const viewed = async () => {
      const principal = { kind: 'user', userId: bob, via: 'jwt' } as const
      return (await viewerOf(db.read, { principal, isAgent: false }, 'spec.search')).tenants
    }
    expect(await viewed()).toEqual([acme])
    await addApp(service, olga, 'olga')
    await set(olga, true)
    expect(await viewed()).toEqual([])
    await addApp(service, bob, 'bob')
    expect(await viewed()).toEqual([acme])
  })

  test('where a path names none: the only one of a person', async () => {
    const { service, identity, olga, bob, set } = await open()
    await addApp(service, olga, 'olga')
    await set(olga, true)
    const principal = { kind: 'user', userId: bob, via: 'jwt' } as const
    for (const access of [
      { credentials: ['user'], permission: 'projects:view' } as const,
      { credentials: ['user'], permission: null, tenancy: 'credential' } as const,
    ])
      expect(await outcome(identity.gatekeeper.authorize(principal, access, wholeOf(null)))).toEqual({
        code: 'second-factor-setup-required',
        tenant: 'Tenant acme',
      })
  })

  test('of the operator keeps owners without one from the settings of the service', async () => {
    const { service, db, acme, olga, set } = await open('local')
    const ona = await addPerson(db, 'ona')
    await addMember(db, acme, ona, 'owner')
    expect(await outcome(assertOperator(db.read, ona))).toBeUndefined()
    await addApp(service, olga, 'olga')
    await set(olga, true)
    expect(await outcome(assertOperator(db.read, ona))).toEqual({
      code: 'second-factor-setup-required',
      tenant: 'Tenant local',
    })
    expect(await outcome(assertOperator(db.read, olga))).toBeUndefined()
  })

  test('keeps its other settings', async () => {
    const { service, db, acme, olga, set } = await open()
    const other = { portal: 'off' }
    await db.inTransaction((tx) => tx.update(tenants).set({ settings: other }).where(eq(tenants.id, acme)))
    const settings = async () => (await db.read.select().from(tenants).where(eq(tenants.id, acme)))[0]?.settings
    await addApp(service, olga, 'olga')
    await set(olga, true)
    expect(await settings()).toEqual({ portal: 'off', secondFactor: 'required' })
    await set(olga, false)
    expect(await settings()).toEqual({ portal: 'off' })
  })
})
