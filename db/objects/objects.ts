/** How rows refer to objects: what is put before a transaction, claimed in it, and read. */
import { and, eq } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../conditions.ts'
import type { Database, Reader, Transaction } from '../database.ts'
import { keyOf, type ObjectKind, type ObjectName, type Objects, sha256Of } from './store.ts'
import { contents, importUploads, objectRemovals, renderings } from '../tables.gen.ts'

/** The tables whose rows have objects. */
export const objectTables = { contents, renderings, uploads: importUploads } as const satisfies Record<
  ObjectKind,
  unknown
>

/** Where stored bytes are read: rows, and the store that some of them point into. */
export type Stored = Pick<Database, 'objects'> & { readonly read: Reader }

/** From so many bytes on, as they are stored, something is an object; what is smaller is faster in its row. */
export const leastObjectBytes = 16 * 1024

/**
 * Writes bytes to the store, before the transaction that refers to them: a crash in between leaves an object without a row, which is
 * collected, and never a row without its object.
 * @returns what the row keeps; null where the bytes belong into the row: they are few, or there is no store
 * @throws SvcError `storage-unavailable`
 */
export async function putObject(
  objects: Objects | null,
  place: Pick<ObjectName, 'kind' | 'tenantId'>,
  bytes: Uint8Array,
): Promise<string | null> {
  if (objects === null || bytes.byteLength < leastObjectBytes) return null
  const sha256 = sha256Of(bytes)
  await objects.put({ ...place, sha256 }, bytes)
  return sha256
}

/** The row about an object that lost its last reference. */
export const removalOf = ({ kind, tenantId, sha256 }: ObjectName) =>
  inTenant(objectRemovals, tenantId, eq(objectRemovals.kind, kind), eq(objectRemovals.sha256, sha256))

/** Those who refer to an object and those who collect it follow each other. */
export const lockObject = (tx: Transaction, name: ObjectName): Promise<void> => tx.lock(`object ${keyOf(name)}`)

/**
 * Says in a transaction that a row is going to refer to an object that was put before it: it is not collected any more.
 * @returns false where it is being removed, so that the bytes belong into the row
 */
export async function claimObject(tx: Transaction, name: ObjectName): Promise<boolean> {
  await lockObject(tx, name)
  const [removal] = await tx.select({ removedAt: objectRemovals.removedAt }).from(objectRemovals).where(removalOf(name))
  if (removal === undefined) return true
  if (removal.removedAt !== null) return false
  await tx.delete(objectRemovals).where(removalOf(name))
  return true
}

/** Whether a row refers to an object. */
export async function isReferred(read: Reader, { kind, tenantId, sha256 }: ObjectName): Promise<boolean> {
  const table = objectTables[kind]
  const [row] = await read
    .select({ object: table.object })
    .from(table)
    .where(and(inTenant(table, tenantId), eq(table.object, sha256)))
    .limit(1)
  return row !== undefined
}

/**
 * The bytes that a row refers to.
 * @param digest what is damaged where they are not there
 * @throws SvcError `storage-unavailable` also where the row refers to a store and none is configured; `document-damaged`
 */
export async function readObject(
  { objects }: Pick<Stored, 'objects'>,
  name: ObjectName,
  digest: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (objects === null)
    throw new SvcError('storage-unavailable', {
      reason: 'documents are in an object storage, and SVC_STORAGE_URL does not name it',
      retry_after: 60,
    })
  const bytes = await objects.get(name)
  if (bytes === null) throw new SvcError('document-damaged', { digest })
  return bytes
}
