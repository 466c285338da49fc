import { expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { auditEvents, licenses, memberships, onboardingEvents, tenants, wizardStates } from '../../../db/tables.gen.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addMember, addTenant, addUser, start } from '../../fixtures/accounts.ts'
import { addPerson, brief, startIdentityService } from '../../fixtures/identity-service.ts'

const dayMs = 24 * 3_600_000

onBothEngines('onboarding', (makeDb) => {
  const setUp = async (settings: Parameters<typeof startIdentityService>[1] = {}) => {
    const service = startIdentityService(await makeDb(), settings)
    const ann = await addPerson(service.db, 'ann')
    return { ...service, ann, headers: await service.bearer(ann) }
  }

  test('a tenant is made with its Owner and the free plan', async () => {
    const { ask, db, ann, headers } = await setUp()
    const made = await ask('POST /v1/onboarding/first-tenant', {
      headers,
      body: { name: '  Ächte   Ware GmbH & Co. ' },
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      tenant: {
        id: expect.any(String),
        slug: 'achte-ware-gmbh-co',
        name: 'Ächte Ware GmbH & Co.',
        plan: 'free',
        created_at: '2026-05-05T12:00:00.000Z',
      },
      sample_project_id: null,
    })
    const { id } = made.body.tenant
    expect(await db.read.select().from(memberships)).toEqual([
      {
        tenantId: id,
        userId: ann,
        role: 'owner',
        status: 'active',
        createdAt: '2026-05-05T12:00:00.000Z',
        managed: false,
      },
    ])
    expect((await db.read.select().from(licenses)).map((it) => [it.tenantId, it.plan])).toEqual([[id, 'free']])
    expect((await db.read.select().from(auditEvents)).map((it) => [it.action, it.actorId])).toEqual([
      ['tenant.created', ann],
    ])
  })

  test('names and slugs that cannot be are 400 and name what is wrong', async () => {
    const { ask, headers } = await setUp()
    const attempt = async (body: object) => {
      const answer = await ask('POST /v1/onboarding/first-tenant', { headers, body })
      return [answer.status, answer.body.detail.code]
    }
    for (const name of ['', '   ', '!!!', 'x'.repeat(121), 'a<b>c'])
      expect([name, await attempt({ name })]).toEqual([name, [400, 'organization-name-invalid']])
    for (const slug of ['A', 'a', '-ab', 'ab-', 'a--b', '1ab', 'a_b', 'ä', 'x'.repeat(64), 'local', 'me', 'a/b'])
      expect([slug, await attempt({ name: 'Acme', slug })]).toEqual([slug, [400, 'tenant-slug-invalid']])
    expect(await attempt({ name: '日本' })).toEqual([400, 'tenant-slug-invalid'])
    expect((await ask('POST /v1/onboarding/first-tenant', { headers, body: { slug: 'acme' } })).status).toBe(422)
    expect((await ask('POST /v1/onboarding/first-tenant', { headers, body: { name: 'a', plan: 'x' } })).status).toBe(
      422,
    )
    const blank = await ask('POST /v1/onboarding/first-tenant', { headers, body: { name: 'Acme 2', slug: ' ' } })
    expect(blank.body.tenant.slug).toBe('acme-2')
  })

  test('of many who want one slug, exactly one gets it and nothing is left of the others', async () => {
    const { ask, db, bearer } = await setUp()
    const people = await Promise.all(['b', 'c', 'd', 'e', 'f', 'g'].map((name) => addPerson(db, name)))
    const answers = await Promise.all(
      people.map(async (id) =>
        ask('POST /v1/onboarding/first-tenant', { headers: await bearer(id), body: { name: 'Acme' } }),
      ),
    )
    expect(answers.map((it) => String(it.body.detail?.code ?? 'made')).sort()).toEqual([
      'made',
      ...Array<string>(5).fill('tenant-slug-taken'),
    ])
    expect(answers.filter((it) => it.status !== 201).every((it) => it.status === 409)).toBe(true)
    expect(await db.read.select().from(tenants)).toHaveLength(1)
    expect(await db.read.select().from(memberships)).toHaveLength(1)
    expect(await db.read.select().from(licenses)).toHaveLength(1)
    expect(await db.read.select().from(auditEvents)).toHaveLength(1)
  })

  test('the cap of tenants holds against many requests at once, and follows plan and operator', async () => {
    const { ask, db, ann, headers } = await setUp()
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => ask('POST /v1/onboarding/first-tenant', { headers, body: { name } })),
    )
    expect(answers.map((it) => it.status).sort((a, b) => a - b)).toEqual([201, 403, 403])
    const refused = answers.find((it) => it.status === 403)
    expect(refused?.body.detail).toMatchObject({ code: 'tenant-cap-reached', used: 1, max: 1 })
    await db.inTransaction((tx) => tx.update(licenses).set({ plan: 'team' }))
    expect((await ask('POST /v1/onboarding/first-tenant', { headers, body: { name: 'Four' } })).status).toBe(201)

    const generous = startIdentityService(db, { plans: plansWith({ tenants: null }) })
    await db.inTransaction((tx) => tx.update(licenses).set({ plan: 'free' }))
    expect(brief(await ask('POST /v1/onboarding/first-tenant', { headers, body: { name: 'Five' } }))).toEqual([
      403,
      'tenant-cap-reached',
    ])
    const more = { headers: await generous.bearer(ann), body: { name: 'Five' } }
    expect((await generous.ask('POST /v1/onboarding/first-tenant', more)).status).toBe(201)
  })

  test('the owner of the local workspace has no cap', async () => {
    const { ask, db, bearer } = await setUp()
    const { ownerId } = await ensureLocalTenant(db, start)
    const headers = await bearer(ownerId)
    for (const name of ['One', 'Two'])
      expect((await ask('POST /v1/onboarding/first-tenant', { headers, body: { name } })).status).toBe(201)
  })

  test('the sample project is best effort', async () => {
    const asked: string[][] = []
    const works = await setUp({
      provisionSample: async (slug, userId) => {
        asked.push([slug, userId])
        return 'project-1'
      },
    })
    const body = { name: 'Acme', provision_sample_project: true }
    const made = await works.ask('POST /v1/onboarding/first-tenant', { headers: works.headers, body })
    expect(made.body.sample_project_id).toBe('project-1')
    expect(asked).toEqual([['acme', works.ann]])
    const fails = await setUp({ provisionSample: () => Promise.reject(new Error('no sample')) })
    const anyway = await fails.ask('POST /v1/onboarding/first-tenant', { headers: fails.headers, body })
    expect([anyway.status, anyway.body.sample_project_id]).toEqual([201, null])
  })

  test('activation, from every status of a membership', async () => {
    const { ask, db, ann, headers } = await setUp()
    const tenantId = await addTenant(db, 'acme')
    const activate = async (body: object = { tenant_id: tenantId }) =>
      ask('POST /v1/onboarding/membership-activation', { headers, body })
    const become = (status: 'pending' | 'active' | 'suspended') =>
      db.inTransaction((tx) => tx.update(memberships).set({ status }).where(eq(memberships.userId, ann)))
    const status = async () => (await db.read.select().from(memberships))[0]?.status

    expect(brief(await activate())).toEqual([404, 'membership-not-found'])
    await addMember(db, tenantId, ann, 'viewer', 'pending')
    expect(brief(await activate({ tenant_id: tenantId.toUpperCase() }))).toEqual([
      200,
      { status: 'activated', tenant_id: tenantId },
    ])
    expect(await status()).toBe('active')
    expect(brief(await activate())).toEqual([200, { status: 'already-active', tenant_id: tenantId }])
    await become('suspended')
    expect(brief(await activate())).toEqual([403, 'membership-suspended'])
    expect(await status()).toBe('suspended')

    expect(brief(await ask('POST /v1/onboarding/membership-activation', { headers }))).toEqual([
      400,
      'tenant-id-invalid',
    ])
    for (const body of [{}, { tenant_id: null }, { tenant_id: 5 }, { tenant_id: 'acme' }, { tenant_id: '' }])
      expect(brief(await activate(body))).toEqual([400, 'tenant-id-invalid'])
    expect((await activate({ tenant_id: tenantId, role: 'owner' })).status).toBe(422)
  })

  test("nobody activates another's membership", async () => {
    const { ask, db, headers } = await setUp()
    const tenantId = await addTenant(db, 'acme')
    const bob = await addPerson(db, 'bob')
    await addMember(db, tenantId, bob, 'owner', 'pending')
    const body = { tenant_id: tenantId }
    expect(brief(await ask('POST /v1/onboarding/membership-activation', { headers, body }))).toEqual([
      404,
      'membership-not-found',
    ])
    const own = and(eq(memberships.tenantId, tenantId), eq(memberships.userId, bob))
    expect((await db.read.select().from(memberships).where(own))[0]?.status).toBe('pending')
  })

  test('a tenant without a free seat takes nobody in', async () => {
    const { ask, db, ann, headers } = await setUp({ plans: plansWith({ seats: 1 }) })
    const tenantId = await addTenant(db, 'acme', null)
    await addMember(db, tenantId, await addPerson(db, 'bob'), 'owner')
    await addMember(db, tenantId, ann, 'viewer', 'pending')
    const answer = await ask('POST /v1/onboarding/membership-activation', { headers, body: { tenant_id: tenantId } })
    expect(answer.body.detail).toMatchObject({ code: 'quota-exceeded', quota: 'seats', used: 1, max: 1 })
  })

  test('the wizard is resumed where it was left, until that is too long ago', async () => {
    const { ask, clock, headers } = await setUp()
    const read = async () => {
      const { status, body } = await ask('GET /v1/onboarding/wizard-state', { headers })
      return [status, body]
    }
    const put = async (body: object) => (await ask('PUT /v1/onboarding/wizard-state', { headers, body })).status
    expect(await read()).toEqual([204, null])
    expect(await put({ step: 'welcome' })).toBe(204)
    expect(await read()).toEqual([
      200,
      { step: 'welcome', org_name: null, slug: null, updated_at: '2026-05-05T12:00:00.000Z' },
    ])
    clock.value = start + 1000
    expect(await put({ step: 'organization', org_name: 'Acme', slug: 'acme', event: 'reached' })).toBe(204)
    const left = { step: 'organization', org_name: 'Acme', slug: 'acme', updated_at: '2026-05-05T12:00:01.000Z' }
    expect(await read()).toEqual([200, left])
    clock.value = start + 1000 + 30 * dayMs - 1
    expect(await ask('GET /v1/onboarding/wizard-state', { headers })).toMatchObject({ status: 401 })
  })

  test('an old position reads as absent; clearing works also where there is none', async () => {
    const { ask, clock, ann, bearer } = await setUp()
    const at = async (moment: number, line: string, body?: object) => {
      clock.value = moment
      const answer = await ask(line, { headers: await bearer(ann), ...(body === undefined ? {} : { body }) })
      return answer.status
    }
    expect(await at(start, 'PUT /v1/onboarding/wizard-state', { step: 'summary' })).toBe(204)
    expect(await at(start + 30 * dayMs - 1, 'GET /v1/onboarding/wizard-state')).toBe(200)
    expect(await at(start + 30 * dayMs, 'GET /v1/onboarding/wizard-state')).toBe(204)
    expect(await at(start + 30 * dayMs, 'PUT /v1/onboarding/wizard-state', { step: 'done' })).toBe(204)
    for (let round = 0; round < 2; round++)
      expect(await at(start + 30 * dayMs, 'DELETE /v1/onboarding/wizard-state')).toBe(204)
    expect(await at(start + 30 * dayMs, 'GET /v1/onboarding/wizard-state')).toBe(204)
  })

  test('the funnel counts what is sent and nothing else; an unknown step is 400 and writes nothing', async () => {
    const { ask, db, headers } = await setUp()
    const put = async (body: object) => brief(await ask('PUT /v1/onboarding/wizard-state', { headers, body }))
    await put({ step: 'organization', event: 'reached' })
    await put({ step: 'summary', event: 'reached' })
    await put({ step: 'organization', event: null })
    await put({ step: 'organization' })
    await put({ step: 'organization', event: 'abandoned' })
    await put({ step: 'done', event: 'completed' })
    const events = await db.read.select().from(onboardingEvents).orderBy(onboardingEvents.id)
    expect(events.map((it) => `${it.step} ${it.event}`)).toEqual([
      'organization reached',
      'summary reached',
      'organization abandoned',
      'done completed',
    ])
    await db.inTransaction((tx) => tx.delete(wizardStates))
    for (const step of ['', 'Welcome', 'payment'])
      expect(await put({ step, event: 'reached' })).toEqual([400, 'wizard-step-unknown'])
    expect(await db.read.select().from(wizardStates)).toEqual([])
    expect(await db.read.select().from(onboardingEvents)).toHaveLength(4)
    expect((await ask('PUT /v1/onboarding/wizard-state', { headers, body: { step: 'done', event: 'x' } })).status).toBe(
      422,
    )
  })

  test('all of it is for people, and stops when the budget of the address is spent', async () => {
    const { ask, db, headers } = await setUp()
    const key = await addApiKey(db, await addTenant(db, 'acme'))
    const calls: [string, object | undefined][] = [
      ['POST /v1/onboarding/first-tenant', { name: 'Acme' }],
      ['POST /v1/onboarding/membership-activation', { tenant_id: 'x' }],
      ['GET /v1/onboarding/wizard-state', undefined],
      ['PUT /v1/onboarding/wizard-state', { step: 'welcome' }],
      ['DELETE /v1/onboarding/wizard-state', undefined],
    ]
    const of = (body: object | undefined) => (body === undefined ? {} : { body })
    for (const [line, body] of calls) {
      expect([line, brief(await ask(line, of(body)))]).toEqual([line, [401, 'credentials-missing']])
      const refused = await ask(line, { ...of(body), headers: { 'x-api-key': key } })
      expect([line, brief(refused)]).toEqual([line, [403, 'person-required']])
    }
    const address = '192.0.2.5'
    for (let n = 0; n < 10; n++)
      await ask('POST /v1/auth/login', { body: { email: `g${n}@example.com`, password: 'x' }, address })
    for (const [line, body] of calls) {
      const refused = await ask(line, { ...of(body), headers, address })
      expect([line, brief(refused)]).toEqual([line, [429, 'auth-rate-limited']])
      expect(Number(refused.headers.get('retry-after'))).toBe(60)
    }
  })

  test('asking for tenants takes nothing from the address, so that many behind one can begin; a person has thirty', async () => {
    const { ask, db, bearer } = await setUp()
    const address = '192.0.2.6'
    const line = 'POST /v1/onboarding/first-tenant'
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const headers = await bearer(await addUser(db, `person${n}`))
      statuses.push((await ask(line, { headers, address, body: { name: `Tenant ${n}` } })).status)
    }
    expect(statuses).toEqual(Array<number>(12).fill(201))
    const headers = await bearer(await addUser(db, 'eager'))
    const codes = new Map<string, number>()
    for (let n = 0; n < 33; n++) {
      const { body, status } = await ask(line, { headers, body: { name: ' ' } })
      codes.set(`${status} ${body.detail.code}`, (codes.get(`${status} ${body.detail.code}`) ?? 0) + 1)
    }
    expect([...codes]).toEqual([
      ['400 organization-name-invalid', 30],
      ['429 auth-rate-limited', 3],
    ])
    const body = { tenant_id: '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37' }
    expect(brief(await ask('POST /v1/onboarding/membership-activation', { headers, body }))).toEqual([
      429,
      'auth-rate-limited',
    ])
  })
})
