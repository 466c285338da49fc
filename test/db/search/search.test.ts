import { expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { inTenant } from '../../../db/conditions.ts'
import type { Database } from '../../../db/database.ts'
import { executeSql } from '../../../db/portable.ts'
import { indexEntries, removeEntries, searchFor } from '../../../db/search/search.ts'
import { groupsOf } from '../../../db/search/match.ts'
import { meaningful, splitWords } from '../../../db/search/words.ts'
import { searchEntries, tenants } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const ofTenant = { tenantId: 't', kind: 'operation', among: 'all' } as const
const at = '2026-05-05T00:00:00.000Z'
const pets = [
  { ref: 'GET /pets', title: 'listPets List all pets', body: 'Returns pages of animals of the store.' },
  { ref: 'POST /pets', title: 'createPet Create a pet', body: 'Adds one animal.' },
  { ref: 'GET /orders/{orderId}', title: 'getOrderById Show an order', body: 'An order for pets; Crème brûlée €5' },
  { ref: 'DELETE /orders/{orderId}', title: 'deleteOrder Delete an order', body: 'Categories and statuses stay.' },
]

async function prepare(db: Database): Promise<Database> {
  await db.inTransaction(async (tx) => {
    for (const id of ['t', 'u'])
      await tx.insert(tenants).values({ id, slug: id, name: id, settings: {}, createdAt: at, updatedAt: at })
    await indexEntries(tx, 't', 'v1', pets)
    await indexEntries(tx, 'u', 'w1', [{ ref: 'GET /secret', title: 'Secret pets', body: 'of another tenant' }])
  })
  return db
}

onBothEngines('search', (makeDb) => {
  const find = async (db: Database, text: string, more: object = {}) =>
    (await searchFor(db, { ...ofTenant, text, limit: 10, ...more })).hits.map(({ ref }) => ref)

  test('finds by words of title and body, the better hits first', async () => {
    const db = await prepare(await makeDb())
    expect(await find(db, 'pets')).toEqual(['GET /pets', 'POST /pets', 'GET /orders/{orderId}'])
    expect(await find(db, 'list pets')).toEqual(['GET /pets'])
    expect(await find(db, 'ORDER')).toEqual(['DELETE /orders/{orderId}', 'GET /orders/{orderId}'])
    expect(await find(db, 'anim')).toEqual(['GET /pets', 'POST /pets'])
    expect(await find(db, 'creme')).toEqual(['GET /orders/{orderId}'])
    expect(await find(db, 'category')).toEqual(['DELETE /orders/{orderId}'])
    expect(await find(db, 'orderById')).toEqual(['GET /orders/{orderId}'])
  })

  test('where nothing has all words, what has most of them is found', async () => {
    const db = await prepare(await makeDb())
    expect(await find(db, 'create animal nonsense')).toEqual(['POST /pets', 'GET /pets'])
  })

  test('words that tell nothing are not asked for, but where there is no other', async () => {
    const db = await prepare(await makeDb())
    expect(await find(db, 'show me the order please')).toEqual(['GET /orders/{orderId}'])
    expect(await find(db, 'of the')).toEqual(['GET /pets'])
  })

  test('what many entries have in their text is ordered by those that have it in their name', async () => {
    const db = await prepare(await makeDb())
    const many = Array.from({ length: 1500 }, (_, n) => ({ ref: `GET /r${n}`, title: `Read ${n}`, body: 'a unicorn' }))
    const last = { ref: 'GET /unicorns', title: 'Unicorns', body: '' }
    await db.inTransaction((tx) => indexEntries(tx, 't', 'v3', [...many, last]))
    expect((await find(db, 'unicorn'))[0]).toBe('GET /unicorns')
    expect((await find(db, 'read unicorn purple'))[0]).toMatch(/^GET \/r/)
  })

  test('no word, unknown words and the syntax of the engines find nothing and break nothing', async () => {
    const db = await prepare(await makeDb())
    for (const text of ['', '  ', '***', 'zzz', `"'`, "zz' | 'zz", 'NOT zz*', 'NEAR(zz)', 'zz:Q', '\\', 'zz NOT qq'])
      expect(await find(db, text)).toEqual([])
  })

  test('never finds another tenant, and keeps to the scope', async () => {
    const db = await prepare(await makeDb())
    expect(await find(db, 'secret')).toEqual([])
    await db.inTransaction((tx) => indexEntries(tx, 't', 'v2', [{ ref: 'GET /pets2', title: 'pets', body: '' }]))
    expect(await find(db, 'pets', { scope: inTenant(searchEntries, 't', eq(searchEntries.versionId, 'v2')) })).toEqual([
      'GET /pets2',
    ])
    expect(
      await find(db, 'pets', { scope: inTenant(searchEntries, 't', inArray(searchEntries.versionId, ['v0'])) }),
    ).toEqual([])
  })

  test('indexing again replaces, removing forgets, and a removed tenant leaves nothing in the index', async () => {
    const db = await prepare(await makeDb())
    await db.inTransaction((tx) => indexEntries(tx, 't', 'v1', [{ ref: 'GET /cats', title: 'cats', body: '' }]))
    expect([await find(db, 'pets'), await find(db, 'cat')]).toEqual([[], ['GET /cats']])
    await db.inTransaction((tx) => removeEntries(tx, 'v1'))
    expect(await find(db, 'cat')).toEqual([])
    await db.inTransaction((tx) => tx.delete(tenants).where(eq(tenants.id, 'u')))
    expect(await db.read.$count(searchEntries)).toBe(0)
    if (db.dialect === 'sqlite')
      expect(
        await executeSql(db.read, sql`select count(*) as n from search_older where search_older match '"secret"*'`),
      ).toEqual([{ n: 0 }])
  })

  test('an undone transaction leaves the index as it was', async () => {
    const db = await prepare(await makeDb())
    const failed = db.inTransaction(async (tx) => {
      await indexEntries(tx, 't', 'v1', [])
      throw new Error('undo')
    })
    expect(await failed.catch((error: Error) => error.message)).toBe('undo')
    expect(await find(db, 'list')).toEqual(['GET /pets'])
  })

  test('what is called exactly so is found among more than are ordered, whatever its case, and in the index of its version', async () => {
    const db = await prepare(await makeDb())
    const many = Array.from({ length: 2500 }, (_, n) => ({
      ref: `GET /things/${n}/parts`,
      title: `List things of parts ${n}`,
      body: '',
    }))
    const last = { ref: 'GET /things/parts', title: '', body: '' }
    await db.inTransaction((tx) => indexEntries(tx, 't', 'v3', [...many, last]))
    const search = async (text: string, among: 'current' | 'older') =>
      (await searchFor(db, { ...ofTenant, among, text, limit: 3000 })).hits.map(({ ref }) => ref)
    for (const text of ['get /THINGS/parts', '/things/parts'])
      expect((await search(text, 'older')).includes(last.ref)).toBe(true)
    expect(await search('/things/parts', 'current')).toEqual([])
    await db.inTransaction((tx) =>
      tx.update(searchEntries).set({ current: true }).where(eq(searchEntries.ref, last.ref)),
    )
    expect(await search('/things/parts', 'current')).toEqual([last.ref])
    expect((await search('/things/parts', 'older')).includes(last.ref)).toBe(false)
    await db.inTransaction((tx) => removeEntries(tx, 'v3'))
    expect([await search('/things/parts', 'current'), await search('/things/parts', 'older')]).toEqual([[], []])
  })

  test('pages through many, says how many there are, and that it stopped counting', async () => {
    const db = await prepare(await makeDb())
    const many = Array.from({ length: 2200 }, (_, n) => ({
      ref: `r${n}`,
      title: `thing number${n}`,
      body: 'all alike',
    }))
    await db.inTransaction((tx) => indexEntries(tx, 't', 'v3', many))
    const query = { ...ofTenant, text: 'thing', limit: 5 }
    const first = await searchFor(db, query)
    expect([first.hits.length, first.total, first.bounded]).toEqual([5, 2000, true])
    const second = await searchFor(db, { ...query, offset: 5 })
    expect(new Set([...first.hits, ...second.hits].map(({ ref }) => ref)).size).toBe(10)
    expect(await find(db, 'number1199')).toEqual(['r1199'])
  })
})

test('words are split where case, digits and punctuation change, and brought to one form', () => {
  expect(splitWords('listUserRepos HTTPServer2Go /v1/pets/{petId} snake_case')).toEqual([
    'list',
    'user',
    'repo',
    'http',
    'server2',
    'go',
    'v1',
    'pet',
    'id',
    'snake',
    'case',
  ])
  expect(splitWords('Crème BRÛLÉE naïve Straße')).toEqual(['creme', 'brulee', 'naive', 'straße'])
  expect(splitWords('categories status class bus gas pets')).toEqual([
    'category',
    'status',
    'class',
    'bus',
    'gas',
    'pet',
  ])
  expect(splitWords('x'.repeat(200))).toEqual(['x'.repeat(64)])
  expect(splitWords(Array.from({ length: 3000 }, (_, n) => `w${n}`).join(' '))).toHaveLength(2000)
})

test('some of the words are every group of that many, and single words where those are too many', () => {
  expect(groupsOf({ words: ['a', 'b', 'c'], least: 3 })).toEqual([['a', 'b', 'c']])
  expect(groupsOf({ words: ['a', 'b', 'c'], least: 2 })).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ])
  expect(groupsOf({ words: ['a', 'b'], least: 1 })).toEqual([['a'], ['b']])
  const words = Array.from({ length: 12 }, (_, n) => `w${n}`)
  expect(groupsOf({ words, least: 6 })).toEqual(words.map((word) => [word]))
  expect(groupsOf({ words, least: 11 })).toHaveLength(12)
})

test('words that questions are full of count only where there is no other', () => {
  expect(meaningful(splitWords('who uses a type'))).toEqual(['use', 'type'])
  expect(meaningful(splitWords('Where are our keys, and which of them have expired?'))).toEqual(['key', 'expired'])
  expect(meaningful(splitWords('who am i'))).toEqual(['am'])
  expect(meaningful(splitWords('what does this do'))).toEqual(splitWords('what does this do'))
})
