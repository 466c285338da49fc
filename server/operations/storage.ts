import { statfs } from 'node:fs/promises'
import { statementsRunning } from '../../db/statements.ts'
import type { Metrics } from './metrics.ts'

const one = (value: number): ReadonlyMap<string, number> => new Map([['', value]])
const none: ReadonlyMap<string, number> = new Map()

/**
 * Shows what this process asks of its storage: statements that run, the connections that it may have, and the room left on its disk.
 * @param poolSize connections to Postgres at most; null on SQLite, where there is one writer
 * @param folder where the data is; null where it is on another machine
 */
export function showStorage(
  metrics: Metrics,
  { poolSize, folder }: { readonly poolSize: number | null; readonly folder: string | null },
): void {
  metrics.gauge(
    'svc_database_statements_running',
    'Statements of the database that run, or wait for a connection.',
    null,
    async () => one(statementsRunning()),
  )
  metrics.gauge(
    'svc_database_connections_limit',
    'Connections to Postgres that this process may have; absent on SQLite.',
    null,
    async () => (poolSize === null ? none : one(poolSize)),
  )
  metrics.gauge(
    'svc_storage_free_bytes',
    'Room left on the disk that has the data; absent where that is on another machine.',
    null,
    async () => {
      if (folder === null) return none
      // A file system that does not say it is no reason to answer no metrics at all.
      const found = await statfs(folder).catch(() => null)
      return found === null ? none : one(found.bavail * found.bsize)
    },
  )
}
