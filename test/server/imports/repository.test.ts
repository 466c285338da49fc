import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importsApi, type ImportJob, type ImportRequest } from '../../../src/api/imports.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'
import { makeRepositories, type Repositories, serveGitOverHttp } from '../sources/git-server.ts'

onBothEngines('imports from a repository', (makeDb) => {
  let it: TestService
  let repos: Repositories
  let http: ReturnType<typeof serveGitOverHttp>
  let commit = ''
  beforeAll(async () => {
    repos = makeRepositories()
    commit = repos.create('specs', {
      'pets/openapi.yaml': `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
components: { schemas: { Pet: { $ref: ../common/pet.yaml } } }
`,
      'common/pet.yaml': 'type: object\n',
      'shop/openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n',
      'linked.yaml':
        'openapi: 3.1.0\ninfo: { title: L, version: "1" }\ncomponents: { schemas: { A: { $ref: link.yaml } } }\n',
      'link.yaml': { link: '/etc/hosts' },
    })
    http = serveGitOverHttp(repos.root)
    it = await startService(await makeDb(), { egressAllow: '127.0.0.1/32' })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await http.stop()
    repos.remove()
  })

  const run = async (path: string | undefined, rest: Partial<ImportRequest> = {}): Promise<ImportJob> => {
    const source = { kind: 'git' as const, url: `${http.url}/specs`, ...(path === undefined ? {} : { path }) }
    const params = { tenant_slug: it.tenant }
    const job = await it.call(importsApi.create, { params, body: { source, ...rest } })
    return it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  }

  test('a document with its parts; the commit is kept', async () => {
    const job = await run('pets/openapi.yaml')
    expect([job.status, job.error, job.result?.unchanged]).toEqual(['completed', null, false])
    const params = { tenant_slug: it.tenant, project_ref: 'pets', version_ref: '1.0.0' }
    const { provenance, classes_count } = await it.call(versionsApi.get, { params })
    expect([provenance.source, provenance.path, provenance.commit, provenance.files, classes_count]).toEqual([
      `${http.url}/specs`,
      'pets/openapi.yaml',
      commit,
      2,
      1,
    ])
    expect((await run('pets/openapi.yaml')).result?.unchanged).toBe(true)
  })

  test('a folder, a root and everything', async () => {
    expect((await run('shop', { dry_run: true })).plan?.project.slug).toBe('shop')
    const closed = await run('openapi.yaml', { root: 'pets', dry_run: true })
    expect([closed.error?.code, closed.error?.message.includes('pets/openapi.yaml:4:')]).toEqual([
      'reference-outside-root',
      true,
    ])
    expect((await run('linked.yaml', { dry_run: true })).error?.code).toBe('source-link')
    const all = await run(undefined, { bulk: true, dry_run: true })
    expect(all.items.map((one) => [one.path, one.status])).toEqual([
      ['linked.yaml', 'failed'],
      ['pets/openapi.yaml', 'completed'],
      ['shop/openapi.yaml', 'completed'],
    ])
    expect((await run('nowhere.yaml')).error?.code).toBe('source-path-missing')
  })
})
