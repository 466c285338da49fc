/** Places of threads over HTTP: what was removed since another version, and the value that a suggestion begins with. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { threadsApi } from '../../../src/api/threads.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = (parameters: readonly string[]) => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 } # as the author wrote it
paths:
  /pets:
    get:
      summary: List pets
      parameters:
${parameters.map((name) => `        - { name: ${name}, in: query, schema: { type: string } }\n`).join('')}      responses:
        '200': { description: Pets }
`
const params = { tenant_slug: 'local', project_ref: 'pets', version_ref: '1.0.0' }
const get = '/paths/~1pets/get'

onBothEngines('places of threads', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await it.call(versionsApi.create, {
      params: { tenant_slug: 'local', project_ref: 'pets' },
      body: { label: '1.0.0', content: yaml(['limit', 'cursor']) },
    })
  })
  afterAll(() => it.service.stop())

  test('a thread on something that was removed is on the version that had it, and follows its place from there', async () => {
    const project = { tenant_slug: 'local', project_ref: 'pets' }
    const one = { ...params, version_ref: '1.0.1' }
    await it.call(versionsApi.create, {
      params: project,
      body: { label: '1.0.1', content: yaml(['cursor']) },
    })
    const on = (pointer: string, version?: string) =>
      outcome(
        it.call(threadsApi.open, {
          params: one,
          body: { anchor: { pointer, ...(version === undefined ? {} : { version }) }, body: 'Why?' },
        }),
      )
    const gone = `${get}/parameters/1`
    const { digest } = await it.call(versionsApi.get, { params })
    expect(await on(gone)).toMatchObject({ code: 'anchor-invalid' })
    expect(await on(gone, '7.0.0')).toMatchObject({ code: 'version-not-found' })
    expect(await on(`${get}/parameters/0`, '1.0.0')).toMatchObject({
      anchor: { key: 'GET /pets#parameters/query:limit', version_digest: digest, range: { start: { line: 7 } } },
      anchor_state: 'outdated',
      place: { pointer: `${get}/parameters` },
    })
    // What is still there is where it is now.
    expect(await on(gone, '1.0.0')).toMatchObject({
      anchor: { pointer: gone, range: { start: { line: 8 } } },
      anchor_state: 'anchored',
      place: { pointer: `${get}/parameters/0`, range: { start: { line: 7 } } },
    })
  })

  test('the value at a place is what a suggestion begins with', async () => {
    const at = (pointer: string) => outcome(it.call(threadsApi.place, { params, query: { pointer } }))
    expect(await at(`${get}/parameters/1`)).toMatchObject({
      key: 'GET /pets#parameters/query:cursor',
      value: { name: 'cursor', in: 'query', schema: { type: 'string' } },
      is_long: false,
      is_named: false,
      range: { start: { line: 8, character: 10 } },
    })
    expect(await at(`${get}/summary`)).toMatchObject({ value: 'List pets', is_named: true })
    expect(await at('')).toMatchObject({ key: '#', is_named: false })
    expect(await at('/nothing')).toMatchObject({ code: 'anchor-invalid' })
  })
})
