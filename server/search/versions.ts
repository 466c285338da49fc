import { and, eq, inArray, like, not, or, type SQL } from 'drizzle-orm'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { searchFor, type SearchHit } from '../../db/search/search.ts'
import { operations, searchEntries, versions } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'
import { schemaName, schemaPrefix } from '../search-index/door.ts'
import { type Current, type VersionName, placesOf } from './current.ts'

/** Of how many results the greatest versions are looked for. */
const mostRanked = 300
/** More current versions than this are not named one by one: all versions are searched then. */
const mostCurrent = 20_000

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

/** What was found, in the versions that it is in; those that are current need no query. */
export async function placed(
  db: Database,
  tenantId: string,
  current: Current,
  hits: Parameters<typeof newest>[0],
): Promise<Found[]> {
  const others = [...new Set(hits.map(({ versionId }) => versionId))].filter((id) => !current.places.has(id))
  const more = others.length === 0 ? [] : await placesOf(db.read, tenantId, inArray(versions.id, padded(others)))
  return newest(
    hits,
    more.length === 0 ? current.places : new Map([...current.places, ...more.map((it) => [it.id, it] as const)]),
  )
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

const isSchema = like(searchEntries.ref, `${schemaPrefix}%`)

/**
 * Operations or schemas. Current versions first: what is there today is what people mean. Others only where these have nothing.
 */
async function hitsFor(
  db: Database,
  tenantId: string,
  { text, current, kind }: { readonly text: string; readonly current: Current; readonly kind: SQL },
): Promise<readonly SearchHit[]> {
  const ids = [...current.places.keys()]
  const search = async (among?: SQL) =>
    (await searchFor(db, { scope: inTenant(searchEntries, tenantId, kind, among), text, limit: mostRanked })).hits
  if (ids.length === 0 || ids.length > mostCurrent) return search()
  const hits = await search(inArray(searchEntries.versionId, padded(ids)))
  return hits.length > 0 ? hits : search()
}

/** Operations and schemas by words. Each kind is ranked by itself, so that many of one never leave out the other. */
export async function searchVersions(
  db: Database,
  tenantId: string,
  { text, limit, current }: { readonly text: string; readonly limit: number; readonly current: Current },
): Promise<Pick<CatalogSearch, 'operations' | 'schemas'>> {
  const wanted = text.trim().toLowerCase()
  // What is named exactly so comes first, whatever else has its words: "POST /tickets", "/tickets", "Money".
  const isExact = ({ ref }: SearchHit): boolean => {
    const name = (schemaName(ref) ?? ref).toLowerCase()
    return name === wanted || name.slice(name.indexOf(' ') + 1) === wanted
  }
  const find = async (kind: SQL) => {
    const hits = await hitsFor(db, tenantId, { text, current, kind })
    const ordered = [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))]
    return (await placed(db, tenantId, current, ordered)).slice(0, limit)
  }
  const [found, schemas] = await Promise.all([find(not(isSchema)), find(isSchema)])
  return {
    schemas: schemas.map((it) => ({ ...inVersion(it), name: schemaName(it.ref) ?? it.ref })),
    operations: await operationRecords(db, tenantId, found),
  }
}
