/** A binding follows the overlays that the svc.yaml of its repository names. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BindingDetail } from '../../../src/api/bindings.ts'
import { digestOf } from '../../../db/content.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const get = "{ get: { responses: { '200': { description: ok } } } }"
const base = petsYaml('1.0.0', `{ /pets: ${get}, /internal: ${get} }`)
const overlay = (target: string): string => `overlay: 1.1.0
info: { title: Public, version: 1.0.0 }
actions: [{ target: "${target}", remove: true }]
`
const hide = overlay("$.paths['/internal']")
const digest = (text: string): string => digestOf(new TextEncoder().encode(text))

onBothEngines('overlays of bindings', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root)
  let it: PetsProject
  const binding = '/v1/tenants/local/projects/pets/versions/1.0.0/binding'
  const commit = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(git.root, 'acme/shop', path), text)
    git.git('acme/shop', 'add', '-A')
    git.git('acme/shop', 'commit', '-q', '-m', 'more')
  }

  beforeAll(async () => {
    const svc = 'version: 1\napis: { pets: { root: openapi.yaml, overlays: [hide.yaml] } }\n'
    git.create('acme/shop', { 'openapi.yaml': base, 'hide.yaml': hide, 'svc.yaml': svc })
    const host = new URL(served.url).host
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8', gitHosts: `${host}=gitlab` })
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0', `{ /pets: ${get} }`) })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    git.remove()
  })

  test('a change of an overlay alone is a candidate, with what it changes', async () => {
    const made = await it.send('POST', binding, { repo_url: `${served.url}/acme/shop/.git`, path: 'openapi.yaml' })
    const { binding: bound } = made.value as unknown as BindingDetail
    const entry = { digest: digest(hide), title: 'Public', source: 'hide.yaml', actions: 1, matches: 1 }
    expect([made.status, bound.lineage]).toEqual([201, { base_digest: digest(base), overlays: [entry] }])
    const next = overlay("$.paths['/internal','/pets']")
    commit({ 'hide.yaml': next })
    const { pending } = (await it.send('POST', `${binding}/check`)).value as unknown as BindingDetail
    expect(pending).toMatchObject([
      {
        selection_changed: true,
        changed_paths: ['hide.yaml'],
        lineage: { base_digest: digest(base), overlays: [{ digest: digest(next), matches: 2 }] },
        summary: { severity: 'breaking', verdict: 'breaking', valid: true },
        merge: { state: 'fast-forward' },
      },
    ])
  })

  test('an overlay that does not fit is refused, and not left out', async () => {
    commit({ 'hide.yaml': overlay('$') })
    const answer = await it.send('POST', `${binding}/check`)
    expect([answer.status, answer.value.detail?.code]).toEqual([422, 'overlay-failed'])
  })
})
