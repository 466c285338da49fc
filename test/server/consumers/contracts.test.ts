import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsBase, type PetsProject } from '../../fixtures/pets-project.ts'

const base = petsBase.replace('/versions', '')

const pets = (version: string, parts: { name?: boolean; owners?: boolean } = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version },
  servers: [{ url: 'https://api.pets.example/v2' }],
  paths: {
    '/pets/{petId}': {
      get: {
        parameters: [
          { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'view', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            description: 'A pet',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
    ...(parts.owners === false
      ? {}
      : {
          '/owners': {
            post: {
              requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Owner' } } } },
              responses: { '201': { description: 'Made' } },
            },
          },
        }),
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          ...(parts.name === false ? {} : { name: { type: 'string' } }),
          tags: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } },
        },
      },
      Owner: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
})

const pact = (consumer: string, body: unknown) => ({
  consumer: { name: consumer },
  provider: { name: 'Pets' },
  interactions: [
    {
      description: 'one pet',
      request: { method: 'get', path: '/v2/pets/7', query: 'view=full' },
      response: { status: 200, headers: { 'Content-Type': 'application/json' }, body },
    },
  ],
  metadata: { pactSpecification: { version: '2.0.0' } },
})

/** What a consumer declares where the test is about something else. */
const selection = { operations: [{ method: 'GET', path: '/pets/{petId}' }] }

onBothEngines('consumer contracts', (makeDb) => {
  let it: PetsProject
  const ask = (method: string, path: string, body?: unknown) => it.send(method, base + path, body)
  const publish = async (document: unknown): Promise<void> => {
    const { status, text } = await ask('POST', '/versions', { content: JSON.stringify(document) })
    expect([status, text.slice(0, 300)]).toEqual([201, text.slice(0, 300)])
    const label = (document as { info: { version: string } }).info.version
    expect((await ask('POST', `/versions/${label}/publish`)).status).toBe(200)
  }
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await publish(pets('1.0.0'))
    await publish(pets('1.1.0', { owners: false }))
  })
  afterAll(() => it.service.stop())

  test('a consumer is registered, found by handle and id, changed, and keeps its handle', async () => {
    const made = await ask('POST', '/consumers', { name: 'Shop Front', owner: 'Web', metadata: { tier: 1 } })
    expect([made.status, made.value.handle, made.value.name, made.value.metadata]).toEqual([
      201,
      'shop-front',
      'Shop Front',
      { tier: 1 },
    ])
    const again = await ask('POST', '/consumers', { name: 'shop front' })
    expect([again.status, again.value.detail?.code]).toEqual([409, 'consumer-handle-taken'])
    const nameless = await ask('POST', '/consumers', { name: '★' })
    expect([nameless.status, nameless.value.detail?.code]).toEqual([400, 'consumer-handle-invalid'])
    const patched = await ask('PATCH', '/consumers/shop-front', {
      name: 'Front',
      contact: 'web@pets.example',
      owner: null,
    })
    expect([patched.value.handle, patched.value.name, patched.value.contact, patched.value.owner]).toEqual([
      'shop-front',
      'Front',
      'web@pets.example',
      null,
    ])
    expect((await ask('PATCH', '/consumers/shop-front', { handle: 'other' })).status).toBe(422)
    const found = await ask('GET', `/consumers/${String(made.value.id)}`)
    expect(found.value).toMatchObject({ consumer: { handle: 'shop-front' }, contract: null, revisions_count: 0 })
    expect((await ask('GET', '/consumers/shop-front/contract')).value.detail?.code).toBe('contract-not-found')
    expect((await ask('GET', '/consumers/nobody')).value.detail?.code).toBe('consumer-not-found')
  })

  test('the surface names what may be declared', async () => {
    const { value } = await ask('GET', '/consumer-surface?version=1.0.0')
    expect([value.version_label, value.total]).toEqual(['1.0.0', 2])
    const [get, post] = value.operations as [Record<string, unknown>, Record<string, unknown>]
    expect(get).toMatchObject({
      method: 'GET',
      path: '/pets/{petId}',
      truncated: false,
      request: [],
      parameters: [
        { name: 'petId', in: 'path', type: 'integer', required: true },
        { name: 'view', in: 'query', type: 'string', required: false },
      ],
    })
    const [{ status, fields }] = get.responses as [{ status: string; fields: { field: string; type: string }[] }]
    expect([status, fields.map((one) => `${one.field}: ${one.type}`)]).toEqual([
      '200',
      ['id: integer', 'name: string', 'tags: array of object', 'tags[].label: string'],
    ])
    expect(post).toMatchObject({
      method: 'POST',
      request: [{ field: 'name', pointers: ['/components/schemas/Owner/properties/name'] }],
    })
    const found = (await ask('GET', '/consumer-surface?version=1.0.0&q=GET+pets')).value
    expect([found.total, (found.operations as { path: string }[]).map((it) => it.path)]).toEqual([1, ['/pets/{petId}']])
    expect((await ask('GET', '/consumer-surface?version=1.0.0&q=get+owners')).value.total).toBe(0)
    expect((await ask('GET', '/consumer-surface')).value.version_label).toBe('1.1.0')
    expect((await ask('GET', '/consumer-surface?version=9')).value.detail?.code).toBe('version-not-found')
  })

  test('a selection is resolved to pointers; what is missing is listed with its reason', async () => {
    const chosen = {
      operations: [
        {
          method: 'get',
          path: '/pets/{id}',
          responses: { '200': ['id', 'tags[].label', 'tags.label', 'nope'], '404': ['code'] },
          parameters: ['view', 'page'],
        },
        { method: 'POST', path: '/owners', request: ['name'] },
        { method: 'PUT', path: '/pets/{petId}' },
        { method: 'GET', path: '/dogs' },
      ],
    }
    await ask('POST', '/consumers', { name: 'Chooser' })
    const { status, value } = await ask('PUT', '/consumers/chooser/contract', chosen)
    expect(status).toBe(201)
    const contract = value.contract as Record<string, unknown>
    expect(contract).toMatchObject({
      revision: 1,
      source: 'selection',
      version_label: '1.1.0',
      operations_count: 1,
      fields_count: 2,
      parameters_count: 1,
      operations: [
        {
          method: 'GET',
          path: '/pets/{petId}',
          pointer: '/paths/~1pets~1{petId}/get',
          responses: [
            {
              status: '200',
              declared: '200',
              fields: [
                { field: 'id', pointers: ['/components/schemas/Pet/properties/id'] },
                { field: 'tags[].label', pointers: ['/components/schemas/Pet/properties/tags/items/properties/label'] },
              ],
            },
          ],
          parameters: [{ name: 'view', in: 'query', pointer: '/paths/~1pets~1{petId}/get/parameters/1' }],
        },
      ],
    })
    const reasons = (value.unresolved as { reason: string; field: string | null; status: string | null }[]).map(
      (one) => [one.reason, one.field, one.status],
    )
    expect(reasons).toEqual([
      ['parameter-not-found', 'page', null],
      ['field-not-found', 'tags.label', '200'],
      ['field-not-found', 'nope', '200'],
      ['status-not-declared', null, '404'],
      ['operation-retired', null, null],
      ['method-not-found', null, null],
      ['operation-not-found', null, null],
    ])
    expect((await ask('PUT', '/consumers/chooser/contract', { operations: [], pointers: ['/x'] })).status).toBe(422)
  })

  test('a Pact registers its consumer; its keys, query and status are resolved at the newest version', async () => {
    const { status, value } = await ask('POST', '/consumer-pact-imports', {
      pact: pact('Pet Mobile App', { id: 7, name: 'Rex', tags: [{ label: 'good', colour: 'brown' }] }),
    })
    expect(status).toBe(201)
    expect(value).toMatchObject({
      consumer: { handle: 'pet-mobile-app', name: 'Pet Mobile App' },
      contract: { revision: 1, source: 'pact', origin: { specification: '2.0.0', provider: 'Pets', interactions: 1 } },
      unresolved: [{ reason: 'field-not-found', interaction: 'one pet', field: 'tags[].colour', status: '200' }],
    })
    const second = await ask('POST', '/consumer-pact-imports', {
      pact: `\uFEFF${JSON.stringify(pact('Anything', { id: 1 }))}`,
      consumer_slug: 'pet-mobile-app',
      version: '1.0.0',
    })
    expect(second.value).toMatchObject({ contract: { revision: 2, version_label: '1.0.0' }, unresolved: [] })
    const first = await ask('GET', '/consumers/pet-mobile-app/contract?revision=1')
    expect(first.value).toMatchObject({ revision: 1, unresolved_count: 1 })
    const none = await ask('GET', '/consumers/pet-mobile-app/contract?revision=9')
    expect(none.value.detail?.code).toBe('contract-not-found')
    const { value: list } = await ask('GET', '/consumers/pet-mobile-app/contract-revisions?limit=1')
    expect([(list.revisions as { revision: number }[]).map((one) => one.revision), list.total]).toEqual([[2], 2])
  })

  test('what is no Pact is refused by name, and a Pact that fits nothing stores an empty surface', async () => {
    for (const wrong of [{}, { interactions: 5 }, '{"a":', '[]', { consumer: {}, interactions: [] }]) {
      const { status, value } = await ask('POST', '/consumer-pact-imports', { pact: wrong })
      expect([status, value.detail?.code]).toEqual([422, Array.isArray(wrong) ? undefined : 'pact-invalid'])
    }
    const elsewhere = {
      consumer: { name: 'Lost' },
      interactions: [{ description: 'x', request: { method: 'GET', path: '/nowhere' }, response: { status: 200 } }],
    }
    const { status, value } = await ask('POST', '/consumer-pact-imports', { pact: elsewhere })
    expect([status, value.contract]).toMatchObject([201, { operations: [], operations_count: 0, unresolved_count: 1 }])
  })

  test('the list has the newest first, each with its contract in short or null', async () => {
    await it.send('POST', '/v1/tenants/local/projects', { name: 'Listed' })
    const listed = (method: string, path: string, body?: unknown) =>
      it.send(method, base.replace('/pets', '/listed') + path, body)
    await listed('POST', '/versions', { content: JSON.stringify(pets('1.0.0')) })
    await listed('POST', '/versions/1.0.0/publish')
    for (const [name, revisions] of [
      ['First', 1],
      ['Second', 2],
      ['Silent', 0],
    ] as const) {
      await listed('POST', '/consumers', { name })
      for (let n = 0; n < revisions; n++) await listed('PUT', `/consumers/${name.toLowerCase()}/contract`, selection)
    }
    const { value } = await listed('GET', '/consumers')
    const seen = (value.consumers as { handle: string; contract: { revision: number } | null }[]).map((one) => [
      one.handle,
      one.contract?.revision ?? null,
    ])
    expect(seen).toEqual([
      ['silent', null],
      ['second', 2],
      ['first', 1],
    ])
    expect([value.count, value.total]).toEqual([3, 3])
  })

  test('writers at once: every revision stands, in order', async () => {
    await ask('POST', '/consumers', { name: 'Busy' })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask('PUT', '/consumers/busy/contract', selection)),
    )
    const numbers = answers.map((one) => (one.value.contract as { revision: number }).revision)
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    const { value } = await ask('GET', '/consumers/busy')
    expect(value).toMatchObject({ contract: { revision: 6 }, revisions_count: 6 })
  })

  test('retired while its contract is written: every writer has a named answer, and nothing is lost', async () => {
    const { value: made } = await ask('POST', '/consumers', { name: 'Hunted' })
    const write = () => ask('PUT', '/consumers/hunted/contract', selection)
    const first = [write(), write()]
    const [gone, ...written] = await Promise.all([ask('DELETE', '/consumers/hunted'), ...first, write(), write()])
    expect(gone?.status).toBe(204)
    const answers = written.map((one) => `${one.status} ${one.value.detail?.code ?? ''}`.trim())
    const named = ['201', '404 consumer-not-found', '409 consumer-retired']
    expect(answers.filter((one) => !named.includes(one))).toEqual([])
    const stands = answers.filter((one) => one === '201').length
    const { value } = await ask('GET', `/consumers/${String(made.id)}/contract-revisions`)
    const revisions = (value.revisions as { revision: number }[]).map((one) => one.revision)
    expect(revisions).toEqual(Array.from({ length: stands }, (_, at) => stands - at))
    // A new consumer with this handle starts from the beginning.
    expect((await ask('POST', '/consumers', { name: 'Hunted' })).status).toBe(201)
    expect((await ask('GET', '/consumers/hunted/contract-revisions')).value.total).toBe(0)
    expect((await ask('GET', '/consumers/hunted/contract')).value.detail?.code).toBe('contract-not-found')
    expect((await ask('DELETE', '/consumers/hunted')).status).toBe(204)
  })

  test('a retired consumer frees its handle, keeps its revisions, and takes no more', async () => {
    const id = String((await ask('POST', '/consumers', { name: 'Leaving' })).value.id)
    for (let n = 0; n < 2; n++) await ask('PUT', '/consumers/leaving/contract', selection)
    expect((await ask('DELETE', '/consumers/leaving')).status).toBe(204)
    expect((await ask('GET', '/consumers/leaving')).status).toBe(404)
    const kept = await ask('GET', `/consumers/${id}/contract-revisions`)
    expect(kept.value.total).toBe(2)
    const late = await ask('PUT', `/consumers/${id}/contract`, { operations: [] })
    expect([late.status, late.value.detail?.code]).toEqual([409, 'consumer-retired'])
    expect((await ask('PATCH', `/consumers/${id}`, { name: 'X' })).value.detail?.code).toBe('consumer-retired')
    expect((await ask('DELETE', `/consumers/${id}`)).status).toBe(204)
    expect((await ask('POST', '/consumers', { name: 'Leaving' })).status).toBe(201)
    expect((await ask('GET', `/consumers/${id}/contract-revisions`)).value.total).toBe(2)
  })

  test('an Editor may declare and not retire; a Viewer may look', async () => {
    const editor = await addUser(it.service.deps.db, 'editor')
    const viewer = await addUser(it.service.deps.db, 'viewer')
    await addMember(it.service.deps.db, it.tenantId, editor, 'editor')
    await addMember(it.service.deps.db, it.tenantId, viewer, 'viewer')
    const as = async (user: string, method: string, path: string, body?: unknown) => {
      const { token } = await it.service.identity.tokens.issue(user)
      const headers = { authorization: `Bearer ${token}`, 'x-api-key': '' }
      const { 'x-api-key': _, ...bearer } = headers
      const request = new Request(`http://localhost${base}${path}`, {
        method,
        headers: { ...bearer, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return (await it.service.handle(request)).status
    }
    expect([
      await as(editor, 'POST', '/consumers', { name: 'Made by an editor' }),
      await as(editor, 'DELETE', '/consumers/made-by-an-editor'),
      await as(viewer, 'GET', '/consumers'),
      await as(viewer, 'POST', '/consumers', { name: 'No' }),
      await as(viewer, 'PUT', '/consumers/silent/contract', { operations: [] }),
    ]).toEqual([201, 403, 200, 403, 403])
    const other = await addTenant(it.service.deps.db, 'elsewhere')
    expect(other).not.toBe(it.tenantId)
  })

  test('a Pact whose values contradict the specification is imported with warnings, and never answered with yes', async () => {
    const { status, value } = await ask('POST', '/consumer-pact-imports', {
      pact: pact('Contradictor', { id: 'seven' }),
      consumer_slug: 'contradictor',
    })
    const warning = {
      code: 'value-mismatch',
      interaction: 'one pet',
      method: 'GET',
      path: '/pets/{petId}',
      location: 'response',
      status: '200',
      field: 'id',
      message: 'The field "id" of the response 200 must be an integer, but is "seven".',
    }
    expect([status, value.unresolved, value.warnings]).toEqual([201, [], [warning]])
    const { value: verdict } = await ask('GET', '/consumers/contradictor/can-i-deploy')
    expect([verdict.answer, verdict.reasons, verdict.warnings]).toEqual(['unknown', [], [warning]])
    expect(String(verdict.missing)).toContain('must be an integer, but is "seven"')
  })

  test('a Pact of another version is refused by its version', async () => {
    for (const version of ['5.0.0', '0.9.0', 'banana']) {
      const other = { ...pact('Later', { id: 1 }), metadata: { pactSpecification: { version } } }
      const { status, value } = await ask('POST', '/consumer-pact-imports', { pact: other })
      expect([status, value.detail?.code, JSON.stringify(value.detail).includes(version)]).toEqual([
        422,
        'pact-invalid',
        true,
      ])
    }
  })
})
