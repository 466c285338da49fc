/** Documents that are made of several files: a change of any of them is a change of the document. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { webhookEvents } from '../../../src/api/webhook-events.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGitProject, type GitProject } from '../../fixtures/git-project.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

const root = (version: string): string =>
  petsYaml(version, `{ /pets: { $ref: 'paths/pets.yaml' } }`) + `components: { schemas: { Owner: { type: object } } }\n`
const pets = (type: string): string =>
  `get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '../types/pet.yaml' } } } } } }\n` +
  `summary: ${type}\n`
const pet = (type: string): string => `type: object\nproperties: { id: { type: ${type} } }\n`

onBothEngines('documents of several files', (makeDb) => {
  let it: GitProject
  let id = ''
  const spec = async () => (await it.at('GET', `/repositories/${id}/import-spec?branch=main&path=openapi.yaml`)).value
  const history = async () => {
    const { value } = await it.at('GET', `/repositories/${id}/refresh-history?path=openapi.yaml`)
    return value['items'] as { outcome: string; trigger: string; change: unknown }[]
  }

  beforeAll(async () => {
    it = await openGitProject(await makeDb())
    it.git.create('acme/shop', {
      'openapi.yaml': root('1.0.0'),
      'paths/pets.yaml': pets('first'),
      'types/pet.yaml': pet('string'),
      'README.md': 'one',
    })
    id = await it.register('acme/shop')
    await it.run('scan', id)
    expect((await it.importFile(id, 'openapi.yaml', { project_slug: 'pets' }))['status']).toMatch(/^completed/)
  }, 60_000)
  afterAll(() => it.close())

  test('a change of a file that it refers to imports it again, and the history says what changed', async () => {
    it.commit('acme/shop', { 'README.md': 'two' })
    await it.run('poll', id)
    expect((await history()).map((one) => one.outcome)).toEqual(['imported'])
    const head = it.commit('acme/shop', { 'types/pet.yaml': pet('integer') })
    await it.run('poll', id)
    await it.importsEnded()
    expect(await spec()).toMatchObject({ refresh_status: 'up-to-date', last_imported_commit_sha: head })
    expect((await it.send('GET', '/1.0.0/document')).text).toContain('integer')
    expect((await history()).map(({ outcome, trigger, change }) => [outcome, trigger, change])).toEqual([
      ['imported', 'poll', { severity: 'breaking', counts: { breaking: 1, 'non-breaking': 0, 'docs-only': 0 } }],
      ['imported', 'manual', null],
    ])
    await it.run('poll', id)
    expect((await history()).length).toBe(2)
  })

  test('one that is not refreshed by itself is stale', async () => {
    await it.at('PATCH', `/repositories/${id}`, { auto_refresh_enabled: false })
    it.commit('acme/shop', { 'paths/pets.yaml': pets('second') })
    await it.run('push', id)
    expect((await spec())['refresh_status']).toBe('stale')
    expect((await it.at('POST', `/repositories/${id}/refresh-now`)).value['enqueued']).toBe(1)
    await it.importsEnded()
    expect((await spec())['refresh_status']).toBe('up-to-date')
    expect((await history())[0]).toMatchObject({
      trigger: 'manual',
      change: { severity: 'docs-only', counts: { breaking: 0, 'non-breaking': 0, 'docs-only': 1 } },
    })
    await it.at('PATCH', `/repositories/${id}`, { auto_refresh_enabled: true })
  })

  test('an imported file that both sides changed is reported', async () => {
    const etag = (await it.send('GET', '/1.0.0/document')).headers.get('etag') ?? ''
    const mine = petsYaml('1.0.0', '{ /mine: {} }')
    await it.send('PUT', '/1.0.0/document', mine, { 'if-match': etag, 'content-type': 'application/yaml' })
    const before = (await spec())['last_imported_commit_sha']
    const head = it.commit('acme/shop', { 'types/pet.yaml': pet('boolean') })
    await it.run('push', id)
    // Neither the same commit nor one that leaves the file alone is reported again.
    await it.run('push', id)
    it.commit('acme/shop', { 'README.md': 'elsewhere' })
    await it.run('push', id)
    expect((await spec())['refresh_status']).toBe('diverged')
    const seen = await it.events('repository.sync_candidate')
    expect(Value.Check(webhookEvents['repository.sync_candidate'].schema, seen[0])).toBe(true)
    expect(
      seen.map(({ data: { sequence, project_id, version_id, ...rest } }) => [
        [typeof sequence, typeof project_id, typeof version_id],
        rest,
      ]),
    ).toEqual([
      [
        ['number', 'string', 'string'],
        {
          project_slug: 'pets',
          version_label: '1.0.0',
          ref: 'main',
          path: 'openapi.yaml',
          from_commit: String(before),
          to_commit: head,
          detected_by: 'webhook',
          selection_changed: true,
          max_severity: null,
          verdict: null,
          merge: null,
          repository_id: id,
          provider: 'github',
          repository: 'acme/shop',
          kind: 'import',
          binding_id: null,
          candidate_id: null,
          urls: {
            version: `http://svc.test/v1/tenants/local/projects/pets/versions/${String(seen[0]?.data['version_id'])}`,
            application: 'http://svc.test/app/t/local/pets/1.0.0',
            waiting: `http://svc.test/v1/tenants/local/repositories/${id}`,
          },
        },
      ],
    ])
  })

  test('a bound draft hears of a change of a file that its file refers to', async () => {
    await it.send('POST', '', { label: '2.0.0', content: petsYaml('2.0.0') })
    const bound = await it.send('POST', '/2.0.0/binding', { repository_id: id, path: 'openapi.yaml' })
    expect(bound.status).toBe(201)
    it.commit('acme/shop', { 'README.md': 'three' })
    const same = (await it.send('POST', '/2.0.0/binding/check')).value
    expect(same['pending']).toMatchObject([{ selection_changed: false, changed_paths: [] }])
    const head = it.commit('acme/shop', { 'types/pet.yaml': pet('number') })
    await it.run('push', id)
    const { value } = await it.send('GET', '/2.0.0/binding')
    const digest = (bound.value['binding'] as { source_digest: string }).source_digest
    expect(value['pending']).toMatchObject([
      {
        to_commit: head,
        detected_by: 'webhook',
        selection_changed: true,
        changed_paths: ['types/pet.yaml'],
        source_digest: digest,
        summary: { severity: 'breaking' },
      },
      { selection_changed: false },
    ])
    const seen = await it.events('binding.candidate', 'repository.sync_candidate')
    for (const event of seen)
      expect(Value.Check(webhookEvents[event.type as 'binding.candidate'].schema, event)).toBe(true)
    expect(
      seen.map(({ type, data }) => [
        type,
        data['kind'],
        data['version_label'],
        data['selection_changed'],
        data['detected_by'],
        data['max_severity'],
        (data['urls'] as { waiting: string }).waiting.split('/').at(-1),
      ]),
    ).toEqual([
      ['repository.sync_candidate', 'import', '1.0.0', true, 'webhook', null, id],
      ['binding.candidate', undefined, '2.0.0', false, 'check', null, 'binding'],
      ['repository.sync_candidate', 'binding', '2.0.0', false, 'check', null, 'binding'],
      ['repository.sync_candidate', 'import', '1.0.0', true, 'webhook', null, id],
      ['binding.candidate', undefined, '2.0.0', true, 'webhook', 'breaking', 'binding'],
      ['repository.sync_candidate', 'binding', '2.0.0', true, 'webhook', 'breaking', 'binding'],
    ])
    const newest = (value['pending'] as { id: string }[])[0]?.id ?? ''
    const applied = await it.send('POST', `/2.0.0/binding/candidates/${newest}`, { status: 'applied' })
    expect(applied.value['binding']).toMatchObject({ commit_sha: head, source_digest: digest })
    expect((await it.send('POST', '/2.0.0/binding/check')).value.detail?.code).toBe('binding-unchanged')
    expect(it.faults).toEqual([])
  })
})
