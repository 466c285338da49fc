/** What the documents of two releases say differently: which requests only one of them accepts. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import type { ReleaseDocuments } from '../../src/api/gateway-releases.ts'
import type { SecurityNarrowing } from '../../src/api/gateway-positive.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import type { VersionRow } from '../records/door.ts'
import type { ReleaseRow } from './release-rows.ts'
import { isComparable, narrowingOf } from '../gateway-policy/door.ts'

async function versionIn(read: Reader, { tenantId, versionId }: ReleaseRow): Promise<VersionRow | null> {
  if (versionId === null) return null
  const [row] = await read
    .select()
    .from(versions)
    .where(inTenant(versions, tenantId, eq(versions.id, versionId)))
  return row ?? null
}

/** What the second document refuses that the first one accepts; null where they cannot be compared. */
async function narrowing(
  deps: Deps,
  read: Reader,
  before: VersionRow | null,
  after: VersionRow | null,
): Promise<SecurityNarrowing | null> {
  if (before === null || after === null || !isComparable(before) || !isComparable(after)) return null
  try {
    return await narrowingOf(deps, read, before, after)
  } catch (error) {
    // A rollback must not wait for documents that take too long to compare.
    if (error instanceof SvcError) return null
    throw error
  }
}

/**
 * Compares the documents of two releases.
 * @returns null where both were made of the same one
 */
export async function documentsBetween(deps: Deps, from: ReleaseRow, to: ReleaseRow): Promise<ReleaseDocuments | null> {
  if (from.versionId === to.versionId) return null
  const { read } = deps.db
  const [before, after] = [await versionIn(read, from), await versionIn(read, to)]
  return {
    from: from.versionLabel,
    to: to.versionLabel,
    refused: await narrowing(deps, read, before, after),
    allowed: await narrowing(deps, read, after, before),
  }
}

/** Why it needs another person that gateways compare requests with the second document; null where nothing more passes. */
export function riskOfDocuments({ from, to, allowed }: ReleaseDocuments): string | null {
  if (from === null) return null
  if (to === null) return 'Requests are compared with no document any more.'
  if (allowed === null)
    return `Requests are compared with ${to} instead of ${from}, and what that lets pass is not known.`
  if (allowed.total === 0) return null
  const changes = allowed.total === 1 ? '1 change lets' : `${allowed.total} changes let`
  return `Requests are compared with ${to} instead of ${from}: ${changes} requests pass that are refused now.`
}

/** What a rollback does to requests, as sentences. */
export function documentsText(documents: ReleaseDocuments | null): string {
  if (documents === null) return ''
  const { from, to, refused } = documents
  const risk = riskOfDocuments(documents)
  const narrower =
    refused === null || refused.total === 0
      ? ''
      : ` ${to} refuses requests that ${from} accepts (${refused.total === 1 ? '1 change' : `${refused.total} changes`}).`
  return `${risk === null ? '' : ` ${risk}`}${narrower}`
}
