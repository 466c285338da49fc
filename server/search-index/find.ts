import { and, eq, inArray, or } from 'drizzle-orm'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { searchFor } from '../../db/search/search.ts'
import { operations, searchEntries } from '../../db/tables.gen.ts'

/** More versions than this are not named one by one in a statement. */
const mostVersions = 20_000

/** An operation that a search found. */
export interface FoundOperation {
  readonly versionId: string
  /** "POST /tickets". */
  readonly ref: string
  readonly summary: string | null
}

/**
 * The operations of some versions that a text finds by its words, the best first.
 * @param asked.versionIds only in these; of more than 20,000 the first ones
 * @param asked.limit at most so many
 * @returns none for a text without a word
 */
export async function findOperations(
  db: Database,
  asked: {
    readonly tenantId: string
    readonly versionIds: readonly string[]
    readonly text: string
    readonly limit: number
  },
): Promise<readonly FoundOperation[]> {
  const { tenantId, text, limit } = asked
  const versionIds = asked.versionIds.slice(0, mostVersions)
  if (text.trim() === '' || versionIds.length === 0) return []
  const among = inArray(searchEntries.versionId, padded(versionIds))
  const { hits } = await searchFor(db, { tenantId, kind: 'operation', among: 'all', scope: among, text, limit })
  if (hits.length === 0) return []
  const any = or(...hits.map((hit) => and(eq(operations.versionId, hit.versionId), eq(operations.ref, hit.ref))))
  const rows = await db.read
    .select({ versionId: operations.versionId, ref: operations.ref, summary: operations.summary })
    .from(operations)
    .where(inTenant(operations, tenantId, any))
  const byKey = new Map(rows.map((row) => [`${row.versionId} ${row.ref}`, row]))
  return hits.flatMap((hit) => byKey.get(`${hit.versionId} ${hit.ref}`) ?? [])
}
