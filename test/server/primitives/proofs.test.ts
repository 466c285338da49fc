import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const types = '/v1/primitives/local'

type Schema = Readonly<Record<string, unknown>>

/** Numbers that are the same for a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return ((state >>> 8) % below) >>> 0
  }
}

/** Types that refer to each other, in circles too. */
function bundleOf(seed: number): Record<string, Schema> {
  const next = numbers(seed)
  const names = Array.from({ length: 2 + next(12) }, (_, at) => `T${at}`)
  const schema = (depth: number): Schema => {
    const ref = (): Schema => ({ $ref: `#/types/${names[next(names.length)]}` })
    switch (depth > 3 ? next(2) : next(6)) {
      case 0:
        return ref()
      case 1:
        return { type: 'string', maxLength: next(100), description: '#/types/T0' }
      case 2:
        return { type: 'array', items: schema(depth + 1) }
      case 3:
        return { anyOf: [schema(depth + 1), ref()], 'x-odd': { $ref: '#/types/T1' } }
      case 4:
        return { $defs: { own: { type: 'integer' } }, not: { enum: [{ $ref: '#/types/T1' }, next(9)] } }
      default:
        return { type: 'object', properties: { $ref: schema(depth + 1), 'a/b': ref() }, required: ['a/b'] }
    }
  }
  return Object.fromEntries(names.map((name) => [name, { title: name, ...schema(0) }]))
}

onBothEngines('what the registry of types promises', (makeDb) => {
  let it: PetsProject
  let db: Awaited<ReturnType<typeof makeDb>>
  const importBundle = (namespace: string, content: object, more: object = {}) =>
    it.send('POST', `${types}/import`, {
      source_kind: 'type-def-bundle',
      content: JSON.stringify(content),
      namespace,
      ...more,
    })
  const schemasIn = async (namespace: string) => {
    const found: [string, unknown][] = []
    let cursor: unknown = null
    do {
      const query = `limit=100&namespace=${namespace}${cursor === null ? '' : `&cursor=${String(cursor)}`}`
      const { value } = await it.send('GET', `${types}?${query}`)
      found.push(
        ...(value['primitives'] as { name: string; schema: unknown }[]).map(
          (one) => [one.name, one.schema] as [string, unknown],
        ),
      )
      cursor = value['next_cursor']
    } while (cursor !== null)
    return Object.fromEntries(found)
  }
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
  })
  afterAll(() => it.service.stop())

  test('a bundle that was imported is the bundle again', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const bundle = bundleOf(seed)
      const namespace = `bundle/n${seed}`
      const imported = await importBundle(namespace, { types: bundle })
      expect([seed, imported.status]).toEqual([seed, 200])
      const stored = await schemasIn(namespace)
      // Only what is a reference was written another way.
      const again = Object.fromEntries(
        Object.entries(stored).map(([name, schema]) => {
          const text = JSON.stringify(schema).replaceAll('"$ref":"#"', `"$ref":"#/types/${name}"`)
          return [name, JSON.parse(text.replaceAll(`"$ref":"svc:${namespace}/`, '"$ref":"#/types/')) as unknown]
        }),
      )
      expect([seed, again]).toEqual([seed, bundle])
      const second = await importBundle(namespace, { types: again })
      const outcomes = (second.value['primitives'] as { outcome: string }[]).map(({ outcome }) => outcome)
      expect([seed, new Set(outcomes)]).toEqual([seed, new Set(['identical'])])
    }
  })

  test('types refer to each other in a circle over three namespaces', async () => {
    const of = (namespace: string, ref: string) => ({
      namespace,
      schema: { properties: { next: { $ref: ref }, n: { type: 'integer' } } },
    })
    const circle = { A: of('ring/a', '#/types/B'), B: of('ring/b', '#/types/C'), C: of('ring/c', '#/types/A') }
    expect((await importBundle('ring', { types: circle })).status).toBe(200)
    const { value } = await it.send('GET', `${types}/resolve?ref=svc:ring/a/A`)
    const { id } = value['primitive'] as { id: string }
    const usage = await it.send('GET', `${types}/${id}/usage?depth=32`)
    expect(
      (usage.value['primitives'] as { ref: string; depth: number }[]).map(({ ref, depth }) => [ref, depth]),
    ).toEqual([
      ['svc:ring/c/C', 1],
      ['svc:ring/b/B', 2],
    ])
    const responses = {
      '200': { description: 'ok', content: { 'application/json': { schema: { $ref: 'svc:ring/b/B' } } } },
    }
    const content = {
      openapi: '3.1.0',
      info: { title: 'P', version: '1.0.0' },
      paths: { '/p': { get: { responses } } },
    }
    expect((await it.send('POST', '', { content: JSON.stringify(content) })).status).toBe(201)
    for (const [mode, names] of Object.entries({ bundle: ['B', 'C', 'A'], inline: ['B', 'C', 'A'], keep: [] })) {
      const rendered = await it.send('GET', `/v1/schema/local/pets/1.0.0?refs=${mode}`)
      const { components } = rendered.value as unknown as { components?: { schemas?: object } }
      expect([mode, Object.keys(components?.schemas ?? {}), rendered.headers.get('x-svc-unresolved')]).toEqual([
        mode,
        names,
        null,
      ])
      if (mode !== 'keep') expect(rendered.text).not.toContain('svc:')
    }
    const schema = { properties: { next: { $ref: 'svc:ring/b/B' }, n: { type: 'string' } } }
    const impact = await it.send('POST', `${types}/${id}/impact`, { schema })
    expect([impact.value['verdict'], impact.value['counts']]).toEqual([
      'breaking',
      { versions: 1, breaking: 1, unknown: 0, safe: 0 },
    ])
  })

  test('of two writers of one name one is refused', async () => {
    const write = () => it.brief('POST', types, { namespace: 'race', name: 'One', schema: true })
    expect((await Promise.all([write(), write(), write()])).toSorted()).toEqual([
      '200',
      '409 primitive-exists',
      '409 primitive-exists',
    ])
    const revise = (n: number) =>
      it.send('POST', types, { namespace: 'race', name: 'One', schema: { maximum: n }, replace: true })
    const answers = await Promise.all([1, 2, 3, 4].map(revise))
    expect(answers.map(({ value }) => value['revision'] as number).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5])
  })

  test('a type of another organization is nowhere', async () => {
    const other = await addTenant(db, 'other')
    const key = { 'x-api-key': await addApiKey(db, other) }
    const schema = { type: 'string', const: 'a secret' }
    const made = await it.send('POST', types, { namespace: 'hidden', name: 'Secret', schema }, key)
    expect(made.status).toBe(200)
    const id = String(made.value['id'])
    const asked = [
      ['GET', `${types}?q=secret&limit=100`],
      ['GET', types],
      ['GET', `${types}/${id}`],
      ['GET', `${types}/${id}/revisions`],
      ['GET', `${types}/${id}/revisions/1`],
      ['GET', `${types}/${id}/usage`],
      ['GET', `${types}/resolve?ref=svc:hidden/Secret`],
      ['GET', `${types}/unresolved`],
      ['GET', `${types}/facets`],
      ['GET', '/v1/types/local/hidden/Secret'],
      ['GET', '/v1/types/other/hidden/Secret'],
      ['GET', '/v1/specs/types?q=secret'],
      ['GET', '/v1/specs/type?type=svc:hidden/Secret'],
      ['POST', `${types}/${id}/impact`, { schema: true }],
      ['POST', `${types}/${id}/deprecate`, { message: 'x' }],
      ['PATCH', `${types}/${id}`, { description: 'x' }],
      ['DELETE', `${types}/${id}`],
      ['POST', `${types}/import/review`, { content: '{"$defs":{"Secret":{}}}', namespace: 'hidden' }],
    ] as const
    for (const [method, path, body] of asked) {
      const { status, text } = await it.send(method, path, body)
      const expected = path.includes(id) || path.includes('svc:') || path.startsWith('/v1/types') ? 404 : 200
      expect([method, path, status, text.includes('a secret')]).toEqual([method, path, expected, false])
    }
    const responses = {
      '200': { description: 'ok', content: { 'application/json': { schema: { $ref: 'svc:hidden/Secret' } } } },
    }
    const content = {
      openapi: '3.1.0',
      info: { title: 'P', version: '9.0.0' },
      paths: { '/p': { get: { responses } } },
    }
    await it.send('POST', '', { content: JSON.stringify(content) })
    const rendered = await it.send('GET', '/v1/schema/local/pets/9.0.0')
    expect([rendered.headers.get('x-svc-unresolved'), rendered.text.includes('a secret')]).toEqual(['1', false])
    expect((await it.send('GET', `${types}/${id}`, undefined, key)).status).toBe(200)
    expect(it.faults).toEqual([])
  })

  test('five thousand types are one bundle', async () => {
    const bundle = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [
        `N${at}`,
        { properties: { next: { $ref: `#/types/N${(at + 1) % 5000}` } } },
      ]),
    )
    const { status, value } = await importBundle('many', { types: bundle })
    expect([status, value['summary'] as { created: number; unresolved_refs: number } | undefined]).toMatchObject([
      200,
      { created: 5000, unresolved_refs: 0 },
    ])
    const page = await it.send('GET', `${types}?namespace=many&limit=0`)
    expect(page.value['counts']).toMatchObject({ tenant: 5000 })
    const refused = await importBundle('more', { types: { ...bundle, Last: true } })
    expect([refused.status, refused.value.detail?.code]).toEqual([422, 'types-too-many'])
  })
})
