/** What happens is reported: contracts that break, imports that end, reviews that are answered, with the declared bodies. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import type { Database } from '../../../db/database.ts'
import { enqueueJob } from '../../../db/jobs.ts'
import { jobs } from '../../../db/tables.gen.ts'
import { eq } from 'drizzle-orm'
import { reviewsApi } from '../../../src/api/reviews.ts'
import { webhookEvents, type WebhookEventType } from '../../../src/api/webhook-events.ts'
import { addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

type Body = { readonly type: WebhookEventType; readonly data: Record<string, unknown> }

/** The shape of a value: its keys, and kinds of values; null fits everything. */
const shapeOf = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? null
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]))

test('each example has the declared shape', () => {
  for (const [type, { schema, example }] of Object.entries(webhookEvents))
    expect([type, Value.Check(schema, example)]).toEqual([type, true])
})

onBothEngines('events of webhooks', (makeDb) => {
  let db: Database
  let it: PetsProject
  const imports = '/v1/tenants/local/imports'

  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    it.service.deps.wake()
  })
  afterAll(() => it.service.stop())

  const eventsOf = async (...types: WebhookEventType[]): Promise<Body[]> => {
    const { value } = await it.send(
      'GET',
      '/v1/push-webhook-subscriptions/local/events?since=2026-01-01T00:00:00Z&limit=100',
    )
    const all = (value['events'] as { payload: Body }[]).map(({ payload }) => payload)
    for (const payload of all)
      expect([payload.type, Value.Check(webhookEvents[payload.type].schema, payload)]).toEqual([payload.type, true])
    return all.filter(({ type }) => types.includes(type))
  }
  const runImport = async (body: object): Promise<string> => {
    const { value } = await it.send('POST', imports, body)
    const id = String(value['job_id'])
    await it.send('GET', `/v1/imports/${id}?wait=30`)
    return id
  }
  const inline = (content: string, more: object = {}) => ({
    source: { kind: 'inline', name: 'pets.yaml', content },
    project_slug: 'pets',
    ...more,
  })

  test('an import that ends; a dry run is not reported', async () => {
    const done = await runImport(inline(petsYaml('1.0.0')))
    const again = await runImport(inline(petsYaml('1.0.0')))
    await runImport(inline(petsYaml('9.0.0'), { dry_run: true }))
    const wrong = await runImport(inline('openapi: 3.1.0\ninfo: 5\n'))
    const blocked = await runImport(inline(petsYaml('1.2.0'), { fail_on: 'info' }))
    const bulk = await runImport({
      source: {
        kind: 'files',
        name: 'apis',
        files: [
          { path: 'a.yaml', content: petsYaml('3.0.0') },
          { path: 'b.yaml', content: 'openapi: 3.1.0\ninfo: 5\n' },
        ],
      },
      bulk: true,
    })
    const seen = await eventsOf('import.completed', 'import.failed')
    const brief = seen.map(({ type, data }) => [
      type,
      data['import_id'],
      data['status'],
      data['version_label'] ?? data['error_code'] ?? null,
      data['unchanged'] ?? null,
      data['sequence'] ?? null,
    ])
    expect(brief).toEqual([
      ['import.completed', done, expect.stringMatching(/^completed/), '1.0.0', false, 1],
      ['import.completed', again, expect.stringMatching(/^completed/), '1.0.0', true, 2],
      ['import.failed', wrong, 'failed', 'document-invalid', null, null],
      ['import.failed', blocked, 'blocked', null, null, null],
      ['import.completed', bulk, expect.stringMatching(/^completed/), null, false, null],
    ])
    expect(seen[0]?.data).toMatchObject({ project_slug: 'pets', source: 'pets.yaml', bulk: false, documents: null })
    expect(seen.at(-1)?.data).toMatchObject({ project_id: null, bulk: true, documents: { created: 1, failed: 1 } })
    expect(seen[0]?.data['urls']).toEqual({ import: `http://svc.test/v1/imports/${done}` })
  })

  test('an import with which sixteen processes ended is reported', async () => {
    const before = (await eventsOf('import.failed')).length
    const template = await db.read.select().from(jobs).where(eq(jobs.kind, 'import')).orderBy(jobs.createdAt).limit(1)
    const payload = template[0]?.payload
    const past = Date.now() - 3_600_000
    const id = await db.inTransaction(async (tx) => {
      const { job } = await enqueueJob(tx, { kind: 'import', tenantId: it.tenantId, payload, now: past })
      const lease = {
        status: 'running',
        attempts: 1,
        interruptions: 15,
        leaseOwner: 'gone',
        leaseUntil: new Date(past).toISOString(),
      }
      await tx
        .update(jobs)
        .set(lease as object)
        .where(eq(jobs.id, job.id))
      return job.id
    })
    it.service.deps.wake()
    const ended = await it.send('GET', `/v1/imports/${id}?wait=30`)
    expect(ended.value['status']).toBe('failed')
    const seen = await eventsOf('import.failed')
    expect(seen.slice(before).map(({ data }) => [data['import_id'], data['error_code']])).toEqual([[id, 'internal']])
  })

  test('a source keeps its credentials and its query to itself', async () => {
    const id = await runImport({
      source: { kind: 'url', url: 'https://10.0.0.1/api.yaml?signature=planted' },
      project_slug: 'pets',
    })
    const seen = (await eventsOf('import.failed')).filter(({ data }) => data['import_id'] === id)
    expect(seen.map(({ data }) => [data['source'], data['error_code']])).toEqual([
      ['https://10.0.0.1/api.yaml', 'egress-denied'],
    ])
  })

  test('a publication that breaks a contract; one that breaks none', async () => {
    const of = (operation: string) =>
      `{ /pets: { get: { summary: ${operation}, responses: { '200': { description: ok } } } } }`
    const publish = async (label: string, paths: string) => {
      expect((await it.send('POST', '', { label, content: petsYaml(label, paths) })).status).toBe(201)
      expect((await it.send('POST', `/${label}/publish`, {})).status).toBe(200)
    }
    const base = '/v1/tenants/local/projects/pets'
    await publish('4.0.0', of('one'))
    for (const slug of ['reader', 'other']) {
      await it.send('POST', `${base}/consumers`, { name: slug })
      const path = slug === 'reader' ? '/pets' : '/none'
      const operations = [{ method: 'GET', path, responses: { '200': [] } }]
      const declared = await it.send('PUT', `${base}/consumers/${slug}/contract`, { operations })
      expect(declared.status).toBe(201)
    }
    await publish('4.0.1', of('two'))
    expect(await eventsOf('contract.broken')).toEqual([])
    await publish('5.0.0', '{}')
    const seen = await eventsOf('contract.broken')
    expect(
      seen.map(({ data }) => [data['consumer_handle'], data['revision'], data['version_label'], data['missing']]),
    ).toEqual([['reader', 1, '5.0.0', 1]])
    expect(shapeOf(seen[0])).toEqual(shapeOf(webhookEvents['contract.broken'].example))
  })

  test('an answer to a review', async () => {
    const ann = await addUser(db, 'ann')
    await addMember(db, it.tenantId, ann, 'editor')
    await it.send('POST', '', { label: '6.0.0', content: petsYaml('6.0.0') })
    const params = { tenant_slug: 'local', project_ref: 'pets', version_ref: '6.0.0' }
    const review = await it.call(reviewsApi.request, { params, body: { reviewer_ids: [ann] } })
    const body = { decision: 'approved', note: 'planted note' } as const
    await it.service.callAs(ann)(reviewsApi.decide, { params: { ...params, review_id: review.id }, body })
    const seen = await eventsOf('review.decided')
    expect(
      seen.map(({ data }) => [data['review_id'], data['decision'], data['decided_by'], data['requested_by']]),
    ).toEqual([[review.id, 'approved', `user:${ann}`, `user:${it.ownerId}`]])
    expect(shapeOf(seen[0])).toEqual(shapeOf(webhookEvents['review.decided'].example))
    expect(JSON.stringify(seen)).not.toContain('planted')
    expect(it.faults).toEqual([])
  })
})
