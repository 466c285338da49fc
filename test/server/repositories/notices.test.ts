/** Who gets the notices of repositories, and the pages that they link to. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { memberships, notifications, repositories, repositoryNotices } from '../../../db/tables.gen.ts'
import { notice } from '../../../server/repositories/notices.ts'
import { repositoryNoticeTypes } from '../../../src/api/repository-shapes.ts'
import { addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGitProject, type GitProject } from '../../fixtures/git-project.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

const app = 'http://svc.test/app/t/local'
const document = (path: string): string =>
  petsYaml('1.0.0', `{ ${path}: { get: { responses: { '200': { description: ok } } } } }`)

onBothEngines('notices of repositories', (makeDb) => {
  let it: GitProject
  let db: Awaited<ReturnType<typeof makeDb>>
  let id = ''
  /** The address in the one notice of a type, and who got it. */
  const told = async (type: string) => {
    const rows = (await db.read.select().from(notifications)).filter(({ payload }) => payload['event'] === type)
    return { urls: [...new Set(rows.map(({ payload }) => payload.url))], people: rows.map(({ userId }) => userId) }
  }

  beforeAll(async () => {
    db = await makeDb()
    it = await openGitProject(db)
    it.git.create('acme/shop', {
      'openapi.yaml': document('/a'),
      'bound.yaml': document('/a'),
      'late.yaml': document('/a'),
    })
    id = await it.register('acme/shop')
    await it.at('PUT', `/repositories/${id}/notification-preferences`, {
      preferences: [{ eventType: 'scan.completed', enabled: true }],
    })
  }, 60_000)
  afterAll(() => it.close())

  test('scan.completed leads to the repository', async () => {
    await it.run('scan', id)
    expect((await told('scan.completed')).urls).toEqual([`${app}/-/repositories/${id}`])
  })

  test('sync.candidate leads to the change, and reaches who bound the draft', async () => {
    expect((await it.send('POST', '', { label: '1.0.0', content: document('/a') })).status).toBe(201)
    const bound = await it.send('POST', '/1.0.0/binding', { repository_id: id, path: 'bound.yaml' })
    expect(bound.status).toBe(201)
    // Neither an administrator nor someone who registered or imported anything.
    const binder = await addUser(db, 'Binder')
    await addMember(db, it.tenantId, binder, 'editor')
    const { draftBindings } = await import('../../../db/tables.gen.ts')
    await db.inTransaction((tx) => tx.update(draftBindings).set({ createdBy: `user:${binder}` }))
    it.commit('acme/shop', { 'bound.yaml': document('/b') })
    await it.run('poll', id)
    const { value } = await it.send('GET', '/1.0.0/binding')
    const { id: bindingId } = value['binding'] as { id: string }
    const detail = (await it.send('GET', `/v1/tenants/local/projects/pets/bindings/${bindingId}`)).value
    const [candidate] = detail['pending'] as { id: string }[]
    const { urls, people } = await told('sync.candidate')
    expect(urls).toEqual([`${app}/pets/1.0.0/repository/${candidate?.id ?? ''}`])
    const owners = await db.read
      .select({ id: memberships.userId })
      .from(memberships)
      .where(eq(memberships.role, 'owner'))
    expect(people.toSorted()).toEqual([...owners.map((one) => one.id), binder].toSorted())
    expect((await told('scan.completed')).people).not.toContain(binder)
  })

  test('sync.diverged and refresh.failed lead to the history', async () => {
    for (const [path, version] of [
      ['openapi.yaml', '2.0.0'],
      ['late.yaml', '3.0.0'],
    ] as const) {
      const imported = await it.importFile(id, path, { project_slug: 'pets', version })
      expect(imported['status']).toMatch(/^completed/)
    }
    const etag = (await it.send('GET', '/2.0.0/document')).headers.get('etag') ?? ''
    const headers = { 'content-type': 'application/yaml', 'if-match': etag }
    expect((await it.send('PUT', '/2.0.0/document', document('/here'), headers)).status).toBe(200)
    it.commit('acme/shop', { 'openapi.yaml': document('/there'), 'late.yaml': 'openapi: 3.1.0\npaths: [' })
    await it.run('poll', id)
    await it.importsEnded()
    const history = [`${app}/-/repositories/${id}/history`]
    expect((await told('sync.diverged')).urls).toEqual(history)
    expect((await told('refresh.failed')).urls).toEqual(history)
  })

  test('webhook.rejected leads to the webhook', async () => {
    const hook = await it.at('POST', `/repositories/${id}/webhook`, {
      create: 'manual',
      secret: 'a secret of the notices',
    })
    const token = (hook.value['subscription'] as { url: string }).url.split('/').at(-1) ?? ''
    expect(await it.deliver(token, 'another secret entirely', 'd1')).toBe('401 hook-signature')
    expect((await told('webhook.rejected')).urls).toEqual([`${app}/-/repositories/${id}/webhook`])
  })

  test('scan.failed leads to the repository; no type is left out', async () => {
    it.git.remove()
    await it.run('scan', id)
    expect((await told('scan.failed')).urls).toEqual([`${app}/-/repositories/${id}`])
    for (const type of repositoryNoticeTypes) expect([type, (await told(type)).urls.length]).toEqual([type, 1])
    expect(it.faults).toEqual([])
  })

  test('of a repository that was removed meanwhile nothing is written', async () => {
    const [row] = await db.read.select().from(repositories).where(eq(repositories.id, id))
    if (!row) throw new Error('there is no repository')
    const before = (await db.read.select().from(notifications)).length
    const gone = { ...row, id: crypto.randomUUID() }
    await db.inTransaction((tx) => notice(it.service.deps, tx, gone, 'scan.failed', 'It failed.'))
    expect((await db.read.select().from(notifications)).length).toBe(before)
    const kept = await db.read.select().from(repositoryNotices)
    expect(kept.filter((it) => it.repositoryId === gone.id)).toEqual([])
  })
})
