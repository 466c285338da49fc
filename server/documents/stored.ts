import { and, desc, eq, gte, ne } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { claimObject, putObject, readObject } from '../../db/objects/objects.ts'
import { renderings, versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { digestText } from '../../src/document/serialize.ts'
import { readerRevision } from '../../src/reader/revision.ts'
import { renderingRevision } from '../../src/render/revision.ts'
import type { VersionRow } from '../records/door.ts'
import type { Rendering } from '../analysis/door.ts'

/** Documents below this are rendered faster than one would notice. */
export const storedFromBytes = 512 * 1024

/** Digest of everything beside the content that decides what is made of a version. */
function digestBeside(version: VersionRow, types: string): string {
  const joined = (version.joined ?? []).map(({ provenance }) => provenance.digest)
  const rest = [
    version.format.kind,
    version.provenance.project_name_field ?? null,
    ...joined,
    ...(types === '' ? [] : [types]),
  ]
  return digestText(JSON.stringify(rest)).slice('sha256:'.length, 'sha256:'.length + 16)
}

/**
 * The name of a rendering that is worth keeping: a whole document of a large version; null for every other.
 * @param types the registered types in it with their revisions; "" without any
 */
export function storedKind(
  version: VersionRow,
  { kind, className, syntax, refs }: Rendering,
  types: string,
): string | null {
  if (className !== null || syntax !== 'json' || refs !== 'bundle' || version.sizeBytes < storedFromBytes) return null
  return `${kind}.${syntax} ${renderingRevision} ${digestBeside(version, types)}`
}

/** The name of the parts of a version's documentation, where they are kept; parts of equal names are equal for a content. */
export const readerKind = (version: VersionRow, types: string): string =>
  `reader ${renderingRevision}.${readerRevision} ${digestBeside(version, types)}`

/** A rendering that was kept. */
export interface StoredRendering {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

/** The rendering that was kept of a version; null where none was. */
export async function readRendering(db: Database, version: VersionRow, kind: string): Promise<StoredRendering | null> {
  const [row] = await db.read
    .select({ compressed: renderings.compressed, object: renderings.object, etag: renderings.etag })
    .from(renderings)
    .where(inTenant(renderings, version.tenantId, eq(renderings.digest, version.digest), eq(renderings.kind, kind)))
  if (!row) return null
  const compressed = row.object === null ? row.compressed : await keptObject(db, version, row.object)
  if (compressed === null) return null
  return { bytes: new Uint8Array(await Bun.zstdDecompress(new Uint8Array(compressed))), etag: row.etag }
}

/** The bytes of a rendering in the store; null where it does not answer them: the document can be rendered again. */
async function keptObject(db: Database, { tenantId, digest }: VersionRow, sha256: string) {
  try {
    return await readObject(db, { kind: 'renderings', tenantId, sha256 }, digest)
  } catch (error) {
    if (error instanceof SvcError) return null
    throw error
  }
}

/** A larger row would keep others waiting while a driver writes or reads it; without a store the document is rendered again instead. */
const mostKept = 8 * 1024 * 1024

/** Keeps a rendering that is not too large for a row. Of two who keep the same one the first does. */
export async function keepRendering(
  db: Database,
  version: VersionRow,
  kind: string,
  { bytes, etag }: StoredRendering,
  at: string,
): Promise<void> {
  // Level 1: it is read far more often than written, and all levels are read alike fast.
  const compressed = new Uint8Array(await Bun.zstdCompress(bytes, { level: 1 }))
  const { tenantId, digest } = version
  const object = await putObject(db.objects, { kind: 'renderings', tenantId }, compressed)
  if (object === null && compressed.byteLength > mostKept) return
  const row = { tenantId, digest, kind, etag, object, sizeBytes: bytes.byteLength, createdAt: at }
  await db.inTransaction(async (tx) => {
    // What is being collected cannot be referred to: it is rendered again another day.
    if (object !== null && !(await claimObject(tx, { kind: 'renderings', tenantId, sha256: object }))) return
    const values = { ...row, compressed: object === null ? compressed : new Uint8Array() }
    await tx.insert(renderings).values(values).onConflictDoNothing()
  })
}

/** The newest large versions that readers may ask for: what is worth making before they do. */
export async function findLarge(db: Database, limit: number): Promise<VersionRow[]> {
  return db.read
    .select()
    .from(versions)
    .where(and(gte(versions.sizeBytes, storedFromBytes), ne(versions.status, 'draft')))
    .orderBy(desc(versions.publishedAt), desc(versions.id))
    .limit(limit)
}
