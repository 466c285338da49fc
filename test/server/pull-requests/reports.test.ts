import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { pullRequestReports, repositories } from '../../../db/tables.gen.ts'
import { reportOnPullRequests } from '../../../server/pull-requests/report.ts'
import { type GitProvider, linkedAccountsApi } from '../../../src/api/linked-accounts.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { registry } from '../../../cli/registry.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startFakeProvider, type FakeProvider } from '../../fixtures/fake-provider.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const base = '/v1/tenants/local'
const token = 'planted-token-of-reports'
const get =
  '{ get: { summary: List, description: Lists pets., operationId: list, responses: { "200": { description: ok } } } }'
const pets = (paths: string): string => petsYaml('1.0.0', `{ ${paths} }`)

onBothEngines('reports on pull requests', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root)
  let it: PetsProject
  let fakes: Record<GitProvider, FakeProvider>
  const ids = {} as Record<GitProvider, string>

  const commit = (branch: string, text: string): string => {
    git.git('acme/shop', 'checkout', '-q', '-B', branch)
    writeFileSync(join(git.root, 'acme/shop', 'openapi.yaml'), text)
    git.git('acme/shop', 'commit', '-q', '--allow-empty', '-am', 'change')
    return git.git('acme/shop', 'rev-parse', 'HEAD')
  }
  const rowOf = async (provider: GitProvider) => {
    const [row] = await it.service.deps.db.read.select().from(repositories).where(eq(repositories.id, ids[provider]))
    if (row === undefined) throw new Error('no repository')
    return row
  }
  const report = (provider: GitProvider) =>
    reportOnPullRequests(it.service.deps, it.tenantId, ids[provider], AbortSignal.timeout(60_000))
  const set = (provider: GitProvider, more: Partial<typeof repositories.$inferSelect>) =>
    it.service.deps.db.inTransaction((tx) =>
      tx.update(repositories).set(more).where(eq(repositories.id, ids[provider])),
    )

  beforeAll(async () => {
    git.create('acme/shop', { 'openapi.yaml': pets(`/pets: ${get}, /cats: ${get}`) })
    const db = await makeDb()
    fakes = {
      github: startFakeProvider('github'),
      gitlab: startFakeProvider('gitlab'),
      bitbucket: startFakeProvider('bitbucket'),
    }
    const all = Object.entries(fakes) as [GitProvider, FakeProvider][]
    const gitHosts = all.map(([provider, { host }]) => `${host}=${provider}`).join(',')
    it = await openPetsProject(db, { egressAllow: '127.0.0.0/8', gitHosts })
    for (const [provider, fake] of all) {
      fake.gitUrl = served.url
      fake.tokens.set(token, { login: 'svc', scopes: ['repo', 'read_repository', 'read_api'] })
      const params = { tenant_slug: it.tenant }
      const body = { provider, host: fake.host, token, owner: 'tenant' } as const
      const account = await it.call(linkedAccountsApi.create, { params, body })
      const made = await it.ask(`${base}/repositories`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          source: 'linked_account',
          linkedAccountId: account.id,
          repositoryFullName: 'acme/shop',
          cloneUrl: `http://${fake.host}/acme/shop/.git`,
        }),
      })
      ids[provider] = ((await made.json()) as { repository: { id: string } }).repository.id
      const label = `1.0.0-${provider}`
      await it.send('POST', '', { label, content: pets(`/pets: ${get}`) })
      const bound = await it.send('POST', `/${label}/binding`, {
        repository_id: ids[provider],
        ref: 'main',
        path: 'openapi.yaml',
      })
      expect([bound.status, bound.value.detail?.code]).toEqual([201, undefined])
    }
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    await Promise.all(Object.values(fakes).map((one) => one.stop()))
    git.remove()
  })

  for (const provider of ['github', 'gitlab', 'bitbucket'] as const)
    test(`${provider}: a commit status and one comment, updated in place`, async () => {
      const { pulls } = fakes[provider]
      pulls.open.push(
        { number: 7, branch: 'feature', target: 'main' },
        { number: 8, branch: 'feature', target: 'main', fork: true },
      )
      const head = commit('feature', pets(`/pets: ${get}`))
      // Off by default.
      await report(provider)
      expect([pulls.statuses, [...pulls.comments]]).toEqual([[], []])
      await set(provider, { pullRequestReports: true, reportedRefs: null })
      await report(provider)
      const [status] = pulls.statuses
      expect([pulls.statuses.length, status?.commit]).toEqual([1, head])
      // The page of the draft in the application.
      expect(String(status?.body['target_url'] ?? status?.body['url'])).toEndWith(`/app/t/local/pets/1.0.0-${provider}`)
      expect(status?.body).toMatchObject(
        {
          github: {
            state: 'failure',
            context: 'svc: openapi.yaml',
            description: expect.stringMatching(/^1 breaking change, lint grade [A-F]$/),
          },
          gitlab: { state: 'failed', name: 'svc: openapi.yaml' },
          bitbucket: { state: 'FAILED', key: 'svc: openapi.yaml' },
        }[provider],
      )
      const [first] = pulls.comments.get(7) ?? []
      expect(first?.text).toContain('## 🛑 1 breaking change')
      expect(first?.text).toContain('Lint grade: **')
      expect(first?.text.startsWith('<!-- svc-diff: openapi.yaml -->')).toBe(provider !== 'bitbucket')
      expect(first?.text.includes('<details>')).toBe(false)
      // The same commits are not reported again, also when another request asks for it.
      await set(provider, { reportedRefs: null })
      await report(provider)
      expect([pulls.statuses.length, pulls.comments.get(7)?.length]).toEqual([1, 1])
      commit('feature', pets(`/pets: ${get}, /cats: ${get}, /dogs: ${get}`))
      await set(provider, { reportedRefs: null })
      await report(provider)
      const comments = pulls.comments.get(7) ?? []
      expect([comments.length, comments[0]?.id, pulls.statuses.length]).toEqual([1, first?.id, 2])
      expect(comments[0]?.text).toContain('none of them breaking')
      expect(comments[0]?.text.includes('<details>')).toBe(provider !== 'bitbucket')
      // A comment that someone deleted is written once more.
      pulls.comments.set(7, [])
      commit('feature', pets(`/pets: ${get}, /cats: ${get}, /birds: ${get}`))
      await set(provider, { reportedRefs: null })
      await report(provider)
      expect(pulls.comments.get(7)?.length).toBe(1)
      expect([...pulls.comments.keys()]).toEqual([7])
      expect(JSON.stringify([pulls.statuses, [...pulls.comments]])).not.toContain(token)
      await set(provider, { pullRequestReports: null, reportedRefs: null })
    })

  for (const provider of ['github', 'gitlab', 'bitbucket'] as const)
    test(`${provider}: a pushed branch without a pull request gets a commit status, once for each commit`, async () => {
      const { pulls } = fakes[provider]
      const told = () => pulls.statuses.map(({ commit: at, body }) => [at, String(body['description']).split(',')[0]])
      pulls.open.length = 0
      pulls.statuses.length = 0
      pulls.comments.clear()
      const branch = `pushed-${provider}`
      const main = git.git('acme/shop', 'rev-parse', 'main')
      git.git('acme/shop', 'checkout', '-q', '-B', `old-${provider}`, 'main')
      commit(`old-${provider}`, pets(`/pets: ${get}`))
      // Switched off, nothing is set; the first look knows what is there, and reports on what is pushed from then on.
      await report(provider)
      await set(provider, { pullRequestReports: true, reportedRefs: null })
      await report(provider)
      expect(told()).toEqual([])
      const first = commit(branch, pets(`/pets: ${get}`))
      // A second branch at the same commit needs no second one.
      git.git('acme/shop', 'branch', `${branch}-too`)
      await report(provider)
      expect(told()).toEqual([[first, '1 breaking change']])
      await set(provider, { reportedAt: null })
      await report(provider)
      expect(told().length).toBe(1)
      // The provider fails after the first of two: only the other one is tried again.
      const next = commit(branch, pets(`/pets: ${get}, /cats: ${get}, /dogs: ${get}`))
      // The text is that of the bound branch: nothing changed.
      const same = commit(`${branch}-zoo`, pets(`/pets: ${get}, /cats: ${get}`))
      pulls.failsAfter = 2
      expect(await report(provider).catch((error: { code: string }) => error.code)).toBe('provider-failed')
      expect(
        told()
          .slice(1)
          .map(([at]) => at),
      ).toEqual([next])
      pulls.failsAfter = null
      await report(provider)
      expect(
        told()
          .slice(1)
          .map(([at]) => at),
      ).toEqual([next, same])
      expect(pulls.statuses.map(({ body }) => body['state'])).toEqual(
        {
          github: ['failure', 'success', 'success'],
          gitlab: ['failed', 'success', 'success'],
          bitbucket: ['FAILED', 'SUCCESSFUL', 'SUCCESSFUL'],
        }[provider],
      )
      // A branch of a fork is no branch of the repository; that of a pull request has the status of the pull request.
      pulls.open.push(
        { number: 9, branch, target: 'main' },
        { number: 10, branch: `${branch}-zoo`, target: 'main', fork: true },
      )
      const head = commit(branch, pets(`/pets: ${get}`))
      await report(provider)
      expect(told().slice(3)).toEqual([[head, '1 breaking change']])
      expect([...pulls.comments.keys()]).toEqual([9])
      pulls.open.length = 0
      // The bound branch itself is compared with the commit that the draft is bound at.
      const bound = commit('main', pets(`/pets: ${get}`))
      await report(provider)
      expect(told().slice(4)).toEqual([[bound, '1 breaking change']])
      git.git('acme/shop', 'checkout', '-q', '-B', 'main', main)
      await set(provider, { pullRequestReports: null, reportedRefs: null })
    }, 60_000)

  test('the text is that of svc diff for pull requests; a comment that it wrote is updated', async () => {
    const { pulls } = fakes.github
    pulls.open.push({ number: 7, branch: 'feature', target: 'main' })
    const head = pets(`/pets: ${get}`)
    commit('feature', head)
    const [base, next] = [join(git.root, 'main:openapi.yaml'), join(git.root, 'openapi.yaml')]
    writeFileSync(base, pets(`/pets: ${get}, /cats: ${get}`))
    writeFileSync(next, head)
    const written = await runCommand(['diff', 'main:openapi.yaml', 'openapi.yaml', '--format', 'markdown'], registry, {
      cwd: git.root,
    })
    await it.service.deps.db.inTransaction((tx) => tx.delete(pullRequestReports))
    pulls.comments.set(7, [
      { id: 1, text: 'LGTM' },
      { id: 2, text: '<!-- svc-diff: openapi.yaml -->\nof the action' },
    ])
    await set('github', { pullRequestReports: true })
    await report('github')
    const texts = (pulls.comments.get(7) ?? []).map(({ text }) => text)
    expect([texts.length, texts[0]]).toEqual([2, 'LGTM'])
    const withoutGrade = texts[1]?.replace(/Lint grade: [^\n]*\n\n/, '')
    const comparable = (text: string) => text.replaceAll('(1 file)', '')
    if (written.exit === 0) expect(comparable(withoutGrade ?? '')).toBe(comparable(written.stdout))
    else throw new Error(written.stderr)
    await set('github', { pullRequestReports: null, reportedRefs: null })
  })

  test('a document that is not valid, or not there, is said in the status', async () => {
    const { pulls } = fakes.github
    await set('github', { pullRequestReports: true, reportedRefs: null })
    commit('feature', 'openapi: 3.1.0\npaths: []\n')
    await report('github')
    expect(pulls.statuses.at(-1)?.body).toMatchObject({
      state: 'failure',
      description: 'openapi.yaml is not a valid specification',
    })
    await set('github', { pullRequestReports: null, reportedRefs: null })
  })

  test('what is missing is said in the health, and nothing else of it ends; what fails for a while is tried again', async () => {
    const { pulls, host } = fakes.github
    const health = async () =>
      (await it.send('GET', `${base}/repositories/${ids.github}`)).value['repository'] as {
        health: { badge: string; reasons: { code: string; message: string }[] }
      }
    await set('github', {
      pullRequestReports: true,
      reportedRefs: null,
      lastScannedAt: new Date().toISOString(),
      healthReasons: [],
    })
    commit('feature', pets(`/pets: ${get}, /fish: ${get}`))
    for (const what of ['statuses', 'comments'] as const) {
      pulls.forbids = what
      await set('github', { reportedRefs: null })
      await report('github')
      const { badge, reasons } = (await health()).health
      expect([badge, reasons.map(({ code }) => code)]).toEqual(['degraded', ['reports-refused']])
      expect(reasons[0]?.message).toContain(
        `answered 403 to ${what === 'statuses' ? 'setting a commit status' : 'reading comments'}: the linked account needs`,
      )
      await it.service.deps.db.inTransaction((tx) => tx.delete(pullRequestReports))
    }
    pulls.forbids = null
    await set('github', { reportedRefs: null })
    await report('github')
    expect((await health()).health).toEqual({ badge: 'healthy', reasons: [] })
    fakes.github.failing = 503
    await set('github', { reportedRefs: null })
    expect(await report('github').catch((error: { code: string }) => error.code)).toBe('provider-failed')
    fakes.github.failing = null
    await set('github', { linkedAccountId: null, reportedRefs: null })
    await report('github')
    expect((await health()).health.reasons[0]?.message).toContain('only where the repository has a linked account')
    expect((await rowOf('github')).host).toBe(host)
  })

  test('it is switched for each repository', async () => {
    const patch = async (value: boolean) => {
      const answer = await it.send('PATCH', `${base}/repositories/${ids.gitlab}`, { pull_request_reports: value })
      return (answer.value['repository'] as { pull_request_reports: boolean }).pull_request_reports
    }
    await set('gitlab', { pullRequestReports: null, reportsRefused: null, reportedRefs: null })
    fakes.gitlab.pulls.open.push({ number: 7, branch: 'feature', target: 'main' })
    fakes.gitlab.pulls.statuses.length = 0
    expect(await patch(true)).toBe(true)
    // A worker looks at once.
    while (fakes.gitlab.pulls.statuses.length === 0) await Bun.sleep(20)
    expect(await patch(false)).toBe(false)
    expect(it.faults).toEqual([])
  })
})
