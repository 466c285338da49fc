import { eq } from 'drizzle-orm'
import { inTenant } from './conditions.ts'
import type { Reader, Transaction } from './database.ts'
import { contents } from './tables.gen.ts'

/** "sha256:" and the hex digest of the bytes. */
export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`

/** Stores bytes once for each tenant; gives their digest. Bytes that are there already are not written again. */
export async function storeContent(tx: Transaction, tenantId: string, bytes: Uint8Array, at: string): Promise<string> {
  const digest = digestOf(bytes)
  const [known] = await tx
    .select({ digest: contents.digest })
    .from(contents)
    .where(inTenant(contents, tenantId, eq(contents.digest, digest)))
  if (known) return digest
  // Level 3 packs a large document to a tenth in a few milliseconds; higher levels cost far more than they save.
  const compressed = new Uint8Array(await Bun.zstdCompress(bytes, { level: 3 }))
  await tx
    .insert(contents)
    .values({ tenantId, digest, compressed, sizeBytes: bytes.byteLength, createdAt: at })
    .onConflictDoNothing()
  return digest
}

/** The bytes of a digest as they are stored: one zstd frame, with a window that every reader of the coding takes. */
export async function readCompressed(read: Reader, tenantId: string, digest: string): Promise<Uint8Array<ArrayBuffer>> {
  const [row] = await read
    .select({ compressed: contents.compressed })
    .from(contents)
    .where(inTenant(contents, tenantId, eq(contents.digest, digest)))
  if (!row) throw new Error(`content ${digest} is missing`)
  return new Uint8Array(row.compressed)
}

/** The stored bytes of a digest. A digest that a row refers to and that is not there is a fault. */
export const readContent = async (read: Reader, tenantId: string, digest: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await Bun.zstdDecompress(await readCompressed(read, tenantId, digest)))
