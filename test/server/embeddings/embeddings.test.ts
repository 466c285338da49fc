import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { embeddingEntries, embeddingVectors, jobs } from '../../../db/tables.gen.ts'
import { createEmbedder } from '../../../server/embeddings/provider.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { searchApi } from '../../../src/api/search.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { specsApi } from '../../../src/api/specs.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { addPerson } from '../../fixtures/identity-service.ts'
import { startService, type TestService } from '../../fixtures/service.ts'
import { startProvider, type ProviderStub } from './provider-stub.ts'

const key = 'sk-never-shown'

const document = (version: string, removal: string) => `openapi: 3.1.0
info: { title: Shop, version: ${version} }
paths:
  /orders:
    post: { operationId: placeOrder, summary: Purchase a pet, responses: { '201': { description: Bought } } }
    get: { operationId: listOrders, summary: Every invoice of the month, responses: { '200': { description: Invoices } } }
  /pets/{id}:
    delete: { operationId: removePet, summary: ${removal}, responses: { '204': { description: Gone } } }
`

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof SvcError ? error.code : error),
  )

async function bring(call: Call, tenant: string, content: string, slug: string, publish: 'public' | 'private') {
  const body = { source: { kind: 'inline' as const, name: 'a.yaml', content }, project_slug: slug, publish }
  const job = await call(importsApi.create, { params: { tenant_slug: tenant }, body })
  const done = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  expect([done.status, done.error]).toEqual(['completed', null])
}

/** Waits until so many embeddings have ended, and none is queued or running; gives their results, oldest first. */
async function embedded(db: Database, least: number) {
  for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(20)) {
    const rows = await db.read.select().from(jobs).where(eq(jobs.kind, 'embed')).orderBy(jobs.id)
    if (rows.length >= least && rows.every(({ finishedAt }) => finishedAt !== null))
      return rows.map(({ status, result }) => ({ status, result }))
  }
  throw new Error('the embeddings were not made in time')
}

onBothEngines('search by meaning', (makeDb) => {
  let provider: ProviderStub
  let db: Database
  let it: TestService
  let stranger: Call

  beforeAll(async () => {
    provider = startProvider(key)
    db = await makeDb()
    // Published before there was a provider.
    const earlier = await startService(db)
    await bring(earlier.call, earlier.tenant, document('1.0.0', 'Erase an animal'), 'early', 'private')
    await earlier.service.stop()
    it = await startService(db, { embeddings: { url: provider.url, key, model: 'stub-1' } })
    const other = await addTenant(db, 'other', 'team')
    const person = await addPerson(db, 'oda')
    await addMember(db, other, person, 'owner')
    stranger = it.service.callAs(person)
    it.service.deps.wake()
  })
  afterAll(async () => {
    await it.service.stop()
    await provider.stop()
  })

  const find = async (call: Call, q: string, spec?: string) => {
    const query = { q, mode: 'semantic' as const, ...(spec !== undefined && { spec }) }
    return (await call(specsApi.search, { query })).items.map(({ spec, ref }) => `${spec} ${ref}`)
  }

  test('what was published before there was a provider is indexed when one is configured', async () => {
    expect(await embedded(db, 1)).toEqual([{ status: 'completed', result: { operations: 3, embedded: 3 } }])
    expect((await find(it.call, 'adopt a cat'))[0]).toBe('local/early/1.0.0 POST /orders')
  })

  test('people find the same in the search of their organization, as its own list', async () => {
    const asked = { params: { tenant_slug: it.tenant }, query: { q: 'adopt a cat', mode: 'semantic' as const } }
    const { operations: found, semantic_available: available, ...others } = await it.call(searchApi.find, asked)
    const [first] = found
    expect([first?.project_slug, first?.version_label, first?.ref]).toEqual(['early', '1.0.0', 'POST /orders'])
    expect(first?.similarity).toBeGreaterThan(0)
    expect([available, others.schemas, others.types]).toEqual([true, [], []])
    expect(await codeOf(stranger(searchApi.find, asked))).toBe('tenant-access-denied')
  })

  test('an operation is found by what it means, with how near it is; words alone do not find it', async () => {
    await bring(it.call, it.tenant, document('1.0.0', 'Erase an animal'), 'shop', 'public')
    await embedded(db, 2)
    const found = await it.call(specsApi.search, { query: { q: 'adopt a cat', mode: 'semantic', spec: 'local/shop' } })
    expect(found.items.map(({ ref }) => ref)[0]).toBe('POST /orders')
    const near = found.items.map(({ similarity = -1 }) => similarity)
    expect(near).toEqual(near.toSorted((a, b) => b - a))
    expect(near[0]).toBeGreaterThan(0.3)
    expect([found.total, found.next_cursor, found.not_indexed]).toEqual([3, null, 0])
    const words = await it.call(specsApi.search, { query: { q: 'adopt cat', spec: 'local/shop' } })
    expect(words.items).toEqual([])
  })

  test('texts that did not change are not embedded again', async () => {
    const before = provider.asked.length
    await bring(it.call, it.tenant, document('1.1.0', 'Destroy it for ever'), 'shop', 'public')
    expect((await embedded(db, 3)).at(-1)).toEqual({ status: 'completed', result: { operations: 3, embedded: 1 } })
    expect(provider.asked.slice(before)).toEqual([[expect.stringContaining('Destroy it for ever')]])
    expect((await find(it.call, 'delete it for ever', 'local/shop/latest'))[0]).toBe(
      'local/shop/1.1.0 DELETE /pets/{id}',
    )
  })

  test('the pages of one answer cost one question to the provider', async () => {
    const before = provider.asked.length
    const refs: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: readonly { spec: string; ref: string }[]; next_cursor: string | null } = await it.call(
        specsApi.search,
        { query: { q: 'invoice', mode: 'semantic', limit: 2, ...(cursor && { cursor }) } },
      )
      refs.push(...page.items.map(({ spec, ref }) => `${spec} ${ref}`))
      cursor = page.next_cursor
    } while (cursor)
    expect([new Set(refs).size, refs.length]).toEqual([6, 6])
    expect(provider.asked.length - before).toBe(1)
  })

  test('nobody finds by meaning what is private to another tenant', async () => {
    await bring(stranger, 'other', document('1.0.0', 'Erase an animal'), 'theirs', 'private')
    await embedded(db, 4)
    for (const q of ['adopt a cat', 'erase animal', 'invoice']) {
      expect((await find(it.service.callWith(null), q)).filter((hit) => !hit.startsWith('local/shop/'))).toEqual([])
      expect((await find(stranger, q)).filter((hit) => hit.startsWith('local/early/'))).toEqual([])
      expect((await find(it.call, q)).filter((hit) => hit.startsWith('other/'))).toEqual([])
    }
    expect(await find(stranger, 'erase animal', 'other/theirs')).toHaveLength(3)
    expect(await find(it.call, 'erase animal', 'other/theirs')).toEqual([])
  })

  test('a provider that fails is tried again, and said to fail without a word of its own', async () => {
    provider.failures.push(500)
    await bring(it.call, it.tenant, document('2.0.0', 'Burn the house down'), 'shop', 'public')
    expect((await embedded(db, 5)).at(-1)).toMatchObject({ status: 'completed', result: { embedded: 1 } })
    for (const [status, reason] of [
      [401, 'refuses the key'],
      [429, 'less often'],
      [500, 'answered 500'],
    ] as const) {
      provider.failures.push(status)
      const error: unknown = await find(it.call, `question ${status}`).catch((refusal: unknown) => refusal)
      expect(error).toMatchObject({ code: 'embedding-failed' })
      expect(String(error)).toContain(reason)
      expect(JSON.stringify(error) + String(error)).not.toContain(key)
    }
    expect(await find(it.call, 'question 500')).not.toEqual([])
  })

  test('vectors go with what they belong to', async () => {
    await it.call(projectsApi.remove, { params: { tenant_slug: it.tenant, project_ref: 'early' } })
    const entries = await db.read.select({ ref: embeddingEntries.ref }).from(embeddingEntries)
    expect(entries).toHaveLength(12)
    const vectors = await db.read.select({ vector: embeddingVectors.vector }).from(embeddingVectors)
    expect(new Set(vectors.map(({ vector }) => vector.length))).toEqual(new Set([100]))
  })

  test('without a provider the question is refused, and words are still searched', async () => {
    const bare = await startService(db)
    const query = { q: 'adopt a cat', mode: 'semantic' as const }
    expect(await codeOf(bare.call(specsApi.search, { query }))).toBe('semantic-search-unavailable')
    expect((await bare.call(specsApi.search, { query: { q: 'purchase' } })).total).toBeGreaterThan(0)
    await bare.service.stop()
  })

  test('nothing failed that was not expected to', () => {
    expect(it.faults).toEqual([])
  })
})

test('requests to the provider go through the egress guard', async () => {
  const embed = (url: string, allow = '') =>
    codeOf(createEmbedder({ url, key, model: 'm' }, parseNetworks(allow)).embed(['x']))
  // An address that the operator wrote down is open to this alone.
  const inside = startProvider(key)
  const port = new URL(inside.url).port
  expect(await embed(`http://127.0.0.1:${port}/v1`)).toBeNull()
  expect(await embed(`http://localhost:${port}/v1/embeddings`)).toBeNull()
  expect(await embed(`http://127.0.0.1:${port}/v2`)).toBe('embedding-failed')
  await inside.stop()
  expect(await embed(`http://127.0.0.1:${port}/v1`)).toBe('embedding-failed')
  expect(() => createEmbedder({ url: 'ftp://x', key, model: 'm' }, [])).toThrow('SVC_EMBEDDINGS_URL')
})

test('an answer that is none is refused in words', async () => {
  const answers: unknown[] = [
    'no',
    {},
    { data: [] },
    { data: [{ index: 0, embedding: 'AAAA' }] },
    { data: [{ embedding: [1, 2] }, { embedding: [1] }] },
    { data: [{ index: 0, embedding: [1, null] }] },
  ]
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(answers.shift()) })
  const embedder = createEmbedder({ url: `http://127.0.0.1:${server.port}`, key, model: 'm' }, [])
  while (answers.length > 0) expect(await codeOf(embedder.embed(['a', 'b']))).toBe('embedding-failed')
  await server.stop(true)
})
