import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importsApi, type ImportJob, type ImportRequest } from '../../../src/api/imports.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const pets = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: { /pets: { get: { operationId: listPets, responses: { '200': { description: ok } } } } }
components: { schemas: { Pet: { type: object } } }
`
const flow = (summary: string): string => `arazzo: 1.0.1
info: { title: Pets, version: 1.0.0 }
sourceDescriptions: [{ name: pets, url: ./pets.yaml, type: openapi }]
workflows:
  - workflowId: look
    summary: ${summary}
    steps: [{ stepId: list, operationId: listPets }]
`
const owner = JSON.stringify(
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Owner',
    type: 'object',
    properties: {
      address: { $ref: '#/$defs/Address' },
      friend: { $ref: '#' },
      age: { type: 'integer', minimum: 0 },
    },
    $defs: { Address: { type: 'object', properties: { street: { type: 'string' } } } },
  },
  null,
  2,
)

onBothEngines('joining a version', (makeDb) => {
  let it: TestService
  let versionId = ''
  beforeAll(async () => {
    it = await startService(await makeDb())
    versionId = (await run(pets, 'pets.yaml')).result?.version_id ?? ''
  })
  afterAll(() => it.service.stop())

  const run = async (content: string, name: string, rest: Partial<ImportRequest> = {}): Promise<ImportJob> => {
    const body = { source: { kind: 'inline' as const, name, content }, ...rest }
    const job = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
    return it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  }
  const read = async (path: string) => {
    const answer = await it.ask(`/v1/${path}/${it.tenant}/pets/1.0.0`, {})
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const params = () => ({ tenant_slug: it.tenant, project_ref: 'pets', version_ref: versionId })

  test('workflows stand beside the API', async () => {
    expect((await read('arazzo')).status).toBe(404)
    const dry = await run(flow('one'), 'flow.yaml', { version_id: versionId, dry_run: true })
    expect(dry.plan).toEqual({
      project: { action: 'keep', slug: 'pets', name: 'Pets' },
      version: { action: 'update', label: '1.0.0', slug: '1.0.0' },
      publish: null,
      operations: 0,
      classes: 0,
      joined: { action: 'create', kind: 'arazzo', name: 'Pets', classes: [] },
    })
    const job = await run(flow('one'), 'flow.yaml', { version_id: versionId })
    expect([job.status, job.result?.version_id, job.result?.unchanged]).toEqual(['completed', versionId, false])
    expect((await read('arazzo')).body).toMatchObject({ workflows: [{ workflowId: 'look', summary: 'one' }] })
    expect((await read('schema')).body).toMatchObject({ openapi: '3.1.0', paths: { '/pets': {} } })
    expect((await run(flow('one'), 'flow.yaml', { version_id: versionId })).result?.unchanged).toBe(true)
    const again = await run(flow('two'), 'flow.yaml', { version_id: versionId })
    expect(again.plan?.joined?.action).toBe('update')
    expect((await read('arazzo')).body).toMatchObject({ workflows: [{ summary: 'two' }] })
  })

  test('schemas become classes', async () => {
    const whole = await run(owner, 'owner.json', { version_id: versionId, as: 'schema' })
    expect(whole.plan?.joined).toEqual({
      action: 'create',
      kind: 'json-schema',
      name: 'Owner',
      classes: ['Owner', 'Address'],
    })
    const { $defs } = (await read('json')).body as { $defs: Record<string, unknown> }
    expect(Object.keys($defs).toSorted()).toEqual(['Address', 'Owner', 'Pet'])
    const taken = await run(owner, 'owner.json', { version_id: versionId, as: 'property', name: 'Keeper' })
    expect([taken.status, taken.error?.code]).toEqual(['failed', 'class-taken'])
    const version = await it.call(versionsApi.get, { params: params() })
    expect([version.classes_count, version.joined.map((one) => [one.kind, one.provenance.source])]).toEqual([
      3,
      [
        ['arazzo', 'flow.yaml'],
        ['json-schema', 'owner.json'],
      ],
    ])
  })

  test('each property becomes a class; the description is that of the schema', async () => {
    const scalars =
      '{ "type": "object", "properties": { "sku": { "type": "string" }, "count": { "type": "integer" } } }'
    const job = await run(scalars, 'stock.json', {
      version_id: versionId,
      as: 'properties',
      name: 'Stock',
      description: 'What is there.',
    })
    expect(job.plan?.joined).toMatchObject({ name: 'Stock', classes: ['sku', 'count'] })
    const schemas = ((await read('schema')).body.components as { schemas: Record<string, unknown> }).schemas
    expect([schemas.sku, schemas.count]).toEqual([{ type: 'string' }, { type: 'integer' }])
  })

  test('findings of a shaped schema point into the schema as it was sent', async () => {
    const bad = '{\n  "type": "object",\n  "properties": {\n    "a": { "type": 7 }\n  }\n}\n'
    const job = await run(bad, 'bad.json', { version_id: versionId, as: 'properties' })
    expect([job.status, job.error?.message.includes('bad.json:4:20')]).toEqual(['failed', true])
  })

  test('what cannot join', async () => {
    const codes: unknown[] = []
    for (const [content, name, rest] of [
      [flow('x'), 'flow.yaml', { version_id: 'nothing' }],
      ['swagger: "2.0"\ninfo: { title: S, version: "1" }\npaths: {}\n', 's.yaml', { version_id: versionId }],
      [pets, 'pets.yaml', { as: 'schema' }],
    ] as const)
      codes.push((await run(content, name, rest)).error?.code)
    expect(codes).toEqual(['version-not-found', 'version-label-taken', 'source-refused'])
    await it.call(versionsApi.publish, { params: params(), body: {} })
    const late = await run(flow('three'), 'flow.yaml', { version_id: versionId })
    expect([late.status, late.error?.code]).toEqual(['failed', 'version-published'])
    expect((await run(flow('two'), 'flow.yaml', { version_id: versionId })).result?.unchanged).toBe(true)
  })

  test('a version that is made from another has what joined it', async () => {
    const params = { tenant_slug: it.tenant, project_ref: 'pets' }
    const made = await it.call(versionsApi.create, { params, body: { label: '2.0.0', from: versionId } })
    expect([made.classes_count, made.joined.map(({ kind }) => kind)]).toEqual([
      5,
      ['arazzo', 'json-schema', 'json-schema'],
    ])
  })

  test('a schema of its own, in the shape of its properties', async () => {
    const job = await run(owner, 'owner.json', { as: 'properties', name: 'Parts' })
    expect([job.status, job.result?.project_slug, job.plan?.classes]).toEqual(['completed', 'parts', 5])
    const answer = await it.ask(`/v1/json/${it.tenant}/parts/1.0.0`, {})
    const { $defs } = (await answer.json()) as { $defs: Record<string, unknown> }
    expect($defs).toMatchObject({
      address: { $ref: '#/$defs/Address' },
      friend: { $ref: '#/$defs/Parts' },
      age: { type: 'integer', minimum: 0 },
      Address: { type: 'object' },
    })
  })

  test('nothing of this was a fault', () => {
    expect(it.faults).toEqual([])
  })
})
