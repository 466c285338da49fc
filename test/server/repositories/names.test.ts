/** Names that are hard to keep apart, and what becomes of names that are gone. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { symlinkSync } from 'node:fs'
import { onBothEngines } from '../../fixtures/engines.ts'
import { fileIdOf, openGitProject, type GitProject } from '../../fixtures/git-project.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

const strange = 'specs/new\nline "é".yaml'

onBothEngines('names in repositories', (makeDb) => {
  let it: GitProject
  let id = ''
  const health = async () => {
    const { value } = await it.at('GET', `/repositories/${id}`)
    return (value['repository'] as { health: { badge: string; reasons: { code: string }[] } }).health
  }
  const bind = (label: string, body: object) =>
    it.send('POST', `/${label}/binding`, { repository_id: id, replace: true, ...body })

  beforeAll(async () => {
    it = await openGitProject(await makeDb())
    it.git.create('acme/shop', {
      [strange]: petsYaml('1.0.0'),
      'Twin.yaml': petsYaml('2.0.0'),
      'twin.yaml': petsYaml('3.0.0'),
    })
    symlinkSync('../twin.yaml', join(it.git.root, 'acme/shop/specs/link.yaml'))
    symlinkSync('/etc/passwd', join(it.git.root, 'acme/shop/specs/out.yaml'))
    it.commit('acme/shop', { 'openapi.yaml': petsYaml('4.0.0') })
    it.git.git('acme/shop', 'branch', 'v1')
    id = await it.register('acme/shop')
    await it.run('scan', id)
    for (const label of ['1.0.0', '2.0.0', '5.0.0']) await it.send('POST', '', { label, content: petsYaml(label) })
  }, 60_000)
  afterAll(() => it.close())

  test('a path with a line break, twins that differ in case, and symbolic links', async () => {
    const { value } = await it.at('GET', `/repositories/${id}/files`)
    const files = value['files'] as { path: string; reason: string | null; importable: boolean }[]
    expect(files.map(({ path, reason, importable }) => [path, reason, importable])).toEqual([
      ['Twin.yaml', 'case-twin', true],
      ['openapi.yaml', null, true],
      ['specs/link.yaml', 'symlink', false],
      [strange, null, true],
      ['specs/out.yaml', 'symlink', false],
      ['twin.yaml', 'case-twin', true],
    ])
    const content = async (path: string) => {
      const { status, value: found } = await it.at('GET', `/repositories/${id}/files/${fileIdOf('main', path)}/content`)
      return [status, found.detail?.code ?? found['content']]
    }
    expect(await content(strange)).toEqual([200, petsYaml('1.0.0')])
    expect([await content('Twin.yaml'), await content('twin.yaml')]).toEqual([
      [200, petsYaml('2.0.0')],
      [200, petsYaml('3.0.0')],
    ])
    expect((await content('specs/out.yaml'))[1]).toBe('repository-file-unreadable')
    const target = { project_slug: 'pets', version: '9.0.0' }
    expect((await it.importFile(id, strange, target))['status']).toMatch(/^completed/)
    expect((await it.importFile(id, 'twin.yaml', { ...target, version: '9.1.0' }))['status']).toMatch(/^completed/)
    expect((await it.send('GET', '/9.1.0/document')).text).toContain('3.0.0')
    const spec = await it.at('GET', `/repositories/${id}/import-spec?branch=main&path=${encodeURIComponent(strange)}`)
    expect(spec.value['refresh_status']).toBe('up-to-date')
    const bound = await bind('1.0.0', { path: strange })
    expect([bound.status, (bound.value['binding'] as { path: string }).path]).toEqual([201, strange])
    const policy = await it.at('PUT', `/repositories/${id}/conflict-policy/file`, {
      branch: 'main',
      path: strange,
      policy: 'overwrite',
    })
    expect(policy.value['conflictPolicy']).toMatchObject({ overrides: [{ path: strange }] })
    const outside = await bind('2.0.0', { path: 'specs/out.yaml' })
    expect([outside.status, outside.value.detail?.code]).toEqual([422, 'binding-selection-empty'])
  })

  test('a branch goes before a tag of its name; the tag stays bound by its whole name', async () => {
    const tagged = it.git.git('acme/shop', 'rev-parse', 'HEAD')
    it.git.git('acme/shop', 'tag', 'v1')
    it.git.git('acme/shop', 'checkout', '-q', 'v1', '--')
    it.git.git('acme/shop', 'checkout', '-q', 'refs/heads/v1', '-B', 'v1')
    const branched = it.commit('acme/shop', { 'openapi.yaml': petsYaml('4.1.0') })
    it.git.git('acme/shop', 'checkout', '-q', 'main')
    const brief = async (ref: string) => {
      const { value } = await bind('2.0.0', { path: 'openapi.yaml', ref })
      const { ref: kept, commit_sha: commit } = value['binding'] as { ref: string; commit_sha: string }
      return [kept, commit]
    }
    expect(await brief('v1')).toEqual(['v1', branched])
    expect(await brief('refs/heads/v1')).toEqual(['v1', branched])
    expect(await brief('refs/tags/v1')).toEqual(['refs/tags/v1', tagged])
    expect((await it.send('POST', '/2.0.0/binding/check')).value.detail?.code).toBe('binding-unchanged')
    await it.run('push', id)
    expect((await it.send('GET', '/2.0.0/binding')).value['pending']).toEqual([])
    it.git.git('acme/shop', 'tag', '-f', 'v1', 'refs/heads/v1')
    expect((await it.send('POST', '/2.0.0/binding/check')).value['pending']).toMatchObject([{ to_commit: branched }])
  })

  test('a ref that was forced elsewhere is a candidate, also where the commit before is gone', async () => {
    await bind('5.0.0', { path: 'openapi.yaml', ref: 'v1' })
    it.git.git('acme/shop', 'checkout', '-q', 'refs/heads/v1', '-B', 'v1')
    it.git.git('acme/shop', 'checkout', '-q', '--orphan', 'fresh')
    it.git.git('acme/shop', 'rm', '-rq', '--cached', '.')
    const forced = it.commit('acme/shop', { 'openapi.yaml': petsYaml('4.2.0', '{ /forced: {} }') })
    it.git.git('acme/shop', 'branch', '-f', 'v1', 'fresh')
    it.git.git('acme/shop', 'tag', '-d', 'v1')
    it.git.git('acme/shop', 'reflog', 'expire', '--expire=now', '--all')
    it.git.git('acme/shop', 'gc', '-q', '--prune=now')
    await it.run('push', id)
    expect((await it.send('GET', '/5.0.0/binding')).value['pending']).toMatchObject([
      { to_commit: forced, selection_changed: true, detected_by: 'webhook', merge: { state: 'conflicts' } },
    ])
    it.git.git('acme/shop', 'checkout', '-q', 'main', '-f')
  })

  test('a file that was renamed, and a branch that was deleted', async () => {
    renameSync(join(it.git.root, 'acme/shop', strange), join(it.git.root, 'acme/shop/renamed.yaml'))
    it.commit('acme/shop', {})
    await it.run('push', id)
    const { value } = await it.at('GET', `/repositories/${id}/refresh-history?path=${encodeURIComponent(strange)}`)
    const [last] = value['items'] as { outcome: string; trigger: string; error: string }[]
    expect(last).toMatchObject({ outcome: 'failed', trigger: 'webhook', error: 'the file is not there any more' })
    expect((await it.send('POST', '/1.0.0/binding/check')).value.detail?.code).toBe('binding-selection-empty')
    it.git.git('acme/shop', 'branch', '-D', 'v1')
    await it.run('poll', id)
    expect((await it.send('POST', '/5.0.0/binding/check')).value.detail?.code).toBe('ref-not-found')
    const { value: files } = await it.at('GET', `/repositories/${id}/files`)
    expect(files['branches']).not.toContain('v1')
    expect(await health()).toEqual({ badge: 'healthy', reasons: [] })
  })

  test('a repository that was deleted, and comes back', async () => {
    renameSync(join(it.git.root, 'acme/shop'), join(it.git.root, 'acme/elsewhere'))
    const next = (await it.run('poll', id)) ?? 0
    expect(await health()).toMatchObject({ badge: 'failing', reasons: [{ code: 'repository-missing' }] })
    expect(next).toBeLessThanOrEqual(Date.now() + 60_000)
    renameSync(join(it.git.root, 'acme/elsewhere'), join(it.git.root, 'acme/shop'))
    await it.run('poll', id)
    expect(await health()).toEqual({ badge: 'healthy', reasons: [] })
    expect(it.faults).toEqual([])
  })

  test('what was less than well before an outage still is after it', async () => {
    it.git.create('acme/empty', { 'a.txt': 'a' })
    it.git.git('acme/empty', 'update-ref', '-d', 'HEAD')
    id = await it.register('acme/empty')
    await it.run('scan', id)
    const empty = { badge: 'degraded', reasons: [{ code: 'repository-empty' }] }
    expect(await health()).toMatchObject(empty)
    renameSync(join(it.git.root, 'acme/empty'), join(it.git.root, 'acme/away'))
    await it.run('poll', id)
    expect(await health()).toMatchObject({ badge: 'failing', reasons: [{ code: 'repository-missing' }] })
    renameSync(join(it.git.root, 'acme/away'), join(it.git.root, 'acme/empty'))
    await it.run('poll', id)
    expect(await health()).toMatchObject(empty)
    expect((await health()).reasons.length).toBe(1)
  })
})
