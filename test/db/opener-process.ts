/**
 * A process of its own on a database: `bun opener-process.ts <target as JSON> <times>` opens it, adds one to the
 * counter that many times, each in a transaction, and prints how many migrations it applied.
 */
import { eq } from 'drizzle-orm'
import { migratePostgres } from '../../db/migrate-postgres.ts'
import { migrateSqlite } from '../../db/migrate-sqlite.ts'
import { openDatabase, type DatabaseTarget } from '../../db/open.ts'
import { tenants } from '../../db/tables.gen.ts'

const [json = '', times] = process.argv.slice(2)
const target = JSON.parse(json) as DatabaseTarget
const applied = target.kind === 'sqlite' ? await migrateSqlite(target.path) : await migratePostgres(target.url)
const db = await openDatabase(target)
for (let n = 0; n < Number(times); n++)
  await db.inTransaction(async (tx) => {
    await tx.lock('counter')
    const [row] = await tx.select().from(tenants).where(eq(tenants.id, 'counter'))
    await Bun.sleep(0)
    await tx.update(tenants).set({ settings: { n: Number(row?.settings.n) + 1 } })
  })
await db.close()
console.log(applied.length)
