import type { Database } from '../../db/database.ts'
import type { Objects } from '../../db/objects/store.ts'
import { SvcError } from '../../src/errors.ts'
import { locateDatabase } from '../backup/place.ts'

type Source = Parameters<typeof locateDatabase>[0]

/**
 * Opens the database of this machine with its object storage, works with both, and closes it.
 * @throws SvcError `usage` where no object storage is configured; what opening the database raises
 */
export async function withStorage<T>(source: Source, work: (db: Database, objects: Objects) => Promise<T>): Promise<T> {
  const { target } = await locateDatabase(source)
  const { objects = null } = target
  if (objects === null)
    throw new SvcError('usage', {
      reason: 'No object storage is configured; set SVC_STORAGE_URL to s3://BUCKET/PREFIX',
    })
  const { openDatabase } = await import('../../db/open.ts')
  const db = await openDatabase(target)
  try {
    return await work(db, objects)
  } finally {
    await db.close()
  }
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A number of bytes, to read: "1.8 GB". */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ''}`
}
