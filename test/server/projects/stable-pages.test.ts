/** Lists that are read by cursors while rows are added: no row is shown twice, and none that was there is left out. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

onBothEngines('stable pages', (makeDb) => {
  let it: PetsProject
  const params = { tenant_slug: 'local' }
  const add = (name: string) => it.call(projectsApi.create, { params, body: { name } })
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    for (const name of ['a', 'b', 'c', 'd']) await add(name)
  })
  afterAll(() => it.service.stop())

  for (const sort of ['created', 'name'] as const)
    test(`projects by ${sort}`, async () => {
      const before = (await it.call(projectsApi.list, { params, query: { sort } })).items.map(({ slug }) => slug)
      const seen: string[] = []
      let cursor: string | undefined
      for (let n = 0; n < 20; n++) {
        const query = { sort, limit: 2, ...(cursor !== undefined && { cursor }) }
        const page = await it.call(projectsApi.list, { params, query })
        seen.push(...page.items.map(({ slug }) => slug))
        cursor = page.next_cursor
        if (cursor === undefined) break
        await Bun.sleep(2)
        await add(`0 added to ${sort} ${n}`)
      }
      expect(seen).toEqual(before)
    })

  test('a cursor reads its own list only, and is checked', async () => {
    const { next_cursor: cursor = '' } = await it.call(projectsApi.list, { params, query: { limit: 1 } })
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = '2026-01-01T00:00:00.000Z'
    for (const wrong of [
      '',
      'x',
      written(['projects', -1, now]),
      written(['projects', 1, 'now']),
      written(['projects', 1e9, now]),
    ])
      expect(await outcome(it.call(projectsApi.list, { params, query: { cursor: wrong } }))).toEqual({
        code: 'cursor-invalid',
      })
    const at = { params: { ...params, project_ref: 'pets' } }
    expect(await outcome(it.call(versionsApi.list, { ...at, query: { cursor } }))).toEqual({ code: 'cursor-invalid' })
  })
})
