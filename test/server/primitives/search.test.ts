import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { primitiveRegistries, primitives, tenants } from '../../../db/tables.gen.ts'
import { fold } from '../../../src/types/fold.ts'
import { insertPrimitives, type Written } from '../../../server/primitives/write.ts'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/primitives/local'
const total = 6000
const words = ['order', 'Straße', 'user_id', '100%', 'GRÖẞE', 'say "no"', 'Ärger', 'a\\b', 'ſtatus', '日本語']

const typeOf = (at: number): Written => ({
  namespace: `n${String(at % 7)}/w${String(at % 3)}`,
  name: `T${String(at).padStart(5, '0')}`,
  visibility: 'private',
  category: at % 2 === 0 ? 'even' : null,
  // What is rare is at the end of the list only; a text has the letters of "abcabd" in another order as well.
  description: `${words[at % words.length] ?? ''} ${at % 7 === 6 && at > 5900 ? 'rareword' : ''} ${at % 5 === 0 ? 'abcabd' : 'abdabc'}`,
  tags: [],
  schemaId: null,
  draft: '2020-12',
  schema: '{}',
  digest: `sha256:${at}`,
  edges: [],
})

interface Page {
  readonly primitives: readonly { readonly ref: string }[]
  readonly counts: Readonly<Record<string, number>>
  readonly next_cursor: string | null
}

onBothEngines('searches in many types', (makeDb) => {
  let it: PetsProject
  let db: Awaited<ReturnType<typeof makeDb>>
  const all: { ref: string; scope: 'tenant' | 'custom'; text: string; category: string | null }[] = []
  const page = async (query: Record<string, string>) =>
    (await it.send('GET', `${base}?${new URLSearchParams(query).toString()}`)).value as unknown as Page
  const own = (refs: readonly { readonly ref: string }[]) =>
    refs.map(({ ref }) => ref).filter((ref) => ref.startsWith('svc:n'))
  /** What a search must find, in the order of the list. */
  const expected = (q: string, more: { scope?: string; namespace?: string; category?: string } = {}) =>
    all.filter(
      (one) =>
        fold(one.text).includes(fold(q)) &&
        (more.scope === undefined || one.scope === more.scope) &&
        (more.namespace === undefined || one.ref.startsWith(`svc:${more.namespace}/T`)) &&
        (more.category === undefined || one.category === more.category),
    )
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    const [tenant] = await db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, 'local'))
    const by = { tenantId: tenant?.id ?? '', actor: null, at: '2026-01-01T00:00:00.000Z' }
    const list = Array.from({ length: total }, (_, at) => typeOf(at))
    for (const [importId, part] of [
      [null, list.filter((_, at) => at % 4 !== 0)],
      ['an import', list.filter((_, at) => at % 4 === 0)],
    ] as const)
      await db.inTransaction(async (tx) => void (await insertPrimitives(tx, part, { ...by, importId })))
    for (const [at, { namespace, name, description, category }] of list.entries()) {
      const ref = `svc:${namespace}/${name}`
      const scope = at % 4 === 0 ? 'tenant' : 'custom'
      all.push({ ref, scope, category, text: [name, namespace, ref, description].join('\n') })
    }
    all.sort((a, b) => (a.ref < b.ref ? -1 : 1))
    // Another organization has the same words.
    const other = await addTenant(db, 'other')
    const otherBy = { tenantId: other, actor: null, at: by.at, importId: null }
    await db.inTransaction(async (tx) => void (await insertPrimitives(tx, list.slice(0, 300), otherBy)))
    await addApiKey(db, other)
  }, 60_000)
  afterAll(() => it.service.stop())

  test.each([
    'ORDER',
    'strasse',
    'STRASSE',
    'straße',
    'user_id',
    '100%',
    'größe',
    'grösse',
    'say "no"',
    'ärger',
    'a\\b',
    'status',
    '日本語',
    'abcabd',
    'abdabc',
    'rareword',
    'T0599',
    'svc:n3/w1/t',
    'n',
    'st',
    '%',
    '_',
    '"',
    '日',
    'nowhere',
    'order  abcabd',
    'order  abcabd and much more than thirty-two letters',
  ])('%p: counts, the first page, a later one, and one scope', async (q) => {
    const found = expected(q)
    const of = (scope: string) => found.filter((one) => one.scope === scope).length
    const first = await page({ q, limit: '40' })
    expect([first.counts['tenant'], first.counts['custom']]).toEqual([of('tenant'), of('custom')])
    const refs = [...first.primitives]
    let cursor = first.next_cursor
    for (let n = 0; n < 2 && cursor !== null; n++) {
      const next = await page({ q, limit: '40', cursor })
      refs.push(...next.primitives)
      expect(next.counts).toEqual(first.counts)
      cursor = next.next_cursor
    }
    const some = own(refs)
    expect(some).toEqual(found.slice(0, some.length).map(({ ref }) => ref))
    if (cursor === null) expect(some.length).toBe(found.length)
    else expect(refs.length).toBe(120)
    const scoped = await page({ q, limit: '40', scope: 'tenant' })
    expect(own(scoped.primitives)).toEqual(
      expected(q, { scope: 'tenant' })
        .slice(0, 40)
        .map(({ ref }) => ref),
    )
    const named = await page({ q, limit: '100', namespace: 'n3/w1' })
    expect(own(named.primitives)).toEqual(
      expected(q, { namespace: 'n3/w1' })
        .slice(0, 100)
        .map(({ ref }) => ref),
    )
    const even = await page({ q, limit: '100', category: 'even' })
    expect([even.counts['tenant'], own(even.primitives)]).toEqual([
      expected(q, { category: 'even', scope: 'tenant' }).length,
      expected(q, { category: 'even' })
        .slice(0, 100)
        .map(({ ref }) => ref),
    ])
  })

  test('counts follow every change at once', async () => {
    const counts = async (q: string) => (await page({ q, limit: '0' })).counts['custom']
    const before = [await counts(''), await counts('fresh')]
    expect(before).toEqual([4500, 0])
    const made = await it.send('POST', base, { namespace: 'n0/w0', name: 'Fresh', schema: true })
    const id = String(made.value['id'])
    expect([await counts(''), await counts('fresh')]).toEqual([4501, 1])
    await it.send('PATCH', `${base}/${id}`, { description: 'stale now' })
    expect([await counts('stale'), await counts('fresh')]).toEqual([1, 1])
    expect((await it.send('DELETE', `${base}/${id}`)).status).toBe(204)
    expect([await counts(''), await counts('fresh'), await counts('stale')]).toEqual([4500, 0, 0])
    const refused = await it.send('POST', base, { namespace: 'n0/w0', name: 'T00000', schema: true })
    expect([refused.status, await counts('')]).toEqual([409, 4500])
  })

  test('each organization has numbers of its own, and its counts are right', async () => {
    const registries = await db.read.select().from(primitiveRegistries).orderBy(primitiveRegistries.block)
    expect(registries.map(({ customTypes, tenantTypes, block }) => [customTypes, tenantTypes, block])).toEqual([
      [4500, 1500, 1],
      [300, 0, 2],
    ])
    const numbers = await db.read.select({ id: primitives.searchId }).from(primitives)
    expect(new Set(numbers.map(({ id }) => id)).size).toBe(total + 300)
  })
})
