import { expect, test } from 'bun:test'
import { count, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { memberships, tenants } from '../../db/tables.gen.ts'
import { onBothEngines } from '../fixtures/engines.ts'

const at = '2026-05-05T00:00:00.000Z'
const tenant = (slug: string) => ({ id: `id-${slug}`, slug, name: slug, settings: {}, createdAt: at, updatedAt: at })
const insert = (tx: Transaction, slug: string) => tx.insert(tenants).values(tenant(slug))
const slugs = async (db: Pick<Database, 'read'>) =>
  (await db.read.select({ slug: tenants.slug }).from(tenants).orderBy(tenants.slug)).map(({ slug }) => slug)

onBothEngines('transactions', (makeDb) => {
  test('commit after awaits, and undo everything after a throw that follows an await', async () => {
    const db = await makeDb()
    const after: string[] = []
    const answer = await db.inTransaction(async (tx) => {
      await insert(tx, 'a')
      await Bun.sleep(5)
      tx.afterCommit(() => void after.push('a'))
      await insert(tx, 'b')
      expect(await tx.select({ n: count() }).from(tenants)).toEqual([{ n: 2 }])
      return 'answer'
    })
    expect(answer).toBe('answer')
    const failed = db.inTransaction(async (tx) => {
      await insert(tx, 'c')
      tx.afterCommit(() => void after.push('c'))
      await Bun.sleep(5)
      throw new Error('no')
    })
    expect(await failed.catch((error: Error) => error.message)).toBe('no')
    expect(await slugs(db)).toEqual(['a', 'b'])
    expect(after).toEqual(['a'])
  })

  test('readers see nothing of an open transaction, and other writers are not undone with it', async () => {
    const db = await makeDb()
    const inserted = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const first = db.inTransaction(async (tx) => {
      await insert(tx, 'first')
      inserted.resolve()
      await finish.promise
      throw new Error('undo first')
    })
    await inserted.promise
    expect(await slugs(db)).toEqual([])
    const second = db.inTransaction((tx) => insert(tx, 'second'))
    finish.resolve()
    expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(await slugs(db)).toEqual(['second'])
  })

  test('a savepoint contains the failure of its work, also of a refused statement', async () => {
    const db = await makeDb()
    const after: string[] = []
    await db.inTransaction(async (tx) => {
      await insert(tx, 'outer')
      await tx
        .savepoint(async (inner) => {
          await insert(inner, 'inner')
          inner.afterCommit(() => void after.push('inner'))
          throw new Error('undo inner')
        })
        .catch(() => {})
      const refused = await tx.savepoint((inner) => insert(inner, 'outer')).catch((error) => error)
      expect(isUniqueViolation(refused)).toBe(true)
      await tx.savepoint((inner) => inner.savepoint((deep) => insert(deep, 'deep')))
      tx.afterCommit(() => void after.push('outer'))
    })
    expect(await slugs(db)).toEqual(['deep', 'outer'])
    expect(after).toEqual(['outer'])
  })

  test('savepoints started together run one after the other', async () => {
    const db = await makeDb()
    await db.inTransaction(async (tx) => {
      await Promise.allSettled(
        [0, 1, 2, 3].map((n) =>
          tx.savepoint(async (inner) => {
            await insert(inner, `n${n}`)
            await Bun.sleep(2)
            if (n % 2) throw new Error('odd')
          }),
        ),
      )
    })
    expect(await slugs(db)).toEqual(['n0', 'n2'])
  })

  test('a transaction inside of another becomes a part of it; work that outlives it gets its own', async () => {
    const db = await makeDb()
    let detached: Promise<unknown> = Promise.resolve()
    const failed = db.inTransaction(async (tx) => {
      await insert(tx, 'outer')
      await db.inTransaction((inner) => insert(inner, 'inner'))
      detached = Bun.sleep(30).then(() => db.inTransaction((own) => insert(own, 'detached')))
      throw new Error('undo both')
    })
    expect(await failed.catch((error: Error) => error.message)).toBe('undo both')
    await detached
    expect(await slugs(db)).toEqual(['detached'])
  })

  test('a handle is dead after its transaction', async () => {
    const db = await makeDb()
    const leaked: Transaction[] = []
    await db.inTransaction(async (tx) => void leaked.push(tx))
    const [tx] = leaked as [Transaction]
    const uses = [
      async () => void (await insert(tx, 'late')),
      async () => void (await tx.select().from(tenants)),
      () => tx.savepoint(async () => {}),
      () => tx.lock('key'),
    ]
    for (const use of uses)
      expect(await use().catch((error: Error) => error.message)).toContain('after its transaction')
    expect(await slugs(db)).toEqual([])
  })

  test('a hundred contended read-modify-writes under a lock lose nothing', async () => {
    const db = await makeDb()
    await db.inTransaction((tx) => tx.insert(tenants).values({ ...tenant('counter'), settings: { n: 0 } }))
    const where = eq(tenants.slug, 'counter')
    await Promise.all(
      Array.from({ length: 100 }, () =>
        db.inTransaction(async (tx) => {
          await tx.lock('counter')
          const [row] = await tx.select().from(tenants).where(where)
          await Bun.sleep(0)
          await tx
            .update(tenants)
            .set({ settings: { n: Number(row?.settings.n) + 1 } })
            .where(where)
        }),
      ),
    )
    const [row] = await db.read.select({ settings: tenants.settings }).from(tenants)
    expect(row).toEqual({ settings: { n: 100 } })
  })

  test('a row that points to nothing is refused', async () => {
    const db = await makeDb()
    const orphan = { tenantId: 'none', userId: 'none', role: 'owner', status: 'active', createdAt: at } as const
    const refused = await db.inTransaction((tx) => tx.insert(memberships).values(orphan)).catch((error) => error)
    // The code of Postgres, or the words of SQLite.
    expect(`${(refused as Error).message} ${JSON.stringify(refused)}`).toMatch(/foreign key|23503/i)
  })

  test('a refused statement does not tell its parameters', async () => {
    const db = await makeDb()
    const secret = 'hunter2-is-the-secret'
    await db.inTransaction((tx) => insert(tx, 'taken'))
    const error = await db
      .inTransaction((tx) => tx.insert(tenants).values({ ...tenant('taken'), id: 'other', name: secret }))
      .catch((error: Error) => error)
    expect(error).toBeInstanceOf(Error)
    expect(`${(error as Error).message}${(error as Error).stack}`).not.toContain(secret)
  })
})
