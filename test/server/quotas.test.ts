import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { licenses } from '../../db/tables.gen.ts'
import { createService, type Service } from '../../server/app.ts'
import { plansOf } from '../../server/license/plans.ts'
import { assertStorageRoom, ownedPlans } from '../../server/license/quota.ts'
import { ensureLocalTenant } from '../../server/auth/local-tenant.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { importsApi } from '../../src/api/imports.ts'
import { onboardingApi } from '../../src/api/onboarding.ts'
import { projectsApi } from '../../src/api/projects.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { addMember, addTenant, addUser, outcome } from '../fixtures/accounts.ts'

onBothEngines('quotas', (makeDb) => {
  let service: Service | undefined
  afterEach(() => service?.stop())

  const setUp = async (values: Record<string, number | null>) => {
    const db = await makeDb()
    service = createService({
      db,
      publicUrl: () => '',
      egressAllow: [],
      plans: plansOf(values),
      onFault: (fault) => {
        throw fault
      },
    })
    const call = service.callAs(await addUser(db, 'ann'))
    const made = await call(onboardingApi.firstTenant, { body: { name: 'Acme' } })
    expect(made.tenant.slug).toBe('acme')
    return { db, call, params: { tenant_slug: 'acme' }, service }
  }

  test('projects, also when many are made at once; none in the local workspace', async () => {
    const { db, call, params, service } = await setUp({ 'free.projects': 2 })
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => outcome(call(projectsApi.create, { params, body: { name } }))),
    )
    const refused = results.filter((it) => (it as { code?: string }).code !== undefined)
    const over = { code: 'quota-exceeded', quota: 'projects', used: 2, max: 2 }
    expect(refused).toMatchObject([over, over])
    await db.inTransaction((tx) => tx.update(licenses).set({ plan: 'team' }))
    expect(await call(projectsApi.create, { params, body: { name: 'e' } })).toMatchObject({ slug: 'e' })
    const local = await ensureLocalTenant(db, Date.now())
    const owner = service.callAs(local.ownerId)
    for (const name of ['a', 'b', 'c'])
      await owner(projectsApi.create, { params: { tenant_slug: 'local' }, body: { name } })
  })

  test('stored bytes', async () => {
    const { db, call, params } = await setUp({ 'free.storage_bytes': 200 })
    const content = (size: number): string =>
      `openapi: 3.1.0\ninfo: { title: t, version: "1" }\n# ${'x'.repeat(size)}\n`
    const body = (size: number) => ({ source: { kind: 'inline' as const, content: content(size) }, dry_run: true })
    expect(await call(importsApi.create, { params, body: body(20) })).toMatchObject({ status: 'queued' })
    expect(await outcome(call(importsApi.create, { params, body: body(180) }))).toMatchObject({
      code: 'quota-exceeded',
      quota: 'storage_bytes',
      max: 200,
    })
    await db.inTransaction((tx) => tx.update(licenses).set({ plan: 'enterprise' }).where(eq(licenses.plan, 'free')))
    expect(await call(importsApi.create, { params, body: body(180) })).toMatchObject({ status: 'queued' })
  })

  test('surfaces of MCP servers count as stored bytes', async () => {
    const { call, params } = await setUp({ 'free.storage_bytes': 5000 })
    const surface = (size: number): string => JSON.stringify({ tools: [{ name: 't', description: 'x'.repeat(size) }] })
    const place = { endpoint_url: 'https://192.0.2.1/mcp', transport: 'streamable_http' }
    const importing = (size: number) =>
      call(mcpServersApi.import, { params, body: { manifest: surface(size), ...place } })
    const over = { code: 'quota-exceeded', quota: 'storage_bytes', max: 5000 }
    expect(await outcome(importing(6000))).toMatchObject(over)
    const { endpoint } = await importing(10)
    const at = { ...params, endpoint_id: endpoint.id }
    const upload = (size: number) => call(mcpServersApi.upload, { params: at, body: { surface: surface(size) } })
    expect(await outcome(upload(6000))).toMatchObject(over)
    expect((await upload(20)).endpoint.counts.tools).toBe(1)
  })

  test('a store that is exactly full is not over; plans count for who owns their organizations', async () => {
    const db = await makeDb()
    const [free, team] = [await addTenant(db, 'small', null), await addTenant(db, 'big', 'team')]
    const [ann, bob] = [await addUser(db, 'ann'), await addUser(db, 'bob')]
    for (const [tenantId, userId] of [
      [free, ann],
      [team, bob],
    ] as const)
      await addMember(db, tenantId, userId, 'owner')
    const plans = plansOf({ 'free.storage_bytes': 200 })
    const room = (more: number) => outcome(db.inTransaction((tx) => assertStorageRoom(tx, plans, free, more)))
    expect(await room(200)).toBeUndefined()
    expect(await room(201)).toMatchObject({ code: 'quota-exceeded', quota: 'storage_bytes', used: 0, max: 200 })
    const owned = async (userId: string) => (await ownedPlans(db.read, plans, userId)).map((it) => it.slug)
    expect([await owned(ann), await owned(bob)]).toEqual([['free'], ['team']])
  })

  test('the wizard puts the sample project in', async () => {
    const { db, service } = await setUp({})
    const call = service.callAs(await addUser(db, 'bob'))
    const made = await call(onboardingApi.firstTenant, { body: { name: 'Bob', provision_sample_project: true } })
    const { items } = await call(projectsApi.list, { params: { tenant_slug: 'bob' } })
    expect(items.map((it) => [it.id, it.versions_count])).toEqual([[made.sample_project_id ?? '', 2]])
  })

  test('settings that are no quota of the free plan change nothing', () => {
    expect(plansOf({ 'free.seats': null, port: 5, 'free.nonsense': 1 }).free).toMatchObject({
      seats: null,
      tenantsPerUser: 1,
      quotas: { projects: 10 },
    })
  })
})
