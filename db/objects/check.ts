import { and, isNotNull, isNull, eq } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../conditions.ts'
import { versionsOf } from '../content.ts'
import type { Database, Reader } from '../database.ts'
import { contents, objectRemovals, renderings } from '../tables.gen.ts'
import { isReferred, objectTables } from './objects.ts'
import { paired, referredObjects } from './references.ts'
import { keyOf, type ListedObject, objectKinds, type ObjectName, type Objects } from './store.ts'

/** What the store has of what is referred to. */
export interface CheckedObjects {
  readonly referred: number
  /** Of the objects that are referred to, as they are stored. */
  readonly bytes: number
  /** How many were read whole and compared with their digest. */
  readonly compared: number
  /** Objects that are not there. */
  readonly missing: readonly ObjectName[]
  /** Objects whose bytes are not those of their digest. */
  readonly damaged: readonly ObjectName[]
  /** Objects without a reference. */
  readonly orphans: number
  readonly orphanBytes: number
}

export interface CheckOptions {
  /** How many objects are read whole, drawn at random. */
  readonly sample: number
  readonly onProgress: (seen: number) => void
  /** Whether a reference that was there still is; those of a file always are. */
  readonly isStillReferred?: (name: ObjectName) => Promise<boolean>
}

/** Draws a number of items at random, each with the same chance. */
class Sample {
  readonly drawn: ObjectName[] = []
  #seen = 0

  add(name: ObjectName, size: number): void {
    this.#seen++
    if (this.drawn.length < size) {
      this.drawn.push(name)
      return
    }
    const at = Math.floor(Math.random() * this.#seen)
    if (at < size) this.drawn[at] = name
  }
}

/** Reads objects whole; gives those that are damaged. */
async function compare(objects: Objects, names: readonly ObjectName[]): Promise<ObjectName[]> {
  const damaged: ObjectName[] = []
  for (const name of names) {
    try {
      await objects.get(name, true)
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'document-damaged') throw error
      damaged.push(name)
    }
  }
  return damaged
}

/**
 * Compares references with what the store lists, asks it for each that it does not list, and reads some whole.
 * @param references in the order of their keys
 * @throws SvcError `storage-unavailable`
 */
export async function checkReferences(
  references: AsyncGenerator<ObjectName> | Generator<ObjectName>,
  objects: Objects,
  { sample, onProgress, isStillReferred = () => Promise.resolve(true) }: CheckOptions,
): Promise<CheckedObjects> {
  const drawn = new Sample()
  const missing: ObjectName[] = []
  const unlisted = async (name: ObjectName): Promise<boolean> => {
    if ((await objects.sizeOf(name)) !== null) return true
    if (await isStillReferred(name)) missing.push(name)
    return false
  }
  let [referred, bytes, orphans, orphanBytes, seen] = [0, 0, 0, 0, 0]
  const count = ({ sizeBytes }: Pick<ListedObject, 'sizeBytes'>): void => void (bytes += sizeBytes)
  for await (const { name, isReferred: isKnown, listed } of paired(references, objects.list())) {
    if (++seen % 100 === 0) onProgress(seen)
    if (!isKnown) {
      orphans++
      orphanBytes += listed?.sizeBytes ?? 0
      continue
    }
    referred++
    if (listed !== null) count(listed)
    else if (!(await unlisted(name))) continue
    drawn.add(name, sample)
  }
  const damaged = await compare(objects, drawn.drawn)
  return { referred, bytes, compared: drawn.drawn.length, missing, damaged, orphans, orphanBytes }
}

/** The same for the rows of a database. */
export const checkObjects = (db: Database, objects: Objects, options: CheckOptions): Promise<CheckedObjects> =>
  checkReferences(referredObjects(db.read), objects, {
    ...options,
    isStillReferred: (name) => isReferred(db.read, name),
  })

const mostNamed = 20

/** The versions that need objects, as ORGANIZATION/PROJECT/VERSION; the key of an object that none needs. */
export async function needing(read: Reader, names: readonly ObjectName[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names.slice(0, mostNamed)) {
    const table = name.kind === 'renderings' ? renderings : contents
    const rows =
      name.kind === 'uploads'
        ? []
        : await read
            .select({ digest: table.digest })
            .from(table)
            .where(inTenant(table, name.tenantId, eq(table.object, name.sha256)))
    const digests = [...new Set(rows.map(({ digest }) => digest))]
    const versions: string[] = []
    for (const digest of digests)
      versions.push(...(await versionsOf(read, { tenantId: name.tenantId, digest }, mostNamed)))
    found.push(...(versions.length === 0 ? [keyOf(name)] : versions))
  }
  return [...new Set(found), ...(names.length > mostNamed ? [`${names.length - mostNamed} more`] : [])]
}

/** How much of a kind is where. */
export interface StoredKind {
  readonly kind: ObjectName['kind']
  readonly inRows: number
  readonly inStore: number
}

/** How much is in rows and in the store, and how many objects wait to be removed. */
export async function storedKinds(read: Reader): Promise<{ kinds: StoredKind[]; queued: number }> {
  const kinds: StoredKind[] = []
  for (const kind of objectKinds) {
    const table = objectTables[kind]
    kinds.push({
      kind,
      inRows: await read.$count(table, isNull(table.object)),
      inStore: await read.$count(table, isNotNull(table.object)),
    })
  }
  return { kinds, queued: await read.$count(objectRemovals, and(isNull(objectRemovals.removedAt))) }
}
