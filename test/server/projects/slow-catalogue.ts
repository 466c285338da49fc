/** The list of projects found the slow way: everything is read, and counted from the versions. */
import type { Database } from '../../../db/database.ts'
import { projects, versions } from '../../../db/tables.gen.ts'
import { latestOf } from '../../../src/kernel/latest-version.ts'

type Filter = Partial<Record<'owner' | 'lifecycle' | 'tag' | 'status' | 'grade' | 'format' | 'draft', string>>

export interface ListQuestion {
  readonly filter: Filter
  readonly q: string
  readonly sort: 'created' | 'updated' | 'name' | 'grade'
  readonly limit: number
  readonly offset: number
}

/** The slow way: everything is read, and counted from the versions. */
export async function slowly(db: Database, { filter, q, sort, limit, offset }: ListQuestion) {
  const all = await db.read.select().from(versions)
  const byUnits = (a: string, b: string): number => Number(a > b) - Number(a < b)
  const known = (await db.read.select().from(projects)).map((row) => {
    const own = all.filter(({ projectId }) => projectId === row.id)
    const latest = latestOf(own)
    const one = (value: string | null | undefined): string[] => (value === null || value === undefined ? [] : [value])
    const values: Record<keyof Filter, readonly string[]> = {
      owner: one(row.owner),
      lifecycle: one(row.lifecycle),
      tag: row.tags ?? [],
      status: [latest?.status ?? 'none'],
      grade: [latest?.grade ?? 'none'],
      format: one(latest && `${latest.format.kind} ${latest.format.version}`),
      draft: [own.some(({ status }) => status === 'draft') ? 'yes' : 'no'],
    }
    return { row, own, latest, values }
  })
  type Known = (typeof known)[number]
  const words = q.toLowerCase().split(' ')
  const found = known.filter(({ row }) =>
    words.every((word) =>
      [row.name, row.slug, row.description, row.owner].some((it) => it?.toLowerCase().includes(word)),
    ),
  )
  const names = Object.keys(found[0]?.values ?? {}) as (keyof Filter)[]
  const fits = (except: keyof Filter | null) =>
    found.filter(({ values }) =>
      names.every((name) => name === except || filter[name] === undefined || values[name].includes(filter[name])),
    )
  const newest = (a: Known, b: Known) => byUnits(b.row.createdAt, a.row.createdAt) || byUnits(b.row.id, a.row.id)
  const named = (a: Known, b: Known) => byUnits(a.row.name.toLowerCase(), b.row.name.toLowerCase()) || newest(a, b)
  const rank = ({ latest }: Known) => ['F', 'D', 'C', 'B', 'A', null].indexOf(latest?.grade ?? null)
  const orders = {
    created: newest,
    updated: (a: Known, b: Known) => byUnits(b.row.updatedAt, a.row.updatedAt) || newest(a, b),
    name: named,
    grade: (a: Known, b: Known) => rank(a) - rank(b) || named(a, b),
  }
  const listed = fits(null).toSorted(orders[sort])
  const facets = Object.fromEntries(
    (['owner', 'lifecycle', 'tag', 'status', 'grade', 'format', 'draft'] as const).map((name) => {
      const counts = new Map<string, number>()
      for (const { values } of fits(name))
        for (const value of values[name]) counts.set(value, (counts.get(value) ?? 0) + 1)
      const counted = [...counts].map(([value, count]) => ({ value, count }))
      return [name, counted.toSorted((a, b) => b.count - a.count || byUnits(a.value, b.value))]
    }),
  )
  return {
    total: listed.length,
    facets,
    items: listed.slice(offset, offset + limit).map(({ row, own, latest }) => ({
      slug: row.slug,
      versions_count: own.length,
      published_versions_count: own.filter(({ status }) => status !== 'draft').length,
      latest: latest && [latest.id, latest.label, latest.status, latest.grade],
    })),
  }
}
