import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { apiKeys, users } from '../../../db/tables.gen.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { tenantsApi } from '../../../src/api/tenants.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPublishing } from '../publishing/publishing.ts'

onBothEngines('the audit trail', (makeDb) => {
  const opened: Awaited<ReturnType<typeof openPublishing>>[] = []
  afterAll(() => Promise.all(opened.map(({ it }) => it.service.stop())))

  test('names actors and targets, with the pages of versions, and what is gone as far as the trail knows', async () => {
    const made = await openPublishing(await makeDb())
    opened.push(made)
    const { it, db, draft, publish } = made
    await publish('1.0.0')
    await draft('2.0.0')
    const trail = async (action: string) => {
      const { items } = await it.call(tenantsApi.audit, { params: { tenant_slug: it.tenant }, query: { action } })
      return items.map(({ actor_kind: kind, actor_name: actor, target_name: target, target_url: url }) => [
        kind,
        actor,
        target,
        url === null ? null : new URL(url).pathname,
      ])
    }
    const [key] = await db.read.select({ name: apiKeys.name }).from(apiKeys)
    const byKey = ['api-key', key?.name ?? 'no key']
    expect(await trail('version.created')).toEqual([
      [...byKey, 'pets@2.0.0', '/app/t/local/pets/2.0.0'],
      [...byKey, 'pets@1.0.0', '/app/t/local/pets/1.0.0'],
    ])
    expect(await it.brief('DELETE', '/2.0.0')).toBe('204')
    expect((await trail('version.created')).map(([, , ...target]) => target)).toEqual([
      ['2.0.0', null],
      ['pets@1.0.0', '/app/t/local/pets/1.0.0'],
    ])
    const [owner] = await db.read.select({ name: users.name }).from(users).where(eq(users.id, it.ownerId))
    await it.call(tenantsApi.update, { params: { tenant_slug: it.tenant }, body: { name: 'Pet shop' } })
    expect(await trail('tenant.renamed')).toEqual([['user', owner?.name ?? 'no owner', 'Pet shop', null]])
    await db.inTransaction((tx) => tx.delete(apiKeys))
    expect(await trail('version.published')).toEqual([['api-key', null, 'pets@1.0.0', '/app/t/local/pets/1.0.0']])
  })

  test('leads to the page of what has one, and tells all about one thing', async () => {
    const made = await openPublishing(await makeDb())
    opened.push(made)
    const { it, publish } = made
    await publish('1.0.0')
    await publish('2.0.0')
    const params = { tenant_slug: it.tenant }
    const trail = async (query: { action?: string; target?: string }) =>
      (await it.call(tenantsApi.audit, { params, query })).items
    const { id } = await it.call(styleGuidesApi.create, {
      params,
      body: { name: 'House', sourceGuideId: 'svc-recommended' },
    })
    const named = async (query: { action?: string; target?: string }) =>
      (await trail(query)).map(({ action, target_name: name, target_url: page }) => [
        action,
        name,
        page === null ? null : new URL(page).pathname,
      ])
    expect(await named({ action: 'style-guide.*' })).toEqual([
      ['style-guide.created', 'House', `/app/t/local/-/style-guides/${id}`],
    ])
    await it.call(styleGuidesApi.remove, { params: { ...params, guide_id: id } })
    expect(await named({ target: id })).toEqual([
      ['style-guide.deleted', 'House', null],
      ['style-guide.created', 'House', null],
    ])
    const [published] = await trail({ action: 'version.published' })
    const about = await trail({ target: String(published?.target_id) })
    expect(about.map((event) => [event.action, event.target_name])).toEqual([
      ['version.published', 'pets@2.0.0'],
      ['version.created', 'pets@2.0.0'],
    ])
    expect(await trail({ target: 'nothing' })).toEqual([])
  })
})
