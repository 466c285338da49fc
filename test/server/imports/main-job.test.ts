import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importsApi, type ImportRequest } from '../../../src/api/imports.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { lintApi } from '../../../src/api/lint.ts'
import { digestText } from '../../../src/document/serialize.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const petstore = `openapi: 3.1.0
info: { title: Pet Store, version: 1.0.0, description: Pets., contact: { name: Team } }
servers: [{ url: https://pets.example.com }]
tags: [{ name: pets, description: Pets. }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      summary: One pet
      description: A pet.
      tags: [pets]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components:
  schemas:
    Pet: { type: object, required: [name], properties: { name: { type: string } } }
`

onBothEngines('the main job', (makeDb) => {
  let it: TestService
  beforeAll(async () => {
    it = await startService(await makeDb())
  })
  afterAll(() => it.service.stop())

  const run = async (content: string, options: Partial<ImportRequest> = {}) => {
    const params = { tenant_slug: it.tenant }
    const body = { source: { kind: 'inline' as const, name: 'pets.yaml', content }, ...options }
    const job = await it.call(importsApi.create, { params, body })
    expect(job.status).toBe('queued')
    return it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  }
  test('an accepted import says where its job is', async () => {
    const body = JSON.stringify({ source: { kind: 'inline', name: 'pets.yaml', content: petstore }, dry_run: true })
    const headers = { 'content-type': 'application/json' }
    const answer = await it.ask(`/v1/tenants/${it.tenant}/imports`, { method: 'POST', headers, body })
    const { job_id } = (await answer.json()) as { job_id: string }
    expect([answer.status, answer.headers.get('location')]).toEqual([202, `/v1/imports/${job_id}`])
    const location = answer.headers.get('location') ?? ''
    expect((await it.ask(`${location}?wait=20`, {})).status).toBe(200)
    // A number is written as in JSON.
    const statuses = ['5e-8', '1E1', '0.5', '1e999', '31', '+5', '0x5', '.5', '5.'].map(async (wait) => [
      wait,
      (await it.ask(`${location}?wait=${encodeURIComponent(wait)}`, {})).status,
    ])
    expect(await Promise.all(statuses)).toEqual([
      ['5e-8', 200],
      ['1E1', 200],
      ['0.5', 200],
      ['1e999', 422],
      ['31', 422],
      ['+5', 422],
      ['0x5', 422],
      ['.5', 422],
      ['5.', 422],
    ])
  })

  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => (error instanceof SvcError ? error.code : error),
    )

  test('a dry run plans and stores nothing', async () => {
    const job = await run(petstore, { dry_run: true, publish: 'public' })
    expect([job.status, job.result, job.plan, job.lint?.grade]).toEqual([
      'completed',
      null,
      {
        project: { action: 'create', slug: 'pet-store', name: 'Pet Store' },
        version: { action: 'create', label: '1.0.0', slug: '1.0.0' },
        publish: 'public',
        operations: 1,
        classes: 1,
      },
      'A',
    ])
    expect((await it.call(projectsApi.list, { params: { tenant_slug: it.tenant } })).total).toBe(0)
  })

  test('import, publish, list, render', async () => {
    const job = await run(petstore, { publish: 'public' })
    expect([job.status, job.result?.project_slug, job.result?.version_slug, job.result?.unchanged]).toEqual([
      'completed',
      'pet-store',
      '1.0.0',
      false,
    ])
    const again = await run(petstore, { publish: 'public' })
    expect([again.status, again.result?.unchanged, again.result?.version_id]).toEqual([
      'completed',
      true,
      job.result?.version_id,
    ])
    const params = { tenant_slug: it.tenant, project_ref: 'pet-store', version_ref: 'latest' }
    const version = await it.call(versionsApi.get, { params })
    expect([
      version.status,
      version.visibility,
      version.grade,
      version.operations_count,
      version.provenance.source,
    ]).toEqual(['published', 'public', 'A', 1, 'pets.yaml'])
    const operations = await it.call(versionsApi.operations, { params })
    expect(operations.items.map((one) => one.ref)).toEqual(['GET /pets/{id}'])
    const lint = await it.call(lintApi.version, { params })
    expect([lint.grade.grade, lint.findings]).toEqual(['A', []])
    const document = await it.get(`/v1/tenants/${it.tenant}/projects/pet-store/versions/1.0.0/document`)
    expect(document.status).toBe(401)
  })

  test('what is published is served to everyone with a strong ETag', async () => {
    const first = await it.get('/v1/schema/local/pet-store/1.0.0')
    const etag = first.headers.get('etag') ?? ''
    expect([
      first.status,
      /^"[0-9a-f]{64}"$/.test(etag),
      ((await first.json()) as { openapi: string }).openapi,
    ]).toEqual([200, true, '3.1.0'])
    const second = await it.get('/v1/schema/local/pet-store/latest', { 'if-none-match': etag })
    expect([second.status, await second.text()]).toEqual([304, ''])
  })

  test('an invalid document fails with places, and stores nothing', async () => {
    const job = await run(petstore.replace('info: { title: Pet Store, version: 1.0.0,', 'info: { title: Broken,'))
    expect([job.status, job.error?.code, job.result]).toEqual(['failed', 'document-invalid', null])
    expect(job.error?.message).toContain('pets.yaml:2:7')
    const { items } = await it.call(projectsApi.list, { params: { tenant_slug: it.tenant } })
    expect(items.map((project) => project.slug)).toEqual(['pet-store'])
  })

  test('a document of another kind never takes the place of a draft', async () => {
    await run(petstore, { version: '7.0.0' })
    const schema = JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'x',
      type: 'object',
    })
    const job = await run(schema, {
      version: '7.0.0',
      project_slug: 'pet-store',
      format: 'json-schema',
      source: { kind: 'inline', name: 'x.json', content: schema },
    })
    expect([job.status, job.error?.code]).toEqual(['failed', 'version-label-taken'])
  })

  test('a text of no known format is refused as that', async () => {
    const job = await run('name: nothing we know\n')
    expect([job.status, job.error?.code, job.error?.message]).toEqual([
      'failed',
      'format-unknown',
      'The format of pets.yaml is not recognized.',
    ])
  })

  test('a threshold that is missed blocks', async () => {
    const job = await run(
      petstore
        .replace('title: Pet Store', 'title: Poor')
        .replace('description: Pets., contact: { name: Team }', 'x: 1')
        .replaceAll('x: 1', 'x-a: 1'),
      { fail_on: 'warning' },
    )
    expect([job.status, job.gate?.passed, job.gate?.reasons]).toEqual([
      'blocked',
      false,
      ['2 findings are "warning" or worse.'],
    ])
  })

  test('published content never changes; a draft does', async () => {
    const changed = await run(petstore.replace('summary: One pet', 'summary: Exactly one pet'))
    expect([changed.status, changed.error?.code]).toEqual(['failed', 'version-published'])
    const draft = await run(petstore.replace('version: 1.0.0', 'version: 1.1.0'))
    const edited = await run(
      petstore.replace('version: 1.0.0', 'version: 1.1.0').replace('summary: One pet', 'summary: Any pet'),
    )
    expect([edited.plan?.version.action, edited.result?.version_id]).toEqual([
      'update',
      draft.result?.version_id ?? 'no',
    ])
    expect(draft.plan?.replaces).toBeUndefined()
    expect(edited.plan?.replaces).toEqual({
      digest: digestText(petstore.replace('version: 1.0.0', 'version: 1.1.0')),
      source: 'pets.yaml',
      operations: draft.plan?.operations ?? -1,
      classes: draft.plan?.classes ?? -1,
      updated_at: expect.any(String),
    })
    const params = { tenant_slug: it.tenant, project_ref: 'pet-store', version_ref: '1.1.0' }
    expect(await codeOf(it.call(versionsApi.publish, { params, body: { force: true } }))).toBe('force-needs-reason')
    expect(await codeOf(it.call(versionsApi.publish, { params, body: { expected_digest: 'sha256:0' } }))).toBe(
      'document-changed',
    )
    const published = await it.call(versionsApi.publish, { params, body: {} })
    expect([
      published.version.status,
      published.version.visibility,
      published.gates.every((gate) => gate.status !== 'fail'),
    ]).toEqual(['published', 'private', true])
    expect(await codeOf(it.call(versionsApi.publish, { params, body: {} }))).toBe('version-transition')
    expect(await codeOf(it.call(versionsApi.remove, { params }))).toBe('version-published')
    expect((await it.get('/v1/schema/local/pet-store/1.1.0')).status).toBe(401)
    const deprecated = await it.call(versionsApi.deprecate, {
      params: { ...params, version_ref: '1.0.0' },
      body: { sunset_at: '2030-01-01T00:00:00Z' },
    })
    expect(deprecated.status).toBe('deprecated')
    const old = await it.get('/v1/schema/local/pet-store/1.0.0')
    expect([old.headers.get('deprecation')?.startsWith('@'), old.headers.get('sunset')]).toEqual([
      true,
      'Tue, 01 Jan 2030 00:00:00 GMT',
    ])
  })

  test('an address that is not public is refused by the guard', async () => {
    const params = { tenant_slug: it.tenant }
    const body = { source: { kind: 'url' as const, url: 'http://169.254.169.254/latest' } }
    const job = await it.call(importsApi.create, { params, body })
    const ended = await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
    expect([ended.status, ended.error?.code]).toEqual(['failed', 'egress-denied'])
  })

  test('an idempotency key gives the same job, and refuses another request', async () => {
    const params = { tenant_slug: it.tenant }
    const source = { kind: 'inline' as const, content: petstore.replace('Pet Store', 'Twice') }
    const headers = { 'idempotency-key': 'k1' }
    const one = await it.call(importsApi.create, { params, headers, body: { source } })
    const two = await it.call(importsApi.create, { params, headers, body: { source } })
    expect(two.job_id).toBe(one.job_id)
    expect(await codeOf(it.call(importsApi.create, { params, headers, body: { source, dry_run: true } }))).toBe(
      'idempotency-key-reused',
    )
  })

  test('nothing of this was a fault', () => expect(it.faults).toEqual([]))
})
