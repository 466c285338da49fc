import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { consumersApi } from '../../../src/api/consumers.ts'
import { pollKind } from '../../../server/repository-sync/due.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const project = '/v1/tenants/local/projects/pets'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const operation = (path: string, more = ''): string =>
  `${path}: { get: { ${more}responses: { '200': { description: ok } } } }`
const withPaths = (...paths: string[]): string => petsYaml('1.0.0', `{ ${paths.join(', ')} }`)

interface Detail {
  readonly binding: Record<string, unknown> & { readonly id: string }
  readonly pending: readonly (Record<string, unknown> & { readonly id: string })[]
  readonly history: readonly (Record<string, unknown> & { readonly id: string })[]
}

onBothEngines('bindings', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root)
  const host = new URL(served.url).host
  const url = `${served.url}/acme/shop/.git`
  let it: PetsProject

  const send = (method: string, path: string, body?: unknown) => it.send(method, `${project}${path}`, body)
  const detail = async (method: string, path: string, body?: unknown): Promise<Detail> =>
    (await send(method, path, body)).value as unknown as Detail
  const brief = async (method: string, path: string, body?: unknown) => {
    const { status, value } = await send(method, path, body)
    return [status, value.detail?.code].filter((one) => one !== undefined).join(' ')
  }
  const draft = (label: string, content: string) => send('POST', '/versions', { label, content })
  const commit = (files: Record<string, string | null>): string => {
    for (const [path, content] of Object.entries(files)) {
      const at = join(git.root, 'acme/shop', path)
      mkdirSync(dirname(at), { recursive: true })
      if (content === null) rmSync(at)
      else writeFileSync(at, content)
    }
    git.git('acme/shop', 'add', '-A')
    git.git('acme/shop', 'commit', '-q', '-m', 'more')
    return head()
  }
  const head = (): string => git.git('acme/shop', 'rev-parse', 'HEAD')
  const first = withPaths(operation('/pets'), operation('/owners'))

  beforeAll(async () => {
    git.create('acme/shop', { 'openapi.yaml': first, 'docs/a.md': 'a', 'docs/b.md': 'b' })
    git.git('acme/shop', 'tag', 'v1')
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8', gitHosts: `${host}=gitlab` })
    for (const label of ['1.0.0', '2.0.0', '3.0.0']) await draft(label, first)
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    git.remove()
  })

  test('a draft is bound to what was read', async () => {
    const made = await send('POST', '/versions/1.0.0/binding', { repo_url: url, path: 'openapi.yaml' })
    const { binding, pending, history } = made.value as unknown as Detail
    expect([made.status, pending, history]).toEqual([201, [], []])
    const { created_at: at, id, tenant_id, project_id, version_id, created_by, created_by_name, ...rest } = binding
    expect([
      tenant_id,
      typeof project_id,
      typeof version_id,
      String(created_by).split(':')[0],
      typeof created_by_name,
    ]).toEqual([it.tenantId, 'string', 'string', 'api-key', 'string'])
    expect(rest).toEqual({
      version_label: '1.0.0',
      repository_id: null,
      provider: 'gitlab',
      repo_full_name: 'acme/shop',
      repo_url: url,
      ref: 'main',
      path: 'openapi.yaml',
      commit_sha: head(),
      source_digest: `sha256:${sha256(first)}`,
      synchronized_at: at,
      browse_url: `${served.url}/acme/shop/-/blob/${head()}/openapi.yaml`,
      active: true,
      updated_at: at,
      released_at: null,
      released_by: null,
      release_reason: null,
      pending_candidate_count: 0,
    })
    expect(await detail('GET', `/bindings/${id}`)).toEqual({ binding, pending: [], history: [] })
    expect(await send('GET', '/versions/1.0.0/binding').then(({ value }) => value)).toMatchObject({
      version_label: '1.0.0',
      published: false,
      bindable: true,
      reason: null,
      binding: { id },
      pending: [],
      previous: [],
    })
    expect((await send('GET', '/bindings?version=1.0.0&active=true')).value).toEqual({
      bindings: [binding],
      count: 1,
      total: 1,
      limit: 50,
      offset: 0,
    })
    expect((await send('GET', '/bindings?active=false')).value['total']).toBe(0)
  })

  test('what cannot be bound is refused by name', async () => {
    const bind = (version: string, body: object) => brief('POST', `/versions/${version}/binding`, body)
    expect(await bind('1.0.0', { repo_url: url })).toBe('409 binding-already-bound')
    expect(await bind('2.0.0', {})).toBe('422')
    expect(await bind('2.0.0', { repo_url: url, repository_id: 'x' })).toBe('422')
    expect(await bind('2.0.0', { repository_id: 'x' })).toBe('404 repository-not-found')
    expect(await bind('2.0.0', { repo_url: url, token: 'x' })).toBe('422')
    expect(await bind('2.0.0', { repo_url: url, linked_account_id: 'x' })).toBe('404 linked-account-not-found')
    expect(await bind('2.0.0', { repo_url: url, ref: 'none' })).toBe('404 ref-not-found')
    expect(await bind('2.0.0', { repo_url: url, path: 'none.yaml' })).toBe('422 binding-selection-empty')
    expect(await bind('2.0.0', { repo_url: url, path: '../x' })).toBe('422 file-pattern-invalid')
    expect(await bind('2.0.0', { repo_url: `${served.url}/none/.git` })).toBe('422 repository-unreadable')
    expect(await bind('2.0.0', { repo_url: 'https://u:p@example.com/a/b' })).toBe('422 source-refused')
    expect(await bind('none', { repo_url: url })).toBe('404 version-not-found')
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/check'],
    ] as const)
      expect(await brief(method, `/versions/2.0.0/binding${path}`)).toBe('404 binding-not-found')
    expect(await brief('GET', '/bindings/none')).toBe('404 binding-not-found')
    expect((await send('GET', '/bindings')).value['total']).toBe(1)
  })

  test('selections of several files, tags, and the whole tree', async () => {
    const bound = async (body: object) =>
      (await detail('POST', '/versions/2.0.0/binding', { repo_url: url, replace: true, ...body })).binding
    const several = `sha256:${sha256(`docs/a.md\0${sha256('a')}\ndocs/b.md\0${sha256('b')}\n`)}`
    expect(await bound({ path: 'docs/*.md', ref: 'v1' })).toMatchObject({
      ref: 'v1',
      source_digest: several,
      browse_url: null,
    })
    expect(await bound({ path: 'docs' })).toMatchObject({ ref: 'main', source_digest: several })
    expect(await bound({})).toMatchObject({ path: '', active: true })
    const status = (await send('GET', '/versions/2.0.0/binding')).value
    expect((status['previous'] as { release_reason: string }[]).map((one) => one.release_reason)).toEqual([
      'replaced',
      'replaced',
    ])
    expect((await send('DELETE', '/versions/2.0.0/binding')).value).toMatchObject({
      active: false,
      release_reason: 'unbound',
    })
    expect((await send('GET', '/versions/2.0.0/binding')).value).toMatchObject({ binding: null, bindable: true })
  })

  test('a check of a ref that moved records a candidate with what a person needs to decide', async () => {
    expect(await brief('POST', '/versions/1.0.0/binding/check')).toBe('409 binding-unchanged')
    const params = { tenant_slug: 'local', project_ref: 'pets' }
    const { handle } = await it.call(consumersApi.create, { params, body: { name: 'Shop App' } })
    const use = { operations: [{ method: 'GET', path: '/owners' }] }
    await it.call(consumersApi.declare, {
      params: { ...params, consumer_ref: handle },
      query: { version: '3.0.0' },
      body: use,
    })
    const before = head()
    const after = commit({ 'openapi.yaml': withPaths(operation('/pets'), operation('/toys')), 'docs/c.md': 'c' })
    const { binding, pending } = await detail('POST', '/versions/1.0.0/binding/check')
    expect(binding).toMatchObject({ commit_sha: before, pending_candidate_count: 1 })
    const [candidate] = pending
    expect(candidate).toEqual({
      id: candidate?.id ?? '',
      binding_id: binding.id,
      status: 'pending',
      from_commit: before,
      to_commit: after,
      source_digest: `sha256:${sha256(withPaths(operation('/pets'), operation('/toys')))}`,
      selection_changed: true,
      changed_paths: ['openapi.yaml'],
      detected_by: 'check',
      detected_at: candidate?.['detected_at'],
      summary: {
        severity: 'breaking',
        counts: { breaking: 1, 'non-breaking': 1, 'docs-only': 0 },
        verdict: 'breaking',
        lint: { before: 'B', after: 'B' },
        valid: true,
        consumers: ['shop-app'],
      },
      merge: { state: 'fast-forward' },
      resolved_at: null,
      resolved_by: null,
      note: null,
    })
    expect((await detail('POST', '/versions/1.0.0/binding/check')).pending.length).toBe(1)
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(first)
  })

  test('a candidate is dismissed, or applied: the binding advances and the draft stays', async () => {
    const [old] = (await send('GET', '/versions/1.0.0/binding')).value['pending'] as { id: string; to_commit: string }[]
    const newer = commit({ 'openapi.yaml': withPaths(operation('/pets', 'summary: List, '), operation('/owners')) })
    const { pending } = await detail('POST', '/versions/1.0.0/binding/check')
    expect(pending.map((one) => one['to_commit'])).toEqual([newer, old?.to_commit])
    const resolve = (id: string, status: string, note?: string) =>
      send('POST', `/versions/1.0.0/binding/candidates/${id}`, { status, ...(note === undefined ? {} : { note }) })
    expect((await resolve(pending[0]?.id ?? '', 'merged')).status).toBe(422)
    expect((await resolve('none', 'applied')).value.detail?.code).toBe('candidate-not-found')
    const applied = (await resolve(pending[0]?.id ?? '', 'applied', 'looks right')).value as unknown as Detail
    expect(applied.binding).toMatchObject({ commit_sha: newer, pending_candidate_count: 0 })
    expect(applied.history.map((one) => [one['status'], one['note']])).toEqual([
      ['applied', 'looks right'],
      ['superseded', null],
    ])
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(first)
    for (const id of [pending[0]?.id ?? '', old?.id ?? ''])
      expect((await resolve(id, 'dismissed')).value.detail?.code).toBe('binding-candidate-resolved')
    commit({ 'openapi.yaml': first })
    const next = await detail('POST', '/versions/1.0.0/binding/check')
    const dismissed = (await resolve(next.pending[0]?.id ?? '', 'dismissed')).value as unknown as Detail
    expect([dismissed.binding['commit_sha'], dismissed.history[0]?.['status']]).toEqual([newer, 'dismissed'])
  })

  test('commits that do not touch the selection are one candidate that advances', async () => {
    await detail('POST', '/versions/2.0.0/binding', { repo_url: url, path: 'openapi.yaml' })
    commit({ 'docs/d.md': 'd' })
    const one = await detail('POST', '/versions/2.0.0/binding/check')
    const after = commit({ 'docs/e.md': 'e' })
    const two = await detail('POST', '/versions/2.0.0/binding/check')
    expect(two.pending.map((it) => [it.id, it['to_commit'], it['selection_changed'], it['changed_paths']])).toEqual([
      [one.pending[0]?.id ?? '', after, false, []],
    ])
    expect(two.pending[0]?.['summary']).toMatchObject({ severity: null, verdict: 'safe' })
  })

  test('both sides changed: the merge is by operations, and names the places where both changed', async () => {
    await send('DELETE', '/versions/2.0.0/binding')
    await detail('POST', '/versions/2.0.0/binding', { repo_url: url, path: 'openapi.yaml' })
    await it.edit('2.0.0', withPaths(operation('/pets', 'summary: Mine, '), operation('/owners')))
    commit({ 'openapi.yaml': withPaths(operation('/pets'), operation('/owners'), operation('/toys')) })
    const clean = (await detail('POST', '/versions/2.0.0/binding/check')).pending[0]
    expect(clean?.['merge']).toEqual({ state: 'clean' })
    const merged = (await send('GET', `/versions/2.0.0/binding/candidates/${clean?.id ?? ''}/merge`)).value
    expect([merged['state'], merged['conflicts'], merged['conflicts_total']]).toEqual(['clean', [], 0])
    expect(String(merged['document'])).toContain('summary: Mine')
    expect(String(merged['document'])).toContain('/toys')
    expect(String(merged['document'])).toContain('# as the author wrote it')
    commit({ 'openapi.yaml': withPaths(operation('/pets', 'summary: Theirs, '), operation('/owners')) })
    const both = (await detail('POST', '/versions/2.0.0/binding/check')).pending[0]
    expect(both?.['merge']).toEqual({ state: 'conflicts' })
    const conflict = (await send('GET', `/versions/2.0.0/binding/candidates/${both?.id ?? ''}/merge`)).value
    expect(conflict['conflicts']).toEqual([
      {
        id: '/paths/~1pets/get/summary',
        pointer: '/paths/~1pets/get/summary',
        pointers: { base: null, mine: '/paths/~1pets/get/summary', theirs: '/paths/~1pets/get/summary' },
        subject: 'GET /pets',
        base: null,
        mine: 'Mine',
        theirs: 'Theirs',
      },
    ])
    const chosen = await send('POST', `/versions/2.0.0/binding/candidates/${both?.id ?? ''}/merge`, {
      theirs: ['/paths/~1pets/get/summary'],
    })
    expect([chosen.status, chosen.value['conflicts_total']]).toEqual([200, 1])
    expect(String(chosen.value['document'])).toContain('summary: Theirs')
    commit({ 'openapi.yaml': 'openapi: [' })
    const broken = (await detail('POST', '/versions/2.0.0/binding/check')).pending[0]
    expect([broken?.['summary'], broken?.['merge']]).toMatchObject([{ valid: false }, {}])
  })

  test('a force push that removed the commit of a candidate is a refusal with a reason', async () => {
    const gone = commit({ 'openapi.yaml': withPaths(operation('/gone')) })
    const { pending } = await detail('POST', '/versions/1.0.0/binding/check')
    expect(pending[0]?.['to_commit']).toBe(gone)
    git.git('acme/shop', 'reset', '-q', '--hard', 'HEAD~2')
    git.git('acme/shop', 'reflog', 'expire', '--expire=now', '--all')
    git.git('acme/shop', 'gc', '-q', '--prune=now')
    const apply = () =>
      brief('POST', `/versions/1.0.0/binding/candidates/${pending[0]?.id ?? ''}`, { status: 'applied' })
    expect(await apply()).toBe('409 candidate-commit-missing')
    await send('DELETE', '/versions/1.0.0/binding')
    expect(await apply()).toBe('409 binding-candidate-resolved')
  })

  test('polls of a registered repository find what moved; removing it releases the binding', async () => {
    const { value } = await it.send('POST', '/v1/tenants/local/repositories', { source: 'public_url', cloneUrl: url })
    const { id } = value['repository'] as { id: string }
    const bound = await detail('POST', '/versions/3.0.0/binding', { repository_id: id, path: 'openapi.yaml' })
    expect(bound.binding).toMatchObject({ repository_id: id, repo_full_name: 'acme/shop' })
    const run = () =>
      pollKind.run({ subjectId: id, tenantId: it.tenantId, deps: it.service.deps, signal: AbortSignal.timeout(60_000) })
    await run()
    const moved = commit({ 'openapi.yaml': withPaths(operation('/polled')) })
    await run()
    await run()
    const after = await detail('GET', `/bindings/${bound.binding.id}`)
    expect(after.pending.map((one) => [one['detected_by'], one['to_commit']])).toEqual([['poll', moved]])
    await it.send('DELETE', `/v1/tenants/local/repositories/${id}`)
    const released = await detail('GET', `/bindings/${bound.binding.id}`)
    expect(released.binding).toMatchObject({ active: false, release_reason: 'repository_removed', repository_id: null })
    expect(released.history.map((one) => one['status'])).toEqual(['superseded'])
  })

  test('a published version cannot be bound', async () => {
    expect((await it.send('POST', '/3.0.0/publish', {})).status).toBe(200)
    expect(await brief('POST', '/versions/3.0.0/binding', { repo_url: url })).toBe('409 binding-version-published')
    expect((await send('GET', '/versions/3.0.0/binding')).value).toMatchObject({
      published: true,
      bindable: false,
      reason: 'published versions cannot be bound',
    })
    expect(it.faults).toEqual([])
  })
})
