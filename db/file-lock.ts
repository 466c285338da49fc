/** One program at a time replaces a file, also where several run: a lock that ends with the process that holds it. */
import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../src/errors.ts'

/** So long one waits for another, who needs milliseconds. */
const longestWaitMs = 10_000

// Within this process one waits for the other here: to wait for the lock would keep its holder from going on.
let before: Promise<unknown> = Promise.resolve()

/**
 * Does something while no other process does the same for one of these paths. The locks are those of database files, which the
 * system releases when their process ends, however it ends.
 * @param folder where locks are
 * @param paths what is locked; each process takes the locks in one order, so that no two wait for each other
 * @throws SvcError `file-unwritable` where the lock cannot be had, and what the work raises
 */
export function alone<T>(folder: string, paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const all = [...new Set(paths)].sort()
  const done = before.then(() => all.reduceRight((inner, path) => () => locked(folder, path, inner), work)())
  before = done.catch(() => {})
  return done
}

async function locked<T>(folder: string, path: string, work: () => Promise<T>): Promise<T> {
  const name = join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.lock`)
  const refused = (error: unknown): SvcError =>
    new SvcError('file-unwritable', { name: path, reason: `it cannot be locked: ${(error as Error).message}` })
  let lock: Database
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    lock = new Database(name, { create: true, readwrite: true })
    chmodSync(name, 0o600)
  } catch (error) {
    throw refused(error)
  }
  try {
    try {
      lock.run(`PRAGMA busy_timeout = ${longestWaitMs}`)
      lock.run('BEGIN EXCLUSIVE')
    } catch (error) {
      throw refused(error)
    }
    const done = await work()
    lock.run('ROLLBACK')
    return done
  } finally {
    lock.close()
  }
}
