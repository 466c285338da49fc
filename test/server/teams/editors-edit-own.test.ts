/** An organization whose Editors edit only what is theirs, through the whole service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, projects, tenants } from '../../../db/tables.gen.ts'
import { authApi } from '../../../src/api/auth.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { type ImportRequest, importsApi } from '../../../src/api/imports.ts'
import { projectBulkApi } from '../../../src/api/project-bulk.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { projectAccessApi, teamsApi } from '../../../src/api/teams.ts'
import { tenantsApi } from '../../../src/api/tenants.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { addApiKey, addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

setDefaultTimeout(60_000)

const params = { tenant_slug: 'local' }
const shop = { ...params, project_ref: 'shop' }
const mine = { ...params, project_ref: 'mine' }
const content =
  "openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths: { /t: { get: { responses: { '200': { description: ok } } } } }\n"

onBothEngines('an organization whose editors edit what is theirs', (makeDb) => {
  let it: TestService
  let tenantId: string
  let eddieId: string
  let eddie: Call
  const set = (on: boolean, call: Call = it.call) =>
    outcome(call(tenantsApi.setEditing, { params, body: { editors_edit_own: on } }))
  const draft = (project: typeof shop, label: string, call: Call = eddie) =>
    outcome(call(versionsApi.create, { params: project, body: { label, content } }).then((made) => made.label))
  const refused = (permission: string, reason: string) => ({
    code: 'permission-denied',
    permission,
    reason: `Editors edit only their own projects here, and ${reason}`,
  })
  const everywhere = 'this reaches further than one project'

  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db)
    const [tenant] = await db.read.select().from(tenants)
    tenantId = tenant?.id ?? ''
    eddieId = await addUser(db, 'eddie')
    await addMember(db, tenantId, eddieId, 'editor')
    eddie = it.service.callAs(eddieId)
    await it.call(projectsApi.create, { params, body: { name: 'Shop' } })
  })
  afterAll(() => it.service.stop())

  test('is off at first, set by Owners and Admins, and in the audit trail once for each change', async () => {
    expect(await it.call(tenantsApi.editing, { params })).toEqual({ editors_edit_own: false })
    expect(await draft(shop, '1.0.0')).toBe('1.0.0')
    expect(await set(true, eddie)).toMatchObject({ code: 'permission-denied', permission: 'members:edit' })
    for (const on of [true, true, false, true]) expect(await set(on)).toEqual({ editors_edit_own: on })
    expect(await it.call(tenantsApi.editing, { params })).toEqual({ editors_edit_own: true })
    const rows = await it.service.deps.db.read
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.action, 'tenant.editing-changed'))
    expect(rows.map(({ detail }) => detail)).toEqual([true, false, true].map((on) => ({ editors_edit_own: on })))
  })

  test('an Editor writes what they created and reads the rest; the refusal names who edits it', async () => {
    expect(await draft(shop, '1.1.0')).toEqual(refused('versions:edit', '"shop" is edited by Owner'))
    expect((await eddie(projectsApi.get, { params: shop })).slug).toBe('shop')
    await eddie(projectsApi.create, { params, body: { name: 'Mine' } })
    expect(await draft(mine, '1.0.0')).toBe('1.0.0')
    expect((await eddie(projectsApi.list, { params })).total).toBe(2)
    const [own] = (await eddie(authApi.me, {})).memberships
    expect([own?.permissions.includes('versions:edit'), own?.permissions.includes('projects:create')]).toEqual([
      false,
      true,
    ])
    expect(own?.projects?.map(({ slug, role }) => [slug, role])).toEqual([['mine', 'editor']])
  })

  test('a change of several projects is refused, and leaves every project as it was', async () => {
    const { read } = it.service.deps.db
    const before = await read.$count(auditEvents)
    const change = { projects: ['shop', 'mine'], change: { owner: 'eddie' } }
    expect(await outcome(eddie(projectBulkApi.change, { params, body: change }))).toEqual(
      refused('projects:edit', everywhere),
    )
    expect((await it.call(projectsApi.get, { params: shop })).owner).toBeNull()
    expect(await read.$count(auditEvents)).toBe(before)
  })

  test('an import writes what is theirs, or creates a project; it is refused elsewhere, also when it is only tried', async () => {
    const run = async (name: string, given: Partial<ImportRequest>) => {
      const source = { kind: 'inline', name: 't.yaml', content: content.replace('title: T', `title: ${name}`) } as const
      const { job_id } = await eddie(importsApi.create, { params, body: { source, ...given } })
      const { status, error, result } = await eddie(importsApi.get, { params: { job_id }, query: { wait: 30 } })
      return [status, error?.code ?? null, error?.message ?? null, result?.project_slug ?? null]
    }
    const message =
      'Missing permission versions:edit: Editors edit only their own projects here, and "shop" is edited by Owner.'
    const no = ['failed', 'permission-denied', message, null]
    const [shopBefore] = await it.service.deps.db.read.select().from(projects).where(eq(projects.slug, 'shop'))
    expect(await run('T', { project_slug: 'shop', version: '3.0.0' })).toEqual(no)
    expect(await run('T', { project_slug: 'shop', version: '3.0.0', dry_run: true })).toEqual(no)
    expect(await run('T', { project_id: shopBefore?.id ?? '', version: '3.0.0', publish: 'private' })).toEqual(no)
    expect(await run('Shop', { version: '3.0.0' })).toEqual(no)
    expect(await it.service.deps.db.read.select().from(projects).where(eq(projects.slug, 'shop'))).toEqual([
      shopBefore as never,
    ])
    expect(await run('T', { project_slug: 'mine', version: '3.0.0', publish: 'private' })).toEqual([
      'completed',
      null,
      null,
      'mine',
    ])
    expect(await run('Fresh', {})).toEqual(['completed', null, null, 'fresh'])
    expect(await draft({ ...params, project_ref: 'fresh' }, '1.1.0')).toBe('1.1.0')
    expect(
      await outcome(
        eddie(importsApi.create, {
          params,
          body: {
            source: { kind: 'inline', name: 't', content },
            publish: 'private',
            force: true,
            force_reason: 'now',
          },
        }),
      ),
    ).toMatchObject({ code: 'permission-denied', permission: 'versions:publish_force' })
  })

  test('a team makes a project theirs, as Editor but not as Viewer; the refusal names people and teams', async () => {
    await it.call(teamsApi.create, { params, body: { name: 'Shoppers' } })
    await it.call(teamsApi.add, { params: { ...params, team_ref: 'shoppers', user_id: eddieId } })
    const give = (
      role: 'viewer' | 'editor' | 'owner',
      subject: { team?: string; user_id?: string } = { team: 'shoppers' },
    ) => it.call(projectAccessApi.grant, { params: shop, body: { ...subject, role } })
    await give('viewer')
    expect(await draft(shop, '1.1.0')).toEqual(refused('versions:edit', '"shop" is edited by Owner'))
    await give('editor')
    expect(await draft(shop, '1.1.0')).toBe('1.1.0')
    await it.call(teamsApi.create, { params, body: { name: 'Others' } })
    await give('owner', { team: 'others' })
    await it.call(teamsApi.drop, { params: { ...params, team_ref: 'shoppers', user_id: eddieId } })
    expect(await draft(shop, '1.2.0')).toEqual(
      refused('versions:edit', '"shop" is edited by Owner, the team Shoppers, the team Others'),
    )
    for (const { id, role } of (await it.call(projectAccessApi.list, { params: shop })).items)
      if (role !== 'viewer') await it.call(projectAccessApi.revoke, { params: { ...shop, access_id: id } })
    expect(await draft(shop, '1.2.0')).toEqual(refused('versions:edit', 'only Owners and Admins edit "shop"'))
  })

  test('Admins and keys write as before, and off is as it was', async () => {
    const adam = await addUser(it.service.deps.db, 'adam')
    await addMember(it.service.deps.db, tenantId, adam, 'admin')
    expect(await draft(shop, '2.0.0', it.service.callAs(adam))).toBe('2.0.0')
    expect(await draft(shop, '2.1.0', it.service.callWith(await addApiKey(it.service.deps.db, tenantId)))).toBe('2.1.0')
    await set(false)
    expect(await draft(shop, '2.2.0')).toBe('2.2.0')
  })
})
