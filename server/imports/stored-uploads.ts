import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { importUploads } from '../../db/tables.gen.ts'

/** Keeps the bytes that a job will read. */
export async function storeUpload(
  tx: Transaction,
  job: { readonly id: string; readonly tenantId: string },
  bytes: Uint8Array,
  at: string,
): Promise<void> {
  const compressed = new Uint8Array(await Bun.zstdCompress(bytes, { level: 1 }))
  await tx
    .insert(importUploads)
    .values({ jobId: job.id, tenantId: job.tenantId, compressed, sizeBytes: bytes.byteLength, createdAt: at })
}

/** The bytes that came with a job; they are there as long as it has not ended. */
export async function readUpload(read: Reader, tenantId: string, jobId: string): Promise<Uint8Array<ArrayBuffer>> {
  const [row] = await read
    .select({ compressed: importUploads.compressed })
    .from(importUploads)
    .where(inTenant(importUploads, tenantId, eq(importUploads.jobId, jobId)))
  if (!row) throw new Error(`the upload of job ${jobId} is missing`)
  return new Uint8Array(await Bun.zstdDecompress(new Uint8Array(row.compressed)))
}

/** Forgets what came with a job, once it has ended. */
export async function removeUpload(tx: Transaction, tenantId: string, jobId: string): Promise<void> {
  await tx.delete(importUploads).where(inTenant(importUploads, tenantId, eq(importUploads.jobId, jobId)))
}
