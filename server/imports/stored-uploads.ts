import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { firstPart, readParts, writeParts } from '../../db/parts.ts'
import { importUploadParts, importUploads } from '../../db/tables.gen.ts'

/** Keeps the bytes that a job will read. */
export async function storeUpload(
  tx: Transaction,
  job: { readonly id: string; readonly tenantId: string },
  bytes: Uint8Array,
  at: string,
): Promise<void> {
  const compressed = new Uint8Array(await Bun.zstdCompress(bytes, { level: 1 }))
  const place = { jobId: job.id, tenantId: job.tenantId }
  const first = firstPart(compressed)
  await tx.insert(importUploads).values({ ...place, compressed: first, sizeBytes: bytes.byteLength, createdAt: at })
  await writeParts(compressed, (part, ordinal) => tx.insert(importUploadParts).values({ ...place, ordinal, part }))
}

/** The bytes that came with a job; they are there as long as it has not ended. */
export async function readUpload(read: Reader, tenantId: string, jobId: string): Promise<Uint8Array<ArrayBuffer>> {
  const [row] = await read
    .select({ compressed: importUploads.compressed })
    .from(importUploads)
    .where(inTenant(importUploads, tenantId, eq(importUploads.jobId, jobId)))
  if (!row) throw new Error(`the upload of job ${jobId} is missing`)
  const frame = await readParts(row.compressed, async (ordinal) => {
    const its = and(eq(importUploadParts.jobId, jobId), eq(importUploadParts.ordinal, ordinal))
    const [more] = await read
      .select({ part: importUploadParts.part })
      .from(importUploadParts)
      .where(inTenant(importUploadParts, tenantId, its))
    return more?.part
  })
  return new Uint8Array(await Bun.zstdDecompress(frame))
}

/** Forgets what came with a job, once it has ended. */
export async function removeUpload(tx: Transaction, tenantId: string, jobId: string): Promise<void> {
  await tx.delete(importUploads).where(inTenant(importUploads, tenantId, eq(importUploads.jobId, jobId)))
}
