import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { claimObject, putObject, readObject, type Stored } from '../../db/objects/objects.ts'
import { firstPart, readParts, writeParts } from '../../db/parts.ts'
import { importUploadParts, importUploads } from '../../db/tables.gen.ts'

/** An upload that a transaction may store. */
export interface PreparedUpload {
  readonly sizeBytes: number
  readonly compressed: Uint8Array
  /** The object that has it; null where it belongs into the row. */
  readonly object: string | null
}

/**
 * Packs the bytes that a job will read, and writes many of them to the store, before the transaction that makes the job.
 * @throws SvcError `storage-unavailable`
 */
export async function prepareUpload(
  { objects }: Pick<Stored, 'objects'>,
  tenantId: string,
  bytes: Uint8Array,
): Promise<PreparedUpload> {
  const compressed = new Uint8Array(await Bun.zstdCompress(bytes, { level: 1 }))
  const object = await putObject(objects, { kind: 'uploads', tenantId }, compressed)
  return { sizeBytes: bytes.byteLength, compressed, object }
}

/** Keeps the bytes that a job will read. */
export async function storeUpload(
  tx: Transaction,
  job: { readonly id: string; readonly tenantId: string },
  { sizeBytes, compressed, object }: PreparedUpload,
  at: string,
): Promise<void> {
  const place = { jobId: job.id, tenantId: job.tenantId }
  const stays = object !== null && (await claimObject(tx, { kind: 'uploads', tenantId: job.tenantId, sha256: object }))
  const first = stays ? new Uint8Array() : firstPart(compressed)
  const row = { ...place, compressed: first, object: stays ? object : null, sizeBytes, createdAt: at }
  await tx.insert(importUploads).values(row)
  if (!stays)
    await writeParts(compressed, (part, ordinal) => tx.insert(importUploadParts).values({ ...place, ordinal, part }))
}

/**
 * The bytes that came with a job; they are there as long as it has not ended.
 * @throws SvcError `document-damaged`, `storage-unavailable`
 */
export async function readUpload(from: Stored, tenantId: string, jobId: string): Promise<Uint8Array<ArrayBuffer>> {
  const [row] = await from.read
    .select({ compressed: importUploads.compressed, object: importUploads.object })
    .from(importUploads)
    .where(inTenant(importUploads, tenantId, eq(importUploads.jobId, jobId)))
  if (!row) throw new Error(`the upload of job ${jobId} is missing`)
  const frame =
    row.object === null
      ? await readRows(from.read, tenantId, jobId, row.compressed)
      : await readObject(from, { kind: 'uploads', tenantId, sha256: row.object }, `sha256:${row.object}`)
  return new Uint8Array(await Bun.zstdDecompress(frame))
}

const readRows = (read: Reader, tenantId: string, jobId: string, first: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  readParts(first, async (ordinal) => {
    const its = and(eq(importUploadParts.jobId, jobId), eq(importUploadParts.ordinal, ordinal))
    const [more] = await read
      .select({ part: importUploadParts.part })
      .from(importUploadParts)
      .where(inTenant(importUploadParts, tenantId, its))
    return more?.part
  })

/** Forgets what came with a job, once it has ended. */
export async function removeUpload(tx: Transaction, tenantId: string, jobId: string): Promise<void> {
  await tx.delete(importUploads).where(inTenant(importUploads, tenantId, eq(importUploads.jobId, jobId)))
}
