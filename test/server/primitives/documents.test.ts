import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const schemaOf = ($ref: string) => ({
  '200': { description: 'ok', content: { 'application/json': { schema: { $ref } } } },
})

const description = (version: string, refs: readonly string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version },
  paths: Object.fromEntries(refs.map((ref, index) => [`/p${index}`, { get: { responses: schemaOf(ref) } }])),
  components: { schemas: { Money: { type: 'string', description: 'Its own' } } },
})

onBothEngines('types in documents', (makeDb) => {
  let it: PetsProject
  const types = '/v1/primitives/local'
  const create = (name: string, schema: unknown, more: object = {}) =>
    it.send('POST', types, { namespace: 'shop', name, schema, ...more })
  const render = async (version: string) => {
    const answer = await it.send('GET', `/v1/schema/local/pets/${version}`)
    const value = answer.value as unknown as {
      paths: Record<
        string,
        { get: { responses: Record<string, { content: Record<string, { schema: { $ref: string } }> }> } }
      >
      components: { schemas: Record<string, unknown> }
    }
    const used = Object.values(value.paths).map(
      (path) => path.get.responses['200']?.content['application/json']?.schema.$ref,
    )
    return {
      used,
      schemas: value.components.schemas,
      text: answer.text,
      unresolved: answer.headers.get('x-svc-unresolved'),
    }
  }
  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { publicUrlAliases: ['https://old.test'] })
    await create('Amount', { type: 'string' })
    await create('Money', { type: 'object', properties: { amount: { $ref: 'svc:shop/Amount' }, next: { $ref: '#' } } })
  })
  afterAll(() => it.service.stop())

  test('a draft is rendered with the types as they are now, a published version with those of its publication', async () => {
    const refs = ['svc:shop/Money', 'svc:shop/Money#/properties/amount', 'svc:core/Percentage']
    expect((await it.send('POST', '', { content: JSON.stringify(description('1.0.0', refs)) })).status).toBe(201)
    const draft = await render('1.0.0')
    expect(draft.used).toEqual([
      '#/components/schemas/Money_2',
      '#/components/schemas/Money_2/properties/amount',
      '#/components/schemas/Percentage',
    ])
    expect(draft.schemas).toEqual({
      Money: { type: 'string', description: 'Its own' },
      Money_2: {
        type: 'object',
        properties: { amount: { $ref: '#/components/schemas/Amount' }, next: { $ref: '#/components/schemas/Money_2' } },
      },
      Percentage: { type: 'number', minimum: 0, maximum: 100 },
      Amount: { type: 'string' },
    })
    expect(draft.unresolved).toBeNull()
    await create('Amount', { type: 'integer' }, { replace: true })
    expect((await render('1.0.0')).schemas['Amount']).toEqual({ type: 'integer' })
    const published = await it.send('POST', '/1.0.0/publish', {})
    const gates = published.value['gates'] as { id: string; status: string }[]
    expect([published.status, gates.find(({ id }) => id === 'unresolved-refs')?.status]).toEqual([200, 'pass'])
    const before = await render('1.0.0')
    await create('Amount', { type: 'boolean' }, { replace: true })
    await create('Percentage', { type: 'null' }, { namespace: 'core' })
    expect((await render('1.0.0')).text).toBe(before.text)
    expect(before.schemas['Amount']).toEqual({ type: 'integer' })
    // A single reference means what publishing kept as well, if its version is named.
    const id = String((await it.send('GET', '/1.0.0')).value['id'])
    const resolved = async (query: string) => {
      const { value } = await it.send('GET', `${types}/resolve?ref=${query}`)
      return [value['schema'], value['revision']]
    }
    expect(await resolved('svc:shop/Amount')).toEqual([{ type: 'boolean' }, 3])
    expect(await resolved(`svc:shop/Amount&version_id=${id}`)).toEqual([{ type: 'integer' }, 2])
    expect(await resolved(`svc:shop/Amount@1&version_id=${id}`)).toEqual([{ type: 'string' }, 1])
    expect(await resolved(`svc:core/Percentage&version_id=${id}`)).toEqual([
      { type: 'number', minimum: 0, maximum: 100 },
      1,
    ])
    expect(await resolved('svc:shop/Amount&version_id=of-nothing')).toEqual([{ type: 'boolean' }, 3])
    const json = await it.send('GET', '/v1/json/local/pets/1.0.0')
    expect(Object.keys(json.value['$defs'] as object)).toEqual(['Money', 'Money_2', 'Percentage', 'Amount'])
  })

  test('a reference keeps its revision where it names one', async () => {
    const refs = ['svc:shop/Amount@1', 'svc:shop/Amount']
    await it.send('POST', '', { content: JSON.stringify(description('2.0.0', refs)) })
    const { used, schemas } = await render('2.0.0')
    expect(used).toEqual(['#/components/schemas/Amount', '#/components/schemas/Amount_2'])
    expect([schemas['Amount'], schemas['Amount_2']]).toEqual([{ type: 'string' }, { type: 'boolean' }])
  })

  test('what no type is found for is counted in a header and by a gate', async () => {
    const refs = ['svc:shop/Nothing', 'svc:shop/Amount@99', 'svc:shop/Amount']
    await it.send('POST', '', { content: JSON.stringify(description('3.0.0', refs)) })
    const { used, unresolved } = await render('3.0.0')
    expect([used, unresolved]).toEqual([['svc:shop/Nothing', 'svc:shop/Amount@99', '#/components/schemas/Amount'], '2'])
    const readiness = await it.send('GET', '/3.0.0/publish-readiness')
    const gate = (readiness.value['gates'] as { id: string; status: string; message: string }[]).find(
      ({ id }) => id === 'unresolved-refs',
    )
    expect([gate?.status, gate?.message]).toEqual(['warn', '2 references cannot be resolved.'])
    const content = JSON.stringify(description('3.0.0', refs))
    const preflight = await it.send('POST', '/v1/lint/local/preflight', { source: { kind: 'inline', content } })
    const before = (preflight.value['policy'] as { gates: { id: string; message: string }[] }).gates
    expect(before.find(({ id }) => id === 'unresolved-refs')?.message).toBe('2 references cannot be resolved.')
  })

  test('a type that a published version uses cannot be deleted', async () => {
    const found = await it.send('GET', `${types}/resolve?ref=svc:shop/Money`)
    const { id } = found.value['primitive'] as { id: string }
    const refused = await it.send('DELETE', `${types}/${id}`)
    expect([refused.status, refused.value.detail]).toMatchObject([
      409,
      { code: 'primitive-in-use', users: ['pets@1.0.0'] },
    ])
    const usage = await it.send('GET', `${types}/${id}/usage`)
    expect(usage.value['versions']).toEqual([{ project: 'pets', version: '1.0.0', revision: 1 }])
    expect(it.faults).toEqual([])
  })

  test('types stay references, become schemas or are written where they are referred to', async () => {
    await create('Tree', { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#' } } })
    await create('Whole', {
      type: 'object',
      description: 'All of it',
      $defs: { a: { $anchor: 'small', type: 'string' } },
      properties: { a: { $ref: '#/$defs/a' }, tree: { $ref: 'svc:shop/Tree' } },
    })
    const refs = ['svc:shop/Whole', 'svc:shop/Whole#small', 'svc:shop/Tree#/properties/name']
    const whole = { ...description('4.0.0', refs), components: { schemas: {} } }
    const used = { $ref: 'svc:shop/Whole', description: 'Here' }
    const content = {
      ...whole,
      components: { schemas: { Own: { properties: { it: used, example: { const: used } } } } },
    }
    await it.send('POST', '', { content: JSON.stringify(content) })
    const rendered = async (mode: string) => {
      const answer = await it.send('GET', `/v1/schema/local/pets/4.0.0?refs=${mode}`)
      const value = answer.value as unknown as { paths: object; components: { schemas: Record<string, unknown> } }
      const schemas = Object.values(value.paths).map(
        (path: { get: { responses: { '200': { content: { 'application/json': { schema: unknown } } } } } }) =>
          path.get.responses['200'].content['application/json'].schema,
      )
      return { schemas, own: value.components.schemas['Own'], names: Object.keys(value.components.schemas) }
    }
    const bundled = await rendered('bundle')
    expect(bundled.schemas).toEqual([
      { $ref: '#/components/schemas/Whole' },
      { $ref: '#/components/schemas/Whole/$defs/a' },
      { $ref: '#/components/schemas/Tree/properties/name' },
    ])
    expect(bundled.names).toEqual(['Own', 'Whole', 'Tree'])
    const kept = await rendered('keep')
    expect([kept.schemas, kept.names]).toEqual([refs.map(($ref) => ({ $ref })), ['Own']])
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Tree' } },
    }
    const inner = {
      type: 'object',
      description: 'All of it',
      $defs: { a: { type: 'string' } },
      properties: { a: { type: 'string' }, tree },
    }
    const inlined = await rendered('inline')
    expect(inlined.schemas).toEqual([inner, { type: 'string' }, { type: 'string' }])
    expect(inlined.own).toEqual({ properties: { it: { ...inner, description: 'Here' }, example: { const: used } } })
    expect(inlined.names).toEqual(['Own', 'Tree'])
    expect(await it.brief('GET', '/v1/schema/local/pets/4.0.0?refs=all')).toBe('422')
  })

  test('addresses of types and known identifiers resolve, and nothing else is taken for a type', async () => {
    const id = 'https://example.com/schemas/measure.json'
    await create('Measure', { $id: id, type: 'number', $defs: { unit: { $ref: 'unit.json' } } })
    await create('Unit', { $id: 'https://example.com/schemas/unit.json', enum: ['m', 'km'] })
    const refs = [
      id,
      'http://svc.test/v1/types/local/shop/Amount@1',
      'https://old.test/v1/types/local/shop/Amount',
      'http://svc.test/v1/types/other/shop/Amount',
      'https://example.com/schemas/nothing.json',
      '#/components/schemas/Nothing',
    ]
    await it.send('POST', '', { content: JSON.stringify(description('5.0.0', refs)) })
    const { used, schemas, unresolved } = await render('5.0.0')
    expect(used).toEqual([
      '#/components/schemas/Measure',
      '#/components/schemas/Amount',
      '#/components/schemas/Amount_2',
      ...refs.slice(3),
    ])
    expect(unresolved).toBe('3')
    expect(schemas['Measure']).toEqual({ type: 'number', $defs: { unit: { $ref: '#/components/schemas/Unit' } } })
    expect(schemas['Unit']).toEqual({ enum: ['m', 'km'] })
    const readiness = await it.send('GET', '/5.0.0/publish-readiness')
    const gates = readiness.value['gates'] as { id: string; message: string }[]
    expect(gates.find((gate) => gate.id === 'unresolved-refs')?.message).toBe('3 references cannot be resolved.')
    expect(it.faults).toEqual([])
  })
})
