import type { Database } from '../../db/database.ts'
import { inspectDatabase } from '../../db/inspect.ts'
import { openDatabase, type DatabaseTarget } from '../../db/open.ts'

/** A database that can be opened without changing it; null where there is none, or it is damaged or of another version: its own check reports that. */
export async function openReadable(target: DatabaseTarget): Promise<Database | null> {
  try {
    const { isNew, pending, unknown, damage } = await inspectDatabase(target)
    // Opening would migrate.
    if (isNew || pending.length > 0 || unknown.length > 0 || damage.length > 0) return null
  } catch {
    return null
  }
  return openDatabase(target)
}
