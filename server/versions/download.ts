import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { Reply } from '../http/reply.ts'
import { readContent } from './content.ts'
import { etagOf, isKnown } from './etag.ts'
import { findVersion } from './service.ts'

/**
 * The document of a version, byte for byte, with its ETag; 304 where the caller has it already.
 * @throws SvcError `project-not-found`, `version-not-found`
 */
export async function downloadDocument(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  ifNoneMatch: string | null,
): Promise<Reply> {
  const { id: tenantId } = tenantOf(grant)
  const { version } = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const headers = {
    etag: etagOf(version.digest),
    'content-type': `application/${version.syntax}`,
    'cache-control': 'private, no-cache',
  }
  if (isKnown(ifNoneMatch, headers.etag)) return new Reply({ status: 304, headers, body: null })
  return new Reply({ headers, body: await readContent(deps.db.read, tenantId, version.digest) })
}
