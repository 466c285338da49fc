import { eq, ne } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { versions } from '../../db/tables.gen.ts'
import type { VersionRow } from '../records/door.ts'

// What was gone for longer than this many publications is not distinguished from what never was.
const mostEarlier = 20

/** The versions that were published before one, the newest first. */
export async function earlierVersions(read: Reader, version: VersionRow): Promise<readonly VersionRow[]> {
  const rows = await read
    .select()
    .from(versions)
    .where(
      inTenant(versions, version.tenantId, eq(versions.projectId, version.projectId), ne(versions.status, 'draft')),
    )
  const before = version.publishedAt
  return rows
    .filter(
      (row) => row.id !== version.id && row.publishedAt !== null && (before === null || row.publishedAt <= before),
    )
    .sort((a, b) => ((a.publishedAt ?? '') < (b.publishedAt ?? '') ? 1 : -1))
    .slice(0, mostEarlier)
}
