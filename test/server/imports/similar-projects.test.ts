import { expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { similarProjects } from '../../../server/imports/similar-projects.ts'
import { projects, tenants, versions } from '../../../db/tables.gen.ts'
import { newId } from '../../../db/id.ts'
import { eq } from 'drizzle-orm'

const preflight = '/v1/lint/local/preflight'

onBothEngines('projects that a document probably belongs to', (makeDb) => {
  test('a project whose version has the title is named, and an import goes there only by name', async () => {
    const it = await openPetsProject(await makeDb())
    await it.call(projectsApi.create, { params: { tenant_slug: 'local' }, body: { name: 'Zoo', slug: 'zoo' } })
    const zoo = '/v1/tenants/local/projects/zoo/versions'
    const titled = petsYaml('1.0.0').replace('title: Pets', 'title: Animals')
    const stored = await it.send('POST', zoo, { label: '1.0.0', content: titled })
    expect(stored.status).toBe(201)
    const ask = async (body: object) => {
      const { value, text } = await it.send('POST', preflight, { target: 'project', content: titled, ...body })
      if (!('plan' in value)) throw new Error(text)
      const { plan, similar } = value as unknown as {
        plan: { project: { action: string; slug: string }; version: { action: string; label: string } }
        similar: { slug: string; because: string }[]
      }
      return [plan.project, plan.version, similar.map(({ slug, because }) => `${slug} ${because}`)] as const
    }
    expect(await ask({})).toEqual([
      { action: 'create', slug: 'animals', name: 'Animals' } as never,
      { action: 'create', label: '1.0.0', slug: '1.0.0' } as never,
      ['zoo title'],
    ])
    expect(await ask({ project: 'zoo', version: '1.1.0' })).toEqual([
      { action: 'keep', slug: 'zoo', name: 'Zoo' } as never,
      { action: 'create', label: '1.1.0', slug: '1.1.0' } as never,
      [],
    ])
    expect((await ask({ project_name: 'Farm' }))[0]).toEqual({ action: 'create', slug: 'farm', name: 'Farm' } as never)
    await it.service.stop()
  })

  test('the same address goes before the same title; other organizations are never named; five at most', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const [pets] = await db.read.select().from(projects)
    const content = await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    expect(content.status).toBe(201)
    const [row] = await db.read.select().from(versions)
    if (!pets || !row) throw new Error('nothing was stored')
    const source = 'https://example.com/openapi.yaml'
    const copy = (tenantId: string, slug: string, provenance: object = row.provenance) =>
      db.inTransaction(async (tx) => {
        const id = newId()
        await tx.insert(projects).values({ ...pets, id, tenantId, slug, name: slug })
        if (tenantId !== it.tenantId) return
        const more = { ...row, id: newId(), projectId: id, provenance: { ...row.provenance, ...provenance } }
        await tx.insert(versions).values(more)
      })
    const other = newId()
    const [tenant] = await db.read.select().from(tenants).where(eq(tenants.id, it.tenantId))
    await db.inTransaction((tx) => tx.insert(tenants).values({ ...tenant, id: other, slug: 'other' } as never))
    await copy(other, 'Pets')
    for (const slug of ['f', 'e', 'd', 'c']) await copy(it.tenantId, slug)
    await copy(it.tenantId, 'z', { source })
    const found = async (from: string, except: string | null) =>
      (await similarProjects(db.read, it.tenantId, { title: 'Pets', source: from, except })).map(
        ({ slug, because }) => `${slug} ${because}`,
      )
    expect(await found(source, null)).toEqual(['z source', 'pets title', 'c title', 'd title', 'e title'])
    expect(await found(source, 'z')).toEqual(['pets title', 'c title', 'd title', 'e title', 'f title'])
    expect((await found('openapi.yaml', 'c')).includes('z title')).toBe(true)
    expect(await similarProjects(db.read, it.tenantId, { title: 'None', source: '-', except: null })).toEqual([])
    await it.service.stop()
  })
})
