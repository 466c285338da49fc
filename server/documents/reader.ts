import { isoOf } from '../../db/clock.ts'
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { apiKeys, documentReaders } from '../../db/tables.gen.ts'
import { hashSecret, randomBase62, setCookie } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { VersionRow } from '../records/door.ts'

/** Long enough for a day's reading; a key that is revoked ends it at once. */
const lifeMs = 8 * 3_600_000
const cookieName = 'svc_reader'

/** The value of the reader's cookie; null where the request has none. */
export function readerTokenOf(request: Request): string | null {
  return new Bun.CookieMap(request.headers.get('cookie') ?? '').get(cookieName) || null
}

/**
 * Takes a cookie for one version in place of the key that a link carried, so that the page can be loaded again after the
 * key is gone from the address. Gives the Set-Cookie headers, one for each path the page reads below.
 */
export async function admitReader(
  deps: Deps,
  version: VersionRow,
  keyId: string,
  where: { readonly paths: readonly string[]; readonly secure: boolean },
): Promise<string[]> {
  const token = randomBase62(43)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await tx.delete(documentReaders).where(lt(documentReaders.expiresAt, isoOf(now)))
    await tx.insert(documentReaders).values({
      tokenHash: hashSecret(token),
      tenantId: version.tenantId,
      versionId: version.id,
      keyId,
      createdAt: isoOf(now),
      expiresAt: isoOf(now + lifeMs),
    })
  })
  // What would end the attribute is not a path of a page here.
  const paths = new Set(where.paths.filter((path) => !/[;,\s]/.test(path)))
  return [...paths].map((path) =>
    setCookie(cookieName, token, { path, maxAge: lifeMs / 1000, sameSite: 'strict', secure: where.secure }),
  )
}

/** Whether a cookie's value admits to a version: it was given for it, has not ended, and its key is still good. */
export async function isAdmitted(read: Reader, token: string, version: VersionRow, at: string): Promise<boolean> {
  const [row] = await read
    .select({ scopes: apiKeys.scopes })
    .from(documentReaders)
    .innerJoin(apiKeys, eq(apiKeys.id, documentReaders.keyId))
    .where(
      inTenant(
        documentReaders,
        version.tenantId,
        and(
          eq(documentReaders.tokenHash, hashSecret(token)),
          eq(documentReaders.versionId, version.id),
          gt(documentReaders.expiresAt, at),
          eq(apiKeys.tenantId, version.tenantId),
          eq(apiKeys.enabled, true),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
        ),
      ),
    )
  return row?.scopes.includes('*') === true
}
