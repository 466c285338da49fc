/** One search over everything of an organization that has a name. */
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { type SearchHit, searchFor } from '../../db/search/search.ts'
import {
  consumers,
  memberships,
  operations,
  projects,
  searchEntries,
  styleGuides,
  users,
  versions,
} from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { compareLabels } from '../../src/version-label.ts'
import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { isMember } from '../members/find.ts'
import { schemaName } from '../specs/search-index.ts'
import { everyRule } from '../style-guides/builtin.ts'

/** Of how many results the greatest versions are looked for. */
const mostRanked = 300

interface Place {
  readonly id: string
  readonly projectId: string
  readonly project_slug: string
  readonly project_name: string
  readonly version_slug: string
  readonly version_label: string
}

async function placesOf(read: Reader, tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Place>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select({
      id: versions.id,
      projectId: versions.projectId,
      project_slug: projects.slug,
      project_name: projects.name,
      version_slug: versions.slug,
      version_label: versions.label,
    })
    .from(versions)
    .innerJoin(projects, and(eq(projects.id, versions.projectId), eq(projects.tenantId, versions.tenantId)))
    .where(inTenant(versions, tenantId, inArray(versions.id, [...ids])))
  return new Map(rows.map((row) => [row.id, row]))
}

interface Found extends Place {
  readonly ref: string
}

/** What several versions of a project have is found once, in the greatest of them; the order stays that of the search. */
function newest(hits: readonly SearchHit[], places: ReadonlyMap<string, Place>): Found[] {
  const found = new Map<string, Found>()
  for (const { ref, versionId } of hits) {
    const place = places.get(versionId)
    if (place === undefined) continue
    const key = `${place.projectId} ${ref}`
    const before = found.get(key)
    // A key keeps the position that it was set at first.
    if (before === undefined || compareLabels(place.version_label, before.version_label) > 0)
      found.set(key, { ...place, ref })
  }
  return [...found.values()]
}

const inVersion = ({ project_slug, project_name, version_slug, version_label }: Place) => ({
  project_slug,
  project_name,
  version_slug,
  version_label,
})

/** Operations and schemas by words, over all versions. */
async function searchVersions(
  deps: Deps,
  tenantId: string,
  text: string,
  limit: number,
): Promise<Pick<CatalogSearch, 'operations' | 'schemas'>> {
  const { read } = deps.db
  const { hits } = await searchFor(deps.db, { scope: inTenant(searchEntries, tenantId), text, limit: mostRanked })
  const places = await placesOf(read, tenantId, [...new Set(hits.map(({ versionId }) => versionId))])
  const all = newest(hits, places)
  const schemas = all.flatMap((it) => {
    const name = schemaName(it.ref)
    return name === null ? [] : [{ ...inVersion(it), name }]
  })
  const wanted = all.filter((it) => schemaName(it.ref) === null).slice(0, limit)
  const rows =
    wanted.length === 0
      ? []
      : await read
          .select()
          .from(operations)
          .where(
            inTenant(
              operations,
              tenantId,
              or(...wanted.map((it) => and(eq(operations.versionId, it.id), eq(operations.ref, it.ref)))),
            ),
          )
  const byKey = new Map(rows.map((row) => [`${row.versionId} ${row.ref}`, row]))
  return {
    schemas: schemas.slice(0, limit),
    operations: wanted.flatMap((it) => {
      const row = byKey.get(`${it.id} ${it.ref}`)
      return row === undefined
        ? []
        : [{ ...inVersion(it), ref: row.ref, summary: row.summary, deprecated: row.deprecated }]
    }),
  }
}

const searchConsumers = (read: Reader, tenantId: string, text: string, limit: number) =>
  read
    .select({
      id: consumers.id,
      name: consumers.name,
      project_slug: projects.slug,
      project_name: projects.name,
    })
    .from(consumers)
    .innerJoin(projects, and(eq(projects.id, consumers.projectId), eq(projects.tenantId, consumers.tenantId)))
    .where(inTenant(consumers, tenantId, isNull(consumers.retiredAt), contains(consumers.name, text)))
    .orderBy(asc(consumers.name), asc(consumers.id))
    .limit(limit)

const searchGuides = (read: Reader, tenantId: string, text: string, limit: number) =>
  read
    .select({ id: styleGuides.id, name: styleGuides.name })
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId, contains(styleGuides.name, text)))
    .orderBy(asc(styleGuides.name), asc(styleGuides.id))
    .limit(limit)

const searchMembers = (read: Reader, tenantId: string, text: string, limit: number) =>
  read
    .select({ user_id: users.id, name: users.name, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(inTenant(memberships, tenantId, isMember), or(contains(users.name, text), contains(users.email, text))))
    .orderBy(asc(users.name), asc(users.id))
    .limit(limit)

/**
 * Searches an organization. A list that the caller has no permission for is empty.
 * @param limit how many results of each kind
 */
export async function searchCatalog(deps: Deps, grant: Grant, q: string, limit: number): Promise<CatalogSearch> {
  const { id } = tenantOf(grant)
  const { read } = deps.db
  const text = q.trim()
  const nothing = { operations: [], schemas: [], consumers: [], style_guides: [], rules: [], members: [] }
  if (text === '') return nothing
  const may = (permission: Parameters<typeof grant.permissions.has>[0]) => grant.permissions.has(permission)
  const [found, consumersFound, guides, members] = await Promise.all([
    searchVersions(deps, id, text, limit),
    may('consumer_contracts:view') ? searchConsumers(read, id, text, limit) : [],
    may('style_guides:view') ? searchGuides(read, id, text, limit) : [],
    grant.principal?.kind === 'user' ? searchMembers(read, id, text, limit) : [],
  ])
  const rules = Object.entries(everyRule)
    .filter(([rule]) => rule.includes(text.toLowerCase()))
    .slice(0, limit)
    .map(([rule, { description = null }]) => ({ id: rule, description }))
  return { ...found, consumers: consumersFound, style_guides: guides, rules, members }
}
