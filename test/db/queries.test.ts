import { expect, test } from 'bun:test'
import { and, asc, count, desc, eq, exists, inArray, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { after, before, contains, inTenant } from '../../db/conditions.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { tenants } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { addThings, things } from './things.ts'

const at = '2026-05-05T00:00:00.120Z'
const thing = (id: string, more: Partial<typeof things.$inferInsert> = {}) => ({ id, tenantId: 't', name: id, ...more })
const full = {
  ...thing('full'),
  note: 'é 𝒳 \u0001 \\u0000',
  weight: -1,
  size: 2 ** 53 - 1,
  isOn: true,
  seenAt: at,
  labels: { b: [1, 'x', null, true, { a: 1.5 }], a: 'é\\u0000' },
  content: new Uint8Array([0, 255, 10, 13]),
}
const sparse = {
  ...thing('sparse'),
  note: null,
  weight: 7,
  size: null,
  isOn: null,
  seenAt: null,
  labels: null,
  content: null,
}

onBothEngines('queries', (makeDb) => {
  const prepare = async () => addThings(await makeDb())

  test('every column type comes back as it went in, from inserts, updates and reads', async () => {
    const db = await prepare()
    // Given and missing cells mixed in one statement: defaults fill the gaps.
    const inserted = await db.inTransaction((tx) =>
      tx
        .insert(things)
        .values([full, thing('sparse')])
        .returning(),
    )
    expect(inserted).toEqual([full, sparse])
    expect(await db.read.select().from(things).orderBy(things.id)).toEqual([full, sparse])
    const updated = await db.inTransaction((tx) =>
      tx.update(things).set({ isOn: false, labels: '"text"', content: new Uint8Array() }).returning(),
    )
    expect(updated.map(({ isOn, labels, content }) => [isOn, labels, content])).toEqual([
      [false, '"text"', new Uint8Array()],
      [false, '"text"', new Uint8Array()],
    ])
  })

  test('every column type can be compared with', async () => {
    const db = await prepare()
    await db.inTransaction((tx) => tx.insert(things).values([full, thing('sparse')]))
    const found = and(
      eq(things.isOn, true),
      eq(things.seenAt, at),
      eq(things.size, full.size),
      eq(things.content, full.content),
      eq(things.note, full.note),
    )
    expect(await db.read.select({ id: things.id }).from(things).where(found)).toEqual([{ id: 'full' }])
    expect(await db.read.select({ id: things.id }).from(things).where(isNull(things.labels))).toEqual([
      { id: 'sparse' },
    ])
  })

  test('NUL and halves of surrogate pairs are refused with a reason before anything is sent', async () => {
    const db = await prepare()
    const bad = ['a\0b', '\ud83d', '\udc00x']
    const rows = bad.flatMap((value) => [
      thing('x', { note: value }),
      thing('x', { labels: { deep: [value] } }),
      thing('x', { labels: { [value]: 1 } }),
    ])
    for (const row of rows) {
      const error = await db.inTransaction((tx) => tx.insert(things).values(row)).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(SvcError)
      expect((error as SvcError).code).toBe('request-malformed')
    }
    const search = db.read.select().from(things).where(contains(things.name, 'a\0'))
    expect(await search.catch((error: SvcError) => error.code)).toBe('request-malformed')
  })

  test('an instant in another form is a fault, not a row that sorts wrongly', async () => {
    const db = await prepare()
    for (const seenAt of ['2026-05-05T00:00:00Z', '2026-05-05T02:00:00.000+02:00', 'now'])
      expect(
        await db
          .inTransaction((tx) => tx.insert(things).values(thing('x', { seenAt })))
          .catch((error: Error) => error.name),
      ).toBe('TypeError')
  })

  test('a partial unique index, and an upsert on it', async () => {
    const db = await prepare()
    await db.inTransaction((tx) => tx.insert(things).values([thing('a', { isOn: true }), thing('b', { name: 'a' })]))
    const again = thing('c', { name: 'a', isOn: true, note: 'new' })
    const refused = await db.inTransaction((tx) => tx.insert(things).values(again)).catch((error: unknown) => error)
    expect(isUniqueViolation(refused)).toBe(true)
    const upserted = await db.inTransaction((tx) =>
      tx
        .insert(things)
        .values(again)
        .onConflictDoUpdate({
          target: [things.tenantId, things.name],
          targetWhere: sql`${things.isOn}`,
          set: { weight: sql`${things.weight} + 1`, note: sql`excluded.note` },
        })
        .returning(),
    )
    expect(upserted).toEqual([{ ...sparse, id: 'a', name: 'a', isOn: true, note: 'new', weight: 8 }])
    const ignored = await db.inTransaction((tx) => tx.insert(things).values(again).onConflictDoNothing().returning())
    expect(ignored).toEqual([])
  })

  test('a conditional update tells whether it was the one', async () => {
    const db = await prepare()
    await db.inTransaction((tx) => tx.insert(things).values(thing('a')))
    const swap = () =>
      db.inTransaction((tx) =>
        tx
          .update(things)
          .set({ weight: 8 })
          .where(and(eq(things.id, 'a'), eq(things.weight, 7)))
          .returning({ id: things.id }),
      )
    expect((await Promise.all([swap(), swap(), swap()])).flat()).toEqual([{ id: 'a' }])
  })

  test('joins, groups, subqueries and common table expressions', async () => {
    const db = await prepare()
    const newTenant = { id: 't', slug: 't', name: 'T', settings: {}, createdAt: at, updatedAt: at }
    await db.inTransaction(async (tx) => {
      await tx.insert(tenants).values([newTenant, { ...newTenant, id: 'u', slug: 'u' }])
      await tx.insert(things).values([thing('a', { weight: 1 }), thing('b', { weight: 2 }), thing('c', { name: 'b' })])
    })
    const other = alias(things, 'other')
    const pairs = db.read
      .select({ a: things.id, b: other.id })
      .from(things)
      .leftJoin(other, and(eq(other.name, things.name), sql`${other.id} > ${things.id}`))
      .orderBy(things.id)
    expect(await pairs).toEqual([
      { a: 'a', b: null },
      { a: 'b', b: 'c' },
      { a: 'c', b: null },
    ])
    const groups = db.read
      .select({ name: things.name, n: count() })
      .from(things)
      .groupBy(things.name)
      .having(sql`count(*) > 1`)
    expect(await groups).toEqual([{ name: 'b', n: 2 }])
    const owned = db.read
      .select({ one: sql`1` })
      .from(things)
      .where(eq(things.tenantId, tenants.id))
    const owners = db.read.select({ id: tenants.id }).from(tenants).where(exists(owned))
    expect(await owners).toEqual([{ id: 't' }])
    const sums = db.read.$with('sums').as(
      db.read
        .select({ tenantId: things.tenantId, total: sql<number>`sum(${things.weight})`.mapWith(Number).as('total') })
        .from(things)
        .groupBy(things.tenantId),
    )
    const totals = db.read
      .with(sums)
      .select({ slug: tenants.slug, total: sums.total })
      .from(tenants)
      .innerJoin(sums, eq(sums.tenantId, tenants.id))
    expect(await totals).toEqual([{ slug: 't', total: 10 }])
    expect(await db.read.$count(things, inArray(things.id, ['a', 'b', 'none']))).toBe(2)
  })

  test('rows can be locked inside of a transaction', async () => {
    const db = await prepare()
    await db.inTransaction((tx) => tx.insert(things).values(thing('a')))
    const locked = await db.inTransaction((tx) =>
      tx.select({ id: things.id }).from(things).where(eq(things.id, 'a')).for('update', { skipLocked: true }),
    )
    expect(locked).toEqual([{ id: 'a' }])
  })

  test('text sorts by its bytes', async () => {
    const db = await prepare()
    const names = ['Zeta', 'a-b', 'a_b', 'aa', 'alpha', 'Éclair', '𝒳']
    await db.inTransaction((tx) => tx.insert(things).values(names.toReversed().map((name) => thing(name))))
    const sorted = await db.read.select({ name: things.name }).from(things).orderBy(asc(things.name))
    expect(sorted.map(({ name }) => name)).toEqual(names)
  })

  test('contains ignores the case of ASCII letters and takes wildcards literally', async () => {
    const db = await prepare()
    const names = ['100%_Sure', '100xxsure', 'back\\slash', 'ÉCLAIR']
    await db.inTransaction((tx) => tx.insert(things).values(names.map((name) => thing(name))))
    const search = async (needle: string) =>
      (await db.read.select({ name: things.name }).from(things).where(contains(things.name, needle))).map(
        ({ name }) => name,
      )
    expect(await search('100%_S')).toEqual(['100%_Sure'])
    expect(await search('K\\S')).toEqual(['back\\slash'])
    expect(await search('clair')).toEqual(['ÉCLAIR'])
  })

  test('one tenant never sees the rows of another', async () => {
    const db = await prepare()
    await db.inTransaction((tx) => tx.insert(things).values([thing('mine'), thing('theirs', { tenantId: 'u' })]))
    const where = inTenant(things, 't', inArray(things.id, ['mine', 'theirs']))
    expect(await db.read.select({ id: things.id }).from(things).where(where)).toEqual([{ id: 'mine' }])
  })

  test('pages by keyset visit every row once, in both directions, with ties', async () => {
    const db = await prepare()
    const rows = Array.from({ length: 25 }, (_, n) =>
      thing(`k${String(n).padStart(2, '0')}`, { seenAt: n < 10 ? at : `2026-05-05T00:00:00.${200 + (n % 3)}Z` }),
    )
    await db.inTransaction((tx) => tx.insert(things).values(rows))
    const walk = async (order: typeof asc, beyond: typeof before) => {
      const seen: string[] = []
      for (let last: { id: string; seenAt: string | null } | undefined; ;) {
        const page = await db.read
          .select({ id: things.id, seenAt: things.seenAt })
          .from(things)
          .where(last && beyond([things.seenAt, last.seenAt], [things.id, last.id]))
          .orderBy(order(things.seenAt), order(things.id))
          .limit(4)
        if (page.length === 0) return seen
        seen.push(...page.map(({ id }) => id))
        last = page.at(-1)
      }
    }
    const down = await walk(desc, before)
    expect(new Set(down).size).toBe(25)
    expect(await walk(asc, after)).toEqual(down.toReversed())
  })

  test('an insert of ten thousand cells in one statement', async () => {
    const db = await prepare()
    const rows = Array.from({ length: 2500 }, (_, n) => thing(`r${n}`, { weight: n }))
    await db.inTransaction((tx) => tx.insert(things).values(rows))
    expect(await db.read.$count(things)).toBe(2500)
  })
})
