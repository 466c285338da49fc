import { and, asc, eq, gt, isNull, or } from 'drizzle-orm'
import { SvcError } from '../src/errors.ts'
import { inTenant } from './conditions.ts'
import type { Reader, Transaction } from './database.ts'
import { claimObject, putObject, readObject, type Stored } from './objects/objects.ts'
import { firstPart, readParts, writeParts } from './parts.ts'
import { contentParts, contents, projects, tenants, versions } from './tables.gen.ts'

/** "sha256:" and the hex digest of the bytes. */
export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`

/** Bytes that a transaction may store: what takes long, and what waits for others, was done before it. */
export interface PreparedContent {
  readonly tenantId: string
  readonly digest: string
  readonly sizeBytes: number
  /** As they are stored: one zstd frame. */
  readonly frame: Uint8Array
  /** The object that has the frame; null where it belongs into the row. */
  readonly object: string | null
  /** Whether what was stored of them is damaged, so that these take its place. */
  readonly isRepair: boolean
}

/**
 * Packs bytes and writes large ones to the store, before the transaction that stores them. Bytes that are there already and whole are
 * not written again.
 * @throws SvcError `storage-unavailable`
 */
export async function prepareContent(
  { read, objects }: Stored,
  tenantId: string,
  bytes: Uint8Array,
): Promise<PreparedContent> {
  const digest = digestOf(bytes)
  const facts = { tenantId, digest, sizeBytes: bytes.byteLength }
  const known = await wholeOrDamaged({ read, objects }, facts)
  if (known !== null && known !== 'damaged') return { ...facts, frame: known.frame, object: null, isRepair: false }
  // Level 3 packs a large document to a tenth in a few milliseconds; higher levels cost far more than they save.
  const frame = new Uint8Array(await Bun.zstdCompress(bytes, { level: 3 }))
  const object = await putObject(objects, { kind: 'contents', tenantId }, frame)
  return { ...facts, frame, object, isRepair: known === 'damaged' }
}

/** What is stored of bytes; null where nothing is. */
async function wholeOrDamaged(from: Stored, { tenantId, digest }: DamagedContent) {
  try {
    return await findStored(from, tenantId, digest)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'document-damaged') return 'damaged'
    throw error
  }
}

/**
 * Stores bytes once for each tenant; gives their digest. Bytes that are there already are not written again, unless what is stored of
 * them was found damaged: then these take its place.
 */
export async function storeContent(tx: Transaction, prepared: PreparedContent, at: string): Promise<string> {
  const { tenantId, digest, sizeBytes, frame } = prepared
  const key = { tenantId, digest }
  const its = inTenant(contents, tenantId, eq(contents.digest, digest))
  const [known] = await tx.select({ digest: contents.digest }).from(contents).where(its)
  if (known !== undefined && !prepared.isRepair) return digest
  const object = await claimed(tx, prepared)
  const compressed = object === null ? firstPart(frame) : new Uint8Array()
  if (known === undefined) {
    const row = { ...key, compressed, object, sizeBytes, createdAt: at }
    const added = await tx.insert(contents).values(row).onConflictDoNothing().returning({ digest: contents.digest })
    // Another transaction stored them meanwhile.
    if (added.length === 0) return digest
  } else {
    await tx.delete(contentParts).where(inTenant(contentParts, tenantId, eq(contentParts.digest, digest)))
    await tx.update(contents).set({ compressed, object, sizeBytes }).where(its)
  }
  if (object === null)
    await writeParts(frame, (part, ordinal) => tx.insert(contentParts).values({ ...key, ordinal, part }))
  return digest
}

/** The object of prepared bytes, if it stays; null where they belong into the row. */
async function claimed(tx: Transaction, { tenantId, object }: PreparedContent): Promise<string | null> {
  if (object === null) return null
  return (await claimObject(tx, { kind: 'contents', tenantId, sha256: object })) ? object : null
}

/** The frame of a digest as it is stored in rows, or the object that has it; null where none is. */
async function findFrame(read: Reader, tenantId: string, digest: string) {
  const [row] = await read
    .select({ compressed: contents.compressed, object: contents.object })
    .from(contents)
    .where(inTenant(contents, tenantId, eq(contents.digest, digest)))
  if (!row) return null
  if (row.object !== null) return { object: row.object, frame: null }
  const frame = await readParts(row.compressed, async (ordinal) => {
    const its = and(eq(contentParts.digest, digest), eq(contentParts.ordinal, ordinal))
    const [more] = await read
      .select({ part: contentParts.part })
      .from(contentParts)
      .where(inTenant(contentParts, tenantId, its))
    return more?.part
  })
  return { object: null, frame }
}

/** What is stored of a digest, as it is and unpacked; null where nothing is. Raises as `readContent` where it is damaged. */
async function findStored(from: Stored, tenantId: string, digest: string) {
  for (let isLast = false; ; isLast = true) {
    const place = await findFrame(from.read, tenantId, digest)
    if (place === null) return null
    const frame = place.frame ?? (await objectOf(from, { tenantId, digest }, place.object))
    const bytes = frame === null ? null : await unpacked(frame)
    if (frame !== null && bytes !== null && (await hasDigest(bytes, digest))) return { frame, bytes }
    // Its parts may have been moved to the store, or out of it, while they were read.
    if (isLast) throw new SvcError('document-damaged', { digest })
  }
}

/** The frame in an object; null where it is not there. */
async function objectOf(from: Stored, { tenantId, digest }: DamagedContent, object: string) {
  try {
    return await readObject(from, { kind: 'contents', tenantId, sha256: object }, digest)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'document-damaged') return null
    throw error
  }
}

/** The row of a digest, as it is stored and unpacked. */
async function readStored(from: Stored, tenantId: string, digest: string) {
  const found = await findStored(from, tenantId, digest)
  if (found === null) throw new Error(`content ${digest} is missing`)
  return found
}

/**
 * The bytes of a digest as they are stored: one zstd frame, with a window that every reader of the coding takes.
 * @throws SvcError and Error as `readContent`
 */
export const readCompressed = async (
  from: Stored,
  tenantId: string,
  digest: string,
): Promise<Uint8Array<ArrayBuffer>> => (await readStored(from, tenantId, digest)).frame

/**
 * The stored bytes of a digest.
 * @throws SvcError `document-damaged` where its bytes changed since they were stored: they are never answered as if they were what
 *   somebody published; `storage-unavailable`; Error where a digest that a row refers to is not there
 */
export const readContent = async (from: Stored, tenantId: string, digest: string): Promise<Uint8Array<ArrayBuffer>> =>
  (await readStored(from, tenantId, digest)).bytes

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

/** Whether the stored bytes unpack to those of the digest. What was deleted or moved since its key was read is not damaged. */
async function isIntact(read: Reader, { tenantId, digest }: DamagedContent): Promise<boolean> {
  const place = await findFrame(read, tenantId, digest)
  if (place === null || place.frame === null) return true
  const bytes = await unpacked(place.frame)
  return bytes !== null && (await hasDigest(bytes, digest))
}

/**
 * Unpacks every document that is stored in rows, one at a time, and compares it with its digest; "svc storage check" does that for the
 * others. Databases look at their own pages only: a byte
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
      .where(and(isNull(contents.object), after))
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
