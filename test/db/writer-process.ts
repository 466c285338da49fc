/** Writes tenants one transaction after the other and prints the id of each once it is committed, until it is killed. */
import { openDatabase, type DatabaseTarget } from '../../db/open.ts'
import { tenants } from '../../db/tables.gen.ts'

const db = await openDatabase(JSON.parse(process.argv[2] ?? '') as DatabaseTarget)
const at = new Date().toISOString()
for (let n = 0; ; n++) {
  const id = `w${n}`
  await db.inTransaction((tx) =>
    tx.insert(tenants).values({ id, slug: id, name: id, settings: {}, createdAt: at, updatedAt: at }),
  )
  process.stdout.write(`${id}\n`)
}
