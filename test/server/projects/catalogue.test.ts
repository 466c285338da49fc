import { expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'

const base = '/v1/tenants/local/projects'

interface Listed {
  readonly total: number
  readonly items: readonly { slug: string; owner: string | null; tags: string[] }[]
  readonly facets?: Record<string, { value: string; count: number }[]>
}

onBothEngines('the catalogue of projects', (makeDb) => {
  test('owner, lifecycle, tags and links are kept, changed and removed', async () => {
    const it = await openPetsProject(await makeDb())
    const facts = async (method: string, path: string, body: object) => {
      const { status, value } = await it.send(method, base + path, body)
      return [status, value['owner'], value['lifecycle'], value['tags'], value['links']]
    }
    const links = [{ title: 'Runbook', url: 'https://example.com/run' }, { url: 'http://example.com' }]
    const kept = [links[0], { title: null, url: 'http://example.com' }]
    const given = { owner: 'shop', lifecycle: 'production', tags: ['rest', 'public'], links }
    expect(await facts('POST', '', { name: 'Zoo', ...given })).toEqual([
      201,
      'shop',
      'production',
      ['public', 'rest'],
      kept,
    ])
    expect(await facts('PATCH', '/zoo', { name: 'Zoo 2' })).toEqual([
      200,
      'shop',
      'production',
      ['public', 'rest'],
      kept,
    ])
    const none = { owner: null, lifecycle: null, tags: [], links: [] }
    expect(await facts('PATCH', '/zoo', none)).toEqual([200, null, null, [], []])
    const refused = async (body: object) => (await it.send('PATCH', `${base}/zoo`, body)).status
    expect([
      await refused({ lifecycle: 'beta' }),
      await refused({ tags: ['A'] }),
      await refused({ tags: ['a', 'a'] }),
      await refused({ links: [{ url: 'javascript:alert(1)' }] }),
      await refused({ owner: '' }),
    ]).toEqual([422, 422, 422, 422, 422])
    await it.service.stop()
  })

  test('lists are narrowed by words and facets, ordered, and counted by facet', async () => {
    const it = await openPetsProject(await makeDb())
    const create = (name: string, more: object) => it.send('POST', base, { name, ...more })
    await create('Risk gateway API', { owner: 'Payments', lifecycle: 'production', tags: ['rest'] })
    await create('Ledger', { owner: 'Payments', description: '100% of all bookings_', tags: ['rest', 'core'] })
    await create('Search', { owner: 'find', lifecycle: 'experimental' })
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    await it.send('POST', `${base}/ledger/versions`, {
      label: '1.0.0',
      content: petsYaml('1.0.0').replace('3.1.0', '3.0.3'),
    })
    const published = await it.send('POST', `${base}/ledger/versions/1.0.0/publish`, {
      visibility: 'private',
      force: true,
      force_reason: 'test',
    })
    expect(published.status).toBe(200)
    const list = async (query: string): Promise<Listed> => (await it.send('GET', `${base}?${query}`)).value as never
    const slugs = async (query: string) => {
      const { items, total } = await list(query)
      expect(total).toBe(items.length)
      return items.map((one) => one.slug).join(' ')
    }
    const all = 'search ledger risk-gateway-api pets'
    expect({
      all: await slugs(''),
      words: await slugs('q=gateway+RISK'),
      description: await slugs('q=100%25'),
      literal: await slugs('q=%25b_'),
      owner: await slugs('q=payments'),
      name: await slugs('sort=name'),
      updated: (await slugs('sort=updated')).split(' ').length,
      worst: await slugs('sort=grade'),
      byOwner: await slugs('owner=Payments'),
      byTag: await slugs('tag=core'),
      byLifecycle: await slugs('lifecycle=production'),
      byStatus: await slugs('status=published'),
      without: await slugs('status=none'),
      drafts: await slugs('draft=yes'),
      format: await slugs('format=openapi+3.0'),
      both: await slugs('owner=Payments&tag=core&q=book'),
      nothing: await slugs('owner=payments'),
    }).toEqual({
      all,
      words: 'risk-gateway-api',
      description: 'ledger',
      literal: '',
      owner: 'ledger risk-gateway-api',
      name: 'ledger pets risk-gateway-api search',
      updated: 4,
      worst: 'ledger pets risk-gateway-api search',
      byOwner: 'ledger risk-gateway-api',
      byTag: 'ledger',
      byLifecycle: 'risk-gateway-api',
      byStatus: 'ledger',
      without: 'search risk-gateway-api',
      drafts: 'pets',
      format: 'ledger',
      both: 'ledger',
      nothing: '',
    })
    const second = await list('sort=name&limit=2&offset=1')
    expect([second.total, second.items.map((one) => one.slug), second.facets]).toEqual([
      4,
      ['pets', 'risk-gateway-api'],
      undefined,
    ])
    const { facets } = await list('include_facets=true&owner=Payments')
    const counts = Object.fromEntries(
      Object.entries(facets ?? {}).map(([name, values]) => [name, values.map((one) => `${one.value} ${one.count}`)]),
    )
    expect(counts).toMatchObject({
      // Of its own filter a facet counts what other choices would give.
      owner: ['Payments 2', 'find 1'],
      lifecycle: ['production 1'],
      tag: ['rest 2', 'core 1'],
      status: ['none 1', 'published 1'],
      format: ['openapi 3.0 1'],
      draft: ['no 2'],
    })
    await it.service.stop()
  })

  test('a project that an import creates begins with what the document says of it', async () => {
    const it = await openPetsProject(await makeDb())
    const content = petsYaml('1.0.0').replace('title: Pets', 'title: Zoo, x-owner: keepers, x-tags: [animals]')
    const { value } = await it.send('POST', '/v1/tenants/local/imports', { source: { kind: 'inline', content } })
    const job = await it.send('GET', `/v1/imports/${String(value['job_id'])}?wait=30`)
    expect(job.value['status']).toMatch(/^completed/)
    const zoo = await it.send('GET', `${base}/zoo`)
    expect([zoo.value['owner'], zoo.value['lifecycle'], zoo.value['tags']]).toEqual(['keepers', null, ['animals']])
    await it.service.stop()
  })
})
