/** An account belongs to the owner of its address: every way by which another person could take it. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invitations, memberships, tenants, users } from '../../../db/tables.gen.ts'
import { accountOf } from '../../../server/sign-in/provision.ts'
import type { ExternalPerson } from '../../../server/sign-in/external-identity.ts'
import type { ProvisionRule } from '../../../server/sign-in/oidc-settings.ts'
import { sweepIdentity } from '../../../server/sign-in/sweep.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { findCandidates } from '../../../server/users/candidates.ts'
import { createUser } from '../../../server/users/service.ts'
import { verifyEmail } from '../../../server/users/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant, addUser, outcome, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, cheapHash, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'

/** Passwords are slow on purpose. */
const slowMs = 60_000
const everybody: ProvisionRule = { provision: 'all', allowedDomains: [] }
const alice = 'alice@example.com'
const [malloryPassword, alicePassword] = ['chosen by mallory', 'chosen by the owner']
const activation = 'POST /v1/onboarding/membership-activation'

const person = (email: string, subject = email): ExternalPerson => ({
  issuer: 'https://issuer.example',
  subject,
  verifiedEmail: email,
  name: null,
})

onBothEngines('an account belongs to the owner of its address', (makeDb) => {
  /** Two tenants: that of Mallory, who owns it to have invitations, and acme, which knows nothing of her. */
  const setUp = async () => {
    const service = startIdentityService(await makeDb(), { plans: plansWith({ seats: 50 }) })
    const { db, ask, bearer, identity } = service
    const ids = { evil: await addTenant(db, 'evil'), acme: await addTenant(db, 'acme') }
    const owners = { evil: await addPerson(db, 'mallory'), acme: await addPerson(db, 'olga') }
    await addMember(db, ids.evil, owners.evil, 'owner')
    await addMember(db, ids.acme, owners.acme, 'owner')
    const as = async (tenant: 'evil' | 'acme', line: string, body?: object) =>
      ask(line.replace(':', `/v1/tenants/${tenant}`), {
        headers: await bearer(owners[tenant]),
        ...(body === undefined ? {} : { body }),
      })
    const invite = async (tenant: 'evil' | 'acme', email = alice, role = 'admin') => {
      const made = await as(tenant, 'POST :/invitations', { email, role })
      expect(made.status).toBe(201)
      return String(made.body.token)
    }
    const accept = (token: string, password: string, name?: string) =>
      ask('POST /_app/invitation/accept', { body: { token, password, ...(name === undefined ? {} : { name }) } })
    const login = (password: string, more: object = {}) =>
      ask('POST /v1/auth/login', { body: { email: alice, password, ...more } })
    const rolesOf = async (userId: string) => {
      const rows = await db.read
        .select({ slug: tenants.slug, role: memberships.role, status: memberships.status })
        .from(memberships)
        .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
        .where(eq(memberships.userId, userId))
      return rows.map((it) => `${it.slug} ${it.role} ${it.status}`).sort()
    }
    const signInAtIssuer = (who: ExternalPerson, rule = everybody) => accountOf(identity, who, rule)
    return { ...service, ids, owners, as, invite, accept, login, rolesOf, signInAtIssuer }
  }

  test(
    'the account an inviter makes for a foreign address never gets the memberships of others',
    async () => {
      const { ask, bearer, invite, accept, login, rolesOf, ids } = await setUp()
      const made = await accept(await invite('evil'), malloryPassword, 'Alice')
      expect(made.status).toBe(201)
      const mallorys = String(made.body.user.id)
      const token = await invite('acme')
      // Neither seen nor activated, nor taken with the password that Mallory knows.
      expect(await rolesOf(mallorys)).toEqual(['evil admin active'])
      const headers = await bearer(mallorys)
      expect(brief(await ask(activation, { headers, body: { tenant_id: ids.acme } }))).toEqual([
        404,
        'membership-not-found',
      ])
      expect(brief(await ask('GET /v1/tenants/acme', { headers }))).toEqual([403, 'tenant-access-denied'])
      expect(brief(await accept(token, malloryPassword))).toEqual([401, 'credentials-invalid'])
      // The owner of the address takes the link and gets an account of her own, beside the other one.
      const joined = await accept(token, alicePassword, 'Alice')
      expect(joined.status).toBe(201)
      const alices = String(joined.body.user.id)
      expect(alices).not.toBe(mallorys)
      expect([await rolesOf(mallorys), await rolesOf(alices)]).toEqual([['evil admin active'], ['acme admin active']])
      // Each password opens the account it was chosen for.
      expect((await login(malloryPassword)).body.user.id).toBe(mallorys)
      expect((await login(alicePassword)).body.user.id).toBe(alices)
    },
    slowMs,
  )

  test(
    'a pending membership of an account whose address nobody proved is not activated',
    async () => {
      const { db, ask, bearer, ids, rolesOf } = await setUp()
      const squatter = await addUser(db, 'alice', null, { emailVerifiedAt: null, boundTo: ids.evil })
      await addMember(db, ids.acme, squatter, 'admin', 'pending')
      const asked = await ask(activation, { headers: await bearer(squatter), body: { tenant_id: ids.acme } })
      expect(brief(asked)).toEqual([403, 'email-unverified'])
      expect(await rolesOf(squatter)).toEqual(['acme admin pending'])
    },
    slowMs,
  )

  test(
    'signing in at the issuer gives the owner of the address an account of her own',
    async () => {
      const { ask, bearer, db, invite, accept, login, rolesOf, ids, signInAtIssuer } = await setUp()
      const mallorys = String((await accept(await invite('evil'), malloryPassword, 'Alice')).body.user.id)
      await invite('acme')
      const own = await signInAtIssuer(person(alice))
      expect([own.id === mallorys, own.passwordHash, own.emailVerifiedAt !== null]).toEqual([false, null, true])
      expect(await rolesOf(own.id)).toEqual(['acme admin pending'])
      expect((await login(malloryPassword)).body.user.id).toBe(mallorys)
      const activated = await ask(activation, { headers: await bearer(own.id), body: { tenant_id: ids.acme } })
      expect(activated.body.status).toBe('activated')
      expect([await rolesOf(mallorys), await rolesOf(own.id)]).toEqual([['evil admin active'], ['acme admin active']])
      // Without leave to make accounts the issuer leads to none, least of all to that one.
      await db.inTransaction((tx) => tx.delete(users).where(eq(users.id, own.id)))
      const closed: ProvisionRule = { provision: 'none', allowedDomains: [] }
      expect(await outcome(signInAtIssuer(person(alice), closed))).toEqual({ code: 'oidc-account-unknown' })
    },
    slowMs,
  )

  test(
    'what the operator verified is found by the issuer; a password that came with an invitation ends',
    async () => {
      const { ask, identity, invite, accept, login, signInAtIssuer } = await setUp()
      const made = await accept(await invite('acme'), alicePassword, 'Alice')
      const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
      const { body: tokens } = await login(alicePassword)
      const id = String(made.body.user.id)
      expect((await verifyEmail(identity, alice)).id).toBe(id)
      expect((await login(alicePassword)).status).toBe(200)
      expect((await signInAtIssuer(person(alice))).id).toBe(id)
      expect(brief(await login(alicePassword))).toEqual([401, 'credentials-invalid'])
      expect((await ask('GET /_app/session', { headers: { cookie } })).body.user).toBeNull()
      const refreshed = await ask('POST /v1/auth/refresh', { body: { refresh_token: tokens.refresh_token } })
      expect(refreshed.status).toBe(401)
      // An account that the operator made keeps its password, and a second subject gets neither.
      await createUser(identity, { email: 'bob@example.com', name: '', password: goodPassword, membership: null })
      const bob = await verifyEmail(identity, 'bob@example.com')
      expect((await signInAtIssuer(person('bob@example.com'))).id).toBe(bob.id)
      const body = { email: 'bob@example.com', password: goodPassword }
      expect((await ask('POST /v1/auth/login', { body })).status).toBe(200)
      for (const email of [alice, 'bob@example.com'])
        expect(await outcome(signInAtIssuer(person(email, 'another subject')))).toEqual({
          code: 'oidc-account-unknown',
        })
    },
    slowMs,
  )

  test(
    'at most one account of an address is verified; many who come at once get one',
    async () => {
      const { identity, db, invite, accept, signInAtIssuer } = await setUp()
      const ids: string[] = []
      for (const tenant of ['evil', 'acme'] as const)
        ids.push(String((await accept(await invite(tenant), `${tenant} has a password`, 'Alice')).body.user.id))
      const [first = '', second = ''] = ids
      expect(await outcome(verifyEmail(identity, alice))).toEqual({ code: 'user-ambiguous', email: alice, users: ids })
      const answers = await Promise.allSettled([verifyEmail(identity, first), verifyEmail(identity, second)])
      expect(answers.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected'])
      const verified = (await db.read.select().from(users)).filter((it) => it.email === alice && it.emailVerifiedAt)
      expect(verified).toHaveLength(1)
      const other = ids.find((id) => id !== verified[0]?.id) ?? ''
      expect(await outcome(verifyEmail(identity, other))).toEqual({
        code: 'email-verified-elsewhere',
        email: alice,
        user: verified[0]?.id,
      })
      const carl = 'carl@example.com'
      const people = await Promise.allSettled(
        ['one', 'one', 'two'].map((subject) => signInAtIssuer(person(carl, subject))),
      )
      const found = new Set(people.flatMap((it) => (it.status === 'fulfilled' ? [it.value.id] : [])))
      expect(found.size).toBe(1)
      expect((await db.read.select().from(users)).filter((it) => it.email === carl)).toHaveLength(1)
    },
    slowMs,
  )

  test(
    'an invitation is taken by an account whose address is verified, one of the operator, and one of this organization',
    async () => {
      const { identity, db, as, ask, invite, accept, rolesOf } = await setUp()
      const verified = await addPerson(db, 'alice')
      const token = await invite('acme')
      expect(brief(await accept(token, 'not the password'))).toEqual([401, 'credentials-invalid'])
      expect((await accept(token, goodPassword)).body.user.id).toBe(verified)
      expect(await rolesOf(verified)).toEqual(['acme admin active'])

      const given = { email: 'bob@example.com', name: '', password: goodPassword, membership: null }
      const bob = (await createUser(identity, given)).user
      expect((await accept(await invite('acme', bob.email), goodPassword)).body.user.id).toBe(bob.id)

      const carl = 'carl@example.com'
      const first = await accept(await invite('acme', carl), goodPassword, 'Carl')
      const id = String(first.body.user.id)
      expect((await as('acme', `DELETE :/members/${id}`)).status).toBe(204)
      const again = await invite('acme', carl)
      expect(brief(await accept(again, goodPassword, 'Carl'))).toEqual([409, 'email-taken'])
      expect((await accept(again, goodPassword)).body.user.id).toBe(id)
      expect(await rolesOf(id)).toEqual(['acme admin active'])
      expect((await ask('POST /_app/invitation', { body: { token: again } })).status).toBe(403)
    },
    slowMs,
  )

  test(
    'the answer to an invitation, the lists and the page of the link say the same of every address',
    async () => {
      const { db, as, ask } = await setUp()
      await addPerson(db, 'alice')
      await addUser(db, 'bob', null, { emailVerifiedAt: null })
      const said: unknown[] = []
      for (const name of ['alice', 'bob', 'nobody']) {
        const email = `${name}@example.com`
        const made = (await as('acme', 'POST :/invitations', { email: email.toUpperCase(), role: 'viewer' })).body
        const offer = (await ask('POST /_app/invitation', { body: { token: made.token } })).body
        const members = (await as('acme', `GET :/members?q=${name}`)).body
        const [open] = (await as('acme', 'GET :/invitations')).body.items
        const { seats } = (await as('acme', 'GET :/license')).body
        const link = String(made.link).replace(String(made.token), '')
        said.push({ made: { ...made, id: '', token: '', link }, offer, members, open: { ...open, id: '' }, seats })
        expect((await as('acme', `DELETE :/invitations/${made.id}`)).status).toBe(204)
      }
      const text = said.map((it, index) =>
        JSON.stringify(it).replaceAll(['alice', 'bob', 'nobody'][index] ?? '', 'person'),
      )
      expect(new Set(text).size).toBe(1)
      expect(JSON.parse(text[0] ?? '')).toMatchObject({
        made: { email: 'person@example.com', role: 'viewer' },
        offer: { email: 'person@example.com', tenant_name: 'Tenant acme', role: 'viewer' },
        members: { items: [], total: 0 },
      })
      expect(text[0]).not.toContain('user_id')
    },
    slowMs,
  )

  test(
    'a new account by the link does not tell whether the address has one, nor does a wrong password',
    async () => {
      const { db, invite, accept, rolesOf } = await setUp()
      const verified = await addPerson(db, 'alice')
      const token = await invite('evil')
      const other = await invite('evil', 'nobody@example.com')
      expect(await accept(token, 'some wrong password')).toMatchObject({ status: 401 })
      expect(await accept(other, 'some wrong password')).toMatchObject({ status: 401 })
      const made = await accept(token, malloryPassword, 'Not Alice')
      expect([made.status, (await accept(other, malloryPassword, 'N')).status]).toEqual([201, 201])
      // The owner of the address is as before: her pending membership ended with the invitation.
      expect(await rolesOf(verified)).toEqual([])
      expect(await rolesOf(String(made.body.user.id))).toEqual(['evil admin active'])
    },
    slowMs,
  )

  test(
    'an invitation that has ended is not activated, and what it left behind is swept',
    async () => {
      const { db, ask, as, bearer, clock, ids, invite, rolesOf } = await setUp()
      const owner = await addPerson(db, 'alice')
      await invite('acme')
      expect(await rolesOf(owner)).toEqual(['acme admin pending'])
      await sweepIdentity(db, start)
      expect(await rolesOf(owner)).toEqual(['acme admin pending'])
      clock.value = start + 7 * 24 * 3_600_000
      const body = { tenant_id: ids.acme }
      expect(brief(await ask(activation, { headers: await bearer(owner), body }))).toEqual([
        404,
        'membership-not-found',
      ])
      expect(await rolesOf(owner)).toEqual(['acme admin pending'])
      await sweepIdentity(db, clock.value)
      expect(await rolesOf(owner)).toEqual([])
      await invite('acme', alice, 'viewer')
      expect(await rolesOf(owner)).toEqual(['acme viewer pending'])
      const [open] = (await as('acme', 'GET :/invitations')).body.items
      await as('acme', `DELETE :/invitations/${open.id}`)
      expect(await rolesOf(owner)).toEqual([])
      expect((await db.read.select().from(invitations)).filter((it) => it.withdrawnAt === null)).toHaveLength(1)
    },
    slowMs,
  )

  test(
    'a link does not lift a suspension, nor does it make a member twice',
    async () => {
      const { identity, db, invite, accept, ids, rolesOf } = await setUp()
      const given = { email: alice, name: '', password: goodPassword, membership: null }
      const { id } = (await createUser(identity, given)).user
      const token = await invite('acme', alice, 'owner')
      await addMember(db, ids.acme, id, 'viewer', 'suspended')
      expect(brief(await accept(token, goodPassword))).toEqual([403, 'membership-suspended'])
      await db.inTransaction((tx) => tx.update(memberships).set({ status: 'active' }).where(eq(memberships.userId, id)))
      expect(brief(await accept(token, goodPassword))).toEqual([409, 'member-exists'])
      expect(await rolesOf(id)).toEqual(['acme viewer active'])
    },
    slowMs,
  )

  test(
    'an account stays bound when the organization that made it is deleted',
    async () => {
      const { db, as, invite, accept } = await setUp()
      const mallorys = String((await accept(await invite('evil'), malloryPassword, 'Alice')).body.user.id)
      expect((await as('evil', 'DELETE :')).status).toBe(204)
      const [row] = await db.read.select().from(users).where(eq(users.id, mallorys))
      expect(row?.boundTo).not.toBeNull()
      expect(brief(await accept(await invite('acme'), malloryPassword))).toEqual([401, 'credentials-invalid'])
    },
    slowMs,
  )

  test('an invitation to own an organization takes none of those that a person may have', async () => {
    const { db, ask, bearer, invite } = await setUp()
    const owner = await addPerson(db, 'alice')
    await invite('evil', alice, 'owner')
    const headers = await bearer(owner)
    const make = (name: string) => ask('POST /v1/onboarding/first-tenant', { headers, body: { name } })
    expect((await make('First')).status).toBe(201)
    expect(brief(await make('Second'))).toEqual([403, 'tenant-cap-reached'])
  })

  test(
    'nobody keeps the operator from making an account by making one first',
    async () => {
      const { identity, invite, accept, login } = await setUp()
      await accept(await invite('evil'), malloryPassword, 'Alice')
      const given = { email: 'Alice@example.com', name: '', password: alicePassword, membership: null }
      const { id } = (await createUser(identity, given)).user
      expect((await login(alicePassword)).body.user.id).toBe(id)
      expect(await outcome(createUser(identity, given))).toEqual({ code: 'email-taken', email: 'Alice@example.com' })
    },
    slowMs,
  )

  test(
    'of many accounts three are tried: the verified one, that of the operator, that of the named organization, the oldest',
    async () => {
      const { db, login } = await setUp()
      const tenantIds: string[] = []
      const made: string[] = []
      const add = async (boundTo: string | null, isVerified = false) => {
        const password = await cheapHash(`password ${made.length}`)
        made.push(await addUser(db, 'alice', password, { boundTo, ...(isVerified ? {} : { emailVerifiedAt: null }) }))
      }
      for (let n = 0; n < 5; n++) {
        tenantIds.push(await addTenant(db, `squat-${n}`))
        await add(tenantIds[n] ?? '')
      }
      const found = async (preferred: number | null, onlyPreferred = false) => {
        const preferredTenant = preferred === null ? null : (tenantIds[preferred] ?? '')
        const rows = await findCandidates(db.read, { email: 'ALICE@example.com', preferredTenant, onlyPreferred })
        return rows.map((it) => made.indexOf(it.id))
      }
      expect([await found(null), await found(4), await found(4, true)]).toEqual([[0, 1, 2], [4, 0, 1], [4]])
      const statuses = async (...attempts: [number, object][]) => {
        const all: number[] = []
        for (const [n, more] of attempts) all.push((await login(`password ${n}`, more)).status)
        return all
      }
      const named = { tenant_slug: 'squat-4' }
      expect(
        await statuses([2, {}], [3, {}], [4, {}], [4, named], [4, { tenant_slug: 'nowhere' }], [1, named]),
      ).toEqual([200, 401, 401, 200, 401, 200])
      await add(null)
      await add(null, true)
      expect([await found(null), await found(4), await found(4, true)]).toEqual([
        [6, 5, 0],
        [6, 5, 4],
        [6, 5, 4],
      ])
      expect((await login('password 4', named)).body.user.id).toBe(made[4])
    },
    slowMs,
  )
})
