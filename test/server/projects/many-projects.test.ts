/** The list of an organization with more projects than the service once counted in memory. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { projectsApi } from '../../../src/api/projects.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { fillProjects } from '../../fixtures/many-projects.ts'
import { openPetsProject } from '../../fixtures/pets-project.ts'

setDefaultTimeout(180_000)

const count = 20_160
const words = ['payments', 'ledger', 'search', 'risk', 'zoo']
const byName = Array.from({ length: count }, (_, n) => `${words[n % 5]} service ${n}`)
  .toSorted()
  .map((name) => `project-${name.split(' ')[2]}`)
const base = '/v1/tenants/local/projects'

onBothEngines('more than 20,000 projects', (makeDb) => {
  test('are listed, sorted, narrowed and counted', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    await it.send('DELETE', `${base}/pets`)
    await fillProjects(db, it.tenantId, count)
    const list = (query: object) =>
      it.call(projectsApi.list, { params: { tenant_slug: 'local' }, query: { limit: 2, ...query } })
    const slugs = async (query: object) => {
      const { total, items } = await list(query)
      return [total, ...items.map(({ slug }) => slug)]
    }
    // What a program of before wrote is summarized by the first list.
    const { total, facets } = await list({ include_facets: true, owner: 'team-1' })
    expect([total, facets?.owner.length, facets?.owner[0]]).toEqual([504, 40, { value: 'team-0', count: 504 }])
    expect({ ...facets, owner: [] }).toEqual({
      owner: [],
      lifecycle: [{ value: 'production', count: 504 }],
      tag: [
        { value: 'tier-1', count: 504 },
        ...Array.from({ length: 9 }, (_, n) => ({ value: `area-${n}`, count: 56 })),
      ],
      status: [{ value: 'published', count: 504 }],
      grade: [{ value: 'B', count: 504 }],
      format: [{ value: 'openapi 3.1', count: 504 }],
      draft: [{ value: 'no', count: 504 }],
    })
    expect({
      newest: await slugs({}),
      named: await slugs({ sort: 'name', offset: 10_000 }),
      worst: await slugs({ sort: 'grade' }),
      drafts: await slugs({ draft: 'yes', grade: 'A', tag: 'area-0' }),
      words: await slugs({ q: 'LEDGER 20159' }),
    }).toEqual({
      newest: [count, `project-${count - 1}`, `project-${count - 2}`],
      named: [count, ...byName.slice(10_000, 10_002)],
      worst: [count, 'project-10004', 'project-10009'],
      drafts: [112, 'project-19980', 'project-19800'],
      words: [0],
    })
    const many = await it.send('POST', '/v1/tenants/local/project-bulk', {
      matching: { grade: 'F' },
      expected: count / 5,
      dry_run: true,
      change: { owner: 'platform' },
    })
    expect([many.status, many.value['total'], (many.value['results'] as unknown[]).length]).toEqual([200, 4032, 200])
    await it.service.stop()
  })
})
