/** Mutations of a version under contract: exactly that reason, exactly those consumers, in every answer. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey } from '../../fixtures/accounts.ts'
import { openPetsProject, petsBase, type PetsProject } from '../../fixtures/pets-project.ts'

const base = petsBase.replace('/versions', '')
const text = { type: 'string' }

type Mutation = 'none' | 'operation' | 'status' | 'field' | 'optional-field' | 'parameter' | 'words'

const pets = (version: string, mutation: Mutation) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version },
  paths: {
    '/pets': {
      get: {
        ...(mutation === 'words' ? { summary: 'Every pet' } : {}),
        parameters: (mutation === 'parameter' ? ['limit'] : ['limit', 'sort']).map((name) => ({
          name,
          in: 'query',
          schema: text,
        })),
        responses: {
          '200': {
            description: 'Pets',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            },
          },
          ...(mutation === 'status' ? {} : { '429': { description: 'Slow down' } }),
        },
      },
    },
    ...(mutation === 'operation'
      ? {}
      : {
          '/pets/{id}': {
            delete: {
              parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
              responses: { '204': { description: 'Gone' } },
            },
          },
        }),
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: mutation === 'field' ? ['id'] : ['id', 'name'],
        properties: {
          id: text,
          ...(mutation === 'field' ? {} : { name: text }),
          ...(mutation === 'optional-field' ? {} : { nick: text }),
        },
      },
    },
  },
})

const uses: Readonly<Record<string, object>> = {
  reader: { method: 'GET', path: '/pets', responses: { '200': ['[].id', '[].name'] } },
  nicknamer: { method: 'GET', path: '/pets', responses: { '200': ['[].nick'] } },
  sorter: { method: 'GET', path: '/pets', responses: { '200': ['[].id'] }, parameters: ['sort'] },
  waiter: { method: 'GET', path: '/pets', responses: { '429': [] } },
  deleter: { method: 'DELETE', path: '/pets/{id}', responses: { '204': [] } },
}

/** By mutation, who breaks and why. */
const expected: readonly (readonly [Mutation, Readonly<Record<string, string>>])[] = [
  ['none', {}],
  ['words', {}],
  ['operation', { deleter: 'operation-retired' }],
  ['status', { waiter: 'status-not-declared' }],
  ['field', { reader: 'field-removed' }],
  ['optional-field', { nicknamer: 'field-removed' }],
  ['parameter', { sorter: 'parameter-not-found' }],
]

onBothEngines('impact on consumers', (makeDb) => {
  let it: PetsProject
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    it.send(method, base + path, body, headers)
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await ask('POST', '/versions', { content: JSON.stringify(pets('1.0.0', 'none')) })
    expect((await ask('POST', '/versions/1.0.0/publish')).status).toBe(200)
    for (const [name, operation] of Object.entries(uses)) {
      await ask('POST', '/consumers', { name })
      const { value } = await ask('PUT', `/consumers/${name}/contract`, { operations: [operation] })
      expect(value.unresolved).toEqual([])
    }
    await ask('POST', '/consumers', { name: 'silent' })
    for (const [at, [mutation]] of expected.entries()) {
      const content = JSON.stringify(pets(`2.0.0-${mutation}.${at}`, mutation))
      expect((await ask('POST', '/versions', { content })).status).toBe(201)
    }
  })
  afterAll(() => it.service.stop())

  for (const [at, [mutation, broken]] of expected.entries()) {
    const label = `2.0.0-${mutation}.${at}`
    test(`mutation: ${mutation}`, async () => {
      const { value, status } = await it.send('POST', '/v1/diff/local/classified', {
        base: { project: 'pets', version: '1.0.0' },
        head: { project: 'pets', version: label },
        consumers: true,
      })
      expect(status).toBe(200)
      const report = value.consumers as {
        counts: { broken: number }
        consumers: { handle: string; status: string; reasons: { reason: string }[]; changes: string[] }[]
      }
      const seen = report.consumers.filter((one) => one.status === 'broken')
      expect(Object.fromEntries(seen.map((one) => [one.handle, one.reasons.map((r) => r.reason).join()]))).toEqual({
        ...broken,
      })
      expect(report.counts.broken).toBe(Object.keys(broken).length)
      expect(report.consumers.map((one) => one.handle)).toEqual(Object.keys(uses).toSorted())
      // The handles stand on the changes as well, and on those alone that touch what they use.
      const changes = value.changes as { fingerprint: string; consumers: string[] }[]
      for (const one of report.consumers)
        expect(changes.filter((change) => change.consumers.includes(one.handle)).map((c) => c.fingerprint)).toEqual(
          one.changes,
        )
      const { value: readiness } = await ask('GET', `/versions/${label}/publish-readiness`)
      const gate = (readiness.gates as { id: string; status: string; message: string }[]).find(
        (one) => one.id === 'consumer-impact',
      )
      const names = Object.keys(broken).join(', ')
      expect([gate?.status, gate?.message]).toEqual(
        names === ''
          ? ['pass', '5 consumers of 1.0.0 keep everything in use.']
          : ['warn', `1 consumer of 1.0.0 would break: ${names}.`],
      )
      for (const handle of Object.keys(uses)) {
        const { value: verdict } = await ask('GET', `/consumers/${handle}/can-i-deploy?version=${label}`)
        const reasons = (verdict.reasons as { reason: string }[]).map((one) => one.reason)
        expect([handle, verdict.answer, ...reasons]).toEqual(
          handle in broken ? [handle, 'no', broken[handle]] : [handle, 'yes'],
        )
      }
      const { value: silent } = await ask('GET', `/consumers/silent/can-i-deploy?version=${label}`)
      expect([silent.answer, silent.missing]).toEqual(['unknown', 'a contract: silent never declared what it uses'])
    })
  }

  test('whether a version can be deployed rests on changes too, of which words are none', async () => {
    const typed = pets('3.0.0', 'words')
    typed.components.schemas.Pet.properties.id = { type: 'integer' }
    expect((await ask('POST', '/versions', { content: JSON.stringify(typed) })).status).toBe(201)
    const verdict = async (consumer: string, version: string) => {
      const { value } = await ask('GET', `/consumers/${consumer}/can-i-deploy?version=${version}`)
      const changes = value['changes'] as { classification: string }[]
      return [value['answer'], changes.map((it) => it.classification)]
    }
    expect(await verdict('reader', '3.0.0')).toEqual(['no', ['breaking']])
    expect(await verdict('nicknamer', '3.0.0')).toEqual(['yes', []])
    expect(await verdict('reader', '1.0.0')).toEqual(['yes', []])
    expect(await verdict('reader', `2.0.0-words.${expected.findIndex(([name]) => name === 'words')}`)).toEqual([
      'yes',
      [],
    ])
  })

  test('markdown has a section on consumers where they are asked for', async () => {
    const markdown = async (mutation: number, consumers: boolean) =>
      (
        await it.send(
          'POST',
          '/v1/diff/local/classified',
          {
            base: { project: 'pets', version: '1.0.0' },
            head: { project: 'pets', version: `2.0.0-${expected[mutation]?.[0]}.${mutation}` },
            consumers,
          },
          { accept: 'text/markdown' },
        )
      ).text
    expect(await markdown(4, true)).toContain(`### Consumers

1 of 5 consumers would break.

#### Would break

- **reader** \`reader\`
  - GET /pets: the response 200 no longer has the field "\\[].name". \`field-removed\`
  - Required property \`Pet.name\` was removed \`schema-required-property-removed\`

Not affected: \`deleter\`, \`nicknamer\`, \`sorter\`, \`waiter\`.
`)
    expect(await markdown(0, true)).toContain('### Consumers\n\nNone of the 5 consumers is affected.\n')
    expect(await markdown(4, false)).not.toContain('### Consumers')
  })

  test('a key for comparisons alone compares, and is not told of consumers', async () => {
    const key = await addApiKey(it.service.deps.db, it.tenantId, { scopes: ['diff:read'] })
    const ask = async (consumers: boolean) => {
      const sides = { base: { project: 'pets', version: '1.0.0' }, head: { project: 'pets', version: 'latest' } }
      const { status, value } = await it.send(
        'POST',
        '/v1/diff/local/classified',
        { ...sides, consumers },
        { 'x-api-key': key },
      )
      return [status, value.detail ?? value.consumers ?? null]
    }
    expect(await ask(false)).toEqual([200, null])
    expect(await ask(true)).toMatchObject([403, { code: 'permission-denied', permission: 'consumer_contracts:view' }])
  })

  test('an inline head is asked about like a stored one', async () => {
    const { value } = await it.send('POST', '/v1/diff/local/classified', {
      base: { project: 'pets', version: 'latest' },
      head: { inline: JSON.stringify(pets('3.0.0', 'field')) },
      consumers: true,
    })
    expect((value.consumers as { counts: object }).counts).toEqual({ broken: 1, unknown: 0, touched: 0, unaffected: 4 })
  })

  test('a publication without a baseline has no impact, also with consumers', async () => {
    const initial = { changeReportBaselineMode: 'initial' }
    expect((await ask('POST', '/versions/3.0.0/publish', initial)).status).toBe(200)
  })
})
