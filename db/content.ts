import { and, asc, eq, gt, or } from 'drizzle-orm'
import { SvcError } from '../src/errors.ts'
import { inTenant } from './conditions.ts'
import type { Reader, Transaction } from './database.ts'
import { firstPart, readParts, writeParts } from './parts.ts'
import { contentParts, contents, projects, tenants, versions } from './tables.gen.ts'

/** "sha256:" and the hex digest of the bytes. */
export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`

/**
 * Stores bytes once for each tenant; gives their digest. Bytes that are there already are not written again, unless what is stored of
 * them is damaged: then they take its place.
 */
export async function storeContent(tx: Transaction, tenantId: string, bytes: Uint8Array, at: string): Promise<string> {
  const digest = digestOf(bytes)
  const key = { tenantId, digest }
  const frame = await readFrame(tx, tenantId, digest)
  if (frame !== null && (await holds(frame, bytes))) return digest
  // Level 3 packs a large document to a tenth in a few milliseconds; higher levels cost far more than they save.
  const packed = new Uint8Array(await Bun.zstdCompress(bytes, { level: 3 }))
  const compressed = firstPart(packed)
  const sizeBytes = bytes.byteLength
  if (frame === null) {
    const row = { ...key, compressed, sizeBytes, createdAt: at }
    const added = await tx.insert(contents).values(row).onConflictDoNothing().returning({ digest: contents.digest })
    // Another transaction stored them meanwhile.
    if (added.length === 0) return digest
  } else {
    await tx.delete(contentParts).where(inTenant(contentParts, tenantId, eq(contentParts.digest, digest)))
    const damaged = inTenant(contents, tenantId, eq(contents.digest, digest))
    await tx.update(contents).set({ compressed, sizeBytes }).where(damaged)
  }
  await writeParts(packed, (part, ordinal) => tx.insert(contentParts).values({ ...key, ordinal, part }))
  return digest
}

/** Whether a frame unpacks to these bytes. */
async function holds(frame: Uint8Array<ArrayBuffer>, bytes: Uint8Array): Promise<boolean> {
  const stored = await unpacked(frame)
  return stored !== null && Buffer.compare(stored, bytes) === 0
}

/** The frame of a digest as it is stored; null where none is. */
async function readFrame(read: Reader, tenantId: string, digest: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const [row] = await read
    .select({ compressed: contents.compressed })
    .from(contents)
    .where(inTenant(contents, tenantId, eq(contents.digest, digest)))
  if (!row) return null
  return readParts(row.compressed, async (ordinal) => {
    const its = and(eq(contentParts.digest, digest), eq(contentParts.ordinal, ordinal))
    const [more] = await read
      .select({ part: contentParts.part })
      .from(contentParts)
      .where(inTenant(contentParts, tenantId, its))
    return more?.part
  })
}

/** The row of a digest, as it is stored and unpacked. */
async function readStored(read: Reader, tenantId: string, digest: string) {
  const frame = await readFrame(read, tenantId, digest)
  if (frame === null) throw new Error(`content ${digest} is missing`)
  const bytes = await unpacked(frame)
  if (bytes === null || !(await hasDigest(bytes, digest))) throw new SvcError('document-damaged', { digest })
  return { frame, bytes }
}

/**
 * The bytes of a digest as they are stored: one zstd frame, with a window that every reader of the coding takes.
 * @throws SvcError and Error as `readContent`
 */
export const readCompressed = async (
  read: Reader,
  tenantId: string,
  digest: string,
): Promise<Uint8Array<ArrayBuffer>> => (await readStored(read, tenantId, digest)).frame

/**
 * The stored bytes of a digest.
 * @throws SvcError `document-damaged` where its bytes changed since they were stored: they are never answered as if they were what
 *   somebody published; Error where a digest that a row refers to is not there
 */
export const readContent = async (read: Reader, tenantId: string, digest: string): Promise<Uint8Array<ArrayBuffer>> =>
  (await readStored(read, tenantId, digest)).bytes

/** The bytes of a frame; null for one that is damaged. */
const unpacked = async (frame: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> =>
  Bun.zstdDecompress(frame).then(
    (bytes) => new Uint8Array(bytes),
    () => null,
  )

/** As `digestOf`, on another thread: documents are read while the service answers others. */
const hasDigest = async (bytes: Uint8Array<ArrayBuffer>, digest: string): Promise<boolean> =>
  `sha256:${Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')}` === digest

/** A stored document whose bytes are no longer those of its digest. */
export interface DamagedContent {
  readonly tenantId: string
  /** "sha256:" and 64 hex digits. */
  readonly digest: string
}

const keysAtOnce = 500

/** Whether the stored bytes unpack to those of the digest. What was deleted since its key was read is not damaged. */
async function isIntact(read: Reader, { tenantId, digest }: DamagedContent): Promise<boolean> {
  const frame = await readFrame(read, tenantId, digest)
  if (frame === null) return true
  const bytes = await unpacked(frame)
  return bytes !== null && (await hasDigest(bytes, digest))
}

/**
 * Unpacks every stored document, one at a time, and compares it with its digest. Databases look at their own pages only: a byte
 * that was changed within a value passes their checks.
 */
export async function checkContents(read: Reader): Promise<{ count: number; damaged: DamagedContent[] }> {
  const damaged: DamagedContent[] = []
  let count = 0
  for (let last: DamagedContent | undefined; ;) {
    const after =
      last &&
      or(gt(contents.tenantId, last.tenantId), inTenant(contents, last.tenantId, gt(contents.digest, last.digest)))
    const keys = await read
      .select({ tenantId: contents.tenantId, digest: contents.digest })
      .from(contents)
      .where(after)
      .orderBy(asc(contents.tenantId), asc(contents.digest))
      .limit(keysAtOnce)
    for (const key of keys) if (!(await isIntact(read, key))) damaged.push(key)
    count += keys.length
    last = keys.at(-1)
    if (keys.length < keysAtOnce) return { count, damaged }
  }
}

/** The versions that have a stored document, oldest first, as ORGANIZATION/PROJECT/VERSION; at most `limit`. */
export async function versionsOf(read: Reader, { tenantId, digest }: DamagedContent, limit: number): Promise<string[]> {
  const rows = await read
    .select({ tenant: tenants.slug, project: projects.slug, version: versions.slug })
    .from(versions)
    .innerJoin(projects, eq(projects.id, versions.projectId))
    .innerJoin(tenants, eq(tenants.id, versions.tenantId))
    .where(inTenant(versions, tenantId, eq(versions.digest, digest)))
    .orderBy(asc(versions.createdAt), asc(versions.id))
    .limit(limit)
  return rows.map((row) => `${row.tenant}/${row.project}/${row.version}`)
}
