import { and, desc, eq, gte, ne } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { renderings, versions } from '../../db/tables.gen.ts'
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
    .select({ compressed: renderings.compressed, etag: renderings.etag })
    .from(renderings)
    .where(inTenant(renderings, version.tenantId, eq(renderings.digest, version.digest), eq(renderings.kind, kind)))
  if (!row) return null
  return { bytes: new Uint8Array(await Bun.zstdDecompress(new Uint8Array(row.compressed))), etag: row.etag }
}

/** A larger row would keep others waiting while a driver writes or reads it; the document is rendered again instead. */
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
  if (compressed.byteLength > mostKept) return
  const { tenantId, digest } = version
  const row = { tenantId, digest, kind, etag, compressed, sizeBytes: bytes.byteLength, createdAt: at }
  await db.inTransaction((tx) => tx.insert(renderings).values(row).onConflictDoNothing())
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
