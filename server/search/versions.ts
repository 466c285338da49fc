import { and, eq, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import type { EntryKind, IndexName } from '../../db/search/match.ts'
import { searchFor, type SearchHit } from '../../db/search/search.ts'
import { operations } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'
import { schemaName } from '../search-index/door.ts'
import { placesOf, type VersionName } from './current.ts'

/** Of how many results the greatest versions are looked for. */
const mostRanked = 300

interface Found extends VersionName {
  readonly ref: string
  /** By semantic search: how near it is. */
  readonly similarity?: number
}

/** What several versions of a project have is found once, in the greatest of them; the order stays that of the search. */
function newest(
  hits: readonly (SearchHit & { similarity?: number })[],
  places: ReadonlyMap<string, VersionName>,
): Found[] {
  const found = new Map<string, Found>()
  for (const { ref, versionId, similarity } of hits) {
    const place = places.get(versionId)
    if (place === undefined) continue
    const key = `${place.projectId} ${ref}`
    const before = found.get(key)
    // A key keeps the position that it was set at first.
    if (before === undefined || compareLabels(place.version_label, before.version_label) > 0)
      found.set(key, { ...place, ref, ...(similarity === undefined ? {} : { similarity }) })
  }
  return [...found.values()]
}

/** What was found, in the versions that it is in. */
export async function placed(db: Database, tenantId: string, hits: Parameters<typeof newest>[0]): Promise<Found[]> {
  const ids = [...new Set(hits.map(({ versionId }) => versionId))]
  return newest(hits, await placesOf(db.read, tenantId, ids))
}

const inVersion = ({ project_slug, project_name, version_slug, version_label }: VersionName) => ({
  project_slug,
  project_name,
  version_slug,
  version_label,
})

/** The records of operations that were found, in their order. */
export async function operationRecords(
  db: Database,
  tenantId: string,
  wanted: readonly Found[],
): Promise<CatalogSearch['operations']> {
  if (wanted.length === 0) return []
  const any = or(...wanted.map((it) => and(eq(operations.versionId, it.id), eq(operations.ref, it.ref))))
  const rows = await db.read
    .select()
    .from(operations)
    .where(inTenant(operations, tenantId, any))
  const byKey = new Map(rows.map((row) => [`${row.versionId} ${row.ref}`, row]))
  return wanted.flatMap((entry) => {
    const row = byKey.get(`${entry.id} ${entry.ref}`)
    if (row === undefined) return []
    const near = entry.similarity === undefined ? {} : { similarity: entry.similarity }
    return [{ ...inVersion(entry), ref: row.ref, summary: row.summary, deprecated: row.deprecated, ...near }]
  })
}

/** What a text finds of each kind. */
type Hits = Readonly<Record<EntryKind, readonly SearchHit[]>>

/**
 * Operations and schemas. What is in current versions is what people mean: other versions are searched where those have nothing,
 * and what has only some of the words where nothing has them all.
 */
async function hitsFor(db: Database, tenantId: string, text: string): Promise<Hits> {
  const search = async (among: IndexName, some: boolean): Promise<Hits> => {
    const [operation, schema] = await Promise.all(
      (['operation', 'schema'] as const).map((kind) =>
        searchFor(db, { tenantId, kind, among, text, some, limit: mostRanked }),
      ),
    )
    return { operation: operation?.hits ?? [], schema: schema?.hits ?? [] }
  }
  for (const among of ['current', 'older'] as const)
    for (const some of [false, true]) {
      const hits = await search(among, some)
      if (hits.operation.length > 0 || hits.schema.length > 0) return hits
    }
  return { operation: [], schema: [] }
}

/** Operations and schemas by words. Each kind is ranked by itself, so that many of one never leave out the other. */
export async function searchVersions(
  db: Database,
  tenantId: string,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<Pick<CatalogSearch, 'operations' | 'schemas'>> {
  const wanted = text.trim().toLowerCase()
  // What is named exactly so comes first, whatever else has its words: "POST /tickets", "/tickets", "Money".
  const isExact = ({ ref }: SearchHit): boolean => {
    const name = (schemaName(ref) ?? ref).toLowerCase()
    return name === wanted || name.slice(name.indexOf(' ') + 1) === wanted
  }
  const hits = await hitsFor(db, tenantId, text)
  const find = async (kind: EntryKind) => {
    const ordered = [...hits[kind].filter(isExact), ...hits[kind].filter((hit) => !isExact(hit))]
    return (await placed(db, tenantId, ordered)).slice(0, limit)
  }
  const [found, schemas] = await Promise.all([find('operation'), find('schema')])
  return {
    schemas: schemas.map((it) => ({ ...inVersion(it), name: schemaName(it.ref) ?? it.ref })),
    operations: await operationRecords(db, tenantId, found),
  }
}
