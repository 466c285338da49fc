import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { embeddingTypes, embeddingVectors, jobs } from '../../../db/tables.gen.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { primitivesApi } from '../../../src/api/primitives.ts'
import { specsApi } from '../../../src/api/specs.ts'
import { SvcError } from '../../../src/errors.ts'
import { describeType } from '../../../src/types/describe.ts'
import { forgetUnusedVectors } from '../../../db/search/vectors.ts'
import typeList from '../../../mcp/tools/type/list.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson } from '../../fixtures/identity-service.ts'
import { startService, type TestService } from '../../fixtures/service.ts'
import { startProvider, type ProviderStub } from './provider-stub.ts'

const key = 'sk-never-shown'

test('a type in words: names and descriptions, of its parts too, each once and bounded', () => {
  const schema = {
    title: 'Pet',
    description: 'An animal',
    properties: {
      name: { description: 'How it is called' },
      owners: { items: { properties: { phone: { type: 'string' } } } },
    },
    anyOf: [{ description: 'An animal' }, { properties: { wild: true } }],
    enum: ['never'],
  }
  const it = { namespace: 'shop/pets', name: 'Pet', description: 'An animal', tags: ['zoo'], schema }
  expect(describeType(it, 200).split('\n')).toEqual([
    'Pet (shop/pets)',
    'An animal',
    'zoo',
    'Pet',
    'name',
    'How it is called',
    'owners',
    'phone',
    'wild',
  ])
  expect(describeType(it, 9)).toBe('Pet (shop')
  expect(describeType({ ...it, schema: true }, 200).split('\n')).toEqual(['Pet (shop/pets)', 'An animal', 'zoo'])
})

onBothEngines('semantic search of types', (makeDb) => {
  let provider: ProviderStub
  let db: Database
  let it: TestService
  let stranger: Call
  const create = (call: Call, tenant: string, name: string, description: string, more: object = {}) =>
    call(primitivesApi.create, {
      params: { tenant_slug: tenant },
      body: { namespace: 'shop', name, description, schema: { type: 'object' }, ...more },
    })
  const find = async (call: Call, q: string, more: object = {}) => {
    const { items, not_indexed: missing } = await call(specsApi.types, { query: { q, mode: 'semantic', ...more } })
    expect(missing).toBe(0)
    return items
  }
  const own = async (call: Call, q: string, more: object = {}) =>
    (await find(call, q, { limit: 200, ...more })).flatMap(({ type, tenant }) =>
      tenant === null ? [] : [`${tenant} ${type}`],
    )

  beforeAll(async () => {
    provider = startProvider(key)
    db = await makeDb()
    // Registered before there was a provider.
    const earlier = await startService(db)
    await create(earlier.call, earlier.tenant, 'Invoice', 'What a customer pays each month')
    await earlier.service.stop()
    it = await startService(db, { embeddings: { url: provider.url, key, model: 'stub-1' } })
    const other = await addTenant(db, 'other', 'team')
    const person = await addPerson(db, 'oda')
    await addMember(db, other, person, 'owner')
    stranger = it.service.callAs(person)
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await provider.stop()
  })

  test('types of before, new ones, and those that come with svc are found by what they mean', async () => {
    await create(it.call, it.tenant, 'Purchase', 'Purchase an animal')
    const items = await find(it.call, 'adopt a cat', { limit: 200 })
    expect(items[0]).toMatchObject({ type: 'svc:shop/Purchase', tenant: 'local', revision: 1 })
    const near = items.map(({ similarity = -1 }) => similarity)
    expect(near).toEqual(near.toSorted((a, b) => b - a))
    expect(items.filter(({ tenant }) => tenant === null)).toHaveLength(93)
    expect((await own(it.call, 'customer pays month'))[0]).toBe('local svc:shop/Invoice')
    expect((await find(it.call, 'geographic coordinates polygon', { namespace: 'rfc7946', limit: 1 }))[0]?.tenant).toBe(
      null,
    )
    const words = await it.call(specsApi.types, { query: { q: 'adopt cat' } })
    expect(words.items).toEqual([])
  })

  test('a change is indexed, and what did not change is not embedded again', async () => {
    const before = provider.asked.length
    const { id } = await create(it.call, it.tenant, 'Removal', 'Nothing yet')
    expect(await own(it.call, 'erase')).toHaveLength(3)
    const params = { tenant_slug: it.tenant, primitive_id: id }
    await it.call(primitivesApi.update, { params, body: { description: 'Destroy it for ever' } })
    expect((await own(it.call, 'delete for ever'))[0]).toBe('local svc:shop/Removal')
    // One question each, and one text for each change.
    const texts = provider.asked.slice(before).flat()
    expect(texts.filter((text) => text.includes('(shop)'))).toEqual([
      'Removal (shop)\nNothing yet',
      'Removal (shop)\nDestroy it for ever',
    ])
  })

  test('an import is indexed as well, and a deleted type is found no more', async () => {
    const params = { tenant_slug: it.tenant }
    const document = { $defs: { Kennel: { description: 'Where pets sleep' }, Cage: { description: 'For wild ones' } } }
    const { primitives } = await it.call(primitivesApi.import, { params, body: { document, namespace: 'zoo' } })
    expect(await own(it.call, 'pets sleep', { namespace: 'zoo' })).toEqual([
      'local svc:zoo/Kennel',
      'local svc:zoo/Cage',
    ])
    for (const one of primitives)
      await it.call(primitivesApi.delete, { params: { ...params, primitive_id: String(one.id) } })
    expect(await own(it.call, 'pets sleep', { namespace: 'zoo' })).toEqual([])
    const [known] = await db.read.select().from(embeddingTypes).limit(1)
    await db.inTransaction((tx) => forgetUnusedVectors(tx, known?.tenantId ?? '', '9999-01-01T00:00:00.000Z'))
    const left = await db.read.select({ digest: embeddingVectors.digest }).from(embeddingVectors)
    const used = await db.read.select({ digest: embeddingTypes.digest }).from(embeddingTypes)
    expect(left.map(({ digest }) => digest).toSorted()).toEqual(used.map(({ digest }) => digest).toSorted())
  })

  test('agents ask the same with the tool type.list', async () => {
    const given = { q: 'adopt a cat', semantic: true, limit: 2 } as never
    const context = { call: it.call, budgetBytes: 20_000 } as Parameters<typeof typeList.run>[1]
    const { items } = (await typeList.run(given, context)) as { items: { type: string }[] }
    expect([items.length, items[0]?.type]).toEqual([2, 'svc:shop/Purchase'])
  })

  test('nobody finds private types of another organization; public ones everybody', async () => {
    await create(stranger, 'other', 'Secret', 'Purchase an animal secretly')
    await create(stranger, 'other', 'Open', 'Purchase an animal openly', { visibility: 'public' })
    expect(await own(stranger, 'adopt a cat')).toEqual(
      expect.arrayContaining(['other svc:shop/Open', 'other svc:shop/Secret']),
    )
    for (const call of [it.call, it.service.callWith(null)]) {
      const found = await own(call, 'adopt a cat')
      expect(found.filter((one) => one.startsWith('other '))).toEqual(['other svc:shop/Open'])
    }
    expect((await own(it.service.callWith(null), 'adopt a cat')).filter((one) => one.startsWith('local '))).toEqual([])
    expect(await own(it.call, 'adopt a cat', { tenant: 'other' })).toEqual(['other svc:shop/Open'])
  })

  test('pages of one answer cost one question, and every type is on one of them', async () => {
    const before = provider.asked.length
    const refs: string[] = []
    let cursor: string | null = null
    do {
      const query = { q: 'purchase of pets', mode: 'semantic' as const, limit: 40, ...(cursor && { cursor }) }
      const page: { items: readonly { type: string }[]; total: number; next_cursor: string | null } = await it.call(
        specsApi.types,
        { query },
      )
      refs.push(...page.items.map(({ type }) => type))
      expect(page.total).toBe(97)
      cursor = page.next_cursor
    } while (cursor)
    expect([new Set(refs).size, refs.length, provider.asked.length - before]).toEqual([97, 97, 1])
  })

  test('refusals: no text, no provider, a provider that fails, and a cursor of another list', async () => {
    const refused = (call: Call, query: object) =>
      call(specsApi.types, { query: { mode: 'semantic', ...query } }).then(
        () => null,
        (error: unknown) => (error instanceof SvcError ? error.code : error),
      )
    expect(await refused(it.call, {})).toBe('usage')
    provider.failures.push(500)
    expect(await refused(it.call, { q: 'never asked before' })).toBe('embedding-failed')
    expect(await refused(it.call, { q: 'never asked before' })).toBe(null)
    const words = await it.call(specsApi.types, { query: { limit: 1 } })
    expect(await refused(it.call, { q: 'pets', cursor: words.next_cursor })).toBe('cursor-invalid')
    const rows = await db.read.select().from(jobs)
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['completed']))
    const without = await startService(db)
    expect(await refused(without.call, { q: 'pets' })).toBe('semantic-search-unavailable')
    await without.service.stop()
  })
})
