/** What a draft and the file that it is bound to both come from. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsApi } from '../../../src/api/imports.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const project = '/v1/tenants/local/projects/pets'
const hours = (name: string, version = '1.0.0'): string => `openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths:
  /hours: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Hours' } } } } } } }
components:
  schemas:
    Hours:
      type: object
      required: [date, ${name}]
      properties:
        date: { type: string }
        ${name}: { type: string, description: Time the museum closes }
`

interface Detail {
  readonly binding: { readonly commit_sha: string; readonly source_digest: string }
  readonly pending: readonly {
    readonly id: string
    readonly from_commit: string
    readonly to_commit: string
    readonly changed_paths: readonly string[]
    readonly merge: { readonly state: string }
  }[]
}

onBothEngines('the base of a binding', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root)
  const url = `${served.url}/acme/museum/.git`
  const target = { repo_url: url, path: 'museum.yaml' }
  const commits: string[] = []
  let it: PetsProject

  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, value } = await it.send(method, `${project}${path}`, body)
    return { status, value, code: value.detail?.code }
  }
  const bind = async (label: string, body: object = {}): Promise<Detail> =>
    (await ask('POST', `/versions/${label}/binding`, { ...target, replace: true, ...body })).value as unknown as Detail
  const compare = async (label: string) => (await ask('POST', `/versions/${label}/binding/comparison`, target)).value
  const commit = (name: string): string => {
    writeFileSync(join(git.root, 'acme/museum/museum.yaml'), hours(name))
    git.git('acme/museum', 'commit', '-q', '-am', name)
    commits.push(git.git('acme/museum', 'rev-parse', 'HEAD'))
    return commits.at(-1) ?? ''
  }

  beforeAll(async () => {
    git.create('acme/museum', { 'museum.yaml': hours('timeClose'), 'README.md': '# Museum' })
    commits.push(git.git('acme/museum', 'rev-parse', 'HEAD'))
    const host = new URL(served.url).host
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8', gitHosts: `${host}=gitlab` })
    const { value } = await it.send('POST', '/v1/tenants/local/imports', {
      source: { kind: 'git', url, path: 'museum.yaml' },
      project_slug: 'pets',
    })
    const job = await it.call(importsApi.get, { params: { job_id: String(value['job_id']) }, query: { wait: 20 } })
    expect(job.status).toMatch(/^completed/)
    await it.send('POST', '', { label: 'by-hand', content: hours('closing', '9.0.0') })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    git.remove()
  })

  test('a draft that is the file begins with the file as it is now', async () => {
    expect(await compare('1.0.0')).toEqual({
      ref: 'main',
      commit: commits[0] ?? '',
      document: hours('timeClose'),
      differs: false,
      places: 0,
      origin: { commit: commits[0] ?? '', draft_places: 0, file_places: 0, merge: 'fast-forward' },
      base: 'file',
    })
  })

  test('where the file changed since the import, the binding begins there and the change waits', async () => {
    const second = commit('closesAt')
    expect(await compare('1.0.0')).toMatchObject({
      commit: second,
      differs: true,
      origin: { commit: commits[0] ?? '', draft_places: 0, merge: 'fast-forward' },
      base: 'origin',
    })
    const { binding, pending } = await bind('1.0.0')
    expect(binding.commit_sha).toBe(commits[0] ?? '')
    expect(pending.map((one) => [one.from_commit, one.to_commit, one.changed_paths, one.merge.state])).toEqual([
      [commits[0] ?? '', second, ['museum.yaml'], 'fast-forward'],
    ])
  })

  test('a later change is merged with what the draft comes from: no name that neither side has', async () => {
    const third = commit('closingTime')
    const { pending } = (await ask('POST', '/versions/1.0.0/binding/check')).value as unknown as Detail
    expect(pending.map(({ to_commit: to }) => to)).toEqual([third, commits[1] ?? ''])
    const merged = await ask('GET', `/versions/1.0.0/binding/candidates/${pending[0]?.id ?? ''}/merge`)
    expect([merged.value['state'], merged.value['conflicts'], merged.value['document']]).toEqual([
      'fast-forward',
      [],
      hours('closingTime'),
    ])
  })

  test('the base can be chosen: with the file, what differs in the draft is its own edit', async () => {
    const { binding, pending } = await bind('1.0.0', { base: 'file' })
    expect([binding.commit_sha, pending]).toEqual([commits[2] ?? '', []])
    // A draft that was bound before comes from where it was bound, as far as nobody says otherwise.
    expect(await compare('1.0.0')).toMatchObject({ origin: { commit: commits[2] ?? '', file_places: 0 }, base: 'file' })
  })

  test('edits of the draft and changes of the file are counted apart', async () => {
    await it.edit('1.0.0', hours('closesAt').replace('title: Pets', 'title: Museum'))
    await bind('1.0.0', { base: 'file' })
    commit('shuts')
    expect(await compare('1.0.0')).toMatchObject({ differs: true, origin: { commit: commits[2] ?? '' } })
    const { binding, pending } = await bind('1.0.0', { base: 'origin' })
    expect([binding.commit_sha, pending.map((one) => one.to_commit)]).toEqual([commits[2] ?? '', [commits[3] ?? '']])
  })

  test('a draft without a known commit begins with the file, and is refused another base', async () => {
    expect(await compare('by-hand')).toMatchObject({ differs: true, origin: null, base: 'file' })
    expect((await compare('by-hand'))['places']).toBeGreaterThan(0)
    const refused = await ask('POST', '/versions/by-hand/binding', { ...target, base: 'origin' })
    expect([refused.status, refused.code]).toEqual([422, 'binding-origin-unknown'])
    const { binding, pending } = await bind('by-hand')
    expect([binding.commit_sha, pending]).toEqual([commits.at(-1) ?? '', []])
    expect((await ask('POST', '/versions/by-hand/binding/comparison', { ...target, path: 'none' })).code).toBe(
      'binding-selection-empty',
    )
    const other = await ask('POST', '/versions/by-hand/binding/comparison', { ...target, path: 'README.md' })
    expect(other.value).toMatchObject({ document: null, differs: true, places: null, origin: null, base: 'file' })
    expect(it.faults).toEqual([])
  })
})
