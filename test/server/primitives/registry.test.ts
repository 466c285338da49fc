import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addApiKey, addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/primitives/local'

interface Row {
  readonly id: string
  readonly namespace: string
  readonly name: string
  readonly ref: string
  readonly scope: string
  readonly revision: number
  readonly refs: readonly {
    readonly target: string
    readonly resolved: boolean
    readonly primitive_id: string | null
  }[]
}
interface Page {
  readonly primitives: readonly Row[]
  readonly counts: Readonly<Record<string, number>>
  readonly next_cursor: string | null
  readonly limit: number
}

onBothEngines('the registry of types', (makeDb) => {
  let it: PetsProject
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    it.send(method, base + path, body, headers)
  const brief = (method: string, path: string, body?: unknown) => it.brief(method, base + path, body)
  const create = async (namespace: string, name: string, schema: unknown = { type: 'string' }, more: object = {}) => {
    const answer = await send('POST', '', { namespace, name, schema, ...more })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    return answer.value as unknown as Row
  }
  const page = async (query: string) => (await send('GET', `?${query}`)).value as unknown as Page
  const names = async (query: string) => (await page(query)).primitives.map((row) => row.name)

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await create(
      't/money',
      'Money',
      { type: 'object' },
      { description: 'An amount', tags: ['finance'], category: 'value' },
    )
    await create('t/money/', 'Rate_1', { type: 'number' }, { description: 'Größe in %' })
    await create('t/money/deep', '100%', { $id: 'https://example.com/hundred', $ref: 'svc:t/money/Money' })
    await create('t/text', 'A_B', { $ref: 'svc:t/text/Missing' })
    await create('t/text', 'AxB', { $ref: 'https://example.com/hundred#/x' })
  })
  afterAll(() => it.service.stop())

  test('without a query the answer is an array, with a query a page', async () => {
    const all = (await send('GET', '')).value as unknown as Row[]
    expect(Array.isArray(all)).toBe(true)
    expect(all.filter(({ scope }) => scope === 'custom').map(({ ref }) => ref)).toEqual([
      'svc:t/money/Money',
      'svc:t/money/Rate_1',
      'svc:t/money/deep/100%25',
      'svc:t/text/A_B',
      'svc:t/text/AxB',
    ])
    expect(all.some(({ scope }) => scope === 'standard') && all.some(({ scope }) => scope === 'core')).toBe(true)
    const ofCategory = (await send('GET', '?category=value')).value as unknown as Row[]
    expect(ofCategory.map(({ name }) => name)).toEqual(['Money'])
    const first = await page('limit=2&scope=custom')
    expect([first.primitives.length, first.limit, first.counts['custom']]).toEqual([2, 2, 5])
    expect((await page('scope=core')).limit).toBe(25)
    expect((await page('limit=1000')).limit).toBe(100)
    const counted = await page('limit=0')
    expect([counted.primitives, counted.next_cursor, counted.counts['custom']]).toEqual([[], null, 5])
  })

  test('pages continue where the last one stopped, and with the same question only', async () => {
    const seen: string[] = []
    let cursor = ''
    for (let turn = 0; turn < 200; turn++) {
      const next = await page(`limit=7${cursor}`)
      seen.push(...next.primitives.map(({ ref }) => ref))
      if (next.next_cursor === null) break
      cursor = `&cursor=${encodeURIComponent(next.next_cursor)}`
    }
    const all = (await send('GET', '')).value as unknown as Row[]
    expect(seen).toEqual(all.map(({ ref }) => ref))
    expect(new Set(seen).size).toBe(seen.length)
    const { next_cursor: mine } = await page('limit=1&scope=custom')
    expect(await brief('GET', `?scope=tenant&cursor=${mine}`)).toBe('400 cursor-invalid')
    expect(await brief('GET', '?cursor=eyJhIjoxfQ')).toBe('400 cursor-invalid')
    expect(await brief('GET', '?scope=everything')).toBe('400 scope-unknown')
  })

  test.each([
    ['q=MONEY', ['Money', 'Rate_1', '100%', 'Money']],
    ['q=finance', ['Money']],
    ['q=gr%C3%96SSE', ['Rate_1']],
    ['q=%25', ['Rate_1', '100%']],
    ['q=_', ['Rate_1', 'A_B']],
    ['q=A_B', ['A_B']],
    ['q=example.com%2Fhun', ['100%']],
    ['q=svc:t/text', ['A_B', 'AxB']],
    ['q=%22%20OR%20', []],
    ['q=in%20%25', ['Rate_1']],
    ['namespace=t/money/', ['Money', 'Rate_1']],
    ['namespace=t/money&q=rate', ['Rate_1']],
    ['namespace=t', []],
  ] as [string, string[]][])('%s finds %j', async (query, found) => {
    const rows = (await page(`${query}&limit=100`)).primitives.filter(
      ({ scope, name }) => scope === 'custom' || name === 'Money',
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(found.toSorted())
  })

  test('a type of the tenant is listed in place of the one that comes with svc', async () => {
    const before = await page('namespace=core&limit=100')
    const shadow = await create('core', 'Money', { type: 'integer' })
    const after = await page('namespace=core&limit=100')
    expect(after.primitives.length).toBe(before.primitives.length)
    expect(after.primitives.filter(({ name }) => name === 'Money').map(({ id }) => id)).toEqual([shadow.id])
    expect(after.counts).toEqual({ ...before.counts, core: (before.counts['core'] ?? 0) - 1, custom: 1 })
    expect(await brief('DELETE', `/${shadow.id}`)).toBe('204')
    expect(await page('namespace=core&limit=100')).toEqual(before)
  })

  test('references are resolved as the registry is now', async () => {
    const refsOf = async (ref: string) => {
      const { value } = await send('GET', `/resolve?ref=${encodeURIComponent(ref)}`)
      return (value['primitive'] as Row).refs.map(({ target, resolved }) => [target, resolved])
    }
    expect(await refsOf('svc:t/money/deep/100%25')).toEqual([['svc:t/money/Money', true]])
    expect(await refsOf('https://example.com/hundred#/x')).toEqual([['svc:t/money/Money', true]])
    expect(await refsOf('svc:t/text/AxB')).toEqual([['https://example.com/hundred#/x', true]])
    expect(await refsOf('svc:t/text/A_B')).toEqual([['svc:t/text/Missing', false]])
    const unresolved = await send('GET', '/unresolved')
    expect(unresolved.value).toMatchObject({
      total_edges: 1,
      affected_primitives: 1,
      primitives: [
        { ref: 'svc:t/text/A_B', unresolved: [{ pointer: '/$ref', target: 'svc:t/text/Missing', suggestions: [] }] },
      ],
    })
    const missing = await create('t/text', 'Missing')
    expect(await refsOf('svc:t/text/A_B')).toEqual([['svc:t/text/Missing', true]])
    expect((await send('GET', '/unresolved')).value).toMatchObject({
      total_edges: 0,
      affected_primitives: 0,
      primitives: [],
    })
    expect(await brief('DELETE', `/${missing.id}`)).toBe('409 primitive-in-use')
    const usage = await send('GET', `/${missing.id}/usage?depth=3`)
    expect(usage.value['primitives']).toMatchObject([
      { ref: 'svc:t/text/A_B', depth: 1, pointers: ['/$ref'], uses: [missing.id] },
    ])
    expect(await brief('GET', '/resolve?ref=svc:t/text/Nothing')).toBe('404 primitive-not-found')
  })

  test('a type has revisions, and another one is not written over a change', async () => {
    const created = await create('t/rev', 'R', { type: 'string' })
    expect(await brief('POST', '', { namespace: 't/rev//', name: 'R', schema: true })).toBe('409 primitive-exists')
    const got = await send('GET', `/${created.id}`)
    const etag = got.headers.get('etag') ?? ''
    const changed = await send('PATCH', `/${created.id}`, { schema: { type: 'integer' } }, { 'if-match': etag })
    expect([changed.status, changed.value['revision']]).toEqual([200, 2])
    expect((await send('PATCH', `/${created.id}`, { description: 'x' }, { 'if-match': etag })).status).toBe(412)
    const described = await send('PATCH', `/${created.id}`, { description: 'x', tags: ['a'] })
    expect([described.value['revision'], described.value['description']]).toEqual([2, 'x'])
    const replaced = await send('POST', '', { namespace: 't/rev', name: 'R', schema: { type: 'null' }, replace: true })
    expect([replaced.value['id'], replaced.value['revision']]).toEqual([created.id, 3])
    const revisions = (await send('GET', `/${created.id}/revisions`)).value['revisions'] as { revision: number }[]
    expect(revisions.map(({ revision }) => revision)).toEqual([3, 2, 1])
    expect((await send('GET', `/${created.id}/revisions/1`)).value['schema']).toEqual({ type: 'string' })
    expect((await send('GET', '/resolve?ref=svc:t/rev/R@2')).value['schema']).toEqual({ type: 'integer' })
    expect(await brief('GET', '/resolve?ref=svc:t/rev/R@9')).toBe('404 primitive-revision-not-found')
    const old = await send('POST', `/${created.id}/deprecate`, { message: 'Use S', replacement: 'svc:t/rev/S' })
    expect(old.value['deprecated']).toEqual({ message: 'Use S', replacement: 'svc:t/rev/S' })
    expect(await brief('POST', `/${created.id}/deprecate`, { message: null })).toBe('200')
    expect((await send('GET', `/${created.id}`)).value['deprecated']).toBeNull()
  })

  test.each([
    [{ namespace: 'a//b', name: 'A', schema: true }, '422 namespace-invalid'],
    [{ namespace: 'a', name: 'A/B', schema: true }, '422 primitive-name-invalid'],
    [{ namespace: 'a', name: 'A', schema: { type: 'strng' } }, '422 primitive-schema-invalid'],
    [{ namespace: 'a', name: 'A', schema: { title: 'x'.repeat(257 * 1024) } }, '422 primitive-too-large'],
    [{ namespace: 'a', name: 'A', schema: 1 }, '422'],
    [{ namespace: 'a', name: 'A', schema: true, scope: 'core' }, '422'],
  ])('%#: what cannot be a type is refused', async (body, expected) => {
    expect(await brief('POST', '', body)).toBe(expected)
  })

  test('what comes with svc cannot be changed', async () => {
    const id = encodeURIComponent('svc:core/Money')
    expect((await send('GET', `/${id}`)).value).toMatchObject({ scope: 'core', revision: 1, created_at: null })
    expect(await brief('PATCH', `/${id}`, { description: 'x' })).toBe('409 primitive-read-only')
    expect(await brief('DELETE', `/${id}`)).toBe('409 primitive-read-only')
  })

  test('the slug is decorative: callers see the types of their own organization', async () => {
    const { db } = it.service.deps
    const other = await addTenant(db, 'other')
    const key = await addApiKey(db, other)
    const foreign = await send('GET', '?scope=custom', undefined, { 'x-api-key': key })
    expect([foreign.status, (foreign.value as unknown as Page).counts['custom']]).toEqual([200, 0])
    const named = await send('POST', '', { namespace: 't', name: 'Theirs', schema: true }, { 'x-api-key': key })
    expect(named.status).toBe(200)
    expect(await names('q=Theirs')).toEqual([])
    const eve = await addUser(db, 'eve')
    await addMember(db, other, eve, 'viewer')
    const { token } = await it.service.identity.tokens.issue(eve)
    const ask = async (path: string) =>
      (await (await it.get(path, { authorization: `Bearer ${token}` })).json()) as Page
    expect((await ask('/v1/primitives/local?q=Theirs')).counts['custom']).toBe(1)
    expect((await ask('/v1/primitives/other?q=Theirs')).counts['custom']).toBe(1)
  })

  test('a type has an address, which is open where the type is public', async () => {
    const shared = await create('t/open/deep', 'Shared', { type: 'string' }, { visibility: 'public' })
    await create('t/open', 'Secret', { type: 'string' })
    const get = (path: string, headers?: Record<string, string>) => it.get(`/v1/types/local/${path}`, headers)
    const first = await get('t/open/deep/Shared')
    expect([first.status, first.headers.get('content-type'), await first.json()]).toEqual([
      200,
      'application/schema+json',
      { type: 'string' },
    ])
    expect(first.headers.get('link')).toBe('<http://svc.test/v1/types/local/t/open/deep/Shared@1>; rel="canonical"')
    const known = await get('t%2Fopen/deep/Shared@1', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([known.status, known.headers.get('cache-control')]).toEqual([304, 'public, max-age=31536000, immutable'])
    expect((await get('core/Money')).status).toBe(200)
    expect([(await get('t/open/Secret')).status, (await get('t/open/Nothing')).status]).toEqual([404, 404])
    expect((await get('t/open/Secret', { 'x-api-key': it.key })).status).toBe(200)
    await send('PATCH', `/${shared.id}`, { visibility: 'private' })
    expect((await get('t/open/deep/Shared')).status).toBe(404)
    const byAddress = await create('t/open', 'User', { $ref: 'http://svc.test/v1/types/local/t/open/Secret' })
    expect(byAddress.refs.map(({ resolved }) => resolved)).toEqual([true])
  })

  test('anyone may ask for the health of the registry', async () => {
    const answer = await it.get('/v1/primitives/health')
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'healthy', database: 'connected', table_exists: true, error: null },
    ])
    expect(it.faults).toEqual([])
  })
})
