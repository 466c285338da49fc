/** Teams and roles on projects, through the whole service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../../db/id.ts'
import {
  auditEvents,
  memberships,
  projectGrants,
  scimGroups,
  scimMembers,
  scimUsers,
  teamMembers,
  tenants,
} from '../../../db/tables.gen.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { authApi } from '../../../src/api/auth.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { homeApi } from '../../../src/api/home.ts'
import { membersApi } from '../../../src/api/members.ts'
import type { Role } from '../../../src/api/permissions.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { binApi } from '../../../src/api/bin.ts'
import { searchApi } from '../../../src/api/search.ts'
import { specsApi } from '../../../src/api/specs.ts'
import { projectAccessApi, teamsApi } from '../../../src/api/teams.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { addApiKey, addMember, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

setDefaultTimeout(60_000)

const params = { tenant_slug: 'local' }
const shop = { ...params, project_ref: 'shop' }
const bank = { ...params, project_ref: 'bank' }
const contentOf = (title: string): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: 1.0.0 }\npaths: { /${title}: { get: { responses: { '200': { description: ok } } } } }\n`

onBothEngines('teams', (makeDb) => {
  let it: TestService
  let tenantId: string
  const people = new Map<string, { readonly id: string; readonly call: Call }>()

  const person = async (name: string, role: Role) => {
    const id = await addUser(it.service.deps.db, name)
    await addMember(it.service.deps.db, tenantId, id, role)
    people.set(name, { id, call: it.service.callAs(id) })
  }
  const as = (name: string): Call => people.get(name)?.call as Call
  const idOf = (name: string): string => people.get(name)?.id ?? ''
  const draftIn = (name: string, project: typeof shop, label: string) =>
    outcome(
      as(name)(versionsApi.create, { params: project, body: { label, content: contentOf(label) } }).then(
        (made) => made.label,
      ),
    )
  const actions = async (prefix: string) => {
    const rows = await it.service.deps.db.read.select().from(auditEvents).orderBy(auditEvents.createdAt, auditEvents.id)
    return rows.map(({ action }) => action).filter((action) => action.startsWith(prefix))
  }

  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db)
    const [tenant] = await db.read.select().from(tenants)
    tenantId = tenant?.id ?? ''
    for (const name of ['Shop', 'Bank']) {
      await it.call(projectsApi.create, { params, body: { name } })
      const project = { ...params, project_ref: name.toLowerCase() }
      await it.call(versionsApi.create, { params: project, body: { label: '1.0.0', content: contentOf(name) } })
      await it.call(versionsApi.publish, {
        params: { ...project, version_ref: '1.0.0' },
        body: { visibility: 'private' },
      })
    }
    await person('vera', 'viewer')
    await person('greta', 'guest')
    await person('eddie', 'editor')
    await person('adam', 'admin')
  })
  afterAll(() => it.service.stop())

  test('who creates a project, also by an import, is its Editor, and the audit trail has it; a key gets no role', async () => {
    const { read } = it.service.deps.db
    const content = contentOf('mine')
    const source = { kind: 'inline', name: 'mine.yaml', content } as const
    const body = { source, project_slug: 'imported' }
    const key = await addApiKey(it.service.deps.db, tenantId)
    await it.service.callWith(key)(projectsApi.create, { params, body: { name: 'Of a key' } })
    await as('eddie')(projectsApi.create, { params, body: { name: 'Created' } })
    const { job_id } = await as('eddie')(importsApi.create, { params, body })
    await as('eddie')(importsApi.get, { params: { job_id }, query: { wait: 30 } })
    const ownersOf = async (ref: string) =>
      (await as('adam')(projectAccessApi.list, { params: { ...params, project_ref: ref } })).items.map(
        ({ kind, name, role }) => [kind, name, role],
      )
    const eddie = ['person', 'eddie', 'editor']
    expect([await ownersOf('created'), await ownersOf('imported'), await ownersOf('of-a-key')]).toEqual([
      [eddie],
      [eddie],
      [],
    ])
    const rows = await read.select().from(auditEvents).where(eq(auditEvents.action, 'project.role-granted'))
    const recorded = rows.filter(({ actorId }) => actorId === idOf('eddie')).map(({ detail }) => detail)
    expect(recorded.toSorted((a, b) => (String(a['project']) < String(b['project']) ? -1 : 1))).toEqual(
      ['created', 'imported'].map((project) => ({
        project,
        user_id: idOf('eddie'),
        team_id: null,
        role: 'editor',
        before: null,
      })),
    )
    // The role adds nothing to what an Editor of the organization may do.
    const version = { ...params, project_ref: 'created', version_ref: '1.0.0' }
    await as('eddie')(versionsApi.create, { params: version, body: { label: '1.0.0', content } })
    const forced = as('eddie')(versionsApi.publish, { params: version, body: { force: true, force_reason: 'now' } })
    expect(await outcome(forced)).toEqual({ code: 'permission-denied', permission: 'versions:publish_force' })
    for (const project_ref of ['created', 'imported', 'of-a-key'])
      await it.call(projectsApi.remove, { params: { ...params, project_ref } })
  })

  test('a team is made, filled, renamed and deleted, and the audit trail has each of it', async () => {
    const made = await as('adam')(teamsApi.create, { params, body: { name: 'Pay Ments' } })
    expect([made.slug, made.members, made.projects, made.directory_group]).toEqual(['pay-ments', 0, 0, null])
    const team = { ...params, team_ref: 'pay-ments' }
    const again = as('adam')(teamsApi.create, { params, body: { name: 'x', slug: 'pay-ments' } })
    expect(await outcome(again)).toEqual({ code: 'team-slug-taken', slug: 'pay-ments' })
    await as('adam')(teamsApi.add, { params: { ...team, user_id: idOf('vera') } })
    await as('adam')(teamsApi.add, { params: { ...team, user_id: idOf('vera') } })
    expect(await as('vera')(teamsApi.members, { params: team })).toEqual({
      items: [{ user_id: idOf('vera'), name: 'vera', email: 'vera@example.com', role: 'viewer' }],
    })
    const stranger = as('adam')(teamsApi.add, { params: { ...team, user_id: 'nobody' } })
    expect(await outcome(stranger)).toEqual({ code: 'member-not-found', member: 'nobody' })
    for (const name of ['vera', 'eddie']) {
      const mine = as(name)(teamsApi.create, { params, body: { name: 'Mine' } })
      expect(await outcome(mine)).toMatchObject({ code: 'permission-denied' })
    }
    const renamed = await as('adam')(teamsApi.update, { params: team, body: { name: 'Payments' } })
    expect([renamed.slug, renamed.name, renamed.members]).toEqual(['pay-ments', 'Payments', 1])
    await as('adam')(teamsApi.drop, { params: { ...team, user_id: idOf('vera') } })
    await as('adam')(teamsApi.remove, { params: team })
    expect(await outcome(as('adam')(teamsApi.get, { params: team }))).toEqual({
      code: 'team-not-found',
      team: 'pay-ments',
    })
    expect(await actions('team.')).toEqual([
      'team.created',
      'team.member-added',
      'team.updated',
      'team.member-removed',
      'team.deleted',
    ])
  })

  test('a viewer in a team that edits one project edits that project, and reads the others as before', async () => {
    expect(await draftIn('vera', shop, '1.1.0')).toMatchObject({
      code: 'permission-denied',
      permission: 'versions:edit',
    })
    await as('adam')(teamsApi.create, { params, body: { name: 'Shoppers' } })
    await as('adam')(teamsApi.add, { params: { ...params, team_ref: 'shoppers', user_id: idOf('vera') } })
    await as('adam')(projectAccessApi.grant, { params: shop, body: { team: 'shoppers', role: 'editor' } })
    expect(await draftIn('vera', shop, '1.1.0')).toBe('1.1.0')
    expect(await draftIn('vera', bank, '1.1.0')).toMatchObject({
      code: 'permission-denied',
      permission: 'versions:edit',
    })
    expect((await as('vera')(projectsApi.list, { params })).total).toBe(2)
    expect((await as('vera')(projectsApi.get, { params: bank })).slug).toBe('bank')
    // Force stays with who owns the project.
    const force = { visibility: 'private', force: true, force_reason: 'now' } as const
    const forced = () =>
      outcome(as('vera')(versionsApi.publish, { params: { ...shop, version_ref: '1.1.0' }, body: force }))
    expect(await forced()).toMatchObject({ code: 'permission-denied', permission: 'versions:publish_force' })
    const own = { user_id: idOf('vera'), role: 'owner' } as const
    expect(await outcome(as('vera')(projectAccessApi.grant, { params: shop, body: own }))).toMatchObject({
      code: 'permission-denied',
    })
    await as('adam')(projectAccessApi.grant, { params: shop, body: own })
    expect(await forced()).toMatchObject({ version: { status: 'published' } })
    const listed = await as('greta')(projectAccessApi.list, { params: shop }).catch(
      (error: { code: string }) => error.code,
    )
    expect(listed).toBe('project-not-found')
    const { items } = await as('vera')(projectAccessApi.list, { params: shop })
    const [vera, team, creator] = items
    expect(items.map(({ kind, name, role }) => [kind, name, role])).toEqual([
      ['person', 'vera', 'owner'],
      ['team', 'Shoppers', 'editor'],
      ['person', 'Owner', 'editor'],
    ])
    expect(creator?.created_by).toBe(`user:${creator?.user_id}`)
    for (const { id = '' } of [vera, team].map((one) => ({ id: one?.id })))
      await as('adam')(projectAccessApi.revoke, { params: { ...shop, access_id: id } })
    expect(await draftIn('vera', shop, '1.2.0')).toMatchObject({ code: 'permission-denied' })
    expect((await actions('project.role')).slice(-4)).toEqual([
      'project.role-granted',
      'project.role-granted',
      'project.role-revoked',
      'project.role-revoked',
    ])
  })

  test('a request names either a person or a team', async () => {
    const ask = (body: { user_id?: string; team?: string }) =>
      outcome(as('adam')(projectAccessApi.grant, { params: shop, body: { role: 'viewer', ...body } }))
    expect(await ask({})).toEqual({ code: 'project-access-unclear' })
    expect(await ask({ user_id: idOf('vera'), team: 'shoppers' })).toEqual({ code: 'project-access-unclear' })
    expect(await ask({ team: 'nobody' })).toEqual({ code: 'team-not-found', team: 'nobody' })
    expect(await ask({ user_id: 'nobody' })).toEqual({ code: 'member-not-found', member: 'nobody' })
    const gone = as('adam')(projectAccessApi.revoke, { params: { ...shop, access_id: 'nothing' } })
    expect(await outcome(gone)).toEqual({ code: 'project-access-not-found', access: 'nothing', project: 'shop' })
  })

  test('a guest sees the projects that they have a role on, in every list, with their counts', async () => {
    const { read } = it.service.deps.db
    const seen = async () => {
      const call = as('greta')
      const list = await call(projectsApi.list, { params })
      const found = await call(searchApi.find, { params, query: { q: 'o' } })
      const home = await call(homeApi.show, { params })
      const specs = await call(specsApi.list, {})
      return {
        projects: [list.items.map(({ slug }) => slug), list.total],
        found: [found.projects.map(({ slug }) => slug), found.members, found.style_guides],
        home: home.counted.projects,
        specs: specs.items.map(({ spec }) => spec),
      }
    }
    expect(await seen()).toEqual({ projects: [[], 0], found: [[], [], []], home: 0, specs: [] })
    expect(await outcome(as('greta')(projectsApi.get, { params: shop }))).toEqual({
      code: 'project-not-found',
      project: 'shop',
    })
    await as('adam')(projectAccessApi.grant, { params: shop, body: { user_id: idOf('greta'), role: 'viewer' } })
    expect(await seen()).toEqual({
      projects: [['shop'], 1],
      found: [['shop'], [], []],
      home: 1,
      specs: ['local/shop/1.1.0', 'local/shop/1.0.0'],
    })
    expect(await draftIn('greta', shop, '3.0.0')).toMatchObject({
      code: 'permission-denied',
      permission: 'versions:edit',
    })
    const [own] = (await as('greta')(authApi.me, {})).memberships
    expect([own?.role, own?.permissions, own?.projects?.map(({ slug, role }) => [slug, role])]).toEqual([
      'guest',
      ['comments:create', 'consumer_contracts:view', 'projects:view', 'style_guides:view', 'versions:view'],
      [['shop', 'viewer']],
    ])
    expect((await as('eddie')(authApi.me, {})).memberships[0]?.projects).toBeUndefined()
    expect(await draftIn('greta', bank, '3.0.0')).toEqual({ code: 'project-not-found', project: 'bank' })
    expect(await outcome(as('greta')(membersApi.list, { params }))).toMatchObject({ code: 'permission-denied' })
    await as('adam')(projectAccessApi.grant, { params: shop, body: { user_id: idOf('greta'), role: 'editor' } })
    expect(await draftIn('greta', shop, '3.0.0')).toBe('3.0.0')
    expect(await outcome(as('greta')(projectsApi.create, { params, body: { name: 'Mine' } }))).toMatchObject({
      code: 'permission-denied',
    })
    // Who is no member has no role on anything.
    await as('adam')(membersApi.remove, { params: { ...params, user_id: idOf('greta') } })
    expect(await read.$count(projectGrants, eq(projectGrants.userId, idOf('greta')))).toBe(0)
    await addMember(it.service.deps.db, tenantId, idOf('greta'), 'guest')
    expect((await as('greta')(projectsApi.list, { params })).total).toBe(0)
  })

  test('a team that follows a group of the directory has its members at every moment, and none by hand', async () => {
    const { db } = it.service.deps
    const at = it.service.deps.clock.iso()
    const [user, group] = [newId(), newId()]
    await db.inTransaction(async (tx) => {
      const facts = { tenantId, createdAt: at, updatedAt: at }
      await tx
        .insert(scimUsers)
        .values({ id: user, userId: idOf('vera'), userName: 'vera', active: true, attributes: {}, ...facts })
      await tx.insert(scimGroups).values({ id: group, displayName: 'bankers', ...facts })
      await tx.insert(scimMembers).values({ tenantId, groupId: group, userId: user })
    })
    const team = { ...params, team_ref: 'bankers' }
    const made = await as('adam')(teamsApi.create, { params, body: { name: 'Bankers', directory_group: 'bankers' } })
    expect([made.members, made.directory_group]).toEqual([1, 'bankers'])
    const byHand = as('adam')(teamsApi.add, { params: { ...team, user_id: idOf('eddie') } })
    expect(await outcome(byHand)).toEqual({ code: 'team-follows-directory', team: 'bankers', group: 'bankers' })
    await as('adam')(projectAccessApi.grant, { params: bank, body: { team: 'bankers', role: 'editor' } })
    expect(await draftIn('vera', bank, '4.0.0')).toBe('4.0.0')
    await db.inTransaction((tx) => tx.update(scimUsers).set({ active: false }).where(eq(scimUsers.id, user)))
    expect(await draftIn('vera', bank, '4.1.0')).toMatchObject({ code: 'permission-denied' })
    expect((await as('adam')(teamsApi.get, { params: team })).members).toBe(0)
    await db.inTransaction((tx) => tx.update(scimUsers).set({ active: true }).where(eq(scimUsers.id, user)))
    await as('adam')(teamsApi.update, { params: team, body: { directory_group: null } })
    expect(await draftIn('vera', bank, '4.1.0')).toMatchObject({ code: 'permission-denied' })
    await as('adam')(teamsApi.add, { params: { ...team, user_id: idOf('eddie') } })
    await as('adam')(teamsApi.update, { params: team, body: { directory_group: 'bankers' } })
    expect(await db.read.$count(teamMembers)).toBe(1)
  })

  test('roles come back with a restored project, but not those of people who left meanwhile', async () => {
    const { db } = it.service.deps
    await person('gone', 'guest')
    for (const name of ['gone', 'eddie'])
      await it.call(projectAccessApi.grant, { params: bank, body: { user_id: idOf(name), role: 'owner' } })
    const { id } = await it.call(projectsApi.get, { params: bank })
    await it.call(projectsApi.remove, { params: bank })
    await it.call(membersApi.remove, { params: { ...params, user_id: idOf('gone') } })
    // Under load the rest of a deletion may take a moment longer.
    const restore = () => outcome(it.call(binApi.restore, { params: { ...params, entry_id: id }, body: {} }))
    while (((await restore()) as { code?: string }).code === 'bin-entry-unfinished') await Bun.sleep(50)
    const { items } = await it.call(projectAccessApi.list, { params: bank })
    expect(items.map(({ name, role }) => `${name} ${role}`).toSorted()).toEqual([
      'Bankers editor',
      'Owner editor',
      'eddie owner',
    ])
    expect(await db.read.$count(memberships, eq(memberships.userId, idOf('gone')))).toBe(0)
  })
})
