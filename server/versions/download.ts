import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import {
  chooseCoding,
  codedTag,
  type Coding,
  type Context,
  encodeBytes,
  etagOf,
  isKnown,
  Reply,
  smallest,
} from '../http/door.ts'
import { readCompressed, readContent } from '../../db/content.ts'
import { findVersion } from '../records/door.ts'

/** A document in a coding, null where it is too small to gain from it. What is stored as zstd is sent as it is stored. */
async function encodedContent(deps: Deps, tenantId: string, digest: string, size: number, coding: Coding) {
  if (coding === 'zstd') return size < smallest ? null : readCompressed(deps.db, tenantId, digest)
  return encodeBytes(await readContent(deps.db, tenantId, digest), coding, 'once')
}

/**
 * The document of a version, byte for byte, in a coding that the caller takes, with the ETag of that coding; 304 where the caller has it
 * already.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function downloadDocument(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  { ifNoneMatch, request }: Pick<Context, 'ifNoneMatch' | 'request'>,
): Promise<Reply> {
  const { id: tenantId } = tenantOf(grant)
  const { version } = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const headers = {
    etag: etagOf(version.digest),
    'content-type': `application/${version.syntax}`,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
  }
  if (isKnown(ifNoneMatch, headers.etag)) return new Reply({ status: 304, headers, body: null })
  const coding = chooseCoding(request.headers.get('accept-encoding'))
  const encoded = coding && (await encodedContent(deps, tenantId, version.digest, version.sizeBytes, coding))
  if (coding !== null && encoded !== null)
    return new Reply({
      headers: { ...headers, etag: codedTag(headers.etag, coding), 'content-encoding': coding },
      body: encoded,
    })
  return new Reply({ headers, body: await readContent(deps.db, tenantId, version.digest) })
}

/** JSON where a text begins as an object does: an overlay and what it changes are objects. */
const typeOf = (bytes: Uint8Array): string => {
  const first = bytes.find((it) => it > 0x20 && it < 0x80)
  return first === 0x7b ? 'application/json' : 'application/yaml'
}

/**
 * A text that a version was made of by overlays: the document before them, or an overlay, byte for byte.
 * @param digest as the lineage of the version has it
 * @throws SvcError `project-not-found`, `version-not-found`, `lineage-text-not-found`
 */
export async function downloadLineage(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  digest: string,
): Promise<Reply> {
  const { id: tenantId } = tenantOf(grant)
  const { version } = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const lineages = [version, ...(version.joined ?? [])].map(({ provenance }) => provenance.lineage)
  const known = lineages.flatMap((it) =>
    it === undefined ? [] : [it.base_digest, ...it.overlays.map((overlay) => overlay.digest)],
  )
  if (!known.includes(digest)) throw new SvcError('lineage-text-not-found', { version: version.label, digest })
  const body = await readContent(deps.db, tenantId, digest)
  return new Reply({ headers: { 'content-type': typeOf(body), 'cache-control': 'private, no-cache' }, body })
}
