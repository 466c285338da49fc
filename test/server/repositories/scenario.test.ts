/** One draft from the registration of its repository to its publication. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGitProject, type GitProject } from '../../fixtures/git-project.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

const operation = (path: string, more = ''): string =>
  `${path}: { get: { ${more}responses: { '200': { description: ok } } } }`
const document = (...paths: string[]): string => petsYaml('1.0.0', `{ ${paths.join(', ')} }`)
const secret = 'a secret of the scenario'

interface Detail {
  readonly binding: { readonly id: string; readonly commit_sha: string; readonly pending_candidate_count: number }
  readonly pending: readonly { readonly id: string; readonly to_commit: string; readonly detected_by: string }[]
}

onBothEngines('from registration to publication', (makeDb) => {
  let it: GitProject
  let id = ''
  let token = ''
  const binding = async (method = 'GET', path = '', body?: object) => {
    const { status, value } = await it.send(method, `/1.0.0/binding${path}`, body)
    return { status, value: value as unknown as Detail & { readonly detail?: { readonly code: string } } }
  }

  beforeAll(async () => {
    it = await openGitProject(await makeDb())
    it.git.create('acme/shop', { 'openapi.yaml': document(operation('/pets'), operation('/owners')) })
  }, 60_000)
  afterAll(() => it.close())

  test('register, scan, import, bind, hear pushes', async () => {
    id = await it.register('acme/shop')
    await it.run('scan', id)
    expect((await it.at('GET', `/repositories/${id}/files?preset=openapi`)).value['total']).toBe(1)
    const first = document(operation('/pets'), operation('/owners'))
    expect((await it.send('POST', '', { label: '1.0.0', content: first })).status).toBe(201)
    expect((await binding('POST', '', { repository_id: id, path: 'openapi.yaml' })).status).toBe(201)
    const hook = await it.at('POST', `/repositories/${id}/webhook`, { create: 'manual', secret })
    token = (hook.value['subscription'] as { url: string }).url.split('/').at(-1) ?? ''
  })

  test('a push is a candidate; its merge with what was edited here is put into the draft, and it is applied', async () => {
    const etag = (await it.send('GET', '/1.0.0/document')).headers.get('etag') ?? ''
    const yaml = { 'content-type': 'application/yaml' }
    const mine = document(operation('/pets', 'summary: Mine, '), operation('/owners'))
    const edited = await it.send('PUT', '/1.0.0/document', mine, { ...yaml, 'if-match': etag })
    const head = it.commit('acme/shop', {
      'openapi.yaml': document(operation('/pets'), operation('/owners', 'summary: Theirs, '), operation('/toys')),
    })
    expect(await it.deliver(token, 'another secret entirely', 'd1')).toBe('401 hook-signature')
    expect(await it.deliver(token, secret, 'd1')).toBe('202 accepted')
    expect(await it.deliver(token, secret, 'd1')).toBe('202 duplicate')
    await it.run('push', id)
    const { pending } = (await binding()).value
    expect(pending.map((one) => [one.to_commit, one.detected_by])).toEqual([[head, 'webhook']])
    const candidate = `/candidates/${pending[0]?.id ?? ''}`
    const merged = await it.send('GET', `/1.0.0/binding${candidate}/merge`)
    expect([merged.value['state'], merged.value['conflicts']]).toEqual(['clean', []])
    const text = String(merged.value['document'])
    const put = await it.send('PUT', '/1.0.0/document', text, {
      ...yaml,
      'if-match': edited.headers.get('etag') ?? '',
    })
    expect(put.status).toBe(200)
    for (const part of ['summary: Mine', 'summary: Theirs', '/toys', '# as the author wrote it'])
      expect(text).toContain(part)
    const applied = await binding('POST', candidate, { status: 'applied' })
    expect(applied.value.binding).toMatchObject({ commit_sha: head, pending_candidate_count: 0 })
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(text)
    expect((await binding('POST', candidate, { status: 'dismissed' })).value.detail?.code).toBe(
      'binding-candidate-resolved',
    )
    expect((await binding('POST', '/check')).value.detail?.code).toBe('binding-unchanged')
  })

  test('a push that no hook reported is found by a poll, and the webhook is in doubt', async () => {
    const state = async () => {
      const { value } = await it.at('GET', `/repositories/${id}`)
      return (value['repository'] as { webhook: { state: string } }).webhook.state
    }
    expect(await state()).toBe('active')
    it.commit('acme/shop', { 'openapi.yaml': document(operation('/pets')) })
    await it.run('poll', id)
    // Its delivery may still be under way.
    expect(await state()).toBe('active')
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const { repositoryHooks } = await import('../../../db/tables.gen.ts')
    await it.service.deps.db.inTransaction((tx) => tx.update(repositoryHooks).set({ lastDeliveryAt: hourAgo }))
    it.commit('acme/shop', { 'openapi.yaml': document(operation('/owners')) })
    await it.run('poll', id)
    expect(await state()).toBe('failing')
    expect((await binding()).value.pending.length).toBe(2)
    expect(await it.deliver(token, secret, 'd2')).toBe('202 accepted')
    expect(await state()).toBe('active')
  })

  test('deliveries at the same time are written together, each once', async () => {
    const ids = [...Array.from({ length: 12 }, (_, n) => `many ${n}`), ...Array.from({ length: 4 }, () => 'many 3')]
    const outcomes = await Promise.all(ids.map((delivery) => it.deliver(token, secret, delivery)))
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 12 }, () => '202 accepted'),
      ...Array.from({ length: 4 }, () => '202 duplicate'),
    ])
    const { db } = it.service.deps
    const { dueWork } = await import('../../../db/tables.gen.ts')
    const { eq } = await import('drizzle-orm')
    while ((await db.read.$count(dueWork, eq(dueWork.kind, 'repository.push'))) > 0) await Bun.sleep(20)
  })

  test('what was dismissed does not come back by itself, and by a check it does', async () => {
    const { pending } = (await binding()).value
    for (const { id: candidate } of pending)
      await binding('POST', `/candidates/${candidate}`, { status: 'dismissed', note: 'not now' })
    expect(await it.deliver(token, secret, 'd3')).toBe('202 accepted')
    await it.run('push', id)
    expect((await binding()).value.pending).toEqual([])
    expect((await binding('POST', '/check')).value.pending.map((one) => one.detected_by)).toEqual(['check'])
  })

  test('polls at the same time keep to the quota', async () => {
    expect((await it.at('PUT', '/repository-polling-quota', { pollsPerHour: 5 })).status).toBe(200)
    const used = async () => (await it.at('GET', '/repository-polling-quota')).value['quota']
    expect(await used()).toMatchObject({ used: 2, remaining: 3 })
    const nexts = await Promise.all(Array.from({ length: 8 }, () => it.run('poll', id)))
    expect(await used()).toMatchObject({ used: 5, remaining: 0 })
    const later = nexts.filter((next) => (next ?? 0) > Date.now() + 1_800_000)
    expect([later.length, nexts.length]).toEqual([5, 8])
  })

  test('a published version is bound to nothing new', async () => {
    expect((await it.send('POST', '/1.0.0/publish', {})).status).toBe(200)
    const again = await binding('POST', '', { repository_id: id, path: 'openapi.yaml', replace: true })
    expect([again.status, again.value.detail?.code]).toEqual([409, 'binding-version-published'])
    expect(it.faults).toEqual([])
  })
})
