/** The projects of a tenant narrowed by words and facets, sorted and counted by the database: owner, tags, and what their latest versions are. */
import { and, asc, count, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { lifecycles, ProjectFacets, projectOrders } from '../../src/api/projects.ts'
import { compareText } from '../../src/kernel/order.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { hasText, textsOf } from '../../db/json-lists.ts'
import { summarizeStale } from '../../db/projects/summary.ts'
import type { VersionStatus } from '../../db/tables/versions.ts'
import { projects } from '../../db/tables.gen.ts'
import { readPage, sincePage, type StablePage } from '../kit/door.ts'
import type { ProjectRow } from '../records/door.ts'

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

type Dialect = Database['dialect']
type Facet = keyof ProjectFacets

/** The condition of each facet; its values are those that `countFacet` answers. */
const conditions: { readonly [F in Facet]: (value: string, dialect: Dialect) => SQL } = {
  owner: (value) => eq(projects.owner, value),
  lifecycle: (value) => eq(projects.lifecycle, value as NonNullable<ProjectRow['lifecycle']>),
  tag: (value, dialect) => hasText(dialect, projects.tags, value),
  status: (value) =>
    value === 'none' ? isNull(projects.latestStatus) : eq(projects.latestStatus, value as VersionStatus),
  grade: (value) => (value === 'none' ? isNull(projects.latestGrade) : eq(projects.latestGrade, value)),
  format: (value) => eq(projects.latestFormat, value),
  draft: (value) => (value === 'yes' ? gt(projects.draftsCount, 0) : eq(projects.draftsCount, 0)),
}
const facets = Object.keys(conditions) as Facet[]

/** The condition of projects that fit the words and all facets but one. */
const fitting = (dialect: Dialect, query: CatalogueQuery, except: Facet | null): SQL | undefined =>
  and(
    matching(query),
    ...facets.map((facet) => {
      const value = facet === except ? undefined : query[facet]
      return value === undefined ? undefined : conditions[facet](value, dialect)
    }),
  )

/** The value of each facet; null: the project has none, and is not counted. A project has several tags: these are counted apart. */
const values: { readonly [F in Exclude<Facet, 'tag'>]: SQL<string | null> } = {
  owner: sql`${projects.owner}`,
  lifecycle: sql`${projects.lifecycle}`,
  status: sql`coalesce(${projects.latestStatus}, 'none')`,
  grade: sql`coalesce(${projects.latestGrade}, 'none')`,
  format: sql`${projects.latestFormat}`,
  draft: sql`case when ${projects.draftsCount} > 0 then 'yes' else 'no' end`,
}

/** How many of the projects that fit the other facets have each value of one, the most frequent first. */
async function countFacet(db: Database, tenantId: string, query: CatalogueQuery, facet: Facet) {
  const where = inTenant(projects, tenantId, fitting(db.dialect, query, facet))
  const listed = textsOf(db.dialect, projects.tags)
  const value = facet === 'tag' ? listed.text : values[facet]
  const from = db.read.select({ value: sql<string>`${value}`, count: count() }).from(projects)
  const all = facet === 'tag' ? from.innerJoin(listed.from, sql`true`) : from
  const rows = await all.where(and(where, isNotNull(value))).groupBy(value)
  return rows.toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
}

const newest = [desc(projects.createdAt), desc(projects.id)]
const orders: { readonly [O in (typeof projectOrders)[number]]: readonly SQL[] } = {
  created: newest,
  updated: [desc(projects.updatedAt), ...newest],
  name: [asc(projects.foldedName), ...newest],
  grade: [asc(projects.gradeRank), asc(projects.foldedName), ...newest],
}

/** The condition of the tenant's projects that fit, once what it compares is kept of all of them. */
export async function inCatalogue(db: Database, tenantId: string, query: CatalogueQuery): Promise<SQL | undefined> {
  await summarizeStale(db, tenantId)
  return fitting(db.dialect, query, null)
}

/** A page of the projects that fit in their order, how many there are, and how many have each value of each facet. */
export async function findInCatalogue(
  db: Database,
  tenantId: string,
  query: CatalogueQuery & { readonly page: StablePage },
): Promise<{ readonly rows: readonly ProjectRow[]; readonly total: number; readonly facets?: ProjectFacets }> {
  const where = inTenant(projects, tenantId, await inCatalogue(db, tenantId, query))
  const { rows, total } = await readPage(db.read, projects, {
    where,
    order: orders[query.sort ?? 'created'],
    page: query.page,
  })
  if (query.include_facets !== true) return { rows, total }
  const of = (facet: Facet) => countFacet(db, tenantId, query, facet)
  return {
    rows,
    total,
    facets: {
      owner: await of('owner'),
      lifecycle: await of('lifecycle'),
      tag: await of('tag'),
      status: await of('status'),
      grade: await of('grade'),
      format: await of('format'),
      draft: await of('draft'),
    },
  }
}
