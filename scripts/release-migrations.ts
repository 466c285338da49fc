/** Freezes the present migrations: run once for each release, after `npm run gen`. From then on tables only grow. */
import { join } from 'node:path'
import type { Dialect } from '../db/database.ts'
import generate, {
  digestExtras,
  dialects,
  migrationPath,
  readExtras,
  readReleased,
  readTables,
  type Released,
} from './gen/migrations.ts'

const root = join(import.meta.dir, '..')
const generated = await generate(root)
const released = await readReleased(root)
const pending = Object.keys(generated)
  .find((path) => path.startsWith('db/migrations/') && path.endsWith('.sql') && generated[path] !== null)
  ?.replace(/^.*\/(.*)\.sql$/, '$1')
if (pending) {
  const digests = await Promise.all(
    dialects.map(async (dialect): Promise<[Dialect, string]> => {
      const text = await Bun.file(join(root, migrationPath(dialect, pending))).text()
      return [dialect, new Bun.CryptoHasher('sha256').update(text).digest('hex')]
    }),
  )
  const next: Released = {
    migrations: [
      ...released.migrations,
      { id: pending, sha256: Object.fromEntries(digests) as Record<Dialect, string> },
    ],
    tables: (await readTables(root)).tables,
    extras: digestExtras(await readExtras(root)),
  }
  await Bun.write(join(root, 'db/migrations/released.json'), `${JSON.stringify(next, null, 2)}\n`)
}
console.log(pending ? `Froze ${pending}.` : 'Nothing new to freeze.')
