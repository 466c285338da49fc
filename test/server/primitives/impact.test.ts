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

  test('of many types that use one the nearest are compared, as far as references are followed', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`M${at}`, { properties: { a: { $ref: 'svc:shop/Wide' } } }]),
    )
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `C${at}`,
        { properties: { next: { $ref: `#/types/C${(at + 1) % 60}` }, n: { type: 'integer' } } },
      ]),
    )
    const wide = await create('Wide', { type: 'integer' })
    for (const [namespace, all] of Object.entries({ many, chain })) {
      const body = { source_kind: 'type-def-bundle', document: { types: all }, namespace }
      expect((await it.send('POST', `${types}/import`, body)).status).toBe(200)
    }
    const found = await impact({ type: 'integer', minimum: 1 }, wide)
    expect([found.direct.primitives, found.primitives.length, found.verdict]).toEqual([300, 200, 'breaking'])
    expect(found.not_considered).toEqual([
      { name: '100 types', reason: '300 types use it; the nearest 200 were compared' },
    ])
    const first = await it.send('GET', `${types}/resolve?ref=svc:chain/C0`)
    const { id } = first.value['primitive'] as { id: string }
    const ring = await impact({ properties: { next: { $ref: 'svc:chain/C1' }, n: { type: 'string' } } }, id)
    expect([ring.direct.primitives, ring.transitive.primitives, ring.primitives.at(-1)?.depth]).toEqual([1, 31, 32])
    expect(ring.not_considered).toEqual([
      { name: 'types', reason: 'more than 32 references away, which no document follows' },
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

  test('the consumers that it breaks are named, and no others', async () => {
    const content = JSON.stringify(description('6.0.0', 'svc:shop/Price', 'svc:shop/Price'))
    expect((await it.send('POST', '', { content })).status).toBe(201)
    const project = '/v1/tenants/local/projects/pets'
    const declare = async (handle: string, operation: object) => {
      await it.send('POST', `${project}/consumers`, { handle, name: handle })
      const path = `${project}/consumers/${handle}/contract?version=6.0.0`
      const { status, value } = await it.send('PUT', path, { operations: [{ path: '/pets', ...operation }] })
      expect([status, value['unresolved']]).toEqual([201, []])
    }
    await declare('writer', { method: 'POST', request: ['amount'] })
    await declare('reader', { method: 'GET', responses: { '200': ['amount'] } })
    await declare('caller', { method: 'GET', responses: { '200': [] } })
    const consumersOf = async (schema: object) => {
      const { versions } = await impact({ type: 'integer', ...schema })
      return Object.fromEntries(versions.map(({ version, consumers }) => [version, consumers.join()]))
    }
    const none = { '1.0.0': '', '2.0.0': '', '3.0.0': '', '4.0.0': '', '6.0.0': '' }
    // What is received allows less; what is sent more. The whole body of 1.0.0 and of 2.0.0 is the type.
    expect(await consumersOf({ minimum: 0, maximum: 50 })).toEqual({ ...none, '1.0.0': 'writer', '6.0.0': 'writer' })
    expect(await consumersOf({ minimum: 0 })).toEqual({
      ...none,
      '2.0.0': 'caller,reader',
      '3.0.0': 'reader',
      '6.0.0': 'reader',
    })
    expect(await consumersOf({ minimum: 0, maximum: 100, title: 'Cents' })).toEqual(none)
  })
})
