import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import {
  auditEvents,
  binEntries,
  binParts,
  dueWork,
  jobs,
  outboxTasks,
  primitiveRegistries,
  searchEntries,
  secrets,
  styleGuideAssignments,
} from '../../../db/tables.gen.ts'
import { createService } from '../../../server/app.ts'
import { plansOf } from '../../../server/license/plans.ts'
import { onboardingApi } from '../../../src/api/onboarding.ts'
import { binApi, type BinEntry } from '../../../src/api/bin.ts'
import { consumersApi } from '../../../src/api/consumers.ts'
import { mcpServersApi } from '../../../src/api/mcp-servers.ts'
import { primitivesApi } from '../../../src/api/primitives.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { threadsApi } from '../../../src/api/threads.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { webhooksApi } from '../../../src/api/webhooks.ts'
import { addApiKey, addMember, addTenant, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { dump } from '../../db/bin/random-rows.ts'

const tenant = { tenant_slug: 'local' }
const pets = { ...tenant, project_ref: 'pets' }
const paths = '{ /pets: { get: { operationId: listPets, responses: { "200": { description: ok } } } } }'

/** What a deletion and a restoration write beside the rows themselves, and what is handed on meanwhile. */
const beside = [auditEvents, binEntries, binParts, dueWork, jobs, outboxTasks]

const listed = async (it: PetsProject, query = {}): Promise<BinEntry[]> =>
  (await it.call(binApi.list, { params: tenant, query })).items

const restore = (it: PetsProject, id: string, as?: string) =>
  it.call(binApi.restore, { params: { ...tenant, entry_id: id }, ...(as === undefined ? {} : { body: { as } }) })

/** The code of an error; null where there was none. */
const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  ((await outcome(work)) as { code?: string } | null)?.code ?? null

/** Two versions, the first one published, with a consumer, a thread and an assigned guide. */
async function fillPets(project: PetsProject): Promise<{ projectId: string; draftId: string }> {
  await project.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0', paths) })
  await project.send('POST', '/1.0.0/publish', { visibility: 'public', force: true, force_reason: 'test' })
  const { id: draftId } = await project.call(versionsApi.create, {
    params: pets,
    body: { label: '2.0.0', content: petsYaml('2.0.0', paths) },
  })
  await project.call(consumersApi.create, { params: pets, body: { name: 'Shop', metadata: { tier: 1 } } })
  await project.call(threadsApi.open, {
    params: { ...pets, version_ref: '2.0.0' },
    body: { anchor: { pointer: '/paths/~1pets/get' }, body: 'Why?' },
  })
  const { id: projectId } = await project.call(projectsApi.get, { params: pets })
  return { projectId, draftId }
}

/** All rows, without numbers of the search index, which are assigned again. */
async function rowsOf(db: Database) {
  const { search_entries: entries = [], ...rest } = await dump(db, [...beside, primitiveRegistries])
  return { ...rest, entries: entries.map((row) => JSON.stringify({ ...row, id: 0 })).sort() }
}

onBothEngines('the bin', (makeDb) => {
  test('a project comes back as it was, with its documents and what can be found', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const { projectId } = await fillPets(it)
    const before = await rowsOf(db)
    const text = (await it.send('GET', '/1.0.0/document')).text
    expect(await it.brief('DELETE', '/v1/tenants/local/projects/pets')).toBe('204')
    expect(await it.brief('GET', '/v1/tenants/local/projects/pets')).toBe('404 project-not-found')
    expect(await db.read.$count(searchEntries)).toBe(0)
    const [entry] = await listed(it)
    expect(entry).toEqual({
      id: projectId,
      kind: 'project',
      name: 'Pets',
      ref: 'pets',
      project_id: null,
      project_slug: null,
      counts: { versions: 2, consumers: 1 },
      size_bytes: expect.any(Number),
      deleted_by: { id: expect.stringMatching(/^api-key:/), name: expect.stringMatching(/^Key "/) },
      deleted_at: expect.any(String),
      expires_at: new Date(Date.parse(entry!.deleted_at) + 30 * 24 * 3_600_000).toISOString(),
    })
    expect(await restore(it, projectId)).toEqual({
      id: projectId,
      kind: 'project',
      name: 'Pets',
      ref: 'pets',
      project_slug: null,
      notes: [],
    })
    expect(await rowsOf(db)).toEqual(before)
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(text)
    expect([await listed(it), await db.read.$count(binParts)]).toEqual([[], 0])
    const actions = await db.read.select({ action: auditEvents.action }).from(auditEvents)
    expect(
      actions
        .map(({ action }) => action)
        .filter((action) => /^(bin|project)/.test(action))
        .sort(),
    ).toEqual(['bin.restored', 'project.deleted', 'project.role-granted'])
    await it.service.stop()
  })

  test('a slug that is taken is refused, and another one is accepted', async () => {
    const it = await openPetsProject(await makeDb())
    const { projectId } = await fillPets(it)
    await it.call(projectsApi.remove, { params: pets })
    await it.call(projectsApi.create, { params: tenant, body: { name: 'Other', slug: 'pets' } })
    expect(await refusal(restore(it, projectId))).toBe('bin-name-taken')
    expect(await refusal(restore(it, projectId, 'Not a slug'))).toBe('bin-name-invalid')
    expect(await restore(it, projectId, 'old-pets')).toMatchObject({ ref: 'old-pets' })
    const { items } = await it.call(projectsApi.list, { params: tenant, query: {} })
    expect(items.map(({ slug, versions_count }) => `${slug} ${versions_count}`).sort()).toEqual([
      'old-pets 2',
      'pets 0',
    ])
    await it.service.stop()
  })

  test('two restorations at once: one restores, the other finds nothing', async () => {
    const it = await openPetsProject(await makeDb())
    const { projectId } = await fillPets(it)
    await it.call(projectsApi.remove, { params: pets })
    const both = await Promise.all([refusal(restore(it, projectId)), refusal(restore(it, projectId))])
    expect(both.filter((one) => one === 'bin-entry-not-found')).toHaveLength(1)
    expect((await it.call(versionsApi.list, { params: pets, query: {} })).total).toBe(2)
    await it.service.stop()
  })

  test('a plan that is full takes nothing back', async () => {
    const db = await makeDb()
    const service = createService({
      db,
      publicUrl: () => '',
      egressAllow: [],
      plans: plansOf({ 'free.projects': 1 }),
      onFault: (fault) => {
        throw fault
      },
    })
    const call = service.callAs(await addUser(db, 'ann'))
    await call(onboardingApi.firstTenant, { body: { name: 'Acme' } })
    const params = { tenant_slug: 'acme' }
    const { id } = await call(projectsApi.create, { params, body: { name: 'One' } })
    await call(projectsApi.remove, { params: { ...params, project_ref: id } })
    const two = await call(projectsApi.create, { params, body: { name: 'Two' } })
    expect(await refusal(call(binApi.restore, { params: { ...params, entry_id: id } }))).toBe('quota-exceeded')
    await call(projectsApi.remove, { params: { ...params, project_ref: two.id } })
    expect(await call(binApi.restore, { params: { ...params, entry_id: id } })).toMatchObject({ ref: 'one' })
    await service.stop()
  })

  test('a draft comes back into its project, under another label where its own is taken', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const { projectId, draftId } = await fillPets(it)
    const before = await rowsOf(db)
    const remove = () => it.call(versionsApi.remove, { params: { ...pets, version_ref: draftId } })
    await remove()
    expect((await listed(it))[0]).toMatchObject({ kind: 'version', name: 'Pets', ref: '2.0.0', project_slug: 'pets' })
    expect(await restore(it, draftId)).toMatchObject({ kind: 'version', ref: '2.0.0', project_slug: 'pets' })
    expect(await rowsOf(db)).toEqual(before)
    await remove()
    await it.call(versionsApi.create, { params: pets, body: { label: '2.0.0' } })
    expect(await refusal(restore(it, draftId))).toBe('bin-name-taken')
    expect(await refusal(restore(it, draftId, 'latest'))).toBe('version-label-invalid')
    expect(await restore(it, draftId, '2.0.0 old')).toMatchObject({ ref: '2.0.0 old' })
    const { slug } = await it.call(versionsApi.get, { params: { ...pets, version_ref: draftId } })
    expect(slug).toBe('2.0.0-old')
    await remove()
    await it.call(projectsApi.remove, { params: pets })
    expect(await refusal(restore(it, draftId))).toBe('bin-project-missing')
    await restore(it, projectId)
    await restore(it, draftId)
    // What is deleted permanently takes with it what could not be restored without it.
    await remove()
    await it.call(projectsApi.remove, { params: pets })
    await it.call(binApi.remove, { params: { ...tenant, entry_id: projectId } })
    expect([await listed(it), await db.read.$count(binParts)]).toEqual([[], 0])
    await it.service.stop()
  })

  test('consumers, style guides and types come back', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    await fillPets(it)
    const guide = await it.call(styleGuidesApi.create, { params: tenant, body: { name: 'House' } })
    const project = await it.call(projectsApi.get, { params: pets })
    const ofGuide = { ...tenant, guide_id: guide.id }
    await it.call(styleGuidesApi.assign, { params: { ...ofGuide, project_id: project.id } })
    await it.call(styleGuidesApi.makeDefault, { params: ofGuide })
    const type = await it.call(primitivesApi.create, {
      params: tenant,
      body: { namespace: 'acme', name: 'Money', schema: { type: 'string' } },
    })
    const { consumers } = await it.call(consumersApi.list, { params: pets, query: {} })
    const before = await rowsOf(db)
    await it.call(consumersApi.retire, { params: { ...pets, consumer_ref: 'shop' } })
    await it.call(styleGuidesApi.remove, { params: ofGuide })
    await it.call(primitivesApi.delete, { params: { ...tenant, primitive_id: type.id } })
    expect((await listed(it)).map(({ kind, ref, counts }) => [kind, ref, counts])).toEqual([
      ['type', 'svc:acme/Money', { revisions: 1 }],
      ['style-guide', 'House', { assignments: 1 }],
      ['consumer', 'shop', {}],
    ])
    expect(await refusal(restore(it, type.id, 'Other'))).toBe('bin-name-invalid')
    for (const id of [consumers[0]!.id, guide.id, type.id]) await restore(it, id)
    expect(await rowsOf(db)).toEqual(before)
    const [registry] = await db.read.select().from(primitiveRegistries)
    expect(registry?.customTypes).toBe(1)
    await it.service.stop()
  })

  test('a style guide does not take back what was decided since', async () => {
    const it = await openPetsProject(await makeDb())
    const project = await it.call(projectsApi.get, { params: pets })
    const make = (name: string) => it.call(styleGuidesApi.create, { params: tenant, body: { name } })
    const [guide, other] = [await make('House'), await make('Other')]
    const apply = async (guide_id: string) => {
      await it.call(styleGuidesApi.assign, { params: { ...tenant, guide_id, project_id: project.id } })
      await it.call(styleGuidesApi.makeDefault, { params: { ...tenant, guide_id } })
    }
    await apply(guide.id)
    await it.call(styleGuidesApi.remove, { params: { ...tenant, guide_id: guide.id } })
    await apply(other.id)
    expect((await restore(it, guide.id)).notes).toEqual([
      'Projects that were assigned another style guide since then keep it.',
      'It was the default style guide; another one is the default now.',
    ])
    await it.service.stop()
  })

  test('a project whose style guide was deleted meanwhile comes back under the default one', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const { projectId } = await fillPets(it)
    const { id: guide_id } = await it.call(styleGuidesApi.create, { params: tenant, body: { name: 'House' } })
    await it.call(styleGuidesApi.assign, { params: { ...tenant, guide_id, project_id: projectId } })
    await it.call(projectsApi.remove, { params: pets })
    await it.call(styleGuidesApi.remove, { params: { ...tenant, guide_id } })
    expect((await restore(it, projectId)).notes).toEqual(['Its style guide was deleted: the default one applies.'])
    expect((await it.call(versionsApi.list, { params: pets, query: {} })).total).toBe(2)
    expect(await db.read.$count(styleGuideAssignments)).toBe(0)
    await it.service.stop()
  })

  test('a webhook keeps its secret until it is deleted permanently, an MCP server loses that of others at once', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const body = { url: 'https://203.0.113.9/hook', signingSecret: 'a long enough raw secret' }
    const webhook = await it.call(webhooksApi.create, { params: tenant, body })
    const before = await rowsOf(db)
    const remove = () => it.call(webhooksApi.remove, { params: { ...tenant, subscription_id: webhook.id } })
    await remove()
    expect(await db.read.$count(secrets)).toBe(1)
    expect((await restore(it, webhook.id)).notes).toEqual(['Its deliveries and dead letters are not restored.'])
    expect(await rowsOf(db)).toEqual(before)
    await remove()
    await it.call(webhooksApi.create, { params: tenant, body })
    expect(await refusal(restore(it, webhook.id))).toBe('bin-name-taken')
    await it.call(binApi.remove, { params: { ...tenant, entry_id: webhook.id } })
    expect(await db.read.$count(secrets)).toBe(1)
    const manifest = JSON.stringify({
      name: 'com.example/weather',
      version: '1.2.0',
      remotes: [{ type: 'streamable-http', url: 'https://203.0.113.9/mcp' }],
    })
    const { value } = await it.send('POST', '/v1/mcp/local/endpoints/manifest-import', { manifest })
    const server = (value['endpoint'] as { id: string }).id
    const ofServer = { ...tenant, endpoint_id: server }
    await it.call(mcpServersApi.update, { params: ofServer, body: { header: { name: 'X-Key', value: 'planted' } } })
    expect(await db.read.$count(secrets)).toBe(2)
    await it.call(mcpServersApi.remove, { params: ofServer })
    expect(await db.read.$count(secrets)).toBe(1)
    expect((await restore(it, server)).notes).toEqual([
      'The value of its header "X-Key" is not restored: set it again.',
    ])
    expect((await it.call(mcpServersApi.get, { params: ofServer })).header ?? null).toBeNull()
    await it.service.stop()
  })

  test('nothing of another organization can be seen, restored or deleted', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const { projectId } = await fillPets(it)
    await it.call(projectsApi.remove, { params: pets })
    const stranger = { 'x-api-key': await addApiKey(db, await addTenant(db, 'foreign')) }
    const own = '/v1/tenants/foreign/bin'
    expect((await it.send('GET', own, undefined, stranger)).value).toMatchObject({ items: [], total: 0 })
    expect(await it.brief('POST', `${own}/${projectId}/restore`, undefined, stranger)).toBe('404 bin-entry-not-found')
    expect((await it.send('GET', '/v1/tenants/local/bin', undefined, stranger)).status).toBe(403)
    expect((await listed(it)).map(({ ref }) => ref)).toEqual(['pets'])
    await it.service.stop()
  })

  test('each sees and restores what their role may delete; keys delete nothing for ever', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const { projectId, draftId } = await fillPets(it)
    await it.call(versionsApi.remove, { params: { ...pets, version_ref: draftId } })
    await it.call(projectsApi.remove, { params: pets })
    const editor = await addUser(db, 'ed')
    await addMember(db, it.tenantId, editor, 'editor')
    const call = it.service.callAs(editor)
    const { items } = await call(binApi.list, { params: tenant, query: {} })
    expect(items.map(({ kind }) => kind)).toEqual(['version'])
    const params = { ...tenant, entry_id: projectId }
    expect(await refusal(call(binApi.restore, { params }))).toBe('permission-denied')
    expect(await refusal(call(binApi.remove, { params }))).toBe('permission-denied')
    expect(await it.brief('DELETE', '/v1/tenants/local/bin')).toBe('403 person-required')
    expect(await it.call(binApi.empty, { params: tenant })).toEqual({ deleted: 2 })
    expect(await listed(it)).toEqual([])
    await it.service.stop()
  })

  test('what is too old is not listed, not restored, and removed by the next deletion', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const { projectId, draftId } = await fillPets(it)
    await it.call(versionsApi.remove, { params: { ...pets, version_ref: draftId } })
    await db.inTransaction((tx) =>
      tx
        .update(binEntries)
        .set({ expiresAt: new Date(Date.now() - 1).toISOString() })
        .where(eq(binEntries.id, draftId)),
    )
    expect(await listed(it)).toEqual([])
    expect(await refusal(restore(it, draftId))).toBe('bin-entry-not-found')
    await it.call(projectsApi.remove, { params: pets })
    expect((await db.read.select({ id: binEntries.id }).from(binEntries)).map(({ id }) => id)).toEqual([projectId])
    await it.service.stop()
  })
})
