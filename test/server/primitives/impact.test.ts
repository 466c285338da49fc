import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const types = '/v1/primitives/local'
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

interface Impact {
  readonly verdict: string
  readonly revision: number
  readonly direct: { primitives: number; versions: number }
  readonly transitive: { primitives: number; versions: number }
  readonly counts: Record<string, number>
  readonly versions: readonly {
    version: string
    status: string
    direct: boolean
    directions: string[]
    verdict: string
    witness: { value: unknown; acceptedBy: string } | null
    operations: string[]
    consumers: string[]
    changes: { id: string }[]
  }[]
  readonly primitives: readonly { ref: string; depth: number; verdict: string }[]
  readonly not_considered: readonly unknown[]
}

/** A description that receives one type and sends another one. */
const description = (version: string, receives: string, sends: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version },
  paths: {
    '/pets': {
      get: { responses: { '200': { description: 'ok', ...json({ $ref: sends }) } } },
      post: { requestBody: json({ $ref: receives }), responses: { '204': { description: 'ok' } } },
    },
  },
})

onBothEngines('what a new schema of a type breaks', (makeDb) => {
  let it: PetsProject
  let amount: string
  const create = async (name: string, schema: unknown, more: object = {}) => {
    const answer = await it.send('POST', types, { namespace: 'shop', name, schema, ...more })
    expect([name, answer.status]).toEqual([name, 200])
    return String(answer.value['id'])
  }
  const impact = async (schema: unknown, id = amount) => {
    const answer = await it.send('POST', `${types}/${id}/impact`, { schema })
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    return answer.value as unknown as Impact
  }
  const brief = ({ versions }: Impact) =>
    versions.map(({ version, directions, verdict, operations }) => [version, verdict, ...directions, ...operations])

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    amount = await create('Amount', { type: 'integer', minimum: 0, maximum: 100 })
    await create('Price', { type: 'object', required: ['amount'], properties: { amount: { $ref: 'svc:shop/Amount' } } })
    await create('Other', { type: 'string' })
    const documents = {
      '1.0.0': ['svc:shop/Amount', 'svc:shop/Other'],
      '2.0.0': ['svc:shop/Other', 'svc:shop/Amount'],
      '3.0.0': ['svc:shop/Other', 'svc:shop/Price'],
      '4.0.0': ['svc:shop/Amount@1', 'svc:shop/Other'],
      '5.0.0': ['svc:shop/Other', 'svc:shop/Other'],
    }
    for (const [version, [receives = '', sends = '']] of Object.entries(documents))
      await it.send('POST', '', { content: JSON.stringify(description(version, receives, sends)) })
    for (const version of ['1.0.0', '2.0.0', '5.0.0'])
      expect([
        version,
        (await it.send('POST', `/${version}/publish`, { force: true, force_reason: 'test' })).status,
      ]).toEqual([version, 200])
    const consumer = await it.send('POST', '/v1/tenants/local/projects/pets/consumers', {
      handle: 'shop',
      name: 'Shop',
    })
    expect(consumer.status).toBe(201)
  })
  afterAll(() => it.service.stop())

  test('less than before breaks the versions that receive it, with a value that they refuse then', async () => {
    const found = await impact({ type: 'integer', minimum: 0, maximum: 50 })
    expect(brief(found)).toEqual([
      ['1.0.0', 'breaking', 'request', 'POST /pets'],
      ['2.0.0', 'safe', 'response', 'GET /pets'],
      ['3.0.0', 'safe', 'response', 'GET /pets'],
      ['4.0.0', 'safe'],
    ])
    expect(found.versions[0]?.witness).toMatchObject({ acceptedBy: 'base' })
    const { verdict, revision, direct, transitive, counts, not_considered: left } = found
    expect({ verdict, revision, direct, transitive, counts, left }).toEqual({
      verdict: 'breaking',
      revision: 1,
      direct: { primitives: 1, versions: 3 },
      transitive: { primitives: 0, versions: 1 },
      counts: { versions: 4, breaking: 1, unknown: 0, safe: 3 },
      left: [],
    })
    expect(found.primitives.map(({ ref, depth, verdict: own }) => [ref, depth, own])).toEqual([
      ['svc:shop/Price', 1, 'breaking'],
    ])
  })

  test('more than before breaks the versions that send it, through other types too', async () => {
    const found = await impact({ type: 'integer', minimum: 0 })
    expect(brief(found)).toEqual([
      ['2.0.0', 'breaking', 'response', 'GET /pets'],
      ['3.0.0', 'breaking', 'response', 'GET /pets'],
      ['1.0.0', 'safe', 'request', 'POST /pets'],
      ['4.0.0', 'safe'],
    ])
    expect(found.versions.map(({ status, direct }) => [status, direct])).toEqual([
      ['published', true],
      ['draft', false],
      ['published', true],
      ['draft', true],
    ])
  })

  test('the same values change nothing, and nothing is stored', async () => {
    const found = await impact({ maximum: 100, minimum: 0, type: 'integer', description: 'Cents' })
    expect([found.verdict, found.counts]).toEqual(['safe', { versions: 4, breaking: 0, unknown: 0, safe: 4 }])
    const unknown = await it.send('POST', `${types}/nothing/impact`, { schema: true })
    expect([unknown.status, unknown.value.detail?.code]).toEqual([404, 'primitive-not-found'])
    const invalid = await it.send('POST', `${types}/${amount}/impact`, { schema: { type: 'integr' } })
    expect([invalid.status, invalid.value.detail?.code]).toEqual([422, 'primitive-schema-invalid'])
    expect((await it.send('GET', `${types}/${amount}`)).value['revision']).toBe(1)
    expect(it.faults).toEqual([])
  })
})
