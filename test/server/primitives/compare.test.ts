import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/primitives/local'

interface Compared {
  readonly base: { readonly revision: number | null; readonly schema: unknown }
  readonly head: { readonly revision: number | null; readonly schema: unknown }
  readonly severity: string | null
  readonly verdict: string
  readonly total: number
  readonly changes: readonly { readonly severity: string; readonly head: { readonly pointer: string } | null }[]
}

onBothEngines('comparisons of types and what lists are filtered by', (makeDb) => {
  let it: PetsProject
  let id = ''
  const send = (method: string, path: string, body?: unknown) => it.send(method, base + path, body)
  const brief = (method: string, path: string, body?: unknown) => it.brief(method, base + path, body)
  const compare = async (body: object): Promise<Compared> =>
    (await send('POST', `/${id}/compare`, body)).value as unknown as Compared
  const create = async (namespace: string, name: string, schema: unknown, more: object = {}) =>
    (await send('POST', '', { namespace, name, schema, ...more })).value as unknown as { readonly id: string }

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await create('cmp', 'Part', { type: 'object', properties: { n: { type: 'integer' } } })
    const made = await create('cmp', 'Whole', { type: 'object', properties: { part: { $ref: 'svc:cmp/Part' } } })
    id = made.id
    await send('PATCH', `/${id}`, {
      schema: { type: 'object', required: ['part'], properties: { part: { $ref: 'svc:cmp/Part' } } },
    })
    await send('PATCH', `/${id}`, {
      schema: { type: 'object', required: ['part'], description: 'W', properties: { part: { $ref: 'svc:cmp/Part' } } },
    })
  })
  afterAll(() => it.service.stop())

  test('two revisions are compared, in either order', async () => {
    const there = await compare({ base: 1, head: 2 })
    expect([there.base.revision, there.head.revision, there.verdict, there.severity, there.total]).toEqual([
      1,
      2,
      'breaking',
      'breaking',
      1,
    ])
    expect(there.head.schema).toMatchObject({ required: ['part'] })
    const back = await compare({ base: 2, head: 1 })
    expect([back.verdict, back.total]).toEqual(['breaking', 1])
    const docs = await compare({ base: 2 })
    expect([docs.head.revision, docs.verdict, docs.severity]).toEqual([3, 'safe', 'docs-only'])
    expect(await compare({})).toMatchObject({ total: 0, verdict: 'safe', severity: null, changes: [] })
  })

  test('a schema that is not registered is compared with the newest revision; what it refers to counts', async () => {
    const inline = { type: 'object', required: ['part'], properties: { part: { type: 'string' } } }
    const other = await compare({ schema: inline })
    expect([other.base.revision, other.head.revision, other.head.schema, other.verdict]).toEqual([
      3,
      null,
      inline,
      'breaking',
    ])
    expect(other.changes.map(({ head }) => head?.pointer)).toEqual([undefined, '/properties/part/type', undefined])
    expect((await send('GET', `/${id}`)).value).toMatchObject({ revision: 3 })
  })

  test('what cannot be compared is refused', async () => {
    expect(await brief('POST', `/${id}/compare`, { base: 9 })).toBe('404 primitive-revision-not-found')
    expect(await brief('POST', '/nothing/compare', {})).toBe('404 primitive-not-found')
    const invalid = await send('POST', `/${id}/compare`, { schema: { properties: { a: { type: 'strng' } } } })
    expect([invalid.status, invalid.value.detail]).toMatchObject([
      422,
      { code: 'primitive-schema-invalid', errors: [{ pointer: '/properties/a/type' }] },
    ])
    const core = `/${encodeURIComponent('svc:core/Money')}/compare`
    expect(await brief('POST', core, { schema: true })).toBe('200')
    expect(await brief('POST', core, { base: 2 })).toBe('404 primitive-revision-not-found')
  })

  test('namespaces and categories of all types are counted, those that come with svc too', async () => {
    const before = (await send('GET', '/facets')).value as unknown as Record<string, { name: string; count: number }[]>
    const of = (name: string) => before['namespaces']?.find((one) => one.name === name)?.count
    expect(of('cmp')).toBe(2)
    expect(before['namespaces']?.map(({ name }) => name)).toEqual(
      before['namespaces']?.map(({ name }) => name).toSorted(),
    )
    await create('core', 'Money', true, { category: 'cmp-category' })
    const after = (await send('GET', '/facets')).value as unknown as typeof before
    expect(after['namespaces']).toEqual(before['namespaces'])
    expect(after['categories']?.filter(({ name }) => name === 'cmp-category')).toEqual([
      { name: 'cmp-category', count: 1 },
    ])
  })

  test('a conflict has the schema of the source', async () => {
    const document = { $defs: { Part: { type: 'string' }, Fresh: { type: 'string' } } }
    const { value } = await send('POST', '/import/review', { document, namespace: 'cmp' })
    const types = value['types'] as { key: string; classification: string; schema: unknown }[]
    expect(types.map(({ key, classification, schema }) => [key, classification, schema])).toEqual([
      ['Part', 'Conflict', { type: 'string' }],
      ['Fresh', 'New', null],
    ])
    expect(it.faults).toEqual([])
  })
})
