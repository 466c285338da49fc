/** The projects of a tenant narrowed by facets: owner, tags, and what their latest versions are. */
import { and, inArray, or, type SQL } from 'drizzle-orm'
import type { lifecycles, ProjectFacets, projectOrders } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import { Guard } from '../bounds/door.ts'
import { sincePage, type StablePage } from '../kit/door.ts'
import { latestOf } from '../records/door.ts'
import { compareText } from '../../src/kernel/order.ts'

/** Most projects that are counted and sorted in memory; the search words narrow larger catalogues first. */
const most = 20_000

export interface CatalogueQuery {
  readonly q: string | null
  /** Only those that were there then. */
  readonly page?: StablePage
  readonly owner?: string
  readonly lifecycle?: (typeof lifecycles)[number]
  readonly tag?: string
  readonly status?: string
  readonly grade?: string
  readonly format?: string
  readonly draft?: 'yes' | 'no'
  readonly sort?: (typeof projectOrders)[number]
  readonly include_facets?: boolean
}

/** Whether a project has each of the words somewhere in what it says about itself. */
export function matching({ q, page }: Pick<CatalogueQuery, 'q' | 'page'>): SQL | undefined {
  const words = (q ?? '').split(/\s+/).filter((word) => word !== '')
  const fields = [projects.name, projects.slug, projects.description, projects.owner]
  const there = page === undefined ? undefined : sincePage(projects.createdAt, page)
  return and(there, ...words.slice(0, 12).map((word) => or(...fields.map((it) => contains(it, word)))))
}

const facets = ['owner', 'lifecycle', 'tag', 'status', 'grade', 'format', 'draft'] as const
type Facet = (typeof facets)[number]

/** Whether the database alone can answer: no facet is asked for, and the order is that of creation. */
export const isPlain = (query: CatalogueQuery): boolean =>
  (query.sort ?? 'created') === 'created' &&
  query.include_facets !== true &&
  facets.every((facet) => query[facet] === undefined)

/** What a project is found by. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly values: Readonly<Record<Facet, readonly string[]>>
}

const several = (value: string | null): readonly string[] => (value === null ? [] : [value])

async function entriesOf(read: Reader, tenantId: string, query: CatalogueQuery): Promise<readonly Entry[]> {
  const where = inTenant(projects, tenantId, matching(query))
  const { id, name, createdAt, updatedAt, owner, lifecycle, tags } = projects
  const rows = await read
    .select({ id, name, createdAt, updatedAt, owner, lifecycle, tags })
    .from(projects)
    .where(where)
    .limit(most + 1)
  if (rows.length > most) throw new SvcError('too-many-projects', { max: most })
  const found = await read
    .select({
      projectId: versions.projectId,
      label: versions.label,
      status: versions.status,
      grade: versions.grade,
      format: versions.format,
      createdAt: versions.createdAt,
    })
    .from(versions)
    .where(
      inTenant(
        versions,
        tenantId,
        query.q === null ? undefined : inArray(versions.projectId, read.select({ id }).from(projects).where(where)),
      ),
    )
  const byProject = Map.groupBy(found, (it) => it.projectId)
  return rows.map((row) => {
    const own = byProject.get(row.id) ?? []
    const latest = latestOf(own)
    const values = {
      owner: several(row.owner),
      lifecycle: several(row.lifecycle),
      tag: row.tags ?? [],
      status: [latest?.status ?? 'none'],
      grade: [latest?.grade ?? 'none'],
      format: latest ? [`${latest.format.kind} ${latest.format.version}`] : [],
      draft: [own.some((it) => it.status === 'draft') ? 'yes' : 'no'],
    }
    return { id: row.id, name: row.name, createdAt: row.createdAt, updatedAt: row.updatedAt, values }
  })
}

const fits = ({ values }: Entry, query: CatalogueQuery, except: Facet | null): boolean =>
  facets.every((facet) => {
    const wanted = query[facet]
    return facet === except || wanted === undefined || values[facet].includes(wanted)
  })

/** The most frequent first; what has no value is not counted. */
function countOf(entries: readonly Entry[], facet: Facet): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { values } of entries) for (const value of values[facet]) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
}

// A grade that is worse comes first: F, D, C, B, A; then what has none.
const gradeRank = ({ values }: Entry): number => 'FDCBA'.indexOf(values.grade[0]?.replace('none', '-') ?? '-') + 1 || 9

const newest = (a: Entry, b: Entry): number => compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id)
const orders: Record<(typeof projectOrders)[number], (a: Entry, b: Entry) => number> = {
  created: newest,
  updated: (a, b) => compareText(b.updatedAt, a.updatedAt) || newest(a, b),
  name: (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()) || newest(a, b),
  grade: (a, b) =>
    gradeRank(a) - gradeRank(b) || compareText(a.name.toLowerCase(), b.name.toLowerCase()) || newest(a, b),
}

/**
 * The ids of the projects that fit, in their order, and how many have each value of each facet.
 * @throws SvcError `too-many-projects` where more than 20,000 match the search words
 */
export async function findInCatalogue(
  read: Reader,
  tenantId: string,
  query: CatalogueQuery,
): Promise<{ readonly ids: readonly string[]; readonly facets: ProjectFacets }> {
  const guard = new Guard('project-catalogue')
  const entries = await entriesOf(read, tenantId, query)
  const fitting = (except: Facet | null) =>
    guard.filter(
      entries,
      ({ values }) => facets.length + values.tag.length,
      (it) => fits(it, query, except),
    )
  const ids = (await fitting(null)).toSorted(orders[query.sort ?? 'created']).map((it) => it.id)
  const count = async (facet: Facet) => countOf(await fitting(facet), facet)
  return {
    ids,
    facets: {
      owner: await count('owner'),
      lifecycle: await count('lifecycle'),
      tag: await count('tag'),
      status: await count('status'),
      grade: await count('grade'),
      format: await count('format'),
      draft: await count('draft'),
    },
  }
}

/** The rows of some projects, in the order of their ids. */
export async function rowsInOrder(
  read: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<(typeof projects.$inferSelect)[]> {
  if (ids.length === 0) return []
  const rows = await read
    .select()
    .from(projects)
    .where(inTenant(projects, tenantId, inArray(projects.id, [...ids])))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
