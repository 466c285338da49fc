/** Longer than 400 lines: one repository, from its registration to its removal. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import {
  auditEvents,
  dueWork,
  jobs,
  notifications,
  repositories,
  repositoryImports,
  repositoryPolls,
} from '../../../db/tables.gen.ts'
import { pollKind, scanKind } from '../../../server/repository-sync/due.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startFakeProvider, type FakeProvider } from '../../fixtures/fake-provider.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { capturedLog, foundIn, watchGit } from '../../fixtures/planted.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const base = '/v1/tenants/local'
const planted = 'planted-token-0123456789'
const authorization = `Basic ${Buffer.from(`oauth2:${planted}`).toString('base64')}`

const withPath = (path: string): string =>
  petsYaml('1.0.0', `{ ${path}: { get: { responses: { '200': { description: ok } } } } }`)

onBothEngines('repositories', (makeDb) => {
  const git = makeRepositories()
  let isLocked = false
  const served = serveGitOverHttp(
    git.root,
    (path, given) => !path.startsWith('/secret') || (given === authorization && !isLocked),
  )
  const host = new URL(served.url).host
  let it: PetsProject
  let lab: FakeProvider
  let id = ''
  let one = ''
  const texts: string[] = []
  const log = capturedLog()

  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await it.send(method, `${base}${path}`, body)
    texts.push(answer.text)
    return answer
  }
  const brief = async (method: string, path: string, body?: unknown) => {
    const { status, value } = await send(method, path, body)
    return [status, value.detail?.code].filter((part) => part !== undefined).join(' ')
  }
  const run = (kind: typeof scanKind | typeof pollKind, subjectId: string) =>
    kind.run({ subjectId, tenantId: it.tenantId, deps: it.service.deps, signal: AbortSignal.timeout(60_000) })
  const register = async (name: string, body: object = {}) => {
    const made = await send('POST', '/repositories', {
      source: 'public_url',
      cloneUrl: `${served.url}/${name}/.git`,
      ...body,
    })
    return made.value['repository'] as Record<string, unknown> & {
      id: string
      health: { badge: string; reasons: { code: string }[] }
    }
  }
  const commit = (name: string, files: Record<string, string | null>) => {
    for (const [path, content] of Object.entries(files)) {
      const at = join(git.root, name, path)
      mkdirSync(dirname(at), { recursive: true })
      if (content === null) rmSync(at)
      else writeFileSync(at, content)
    }
    git.git(name, 'add', '-A')
    git.git(name, 'commit', '-q', '-m', 'more')
    return git.git(name, 'rev-parse', 'HEAD')
  }
  const ended = async (jobId: string) => {
    for (let n = 0; n < 1000; n++) {
      const { value } = await it.send('GET', `/v1/imports/${jobId}?wait=10`)
      if (!['queued', 'running'].includes(String(value['status']))) return value
    }
    throw new Error('the job did not end')
  }
  const allEnded = async () => {
    for (const job of await it.service.deps.db.read.select().from(jobs)) await ended(job.id)
  }
  const fileId = (branch: string, path: string) => Buffer.from(`${branch}\n${path}`).toString('base64url')
  const spec = async (path: string) => (await send('GET', `${one}/import-spec?branch=main&path=${path}`)).value
  const refresh = async (body: object = {}) => (await send('POST', `${one}/refresh-now`, body)).value
  const history = async (path: string) => {
    const { value } = await send('GET', `${one}/refresh-history?path=${path}`)
    return (value['items'] as { outcome: string; trigger: string }[]).map(
      ({ outcome, trigger }) => `${trigger} ${outcome}`,
    )
  }

  beforeAll(async () => {
    git.create('acme/shop', {
      'openapi.yaml': petsYaml('1.0.0'),
      'specs/pet.schema.json':
        '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Pet","type":"object"}',
      '.hidden/api.yaml': petsYaml('9.0.0'),
      'vendor/lib.yaml': petsYaml('8.0.0'),
      'README.md': '# Shop',
      'logo.png': '\u0000',
    })
    git.git('acme/shop', 'branch', 'next')
    git.create('secret/box', { 'api.yaml': petsYaml('1.0.0') })
    lab = startFakeProvider('gitlab')
    it = await openPetsProject(await makeDb(), {
      egressAllow: '127.0.0.0/8',
      gitHosts: `${host}=gitlab,${lab.host}=gitlab`,
      log,
    })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    await lab.stop()
    git.remove()
  })

  test('a repository is read before it is registered', async () => {
    const made = await register('acme/shop')
    id = made.id
    one = `/repositories/${id}`
    const { created_at: at, ...rest } = made
    expect(rest).toEqual({
      id,
      provider: 'gitlab',
      host,
      source: 'public_url',
      full_name: 'acme/shop',
      clone_url: `${served.url}/acme/shop/.git`,
      web_url: `${served.url}/acme/shop`,
      default_branch: 'main',
      private: false,
      linked_account_id: null,
      auto_refresh_enabled: true,
      conflict_policy: 'hold-for-review',
      pull_request_reports: false,
      health: { badge: 'unknown', reasons: [] },
      branches_indexed: 0,
      files_indexed: 0,
      last_scanned_at: null,
      last_commit_sha: null,
      next_poll_at: null,
      webhook: { state: 'none' },
      created_by: rest['created_by'],
      updated_at: at,
    })
    const url = (path: string) => ({ source: 'public_url', cloneUrl: `${served.url}/${path}` })
    expect(await brief('POST', '/repositories', url('ACME/Shop/.git'))).toBe('422 repository-unreadable')
    expect(await brief('POST', '/repositories', url('acme/shop/.git/'))).toBe('409 repository-exists')
    expect(await brief('POST', '/repositories', url('secret/box/.git'))).toBe('422 repository-unreadable')
    expect(await brief('POST', '/repositories', url('none/.git'))).toBe('422 repository-unreadable')
    expect(await brief('POST', '/repositories', { source: 'public_url' })).toBe('422')
    expect(await brief('POST', '/repositories', { source: 'linked_account', linkedAccountId: 'x' })).toBe('422')
    expect(await brief('POST', '/repositories', { source: 'public_url', cloneUrl: 'git@example.com:a/b.git' })).toBe(
      '422 source-refused',
    )
    expect(await brief('POST', '/repositories', { source: 'public_url', cloneUrl: 'https://u:p@example.com/a' })).toBe(
      '422 source-refused',
    )
    expect(await brief('POST', '/repositories', { source: 'public_url', cloneUrl: 'https://10.0.0.1/a/b' })).toBe(
      '422 egress-denied',
    )
    expect(await brief('GET', '/repositories/none')).toBe('404 repository-not-found')
  })

  test('a scan lists branches and files, with filters', async () => {
    await run(scanKind, id)
    const { value } = await send('GET', one)
    const row = value['repository'] as Record<string, unknown>
    expect([row['health'], row['branches_indexed'], row['files_indexed'], row['last_commit_sha']]).toEqual([
      { badge: 'healthy', reasons: [] },
      2,
      12,
      git.git('acme/shop', 'rev-parse', 'HEAD'),
    ])
    const list = async (query: string) => {
      const found = await send('GET', `${one}/files${query}`)
      return (found.value['files'] as { path: string }[]).map(({ path }) => path)
    }
    const all = ['README.md', 'logo.png', 'openapi.yaml', 'specs/pet.schema.json', 'vendor/lib.yaml']
    expect(await list('')).toEqual(all)
    expect(await list('?branch=next')).toEqual(all)
    expect(await list('?include_hidden=true&preset=openapi')).toEqual(['.hidden/api.yaml', 'openapi.yaml'])
    expect(await list('?hide_non_importable=true&skip_vendor=true')).toEqual(['openapi.yaml', 'specs/pet.schema.json'])
    expect(await list('?preset=json-schema')).toEqual(['specs/pet.schema.json'])
    expect(await list('?glob=**/*.{json,png}')).toEqual(['logo.png', 'specs/pet.schema.json'])
    expect(await list('?regex=^(?:R|l)')).toEqual(['README.md', 'logo.png'])
    expect(await list('?path_prefix=specs/')).toEqual(['specs/pet.schema.json'])
    expect(await list('?limit=2&offset=1')).toEqual(['logo.png', 'openapi.yaml'])
    expect(await brief('GET', `${one}/files?branch=none`)).toBe('404 branch-not-indexed')
    expect(await brief('GET', `${one}/files?regex=(`)).toBe('422 file-pattern-invalid')
    expect(await brief('GET', `${one}/files?preset=none`)).toBe('422')
    const { value: page } = await send('GET', `${one}/files?limit=1&preset=specs`)
    expect(page).toEqual({
      success: true,
      branch: 'main',
      commit_sha: String(row['last_commit_sha']),
      indexed_at: page['indexed_at'],
      files_truncated: false,
      files: [
        {
          id: fileId('main', 'openapi.yaml'),
          path: 'openapi.yaml',
          branch: 'main',
          size_bytes: petsYaml('1.0.0').length,
          blob_sha: git.git('acme/shop', 'rev-parse', 'HEAD:openapi.yaml'),
          kind: 'openapi',
          importable: true,
          reason: null,
          import: null,
          conflict_policy: null,
          vendored: false,
          hidden: false,
        },
      ],
      total: 2,
      limit: 1,
      offset: 0,
      presets: ['all', 'specs', 'openapi', 'arazzo', 'json-schema', 'mcp'],
      branches: ['main', 'next'],
    })
  })

  test('a branch is read folder by folder; a folder with nothing but a folder is shown with it', async () => {
    const folder = async (query: string) => {
      const { value } = await send('GET', `${one}/tree${query}`)
      const entries = (value['entries'] ?? []) as Record<string, unknown>[]
      const names = entries.map((it) => [it['type'], it['name'], it['files'], it['importable']].join(' '))
      return [names, value['total'], value['files_total'], value['path']]
    }
    const top = ['folder specs 1 1', 'folder vendor 1 1', 'file README.md 1 0', 'file logo.png 1 0']
    expect(await folder('')).toEqual([[...top, 'file openapi.yaml 1 1'], 5, 5, ''])
    expect(await folder('?path=specs/')).toEqual([['file pet.schema.json 1 1'], 1, 5, 'specs'])
    expect(await folder('?path=none')).toEqual([[], 0, 5, 'none'])
    expect(await folder('?preset=specs&skip_vendor=true&include_hidden=true')).toEqual([
      ['folder .hidden 1 1', 'folder specs 1 1', 'file openapi.yaml 1 1'],
      3,
      3,
      '',
    ])
    expect(await folder('?limit=2&offset=1')).toEqual([['folder vendor 1 1', 'file README.md 1 0'], 5, 5, ''])
    expect(await brief('GET', `${one}/tree?branch=none`)).toBe('404 branch-not-indexed')
    expect(await brief('GET', `${one}/tree?limit=1001`)).toBe('422')
    const { value } = await send('GET', `${one}/tree?path=vendor`)
    const [leaf] = value['entries'] as { vendored: boolean; path: string; file: { id: string } }[]
    expect([leaf?.vendored, leaf?.path, leaf?.file.id]).toEqual([
      true,
      'vendor/lib.yaml',
      fileId('main', 'vendor/lib.yaml'),
    ])
  })

  test('a file is read from the repository', async () => {
    const read = async (path: string) => (await send('GET', `${one}/files/${fileId('main', path)}/content`)).value
    expect(await read('openapi.yaml')).toMatchObject({
      encoding: 'utf-8',
      content: petsYaml('1.0.0'),
      truncated: false,
    })
    expect(await read('logo.png')).toMatchObject({ encoding: 'utf-8', content: '\u0000' })
    for (const path of ['none.yaml', '../etc/passwd', ''])
      expect((await read(path)).detail?.code).toBe('repository-file-not-found')
    expect(await brief('GET', `${one}/files/%21/content`)).toBe('404 repository-file-not-found')
  })

  test('conflict policies of the repository and of files', async () => {
    const policy = async (method: string, path: string, body?: unknown) =>
      (await send(method, `${one}/conflict-policy${path}`, body)).value['conflictPolicy'] as Record<string, unknown>
    const accepted = ['overwrite', 'hold-for-review', 'new-branch']
    const same = { policy: 'hold-for-review', default: 'hold-for-review', accepted, overrides: [] }
    expect(await policy('GET', '')).toEqual(same)
    const file = { branch: 'main', path: 'openapi.yaml' }
    const set = await policy('PUT', '/file', { ...file, policy: 'overwrite' })
    expect(set['overrides']).toMatchObject([{ ...file, policy: 'overwrite' }])
    expect(await policy('PUT', '', { policy: 'new-branch' })).toMatchObject({ policy: 'new-branch', overrides: [file] })
    expect(await policy('PUT', '/file', { ...file, policy: null })).toEqual({ ...same, policy: 'new-branch' })
    await policy('PUT', '', { policy: 'hold-for-review' })
    expect(await brief('PUT', `${one}/conflict-policy`, { policy: 'mine' })).toBe('400 conflict-policy-unknown')
    expect(await brief('PUT', `${one}/conflict-policy/file`, { ...file, policy: 'mine' })).toBe(
      '400 conflict-policy-unknown',
    )
    for (const path of ['../x', '/x', '', 'a//b', 'x'.repeat(1025)])
      expect(await brief('PUT', `${one}/conflict-policy/file`, { branch: 'main', path, policy: 'overwrite' })).toBe(
        '400 file-key-invalid',
      )
    expect(await brief('PUT', `${one}/conflict-policy/file`, { ...file, branch: 'a..b' })).toBe('400 file-key-invalid')
    expect(await brief('PUT', '/repositories/none/conflict-policy', { policy: 'overwrite' })).toBe(
      '404 repository-not-found',
    )
  })

  test('a file is imported, and imported again when it changes', async () => {
    expect(await brief('GET', `${one}/import-spec?branch=main&path=openapi.yaml`)).toBe('404 import-spec-not-found')
    const begun = await send('POST', `${one}/files/${fileId('main', 'openapi.yaml')}/import`, { project_slug: 'pets' })
    expect([begun.status, begun.headers.get('location')]).toEqual([202, `/v1/imports/${String(begun.value['job_id'])}`])
    expect((await ended(String(begun.value['job_id'])))['status']).toMatch(/^completed/)
    const head = git.git('acme/shop', 'rev-parse', 'HEAD')
    const first = await spec('openapi.yaml')
    expect(first).toEqual({
      spec_schema_version: 1,
      source_kind: 'repository',
      format_override: null,
      content_type: 'application/yaml',
      options: {},
      last_imported_commit_sha: head,
      last_imported_committed_at: first['last_imported_committed_at'],
      last_imported_blob_sha: git.git('acme/shop', 'rev-parse', 'HEAD:openapi.yaml'),
      refresh_status: 'up-to-date',
      backfilled: false,
      project_id: first['project_id'],
      version_id: first['version_id'],
      auto_refresh: true,
    })
    expect(await refresh()).toEqual({ success: true, enqueued: 0, skipped: 1, branches: ['main'] })
    commit('acme/shop', { 'openapi.yaml': withPath('/a') })
    expect(await refresh({ branch: 'main', path: 'openapi.yaml' })).toMatchObject({ enqueued: 1, skipped: 0 })
    await allEnded()
    const next = await spec('openapi.yaml')
    expect([next['refresh_status'], next['version_id'], next['last_imported_commit_sha']]).toEqual([
      'up-to-date',
      first['version_id'],
      git.git('acme/shop', 'rev-parse', 'HEAD'),
    ])
    expect((await it.send('GET', '/1.0.0/document')).text).toContain('/a')
    expect(await history('openapi.yaml')).toEqual(['manual imported', 'manual up-to-date', 'manual imported'])
    const { value: listed } = await send('GET', `${one}/files?glob=openapi.yaml`)
    expect((listed['files'] as { import: unknown }[])[0]?.import).toEqual({
      project_id: first['project_id'],
      version_id: first['version_id'],
      refresh_status: 'up-to-date',
      project_slug: 'pets',
      version_label: '1.0.0',
    })
    expect(await brief('POST', `${one}/refresh-now`, { path: 'none.yaml', branch: 'main' })).toBe(
      '404 import-spec-not-found',
    )
  }, 60_000)

  test('a draft that was edited here and there follows the policy', async () => {
    const edit = async (text: string) => {
      const etag = (await it.send('GET', '/1.0.0/document')).headers.get('etag') ?? ''
      expect(
        (await it.send('PUT', '/1.0.0/document', text, { 'if-match': etag, 'content-type': 'application/yaml' }))
          .status,
      ).toBe(200)
    }
    const labels = async () =>
      ((await it.send('GET', '')).value['items'] as { label: string }[]).map(({ label }) => label).toSorted()
    await edit(withPath('/mine'))
    expect(await refresh()).toMatchObject({ enqueued: 0 })
    expect((await spec('openapi.yaml'))['refresh_status']).toBe('up-to-date')
    commit('acme/shop', { 'openapi.yaml': withPath('/b') })
    await refresh()
    expect((await spec('openapi.yaml'))['refresh_status']).toBe('diverged')
    await refresh()
    expect((await history('openapi.yaml'))[0]).toBe('manual diverged')
    expect((await it.send('GET', '/1.0.0/document')).text).toContain('/mine')

    await send('PUT', `${one}/conflict-policy`, { policy: 'new-branch' })
    await refresh()
    await allEnded()
    const sha = git.git('acme/shop', 'rev-parse', '--short=7', 'HEAD')
    expect(await labels()).toEqual(['1.0.0', `1.0.0-${sha}`])
    expect((await history('openapi.yaml'))[0]).toBe('manual branched')

    await send('PUT', `${one}/conflict-policy`, { policy: 'overwrite' })
    const begun = await send('POST', `${one}/files/${fileId('main', 'openapi.yaml')}/import`, {
      project_slug: 'pets',
      version: '1.0.0',
    })
    await ended(String(begun.value['job_id']))
    await edit(withPath('/again'))
    const last = commit('acme/shop', { 'openapi.yaml': withPath('/c') })
    await refresh()
    await allEnded()
    expect(await labels()).toEqual(['1.0.0', `1.0.0-${sha}`, `1.0.0-before-${last.slice(0, 7)}`].toSorted())
    expect((await it.send('GET', '/1.0.0/document')).text).toContain('/c')
    expect((await it.send('GET', `/1.0.0-before-${last.slice(0, 7)}/document`)).text).toContain('/again')
    await send('PUT', `${one}/conflict-policy`, { policy: 'hold-for-review' })
  }, 60_000)

  test('polls index and refresh what moved, within the quota', async () => {
    const { db } = it.service.deps
    const outcomes = async () => (await db.read.select().from(repositoryPolls)).map(({ outcome }) => outcome).toSorted()
    expect(await run(pollKind, id)).toBeGreaterThan(Date.now() + 200_000)
    expect(await outcomes()).toEqual(['unchanged'])
    const head = commit('acme/shop', { 'openapi.yaml': withPath('/polled') })
    await run(pollKind, id)
    await allEnded()
    expect((await spec('openapi.yaml'))['last_imported_commit_sha']).toBe(head)
    expect((await history('openapi.yaml'))[0]).toBe('poll imported')
    expect((await send('PUT', '/repository-polling-quota', { pollsPerHour: 2 })).value['quota']).toMatchObject({
      pollsPerHour: 2,
      used: 2,
      remaining: 0,
    })
    expect(await run(pollKind, id)).toBeGreaterThan(Date.now() + 3_000_000)
    expect(await outcomes()).toEqual(['changed', 'throttled', 'unchanged'])
    const { value } = await send('GET', '/repository-polling-quota/telemetry')
    const { buckets, byRepository } = value['telemetry'] as {
      buckets: Record<string, number>[]
      byRepository: unknown[]
    }
    const sum = (name: string) => buckets.reduce((total, bucket) => total + Number(bucket[name]), 0)
    expect(['polls', 'changed', 'throttled', 'failed'].map(sum)).toEqual([2, 1, 1, 0])
    expect(byRepository).toEqual([{ repository_id: id, full_name: 'acme/shop', polls: 2 }])
    expect((await send('PUT', '/repository-polling-quota', { pollsPerHour: 0 })).value['quota']).toMatchObject({
      remaining: null,
    })
    expect(await brief('PUT', '/repository-polling-quota', { pollsPerHour: -1 })).toBe('422')
    expect(await brief('PUT', '/repository-polling-quota', {})).toBe('422')
    expect((await send('PATCH', one, { autoRefreshEnabled: false })).value['repository']).toMatchObject({
      auto_refresh_enabled: false,
      next_poll_at: null,
    })
    expect(await run(pollKind, id)).toBeNull()
    expect(await db.read.$count(dueWork, eq(dueWork.kind, 'repository.poll'))).toBe(0)
    // Without a scan that a worker begins at an instant of its own.
    await db.inTransaction((tx) => tx.update(repositories).set({ autoRefreshEnabled: true }))
  }, 60_000)

  test('the catalogue lists the documents of default branches with facets', async () => {
    await run(scanKind, id)
    const { value } = await send('GET', '/spec-catalog?include_facets=true')
    const specs = value['specs'] as { path: string; imported: boolean }[]
    expect([
      value['catalog_total'],
      value['match_count'],
      value['sort'],
      specs.map(({ path, imported }) => [path, imported]),
    ]).toEqual([
      3,
      3,
      'repository',
      [
        ['.hidden/api.yaml', false],
        ['openapi.yaml', true],
        ['specs/pet.schema.json', false],
      ],
    ])
    expect(value['facets']).toEqual({
      kind: { 'json-schema': 1, openapi: 2 },
      provider: { gitlab: 3 },
      repository: { 'acme/shop': 3 },
      imported: { false: 2, true: 1 },
    })
    const some = (await send('GET', '/spec-catalog?kind=openapi&imported=true&q=SHOP')).value
    expect([some['match_count'], some['catalog_total'], some['facets']]).toEqual([1, 3, undefined])
  })

  test('notices are sent once an hour of each type, and can be switched off', async () => {
    const { db } = it.service.deps
    const found = (await send('GET', `${one}/notification-preferences`)).value
    const of = (value: Record<string, unknown>) =>
      Object.fromEntries(
        (value['preferences'] as { eventType: string; enabled: boolean }[]).map((p) => [p.eventType, p.enabled]),
      )
    expect([found['repositoryId'], found['throttleWindowSeconds'], of(found)]).toEqual([
      id,
      3600,
      {
        'scan.completed': false,
        'scan.failed': true,
        'sync.candidate': true,
        'sync.diverged': true,
        'refresh.failed': true,
        'webhook.rejected': true,
      },
    ])
    expect(await db.read.$count(notifications, eq(notifications.type, 'repository'))).toBe(1)
    const set = (preferences: unknown) => send('PUT', `${one}/notification-preferences`, { preferences })
    expect(of((await set([{ eventType: 'scan.completed', enabled: true }])).value)['scan.completed']).toBe(true)
    const twice = { eventType: 'scan.failed', enabled: true }
    expect((await set([twice, twice])).value.detail?.code).toBe('preferences-duplicate')
    expect((await set([{ eventType: 'none', enabled: true }])).value.detail?.code).toBe('preference-unknown')
    expect((await set([])).status).toBe(422)
    await run(scanKind, id)
    await run(scanKind, id)
    const after = (await send('GET', `${one}/notification-preferences`)).value['preferences'] as {
      throttle: { heldBack: number; nextAllowedAt: string | null }
    }[]
    expect([after[0]?.throttle.heldBack, after[0]?.throttle.nextAllowedAt === null]).toEqual([1, false])
    expect(await db.read.$count(notifications, eq(notifications.type, 'repository'))).toBe(2)
  })

  test('a linked account reads a private repository; without it the reason is shown, and an account in use stays', async () => {
    const watched = watchGit()
    lab.tokens.set(planted, { login: 'ada', scopes: ['read_repository', 'read_api'] })
    const { call } = it
    const { linkedAccountsApi } = await import('../../../src/api/linked-accounts.ts')
    // The fake answers REST where git does not: the account is made for the host of git.
    const account = await call(linkedAccountsApi.create, {
      params: { tenant_slug: 'local' },
      body: { provider: 'gitlab', host: lab.host, token: planted, owner: 'tenant' },
    })
    const { linkedAccounts } = await import('../../../db/tables.gen.ts')
    const { db } = it.service.deps
    await db.inTransaction((tx) => tx.update(linkedAccounts).set({ host }).where(eq(linkedAccounts.id, account.id)))
    const made = await register('', {
      source: 'linked_account',
      cloneUrl: `${served.url}/secret/box/.git`,
      linkedAccountId: account.id,
      repositoryFullName: 'Secret/Box',
    })
    expect([made['private'], made['source'], made['full_name']]).toEqual([true, 'linked_account', 'secret/box'])
    await run(scanKind, made.id)
    const stateOf = async () =>
      ((await send('GET', `/repositories/${made.id}`)).value['repository'] as typeof made).health
    expect(await stateOf()).toEqual({ badge: 'healthy', reasons: [] })
    const begun = await send('POST', `/repositories/${made.id}/files/${fileId('main', 'api.yaml')}/import`, {})
    expect((await ended(String(begun.value['job_id'])))['status']).toMatch(/^completed/)
    const source = { kind: 'git', url: `${served.url}/secret/box/.git` }
    const imported = async (more: object) => {
      const { status, value } = await send('POST', '/imports', { source: { ...source, ...more }, dry_run: true })
      return status === 202 ? String((await ended(String(value['job_id'])))['status']) : String(value.detail?.code)
    }
    expect(await imported({ repository_id: made.id })).toMatch(/^completed/)
    expect(await imported({ linked_account_id: account.id })).toMatch(/^completed/)
    expect(await imported({ repository_id: id })).toBe('source-refused')
    expect(await imported({ linked_account_id: 'none' })).toBe('linked-account-not-found')
    expect(await brief('DELETE', `/linked-accounts/${account.id}`)).toBe('403 person-required')
    const params = { tenant_slug: 'local', linked_account_id: account.id }
    const kept = await call(linkedAccountsApi.remove, { params }).catch((error: Error) => error.message)
    expect(kept).toContain('is used by 1 repositories')
    await db.inTransaction((tx) =>
      tx.update(linkedAccounts).set({ status: 'revoked' }).where(eq(linkedAccounts.id, account.id)),
    )
    await run(pollKind, made.id)
    expect(await stateOf()).toMatchObject({ badge: 'failing', reasons: [{ code: 'account-revoked' }] })
    rmSync(join(git.root, 'acme'), { recursive: true })
    await run(pollKind, id)
    expect((await send('GET', one)).value['repository']).toMatchObject({
      health: { badge: 'failing', reasons: [{ code: 'repository-missing' }] },
    })
    // The provider refuses the token, and git says so.
    await db.inTransaction((tx) =>
      tx.update(linkedAccounts).set({ status: 'active' }).where(eq(linkedAccounts.id, account.id)),
    )
    isLocked = true
    await run(pollKind, made.id)
    isLocked = false
    expect((await stateOf()).badge).toBe('failing')
    const said = watched.said()
    watched.end()
    expect([/^arguments: .* fetch /m.test(said), /^fatal: /m.test(said)]).toEqual([true, true])
    const stored = JSON.stringify([await db.read.select().from(jobs), await db.read.select().from(auditEvents)])
    const gathered = [...texts, ...log.lines, said, stored].join('\n')
    expect(foundIn(gathered, [planted, authorization.slice('Basic '.length)])).toEqual([])
  }, 60_000)

  test('a registration is removed with what was kept of it; versions stay', async () => {
    const { db } = it.service.deps
    expect((await send('DELETE', one)).value).toEqual({ success: true, deleted: true })
    expect(await brief('GET', one)).toBe('404 repository-not-found')
    expect(await db.read.$count(repositories)).toBe(1)
    expect(await db.read.$count(repositoryImports, eq(repositoryImports.repositoryId, id))).toBe(0)
    expect((await it.send('GET', '/1.0.0')).status).toBe(200)
    expect(it.faults).toEqual([])
  })
})
