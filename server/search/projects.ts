import { and, asc, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { Guard } from '../bounds/door.ts'
import { matching } from '../projects/door.ts'

/** Of so many that match best the order is refined. */
const mostRanked = 500

interface Named {
  readonly name: string
  readonly slug: string
}

const wordsOf = (text: string): string[] => text.trim().toLowerCase().split(/\s+/)

/** How well the name of a project matches what was typed: 0 is the name itself, 5 that only what is said about it has the words. */
export function rankOf({ name, slug }: Named, text: string): number {
  const wanted = text.trim().toLowerCase()
  const own = name.toLowerCase()
  if (own === wanted || slug === wanted) return 0
  if (own.startsWith(wanted) || slug.startsWith(wanted)) return 1
  const words = wordsOf(text)
  const parts = `${own} ${slug}`.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => parts.includes(word))) return 2
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 3
  return words.every((word) => own.includes(word) || slug.includes(word)) ? 4 : 5
}

/** What the database knows of `rankOf`: the name itself, its beginning, each word in it, or elsewhere. */
function roughRank(text: string): SQL {
  const wanted = text.trim().toLowerCase()
  const { foldedName, slug } = projects
  const begins = (column: PgColumn): SQL => sql`substr(${column}, 1, ${Array.from(wanted).length}) = ${wanted}`
  const all = and(...wordsOf(text).map((word) => or(contains(foldedName, word), contains(slug, word)))) ?? sql`true`
  return sql`case when ${foldedName} = ${wanted} or ${slug} = ${wanted} then 0
    when ${begins(foldedName)} or ${begins(slug)} then 1 when ${all} then 2 else 3 end`
}

/** Projects whose name, slug, description or owner has each of the words; those that are named so come first. */
export async function searchProjects(
  read: Reader,
  tenantId: string,
  text: string,
  limit: number,
): Promise<CatalogSearch['projects']> {
  const { name, slug } = projects
  const rows = await read
    .select({ name, slug })
    .from(projects)
    .where(inTenant(projects, tenantId, matching({ q: text })))
    .orderBy(roughRank(text), sql`length(${name})`, asc(slug))
    .limit(mostRanked)
  const ranked: { row: Named; rank: number }[] = []
  await new Guard('project-search').each(
    rows,
    (row) => row.name.length * wordsOf(text).length,
    (row) => ranked.push({ row, rank: rankOf(row, text) }),
  )
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.row.name.length - b.row.name.length || (a.row.slug < b.row.slug ? -1 : 1))
    .slice(0, limit)
    .map(({ row }) => row)
}
