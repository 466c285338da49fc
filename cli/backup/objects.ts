/** What the backup commands do about objects: look for them in the storage, and note in the database which backup needs them. */
import type { Database } from '../../db/database.ts'
import type { CheckedBackup } from '../../db/backup/manifest.ts'
import type { DatabaseTarget } from '../../db/open.ts'
import { SvcError } from '../../src/errors.ts'
import { openReadable } from '../doctor/readable.ts'

/** Works with the database where that needs no migration; null where it cannot be opened so. */
async function inDatabase<T>(target: DatabaseTarget, work: (db: Database) => Promise<T>): Promise<T | null> {
  const db = await openReadable(target)
  if (db === null) return null
  try {
    return db.readOnly === null ? await work(db) : null
  } finally {
    await db.close()
  }
}

/** Notes a backup that refers to objects; gives a warning where the database cannot keep the note. */
export async function noteCreated(
  target: DatabaseTarget,
  { objects = 0, digest, madeAt }: CheckedBackup,
): Promise<string | null> {
  if (objects === 0) return null
  const { noteBackup } = await import('../../db/objects/collect.ts')
  const isNoted = await inDatabase(target, async (db) => {
    await noteBackup(db, { digest, madeAt }, null)
    return true
  })
  return isNoted === true
    ? null
    : 'The database could not note this backup, so that objects that it refers to may be collected: use "--objects copy".'
}

/**
 * Looks for the objects of a backup, reads a sample, and notes that it is whole.
 * @throws SvcError `backup-objects-missing`, `storage-unavailable`
 */
export async function verifyObjects(
  path: string,
  manifest: CheckedBackup,
  target: DatabaseTarget,
  options: { readonly sample: number; readonly say: (line: string) => void },
): Promise<void> {
  if (manifest.objects === undefined) return
  const { sample, say } = options
  const [{ checkBackupObjects }, { noteVerified }, { keyOf }] = await Promise.all([
    import('../../db/backup/objects.ts'),
    import('../../db/objects/collect.ts'),
    import('../../db/objects/store.ts'),
  ])
  const { missing, damaged } = await checkBackupObjects(path, manifest, target.objects ?? null, {
    sample,
    onProgress: (seen) => say(`looked at ${seen} objects`),
  })
  const faults = [...missing, ...damaged].map(keyOf)
  if (faults.length > 0) {
    const more = faults.length > 10 ? [`${faults.length - 10} more`] : []
    throw new SvcError('backup-objects-missing', { path, objects: [...faults.slice(0, 10), ...more].join(', ') })
  }
  await inDatabase(target, (db) => noteVerified(db, manifest.digest, new Date().toISOString()))
}
