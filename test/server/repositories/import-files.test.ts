/** Files of a repository that are imported together: planned as one job, imported as another, each kept up to date by itself. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ImportItem, ImportJob } from '../../../src/api/imports.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { fileIdOf, openGitProject, type GitProject } from '../../fixtures/git-project.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

const operation = (path: string): string => `${path}: { get: { responses: { '200': { description: ok } } } }`
const named = (name: string, ...paths: string[]): string =>
  petsYaml('1.0.0', `{ ${paths.map(operation).join(', ')} }`).replaceAll('Pets', name)
const documents = Array.from({ length: 6 }, (_, index) => `apis/a${String(index + 10)}.yaml`)

onBothEngines('files imported together', (makeDb) => {
  let it: GitProject
  let id = ''
  const together = (body: object) => it.at('POST', `/repositories/${id}/imports`, body)
  const ended = async (body: object): Promise<ImportJob> => {
    const { value, status, text } = await together(body)
    if (status !== 202) throw new Error(text)
    await it.importsEnded()
    return (await it.send('GET', `/v1/imports/${String(value['job_id'])}`)).value as unknown as ImportJob
  }
  const codeOf = async (body: object) => {
    const { value } = await together(body)
    return (value['detail'] as { code: string }).code
  }
  const itemOf = (job: ImportJob, path: string): ImportItem | undefined => job.items.find((one) => one.path === path)
  const ids = [...documents, 'apis/broken.yaml'].map((path) => fileIdOf('main', path))

  beforeAll(async () => {
    it = await openGitProject(await makeDb())
    it.git.create('acme/shop', {
      ...Object.fromEntries(documents.map((path, index) => [path, named(`Api ${index + 10}`, '/a', '/b')])),
      'apis/broken.yaml': 'openapi: 3.1.0\ninfo: { title: Broken }\n',
      'README.md': 'one',
    })
    // An API that is published already, and loses an operation here.
    const before = named('Api 10', '/a', '/b', '/gone').replace('1.0.0', '0.9.0')
    const first = await it.at('POST', '/imports', { source: { kind: 'inline', content: before }, publish: 'private' })
    expect(first.status).toBe(202)
    await it.importsEnded()
    id = await it.register('acme/shop')
    await it.run('scan', id)
  }, 60_000)
  afterAll(async () => {
    expect(it.faults).toEqual([])
    await it.close()
  })

  let planned = ''

  test('a dry run says of each file what it becomes, what breaks, and why it is refused; nothing is stored', async () => {
    const job = await ended({ file_ids: ids, dry_run: true })
    planned = job.job_id
    expect([job.status, job.dry_run, job.items.length]).toEqual(['completed_with_warnings', true, 7])
    expect(job.summary).toMatchObject({ documents: 7, created: 6, failed: 1 })
    expect(itemOf(job, 'apis/a10.yaml')).toMatchObject({
      status: 'completed',
      plan: { project: { action: 'keep', slug: 'api-10' }, version: { action: 'create', label: '1.0.0' } },
      compared: { label: '0.9.0', breaking: 1 },
    })
    expect(itemOf(job, 'apis/a11.yaml')).toMatchObject({ plan: { project: { action: 'create' } }, compared: null })
    expect(itemOf(job, 'apis/broken.yaml')).toMatchObject({ status: 'failed', error: { code: 'document-invalid' } })
    const { value } = await it.at('GET', `/repositories/${id}/refresh-history`)
    expect(value['items']).toEqual([])
  })

  test('what it did not refuse is imported as one job, and each file is refreshed from then on', async () => {
    const job = await ended({ planned })
    expect(job.summary).toMatchObject({ documents: 6, created: 6, failed: 0 })
    expect(job.items.every(({ result }) => result !== null)).toBe(true)
    const spec = await it.at('GET', `/repositories/${id}/import-spec?branch=main&path=apis/a12.yaml`)
    expect(spec.value).toMatchObject({ refresh_status: 'up-to-date', auto_refresh: true, options: {} })
    const history = await it.at('GET', `/repositories/${id}/refresh-history?path=apis/a12.yaml`)
    expect(history.value['items']).toMatchObject([{ trigger: 'manual', outcome: 'imported', error: null }])
    const head = it.commit('acme/shop', { 'apis/a12.yaml': named('Api 12', '/a') })
    await it.run('poll', id)
    await it.importsEnded()
    const later = await it.at('GET', `/repositories/${id}/import-spec?branch=main&path=apis/a12.yaml`)
    expect(later.value).toMatchObject({ refresh_status: 'up-to-date', last_imported_commit_sha: head })
  })

  test('it takes files of one branch, or a dry run of this repository, and nothing else', async () => {
    const other = await it.at('POST', '/imports', {
      source: { kind: 'inline', content: named('Other', '/a') },
      dry_run: true,
    })
    await it.importsEnded()
    expect([
      await codeOf({}),
      await codeOf({ planned, file_ids: ids }),
      await codeOf({ planned: String(other.value['job_id']) }),
      await codeOf({ planned: 'nothing' }),
      await codeOf({ file_ids: [fileIdOf('main', 'nothing.yaml')] }),
      await codeOf({ file_ids: [fileIdOf('main', 'README.md'), fileIdOf('next', 'README.md')] }),
    ]).toEqual(['usage', 'usage', 'job-not-found', 'job-not-found', 'repository-file-not-found', 'usage'])
  })
})
