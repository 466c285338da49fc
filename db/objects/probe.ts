import { randomBytes } from 'node:crypto'
import { type ObjectName, type Objects, sha256Of } from './store.ts'

// No organization has it.
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Asks the store for an object that is not there: that it says so is an answer.
 * @throws SvcError `storage-unavailable`
 */
export async function assertStorage(objects: Objects | null): Promise<void> {
  await objects?.sizeOf({ kind: 'contents', tenantId: nobody, sha256: '0'.repeat(64) })
}

/**
 * Puts an object, reads it back and removes it.
 * @returns null where it was read as it was put; otherwise what is wrong, as part of a sentence
 * @throws SvcError `storage-unavailable`, `document-damaged`
 */
export async function tryStorage(objects: Objects): Promise<string | null> {
  const bytes = new Uint8Array(randomBytes(1024))
  const name: ObjectName = { kind: 'contents', tenantId: nobody, sha256: sha256Of(bytes) }
  await objects.put(name, bytes)
  try {
    if ((await objects.get(name, true)) === null) return 'an object that was put is not there'
    return (await objects.sizeOf(name)) === bytes.byteLength ? null : 'an object that was put has another size'
  } finally {
    await objects.remove(name)
  }
}
